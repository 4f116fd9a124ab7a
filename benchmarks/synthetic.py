"""Speed of synthetic documents: the recipe in a plain loop, the same as stages of Beam, and the whole command.

    python -m benchmarks.synthetic [--documents 20000] [--rounds 3] [--tasks ensemble] [--tokenizer FILE]

Seconds are those of processor time. The loop makes documents of their numbers and does nothing with them; the stages
read seeds, apply the recipe and choose splits. Runs are taken in turn, and medians shown. The last line is one JSON
object.
"""

from __future__ import annotations

from gistmill.pipelines.runners.quiet import mute_imports

mute_imports()

import argparse  # noqa: E402
import json  # noqa: E402
import resource  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402

import apache_beam as beam  # noqa: E402

from benchmarks.beam_clock import through_beam  # noqa: E402
from benchmarks.measuring import in_turn, machine, median, table  # noqa: E402
from gistmill.rules.synthetic.config import SyntheticConfig  # noqa: E402
from gistmill.rules.synthetic.recipe import Synthetic  # noqa: E402
from gistmill.transforms.materials import open_materials  # noqa: E402
from gistmill.transforms.sources.seeds import SeedRange, read_seeds, seed  # noqa: E402
from gistmill.transforms.steps.choose_split import ChooseSplit, SplitConfig  # noqa: E402
from gistmill.transforms.steps.recipe import ApplyRecipe  # noqa: E402

_RANGE = 1024


def loop(recipe: Synthetic, documents: int) -> float:
    """Seconds of the plain loop."""
    begun = time.process_time()
    for number in range(documents):
        recipe.process(seed(number))
    return time.process_time() - begun


def stages(recipe: Synthetic, documents: int) -> float:
    """Seconds of the stages of Beam, from the first range to the last document."""
    cuts = [*range(0, documents, _RANGE), documents]
    ranges = [SeedRange(key=f"{a:012d}", size=b - a, start=a, end=b) for a, b in zip(cuts, cuts[1:])]
    steps = (beam.FlatMap(read_seeds), ApplyRecipe(recipe), ChooseSplit(SplitConfig()))
    return through_beam(ranges, *steps, keep=False, clock=time.process_time)[0]


def command(documents: int, *options: str) -> float:
    """Seconds of the whole command with one worker: generation, Parquet and TFRecord."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        own = [
            sys.executable,
            "-m",
            "gistmill",
            "synthetic",
            "--documents",
            str(documents),
            "--output",
            f"{folder}/out",
        ]
        subprocess.run([*own, *options], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000, help="documents of a run (default: 20,000)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: 3)")
    parser.add_argument("--tasks", default="ensemble", help="the tasks, as gistmill synthetic takes them")
    parser.add_argument("--tokenizer", help="a tokenizer for tasks that count tokens")
    parser.add_argument("--skip-command", action="store_true", help="leave out the whole command")
    args = parser.parse_args()
    recipe = Synthetic(SyntheticConfig(tasks=args.tasks, tokenizer=args.tokenizer))
    open_materials(recipe)
    options = ["--tasks", args.tasks, *(["--tokenizer", args.tokenizer] if args.tokenizer else [])]
    runs = {"loop": lambda: loop(recipe, args.documents), "stages": lambda: stages(recipe, args.documents)}
    if not args.skip_command:
        runs["command"] = lambda: command(args.documents, *options)
        runs["command of one document"] = lambda: command(1, *options)
    seconds = {name: median(values) for name, values in in_turn(runs, times=args.rounds).items()}
    print(machine(("apache-beam", "numpy", "pyarrow")))
    print(f"{args.documents:,} documents of {args.tasks}; medians of {args.rounds} runs in turn, processor time\n")
    rows = [
        (name, f"{spent:.2f}", f"{args.documents / spent:,.0f}", f"{seconds['loop'] / spent:.2f}")
        for name, spent in seconds.items()
    ]
    print(table(("", "seconds", "documents/s", "share of the loop's speed"), rows))
    print(json.dumps({"documents": args.documents, "tasks": args.tasks, "seconds": seconds}))


if __name__ == "__main__":
    main()
