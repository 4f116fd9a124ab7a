"""The command line: ``gistmill JOB [options] [Beam runner options]``."""
from __future__ import annotations

from pipelines.running.caps import cap_threads
from pipelines.running.quiet import mute_imports

cap_threads()  # before anything imports numpy
mute_imports()  # before anything imports Beam

import difflib  # noqa: E402
import importlib  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from importlib.metadata import PackageNotFoundError, version  # noqa: E402

from pipelines.options import UsageError  # noqa: E402
from pipelines.running.leaving import run_and_leave  # noqa: E402

# job -> (module with ``main(argv) -> exit code``, one line for --help); modules load on demand: Beam and spaCy are slow
JOBS = {
    "discofuse": ("pipelines.discofuse", "build a sentence-fusion dataset (DiscoFuse) from a Wikipedia dump"),
    "lead-bias": ("pipelines.lead_bias", "build a summarization dataset from the lead of each article and the rest of it"),
    "wikitransfer": ("pipelines.wikitransfer", "build summarization datasets that resemble others, or fit a profile"),
    "gap-sentences": ("pipelines.gap_sentences", "build a pre-training corpus of gap sentences (PEGASUS)"),
    "annotate": ("pipelines.annotate", "parse a dump once and keep the annotations as Parquet, for --source annotated"),
    "validate": ("pipelines.validate", "check a published dataset against its manifest"),
    "split": ("pipelines.split", "try the DiscoFuse rules on sentences of your own"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a job and returns the exit code: 0 done, 1 the job failed, 2 the command line or configuration is wrong."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if arguments else 2
    if arguments[0] == "--version":
        print(f"gistmill {_version()}")
        return 0
    job, *rest = arguments
    if job not in JOBS:
        near = difflib.get_close_matches(job, JOBS, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(JOBS)}"
        print(f"gistmill: unknown job {job!r}{hint}", file=sys.stderr)
        return 2
    try:
        return importlib.import_module(JOBS[job][0]).main(rest)
    except UsageError as error:
        print(f"gistmill {job}: {error}", file=sys.stderr)
        return 2


def run() -> None:
    """The command itself: ``main`` on the process's arguments, then the end of the process."""
    run_and_leave(main)


def _version() -> str:
    try:
        return version("gistmill")
    except PackageNotFoundError:
        return "(not installed)"


def _overview() -> str:
    width = max(map(len, JOBS))
    jobs = "\n".join(f"  {name:<{width}}  {text}" for name, (_, text) in JOBS.items())
    return (
        "usage: gistmill JOB [options] [Beam runner options]\n\n"
        "Turns Wikipedia dumps and news crawls into training corpora for sentence fusion and summarization.\n\n"
        f"jobs:\n{jobs}\n\n"
        "gistmill JOB --help explains a job. Exit codes: 0 done, 1 the job failed, 2 the command line is wrong."
    )
