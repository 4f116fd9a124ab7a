"""``gistmill rebuild``: the command line, and reports for programs (a JSON line, metrics and a webhook)."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from gistmill.core.addresses import WebAddress, without_secrets
from gistmill.core.text_output import log, say
from gistmill.pipelines.errors import BusyError, CommandParser, ConfigError, JobFailed, OutputExists
from gistmill.pipelines.publication import DamagedInputError, EmptyDatasetError
from gistmill.pipelines.rebuild.corpus import Corpus, read_corpus, schema_text
from gistmill.pipelines.rebuild.rebuild import NOTHING_NEW, GuardError, Rebuild, Report
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.web import FAILURES, TIMEOUT, RedirectRefused, plain_reason, session

PUBLISHED_CODE, FAILED_CODE, WRONG_CODE, NOTHING_NEW_CODE = 0, 1, 2, 3


def main(argv: Sequence[str]) -> int:
    """Rebuilds a corpus; returns the exit code. Raises ConfigError at once if the command or corpus file is invalid."""
    parser = CommandParser("rebuild")
    parser.add_argument("corpus", metavar="CORPUS.yaml", nargs="?", help="corpus file (see docs/rebuild.md)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="check the corpus file and the local inputs, models and other files that it names, then exit",
    )
    parser.add_argument("--accept", action="store_true", help="publish even if guards are violated")
    parser.add_argument(
        "--rollback",
        metavar="VERSION",
        nargs="?",
        const="",
        help="serve this version (default: the one before the current version), then exit",
    )
    parser.add_argument("--metrics-file", metavar="FILE.prom", help="write metrics here in Prometheus' text format")
    parser.add_argument("--print-schema", action="store_true", help="print the JSON schema of corpus files, then exit")
    arguments = parser.parse_args(list(argv))
    if arguments.print_schema:
        print(schema_text(), end="")
        return 0
    if not arguments.corpus:
        raise ConfigError("specify a corpus file")
    corpus, report = read_corpus(arguments.corpus), Report(corpus=arguments.corpus, started=datetime.now(UTC))
    show_warnings()
    mute_stores()
    if arguments.check:
        try:
            Rebuild(corpus, report, _say).check()
        except JobFailed as error:  # a store does not respond
            _say(str(error))
            return FAILED_CODE
        say(f"{arguments.corpus}: {len(corpus.sources)} sources, {len(corpus.datasets)} datasets", sys.stdout)
        return 0
    return _rebuilt(arguments, corpus, report)


def _rebuilt(arguments: Namespace, corpus: Corpus, report: Report) -> int:
    """Performs the rebuild or rollback, and reports the outcome to programs in all cases."""
    code = FAILED_CODE
    try:
        with exit_on_signals(lambda: "finished stages are kept; run the same command to continue"):
            rebuild = Rebuild(corpus, report, _say)
            if arguments.rollback is not None:
                rebuild.back(arguments.rollback or None)
            else:
                rebuild.run(accept=arguments.accept)
        code = NOTHING_NEW_CODE if report.status == NOTHING_NEW else PUBLISHED_CODE
    except ConfigError as error:
        report.error, code = str(error), WRONG_CODE
        _say(str(error))
    except (JobFailed, OutputExists) as error:
        report.status, report.error = "failed", str(error)
        if not isinstance(error, BusyError) and arguments.rollback is None:
            report.advice = _advice(report, error)
        _say(str(error))
        if report.advice:
            _say(report.advice)
    except SystemExit as stop:  # a signal, already reported on standard error
        report.status, report.error, report.advice = "interrupted", "stopped by a signal", _advice(report)
        code = stop.code if isinstance(stop.code, int) else FAILED_CODE
    except Exception as error:  # a bug: it is reported to programs, then raised with its traceback
        report.error = f"{type(error).__name__}: {error}"
        raise
    finally:
        _tell(arguments, corpus, report, code)
    return code


def _advice(report: Report, error: Exception | None = None) -> str:
    served = f"{report.served} is still served" if report.served else "no version is served yet"
    if isinstance(error, GuardError):
        return (
            f"{served}; inspect the new version, then fix the cause, or repeat the command with --accept to publish it"
        )
    first = "change the options or the input, then " if isinstance(error, EmptyDatasetError | DamagedInputError) else ""
    return f"{served}; {first}repeat the command: finished stages are not repeated"


def _tell(arguments: Namespace, corpus: Corpus, report: Report, code: int) -> None:
    now = datetime.now(UTC)
    summary = report.to_json(exit_code=code, now=now)
    say(json.dumps(summary, ensure_ascii=False), sys.stdout)
    if arguments.metrics_file:
        try:
            write_metrics(arguments.metrics_file, summary, now=now)
        except OSError as error:
            _say(f"{arguments.metrics_file}: {error.strerror or error}")
    webhook = corpus.config.webhook
    event = "failed" if code in (FAILED_CODE, WRONG_CODE) else report.status
    if webhook and event in webhook.on and (problem := call_webhook(webhook.url, summary)):
        _say(problem)


def write_metrics(path: str, summary: Mapping[str, Any], *, now: datetime) -> None:
    """Writes a rebuild's summary atomically, in the Prometheus text format, for the node exporter's textfile collector,
    which reads files named ``*.prom``. Raises OSError if the file cannot be written."""
    registry, made = CollectorRegistry(), dict[str, Gauge]()

    def gauge(name: str, text: str, value: float, **labels: str) -> None:
        if name not in made:
            made[name] = Gauge(f"gistmill_rebuild_{name}", text, ["corpus", *labels], registry=registry)
        made[name].labels(corpus=summary["corpus"], **labels).set(value)

    gauge("last_run_timestamp_seconds", "Time when the last rebuild ended.", now.timestamp())
    gauge("exit_code", "Exit code of the last rebuild: 0 published, 3 nothing new, 1 failed.", summary["exit_code"])
    gauge("success", "Whether the last rebuild succeeded.", summary["exit_code"] in (0, 3))
    gauge("duration_seconds", "Duration of the last rebuild in seconds.", summary["seconds"])
    for stage in summary.get("stages", ()):
        gauge("stage_seconds", "Duration of a stage in seconds.", stage["seconds"], stage=stage["name"])
        gauge("stage_cpu_seconds", "Local CPU seconds of a stage.", stage["cpu_seconds"], stage=stage["name"])
    for dataset, rows in summary.get("rows", {}).items():
        for config, count in rows.items():
            gauge("rows", "Number of rows in a dataset's configuration.", count, dataset=dataset, config=config)
    for wiki, date in summary.get("dumps", {}).items():
        gauge("dump_date", "Date of the dump (YYYYMMDD) or last month of the crawl (YYYYMM).", int(date), wiki=wiki)
    write_to_textfile(path, registry)


def call_webhook(url: str, summary: Mapping[str, Any]) -> str:
    """Sends the summary by POST. Returns a one-line description of the problem, or "".

    The description names only the server, because anyone who knows the full URL can post there.
    """
    try:
        with (
            session(tries=1) as web,
            web.post(url, json=summary, timeout=TIMEOUT, stream=True, allow_redirects=False) as answer,
        ):
            problem = "" if 200 <= answer.status_code < 300 else f"HTTP status {answer.status_code}"
    except RedirectRefused:
        problem = "it redirects to another host"
    except FAILURES as error:
        problem = plain_reason(error)
    return problem and f"the webhook at {WebAddress.of(url)} failed: {problem}"


def _say(line: str) -> None:
    log(f"gistmill rebuild: {without_secrets(line)}")
