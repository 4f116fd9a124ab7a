"""What a rebuild tells programs: a JSON line, a Prometheus text file, and a webhook when it failed.

The bounds, and what they look at, are in rules/comparison/guards.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from gistmill.core.addresses import WebAddress, public_name, without_secrets
from gistmill.core.statistics import StatisticsError
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.rebuild.layout import CorpusPlace, is_dataset
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.validate import open_dataset
from gistmill.pipelines.web import FAILURES, TIMEOUT, RedirectRefused, plain_reason, session
from gistmill.published.comparison.compare import compare
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.comparison.guards import GuardsConfig, broken, broken_alone

PUBLISHED, NOTHING_NEW, FAILED, INTERRUPTED, ROLLED_BACK = (
    "published",
    "nothing-new",
    "failed",
    "interrupted",
    "rolled-back",
)


@dataclass(slots=True, kw_only=True)
class Report:
    """What became of a rebuild.

    Attributes:
        corpus: name of the corpus file.
        started: when it began, with time zone.
        status: ``published``, ``nothing-new``, ``failed``, ``interrupted`` or ``rolled-back``.
        version: the version that was made, or is there already.
        served: the version that readers see at the end.
        dumps: dates by wiki, and the last months by crawl.
        rows: rows by dataset and configuration.
        stages: what was done, in order: ``name``, ``how``, ``seconds``, and ``cpu_seconds`` of this machine; of
            annotations that used older ones also ``documents``: how many were reused, revised and parsed.
        removed: versions that were removed.
        stage: the stage that was running at last.
        error: what went wrong, in a line.
        advice: what to do about it, in a line.
    """

    corpus: str
    started: datetime
    status: str = FAILED
    version: str = ""
    served: str = ""
    dumps: dict[str, str] = field(default_factory=dict)
    rows: dict[str, Mapping[str, int]] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    stage: str = ""
    error: str = ""
    advice: str = ""

    def finished(self, name: str, how: str, seconds: float, *, cpu_seconds: float) -> None:
        """Adds a stage."""
        times = {"seconds": round(seconds, 3), "cpu_seconds": round(cpu_seconds, 3)}
        self.stages.append({"name": name, "how": how, **times})

    def skipped(self, name: str) -> None:
        """Adds a stage that was finished before."""
        self.finished(name, "finished before", 0.0, cpu_seconds=0.0)

    def to_json(self, *, exit_code: int, now: datetime) -> dict[str, Any]:
        """Returns the content of the JSON line."""
        values: dict[str, Any] = {
            "status": self.status,
            "exit_code": exit_code,
            "corpus": public_name(self.corpus),
            "version": self.version,
            "served": self.served,
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round((now - self.started).total_seconds(), 3),
            "dumps": self.dumps,
            "rows": self.rows,
            "stages": self.stages,
            "removed": self.removed,
            "failed_stage": self.stage if self.error else "",
            "error": without_secrets(self.error),
            "advice": self.advice,
        }
        return {name: value for name, value in values.items() if value not in ("", [], {})}


def write_metrics(path: str, summary: Mapping[str, Any], *, now: datetime) -> None:
    """Writes the metrics of a rebuild in Prometheus' text form, for the textfile collector of its node exporter. A
    reader sees the old file or the new one.

    Args:
        path: of the file; its ending has to be .prom for the collector.
        summary: what ``Report.to_json`` returned.
        now: the time of its end.

    Raises:
        OSError: the file cannot be written.
    """
    registry = CollectorRegistry()

    def gauge(name: str, text: str, value: float, **labels: str) -> None:
        made = made_before.get(name) or Gauge(f"gistmill_rebuild_{name}", text, ["corpus", *labels], registry=registry)
        made_before[name] = made
        made.labels(corpus=summary["corpus"], **labels).set(value)

    made_before: dict[str, Gauge] = {}
    gauge("last_run_timestamp_seconds", "When the last rebuild ended.", now.timestamp())
    gauge("exit_code", "Exit code of the last rebuild: 0 published, 3 nothing new, 1 failed.", summary["exit_code"])
    gauge("success", "Whether the last rebuild ended well.", summary["exit_code"] in (0, 3))
    gauge("duration_seconds", "Seconds that the last rebuild took.", summary["seconds"])
    for stage in summary.get("stages", ()):
        gauge("stage_seconds", "Seconds of a stage.", stage["seconds"], stage=stage["name"])
        gauge("stage_cpu_seconds", "Processor time of a stage here.", stage["cpu_seconds"], stage=stage["name"])
    for dataset, rows in summary.get("rows", {}).items():
        for config, count in rows.items():
            gauge("rows", "Rows of a configuration of a dataset.", count, dataset=dataset, config=config)
    for wiki, date in summary.get("dumps", {}).items():
        gauge("dump_date", "Date of the dump as YYYYMMDD, last month of a crawl as YYYYMM.", int(date), wiki=wiki)
    write_to_textfile(path, registry)


def call_webhook(url: str, summary: Mapping[str, Any]) -> str:
    """Sends the summary by POST. Returns what went wrong in a line, or "".

    The line names the server alone: whoever knows the whole URL can post there.
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
    return problem and f"the webhook at {WebAddress.of(url)} did not take the summary: {problem}"


class GuardError(JobFailed):
    """A version is whole, and breaks a guard; the text is one line for the user."""


def faults(
    place: CorpusPlace, *, old: str | None, new: str, datasets: Mapping[str, str], bounds: GuardsConfig
) -> list[str]:
    """Returns what the guards have against a version, one line each.

    Args:
        place: of the corpus.
        old: the version that is served; None before the first.
        new: the version to publish.
        datasets: those of the new version. One that the old version has not, or made by another recipe, is held to the
            bounds alone that every version has to keep.
        bounds: of the corpus.
    """
    found = []
    for name in datasets:
        now = open_dataset(place.dataset(new, name))
        before = place.dataset(old, name) if old else ""
        lines = [
            *(_against(before, now, bounds) if before and is_dataset(before) else ()),
            *broken_alone(now.manifest, bounds),
        ]
        found += [f"{name}: {line}" for line in lines]
    return found


def _content(dataset: Dataset) -> set[str]:
    return {file.sha256 for file in dataset.manifest.files}


def _against(before: str, now: Dataset, bounds: GuardsConfig) -> list[str]:
    """What the guards say of a dataset beside the one before it."""
    try:
        old = open_dataset(before)
        if old.manifest.recipe != now.manifest.recipe or _content(old) == _content(now):
            return []
        return broken(compare(old, now), bounds)
    except (ConfigError, DatasetError, StatisticsError) as error:
        return [f"cannot be compared with the version before: {error}"]
    except OSError as error:
        return [f"cannot be compared with the version before: {reason_of(error)}"]
