"""The command line: ``gistmill JOB [options] [Beam runner options]``."""

from __future__ import annotations

from gistmill.pipelines.runners.quiet import mute_imports
from gistmill.transforms.arithmetic import settle_arithmetic

settle_arithmetic()  # before anything imports numpy
mute_imports()  # before anything imports Beam

import importlib  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from importlib.metadata import PackageNotFoundError, version  # noqa: E402

from gistmill.core.terminal import printable  # noqa: E402
from gistmill.core.values import nearest  # noqa: E402
from gistmill.pipelines.errors import ConfigError  # noqa: E402
from gistmill.pipelines.runners.exits import run_and_leave  # noqa: E402
from gistmill.rules.recipes import BROKEN, RECIPES  # noqa: E402

# name -> (module with ``main(argv) -> exit code``, one line for --help) of what is not a building job; modules load on
# demand: Beam and spaCy are slow
HELPERS = {
    "validate": ("gistmill.pipelines.validate", "check a published dataset against its manifest"),
    "diff": ("gistmill.pipelines.diff", "show what changed between two published datasets"),
    "trace": ("gistmill.pipelines.trace.command", "trace a row back to its page, and show how it was made"),
    "why": ("gistmill.pipelines.why.command", "say what became of a page, an address or a sentence"),
    "estimate": ("gistmill.pipelines.estimate.command", "say from a sample what a job would give and cost"),
    "retry": (
        "gistmill.pipelines.retry",
        "process the documents again on which the parser failed, and merge them into a new dataset",
    ),
    "try": ("gistmill.pipelines.explained.command", "show what the DiscoFuse rules make of a text"),
    "split": ("gistmill.pipelines.split_command", "try the DiscoFuse rules on sentences of your own"),
    "fuse": ("gistmill.pipelines.fuse", "fuse two sentences into one text"),
    "explore": ("gistmill.explorer.command", "show the rows of a dataset as a web page, to filter, search and mark"),
    "serve": ("gistmill.serving.command", "split, fuse and summarize for clients of an HTTP API"),
    "push": ("gistmill.pipelines.push", "bring a dataset to the hub of Hugging Face"),
    "rebuild": ("gistmill.pipelines.rebuild.command", "make a new version of a corpus when a new dump is there"),
    "download": ("gistmill.pipelines.rebuild.fetching", "fetch the newest complete dump of a wiki"),
}
# An option that makes a job something else.
ALTERNATIVES = {("wikitransfer", "--fit"): "gistmill.pipelines.fit_profile"}


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
    if job not in RECIPES and job not in HELPERS:
        hint = nearest(job, _names()) or f"; there are {', '.join(_names())}"
        print(printable(f"gistmill: {BROKEN.get(job) or f'unknown job {job!r}{hint}'}"), file=sys.stderr)
        return 2
    try:
        return _run(job, rest)
    except ConfigError as error:
        print(printable(f"gistmill {job}: {error}"), file=sys.stderr)
        return 2


def _run(job: str, arguments: Sequence[str]) -> int:
    flags = {a.partition("=")[0] for a in arguments}
    module = next((m for (name, flag), m in ALTERNATIVES.items() if name == job and flag in flags), None)
    if module is None and job in RECIPES:
        from gistmill.pipelines.commands import run_job

        return run_job(RECIPES[job], arguments)
    main: Callable[[Sequence[str]], int] = importlib.import_module(module or HELPERS[job][0]).main
    return main(arguments)


def _names() -> list[str]:
    return [*RECIPES, *HELPERS]


def run() -> None:
    """The command itself: ``main`` on the process's arguments, then the end of the process."""
    run_and_leave(main)


def _version() -> str:
    try:
        return version("gistmill")
    except PackageNotFoundError:
        return "(not installed)"


def _overview() -> str:
    lines = {**{name: recipe.HELP for name, recipe in RECIPES.items()}, **{n: text for n, (_, text) in HELPERS.items()}}
    width = max(map(len, lines))
    jobs = "\n".join(f"  {name:<{width}}  {text}" for name, text in lines.items())
    return (
        "usage: gistmill JOB [options] [Beam runner options]\n\n"
        "Turns Wikipedia dumps and news crawls into training corpora for sentence fusion and summarization.\n\n"
        f"jobs:\n{jobs}\n\n"
        "gistmill JOB --help explains a job; gistmill --version prints the version.\n"
        "Exit codes: 0 done, 1 the job failed, 2 the command line is wrong."
    )
