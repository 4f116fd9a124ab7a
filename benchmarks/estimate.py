"""`gistmill estimate` beside full runs: errors and intervals over seeds.

    python -m benchmarks.estimate                      # gensim's slice, a sample of a tenth, 10 seeds
    python -m benchmarks.estimate --input dump.xml.bz2 --job lead-bias --share 0.05 --seeds 20

It runs the job over the whole input, then the estimate by its command with each seed, and prints how far off each is.
--draws then estimates from that many more samples: one trial over all ranges says what each range gives, so that
none of these samples has to be run.
"""

from __future__ import annotations

import argparse
import bz2
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.commands import run_job
from benchmarks.measuring import machine, table
from benchmarks.slice import slice_path
from gistmill.core.sampling import chances, draw
from gistmill.pipelines.estimate.settings import EstimateConfig
from gistmill.pipelines.estimate.trial import Trial, try_sample
from gistmill.pipelines.job import configure
from gistmill.rules.recipes import RECIPES

_ROWS_BOUND, _TIME_BOUND = 0.10, 0.25


def full_run(job: str, source: Path) -> tuple[dict[str, int], float]:
    """Returns the rows by configuration and the seconds of processor time of a job over the whole input."""
    with tempfile.TemporaryDirectory() as folder:
        used = run_job(job, source, Path(folder))
        manifest = json.loads(Path(folder, "out", "manifest.json").read_text("utf-8"))
    rows = {
        n.partition("/")[2]: sum(group.values()) for n, group in manifest["counts"].items() if n.startswith("rows/")
    }
    return rows, used.cpu_seconds


def estimated(job: str, source: Path, *, share: float, seed: int, look: bool) -> Mapping[str, Any]:
    """Returns what the command says."""
    words = [sys.executable, "-m", "gistmill", "estimate", job, "--input", str(source), "--json"]
    more = [f"--sample-share={share}", f"--sample-seed={seed}", *([] if look else ["--look-bytes=0"])]
    made = subprocess.run([*words, *more], check=True, capture_output=True, text=True)
    found: Mapping[str, Any] = json.loads(made.stdout)
    return found


def every_range(job: str, source: Path, *, look: bool) -> Trial:
    """Returns a trial that reads all ranges."""
    config = configure(RECIPES[job], {"input": str(source), "output": "none"})
    asked = EstimateConfig(sample_ranges=1 << 40, look_bytes=(1 << 40 if look else 0))
    return try_sample(config, asked, beam=[])


def drawn_from(trial: Trial, config: str, *, share: float, draws: int) -> tuple[np.ndarray, float]:
    """Returns the relative errors of the rows of so many samples, and the share of intervals with the truth in them."""
    every = trial.drawn
    sizes, of_rows = every.sample.sizes, every.of_rows.sizes
    rows = np.array(
        [sum(n for k, n in r.counts.items() if k.startswith(f"rows/{config}/")) for r in trial.ranges], np.float64
    )
    chance, errors, held = chances(sizes.tolist(), share=share), [], 0
    for seed in range(draws):
        chosen = draw(sizes.tolist(), chance, seed=seed)
        made = replace(every.of_rows, sizes=of_rows[chosen], chance=chance[chosen]).estimate(rows[chosen])
        errors.append(made.value / rows.sum() - 1)
        held += made.low <= rows.sum() <= made.high
    return np.array(errors), held / draws


def main(argv: Sequence[str] | None = None) -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a dump (default: gensim's slice, unpacked)")
    parser.add_argument("--job", default="discofuse", choices=sorted(RECIPES), help="(default: discofuse)")
    parser.add_argument("--share", type=float, default=0.1, help="of the sample (default: 0.1)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of the command (default: 10)")
    parser.add_argument("--draws", type=int, default=2000, help="samples of the trial over all (default: 2000)")
    parser.add_argument("--blind", action="store_true", help="do not look into the input: sizes are bytes")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments, arguments.input or unpacked_slice(Path(folder)))


def unpacked_slice(folder: Path) -> Path:
    """Returns the slice as plain XML, which is cut finer than by blocks of bz2."""
    path = folder / "slice.xml"
    path.write_bytes(bz2.decompress(slice_path().read_bytes()))
    return path


def compare(arguments: argparse.Namespace, source: Path) -> None:
    """Runs the job and the estimates, and prints the tables."""
    look = not arguments.blind
    print(machine())
    truth, seconds = full_run(arguments.job, source)
    config = max(truth, key=lambda name: truth[name])
    print(f"full run: {truth}, {seconds:.1f} s of processor time")
    lines, held, near, timely, in_time = [], 0, 0, 0, 0
    for seed in range(1, arguments.seeds + 1):
        found = estimated(arguments.job, source, share=arguments.share, seed=seed, look=look)
        value, low, high = found["rows"][config]
        cpu = found["offers"][0]["cpu_seconds"]
        off, late, inside = value / truth[config] - 1, cpu[0] / seconds - 1, low <= truth[config] <= high
        in_time += cpu[1] <= seconds <= cpu[2]
        held, near, timely = held + inside, near + (abs(off) <= _ROWS_BOUND), timely + (abs(late) <= _TIME_BOUND)
        interval, taken = f"{low:,.0f} to {high:,.0f}", f"{cpu[1]:.1f} to {cpu[2]:.1f}"
        read = f"{found['ranges_sampled']}/{found['ranges']}"
        lines.append(
            [str(seed), read, f"{value:,.0f}", f"{off:+.1%}", interval, f"{cpu[0]:.1f}", f"{late:+.1%}", taken]
        )
    print(table(("seed", "ranges", f"rows of {config}", "off", "interval", "CPU s", "off", "interval"), lines))
    print(
        f"of {arguments.seeds} seeds: {near} within {_ROWS_BOUND:.0%} of rows, {timely} within {_TIME_BOUND:.0%} of "
        f"time; {held} have the rows in their interval, {in_time} the time"
    )
    if arguments.draws:
        errors, share = drawn_from(
            every_range(arguments.job, source, look=look), config, share=arguments.share, draws=arguments.draws
        )
        print(
            f"of {arguments.draws:,} samples: standard deviation {errors.std():.1%}, mean {errors.mean():+.1%}, "
            f"{(np.abs(errors) <= _ROWS_BOUND).mean():.0%} within {_ROWS_BOUND:.0%}, {share:.0%} of intervals hold"
        )


if __name__ == "__main__":
    main()
