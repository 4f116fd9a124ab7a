"""The ``gistmill JOB [options]`` command, the list of presets and the shell completion script."""

from __future__ import annotations

from gistmill.pipelines.runners.quiet import mute_imports
from gistmill.transforms.arithmetic import settle_arithmetic

settle_arithmetic()  # before anything imports numpy
mute_imports()  # before anything imports Beam

import contextlib  # noqa: E402
import importlib  # noqa: E402
import io  # noqa: E402
import re  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable, Sequence  # noqa: E402
from dataclasses import dataclass  # noqa: E402
from importlib.resources import files  # noqa: E402

import yaml  # noqa: E402

from gistmill import corpora  # noqa: E402
from gistmill.core.extras import MissingExtra, extra_for, install_extra  # noqa: E402
from gistmill.core.text_output import say  # noqa: E402
from gistmill.core.values import nearest  # noqa: E402
from gistmill.pipelines.errors import CommandParser, ConfigError  # noqa: E402
from gistmill.pipelines.reporting.plain_text import table  # noqa: E402
from gistmill.pipelines.runners.exits import run_and_leave  # noqa: E402
from gistmill.rules.recipe import PairRecipe  # noqa: E402
from gistmill.rules.recipes import BROKEN, RECIPES  # noqa: E402
from gistmill.transforms.installed import installed  # noqa: E402


@dataclass(frozen=True, slots=True)
class Helper:
    """A command that is not a build job."""

    group: str  # heading in the overview
    # defines ``main(argv) -> exit code``, or the function named after a colon; loaded on demand, because importing Beam
    # and spaCy is slow
    module: str
    text: str  # one line for the overview
    extra: str = "pipelines"  # the extra that it requires


BUILD, REFINE, LOOK, SENTENCES, RUN = GROUPS = ("Build", "Refine", "Look", "Sentences", "Run")
HELPERS = {
    "explore": Helper(LOOK, "gistmill.explorer.server", "filter, search and mark rows on a web page", "explore"),
    "validate": Helper(LOOK, "gistmill.pipelines.validate", "check a published dataset against its manifest"),
    "diff": Helper(LOOK, "gistmill.pipelines.diff", "show what changed between two published datasets"),
    "trace": Helper(LOOK, "gistmill.pipelines.inspect:trace_main", "trace a row to its page and show how it was made"),
    "why": Helper(LOOK, "gistmill.pipelines.inspect:why_main", "explain what happened to a page, document or sentence"),
    "try": Helper(SENTENCES, "gistmill.pipelines.splitting:try_main", "show how the rules transform a text"),
    "split": Helper(SENTENCES, "gistmill.pipelines.splitting", "apply the rules in scripts: rows in, JSON lines out"),
    "resolve": Helper(
        SENTENCES, "gistmill.pipelines.propositions:resolve_main", "replace pronouns and mentions with antecedents"
    ),
    "fuse": Helper(SENTENCES, "gistmill.pipelines.fuse", "fuse two sentences into one text"),
    "presets": Helper(RUN, "gistmill.pipelines.cli:presets", "list the configurations shipped with Gistmill"),
    "push": Helper(RUN, "gistmill.pipelines.push", "upload a dataset to the Hugging Face Hub"),
    "completion": Helper(RUN, "gistmill.pipelines.cli:completion", "print a script that completes commands in a shell"),
    "estimate": Helper(RUN, "gistmill.pipelines.estimate", "estimate the rows and cost of a job from a sample"),
    "download": Helper(RUN, "gistmill.pipelines.rebuild.download", "download the newest complete dump of a wiki"),
    "rebuild": Helper(RUN, "gistmill.pipelines.rebuild.command", "build a new version of a corpus from a new dump"),
    "serve": Helper(RUN, "gistmill.serving.command", "split, fuse and summarize for clients of an HTTP API", "serve"),
}
# Options that run a different command instead of the job.
ALTERNATIVES = {
    ("wikitransfer", "--fit"): "gistmill.pipelines.fit_profile",
    ("propositions", "--text"): "gistmill.pipelines.propositions",
    ("propositions", "--text-file"): "gistmill.pipelines.propositions",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a job and returns the exit code: 0 done, 1 job failed, 2 invalid command line or configuration."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["help"] and arguments[1:]:
        arguments = [arguments[1], "--help"]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if arguments else 2
    if arguments[0] == "--version":
        say(f"gistmill {installed('gistmill') or '(not installed)'}", sys.stdout)
        return 0
    job, *rest = arguments
    if job == "train":
        say(f"gistmill: gistmill-train is a separate command that needs gistmill[train]: {install_extra('train')}")
        return 2
    if job not in RECIPES and job not in HELPERS:
        hint = nearest(job, names()) or f"; expected one of {', '.join(names())}"
        say(f"gistmill: {BROKEN.get(job) or f'unknown job {job!r}{hint}'}")
        return 2
    try:
        with extra_for("it", HELPERS[job].extra if job in HELPERS else "pipelines"):
            return _run(job, rest)
    except (ConfigError, MissingExtra) as error:
        say(f"gistmill {job}: {error}")
        return 2


def _run(job: str, arguments: Sequence[str]) -> int:
    flags = {a.partition("=")[0] for a in arguments}
    module = next((m for (name, flag), m in ALTERNATIVES.items() if name == job and flag in flags), None)
    if module is None and job in RECIPES:
        from gistmill.pipelines.api import run_job

        return run_job(RECIPES[job], arguments)
    module, _, function = (module or HELPERS[job].module).partition(":")
    main: Callable[[Sequence[str]], int] = getattr(importlib.import_module(module), function or "main")
    return main(arguments)


def names() -> list[str]:
    """Returns the names of all jobs and helpers."""
    return [*RECIPES, *HELPERS]


def run() -> None:
    """Calls ``main`` with the process's arguments, then exits."""
    run_and_leave(main)


def _overview() -> str:
    entries = [
        (REFINE if issubclass(recipe, PairRecipe) else BUILD, name, recipe.HELP) for name, recipe in RECIPES.items()
    ]
    entries += [(helper.group, name, helper.text) for name, helper in HELPERS.items()]
    width = max(map(len, names()))
    lines = [
        "usage: gistmill JOB [options] [Beam runner options]",
        "",
        "Turns Wikipedia dumps and news crawls into training corpora for sentence fusion and summarization.",
    ]
    for group in GROUPS:
        lines += ["", f"{group}:"]
        lines += [f"  {name:<{width}}  {text}" for its, name, text in entries if its == group]
    return "\n".join(
        [
            *lines,
            "",
            "gistmill help JOB explains a job; gistmill --version prints the version.",
            "Exit codes: 0 done, 1 the job failed, 2 invalid command line, 3 rebuild found nothing new,",
            "130 and 143 interrupted or terminated, 141 standard output was closed.",
        ]
    )


def presets(argv: Sequence[str]) -> int:
    """Prints the list of presets, or one preset; returns 0. Raises ConfigError if the command line is invalid."""
    parser = CommandParser("presets")
    parser.add_argument("name", nargs="?", metavar="NAME", help="print this preset")
    name = parser.parse_args(list(argv)).name
    if name is None:
        rows = []
        for each in corpora.NAMES:
            text = corpora.preset(each).read_text(encoding="utf-8")
            # the leading comment begins with a description that ends at a colon or semicolon
            head = " ".join(line.removeprefix("#").strip() for line in text.split("\njob:")[0].splitlines())
            rows.append((each, yaml.safe_load(text)["job"], head.replace(";", ":").partition(":")[0]))
        print("\n".join(table(("preset", "job", ""), rows)))
    elif name in corpora.NAMES:
        print(corpora.preset(name).read_text(encoding="utf-8"), end="")
    else:
        hint = nearest(name, corpora.NAMES) or f"; expected one of {', '.join(corpora.NAMES)}"
        raise ConfigError(f"unknown preset {name!r}{hint}")
    return 0


# The script lists all jobs and flags, so that completion is instant: calling Python on each key press would load Beam
# every time. No library can generate it, because jobs are loaded on demand and no single parser knows them all.
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def completion(argv: Sequence[str]) -> int:
    """Prints the completion script; returns 0. Raises ConfigError if the command line is invalid."""
    CommandParser("completion").parse_args(list(argv))
    cases = [f'      {job}) words="{" ".join(_flags(job))}" ;;' for job in names()]
    script = files("gistmill.pipelines").joinpath("completion.bash").read_text(encoding="utf-8")
    print(script.replace("@JOBS@", " ".join(["help", *names()])).replace("@CASES@", "\n".join(cases)), end="")
    return 0


def _flags(job: str) -> list[str]:
    """Returns the flags at the beginning of the lines of a job's help."""
    shown = io.StringIO()
    # a job whose extra is missing prints an error and no flags
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        main([job, "--help"])
    lines = [line for line in shown.getvalue().splitlines() if re.match(r"  -", line)]
    return sorted({flag for line in lines for flag in _FLAG.findall(re.split(r" {2,}", line.strip())[0])})
