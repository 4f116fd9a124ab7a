"""The same job on every runner of this machine: seconds, documents per second, and whether the bytes are the same.

    python -m benchmarks.runners [--input DUMP] [--limit N] [--rounds 3] [--prism PATH] [--without flink,prism]

In process, with two worker processes, on a Flink cluster of two task managers (deploy/flink starts it, apart from the
clock) and on Prism, Beam's portable local runner. Runs are interleaved; rows are medians. Processor time is that of all
processes by their programs; other work on the machine changes it less than the time. The last line is one JSON object.
`go install github.com/apache/beam/sdks/v2/go/cmd/prism@v2.77.0` builds Prism.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measuring import in_turn, machine, median, table
from benchmarks.process_tree import used_so_far, watch
from benchmarks.slice import slice_path
from gistmill.deploy.flink.cluster import Cluster
from gistmill.deploy.flink.install import default_home, install
from gistmill.deploy.flink.settings import Settings
from gistmill.deploy.flink.submit import portable_options, worker_command
from gistmill.published.dataset import Dataset

RUNNERS = ("in-process", "2 processes", "flink", "prism")


def options_of(runner: str, *, job_port: int, prism: str) -> list[str]:
    """What a job's command line needs for a runner."""
    if runner == "2 processes":
        return ["--workers", "2"]
    if runner == "flink":
        return portable_options(job_endpoint=f"127.0.0.1:{job_port}", parallelism=2, worker=worker_command())
    if runner == "prism":
        return ["--runner=PrismRunner", f"--prism_location={prism}"]
    return []


def checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of the data files, from the manifest."""
    files = Dataset(folder).manifest.files
    return {f.path: f.sha256 for f in files if f.format in ("parquet", "tfrecord")}


def measure(
    runners: Sequence[str], arguments: argparse.Namespace, folder: Path, cluster: Cluster | None
) -> list[dict[str, object]]:
    """Runs the job on each runner in turn; returns one mapping a runner."""
    common = [sys.executable, "-m", "gistmill", "discofuse", "--input", str(arguments.input), "--overwrite"]
    if arguments.limit:
        common += ["--limit", str(arguments.limit)]
    used: dict[str, list[Counter[str]]] = {r: [] for r in runners}  # milliseconds by program

    def run(runner: str) -> float:
        options = options_of(runner, job_port=Settings().job_port, prism=arguments.prism)
        servers = cluster.processes() if cluster is not None and runner == "flink" else []
        before = sum((used_so_far(p.pid) for p in servers), Counter())
        try:
            usage = watch([*common, "--output", str(folder / runner), *options])
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"{runner}: {error.stderr.strip()[-500:]}") from None
        after = sum((used_so_far(p.pid) for p in servers), Counter())
        used[runner].append(usage.cpu_by_name + (after - before))
        return usage.seconds

    seconds = in_turn({r: partial(run, r) for r in runners}, times=arguments.rounds)
    documents = Dataset(folder / runners[0]).manifest.counts["documents"]["read"]
    wanted = checksums(folder / runners[0])
    return [
        {
            "runner": r,
            "seconds": round(median(s), 1),
            "documents_per_second": round(documents / median(s), 2),
            "times_in_process": round(median(seconds[runners[0]]) / median(s), 2),
            "same_bytes": checksums(folder / r) == wanted,
            "cpu_seconds": _by_program(used[r]),
        }
        for r, s in seconds.items()
    ]


def _by_program(used: Sequence[Counter[str]]) -> dict[str, float]:
    return {name: round(median([u[name] for u in used]) / 1000, 1) for name in sorted(sum(used, Counter()))}


def _programs(seconds: Any) -> str:
    return ", ".join(f"{name} {used}" for name, used in seconds.items())


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.runners", description=__doc__.split("\n")[0])
    parser.add_argument("--input", type=Path, default=None, metavar="DUMP", help="default: the slice of enwiki")
    parser.add_argument("--limit", type=int, metavar="N", help="first N pages only")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--prism", default=shutil.which("prism"), metavar="PATH", help="the prism program")
    parser.add_argument("--without", default="", metavar="LIST", help=f"leave out some of: {', '.join(RUNNERS[1:])}")
    arguments = parser.parse_args(argv)
    arguments.input = arguments.input or slice_path()
    left_out = set(filter(None, arguments.without.split(",")))
    if unknown := left_out - set(RUNNERS[1:]):
        parser.error(f"--without: {', '.join(sorted(unknown))}")
    runners = [r for r in RUNNERS if r not in left_out]
    if "prism" in runners and not arguments.prism:
        parser.error("prism is not on the PATH; name it with --prism, or leave it out with --without prism")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = None
        if "flink" in runners:
            cluster = Cluster(folder / "cluster", install(default_home()))
            cluster.up(Settings())
            stack.callback(cluster.down)
        rows = measure(runners, arguments, folder, cluster)
    print(machine())
    head = ("runner", "s", "documents/s", "times in-process", "same bytes", "processor time, s")
    print(table(head, [[*map(str, list(r.values())[:-1]), _programs(r["cpu_seconds"])] for r in rows]))
    print(json.dumps({"rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
