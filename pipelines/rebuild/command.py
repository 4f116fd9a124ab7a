"""``gistmill rebuild CORPUS.yaml``: the command line, the exit codes and what programs are told."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime

from gistmill.core.addresses import without_secrets
from gistmill.core.terminal import printable
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError, JobFailed, OutputExists
from gistmill.pipelines.rebuild.corpus import Corpus
from gistmill.pipelines.rebuild.guards import GuardError
from gistmill.pipelines.rebuild.reading import read_corpus
from gistmill.pipelines.rebuild.rebuild import Rebuild
from gistmill.pipelines.rebuild.report import FAILED, INTERRUPTED, NOTHING_NEW, Report, call_webhook, write_metrics
from gistmill.pipelines.rebuild.schema import text
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.workspaces.errors import BusyError

PUBLISHED_CODE, FAILED_CODE, WRONG_CODE, NOTHING_NEW_CODE = 0, 1, 2, 3
_DESCRIPTION = """\
Rebuilds a corpus when there is something new: downloads the newest complete dumps, makes the datasets, publishes them
as a dated version and moves the pointer to the latest. Repeat the command after a failure: finished stages are not
done again. Exit codes: 0 published, 3 nothing new, 1 failed (the version before is served), 2 the command line or the
corpus file is wrong. Standard output gets one JSON object."""


def main(argv: Sequence[str]) -> int:
    """Rebuilds a corpus; returns the exit code.

    Raises:
        ConfigError: the command line or the corpus file is wrong; nothing was begun.
    """
    arguments = _arguments(argv)
    if arguments.print_schema:
        print(text(), end="")
        return 0
    if not arguments.corpus:
        raise ConfigError("name a corpus file")
    corpus = read_corpus(arguments.corpus)
    if arguments.check:
        print(f"{arguments.corpus}: {len(corpus.sources)} sources, {len(corpus.datasets)} datasets")
        return 0
    show_warnings()
    mute_stores()
    report = Report(corpus=arguments.corpus, started=datetime.now(UTC))
    return _told(arguments, corpus, report)


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("rebuild", description=_DESCRIPTION)
    parser.add_argument("corpus", metavar="CORPUS.yaml", nargs="?", help="the corpus file; docs/rebuild.md explains it")
    parser.add_argument("--check", action="store_true", help="check the corpus file and stop")
    parser.add_argument("--accept", action="store_true", help="publish in spite of the guards")
    parser.add_argument(
        "--rollback",
        metavar="VERSION",
        nargs="?",
        const="",
        help="serve this version (default: the one before that which is served) and stop",
    )
    parser.add_argument("--metrics-file", metavar="FILE.prom", help="write metrics there in Prometheus' text form")
    parser.add_argument("--print-schema", action="store_true", help="print the JSON schema of corpus files and stop")
    return parser.parse_args(list(argv))


def _told(arguments: Namespace, corpus: Corpus, report: Report) -> int:
    """Carries out, and tells programs how it ended, however it ended."""
    try:
        code = _carried_out(arguments, corpus, report)
    except ConfigError as error:
        report.error, code = str(error), WRONG_CODE
        _say(str(error))
    except SystemExit as stop:  # a signal: the line on standard error is written
        report.status, report.error = INTERRUPTED, "stopped by a signal"
        report.advice = _advice(report)
        code = stop.code if isinstance(stop.code, int) else FAILED_CODE
    except Exception as error:  # a fault of ours: the scheduler is told, and the traceback follows
        report.error = f"{type(error).__name__}: {error}"
        _tell(arguments, corpus, report, FAILED_CODE)
        raise
    _tell(arguments, corpus, report, code)
    return code


def _carried_out(arguments: Namespace, corpus: Corpus, report: Report) -> int:
    rebuild = Rebuild(corpus, report, _say)
    try:
        with exit_on_signals(lambda: "what is finished stays; the same command goes on"):
            if arguments.rollback is not None:
                rebuild.back(arguments.rollback or None)
            else:
                rebuild.run(accept=arguments.accept)
    except (JobFailed, OutputExists) as error:
        report.status, report.error = FAILED, str(error)
        report.advice = "" if isinstance(error, BusyError) else _advice(report, isinstance(error, GuardError))
        _say(str(error))
        if report.advice:
            _say(report.advice)
        return FAILED_CODE
    return NOTHING_NEW_CODE if report.status == NOTHING_NEW else PUBLISHED_CODE


def _advice(report: Report, held_back: bool = False) -> str:
    served = f"{report.served} is served as before" if report.served else "no version is served yet"
    if held_back:
        return (
            f"{served}; look at it, then repeat the command with --accept to publish, or mend what made the difference"
        )
    return f"{served}; repeat the command: finished stages are not done again"


def _tell(arguments: Namespace, corpus: Corpus, report: Report, code: int) -> None:
    now = datetime.now(UTC)
    summary = report.to_json(exit_code=code, now=now)
    print(json.dumps(summary, ensure_ascii=False), flush=True)
    if arguments.metrics_file:
        try:
            write_metrics(arguments.metrics_file, summary, now=now)
        except OSError as error:
            _say(f"{arguments.metrics_file}: {error.strerror or error}")
    if (
        code in (FAILED_CODE, WRONG_CODE)
        and corpus.config.webhook
        and (problem := call_webhook(corpus.config.webhook, summary))
    ):
        _say(problem)


def _say(line: str) -> None:
    print(printable(f"gistmill rebuild: {without_secrets(line)}"), file=sys.stderr, flush=True)
