"""A rebuild from beginning to end: what is new, its stages, the guards, and the pointer that is moved last.

``state/rebuild.json`` names the version that is being made, and the key of each of its datasets. It is written before
anything is made, and removed when everything is done. So the next process knows what a killed one has left.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.addresses import without_secrets
from gistmill.core.manifest import MANIFEST, Manifest
from gistmill.core.text_output import say
from gistmill.pipelines import stores as store
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import BusyError, ConfigError, JobFailed, OutputExists
from gistmill.pipelines.place import differences
from gistmill.pipelines.rebuild.carried import keep
from gistmill.pipelines.rebuild.corpus import Corpus, text
from gistmill.pipelines.rebuild.crawl_files import tidy
from gistmill.pipelines.rebuild.layout import (
    VERSION,
    CorpusPlace,
    children,
    held,
    is_dataset,
    next_name,
    prune,
    read,
    remove,
    roll_back,
    write,
)
from gistmill.pipelines.rebuild.plan import RebuildPlan, date_of, find_inputs, make_plan
from gistmill.pipelines.rebuild.reading import read_corpus
from gistmill.pipelines.rebuild.report import (
    FAILED,
    INTERRUPTED,
    NOTHING_NEW,
    PUBLISHED,
    ROLLED_BACK,
    GuardError,
    Report,
    call_webhook,
    faults,
    write_metrics,
)
from gistmill.pipelines.rebuild.stages import Stages
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.transforms.io import is_url, join

_SHOWN = 5  # differences in a line


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A corpus that can be rebuilt.

    Attributes:
        corpus: the corpus.
        report: gets what becomes of it.
        say: gets lines for a person.
    """

    corpus: Corpus
    report: Report
    say: Callable[[str], object] = lambda line: None

    @property
    def place(self) -> CorpusPlace:
        """Where the corpus lies."""
        return CorpusPlace((self.corpus.config.publish or "").rstrip("/"))

    @property
    def work(self) -> str:
        """Folder or URL of dumps and annotations."""
        return (self.corpus.config.work or self.place.state).rstrip("/")

    def run(self, *, accept: bool = False) -> None:
        """Makes and publishes a version if there is something new; the report says what was done.

        Args:
            accept: publish in spite of the guards.

        Raises:
            ConfigError: an option, a model or an input cannot be used.
            JobFailed: a stage failed, or the guards hold the version back; the version before it is served.
        """
        self._check_work()
        FileSystems.set_options(PipelineOptions([*self.corpus.beam]))  # of the store
        with held(self.place) as still_ours:
            # a folder of work serves one corpus: what it does not know there, it removes
            path, owner = join(self.work, "corpus.json"), {"publish": self.place.root}
            if (found := read(path)) not in (None, owner):
                raise ConfigError(f"`work`: {self.work} belongs to the corpus {found.get('publish')}")
            write(path, owner)
            settled = self._settle()
            inputs = find_inputs(
                self.corpus, Path(self.work, "dumps"), crawls=self._crawls, now=self.report.started, say=self.say
            )
            self.report.dumps = {i.name: i.date for i in inputs.values() if i.date}
            begun = read(self._plan_path) or {}
            date = date_of(inputs, self.report.started)
            begun_here = str(begun.get("version", "")).startswith(f"{date}-")
            version = str(begun["version"]) if begun_here else next_name(self.place, date)
            plan = make_plan(self.corpus, inputs, version=version, place=self.place, annotated=self._annotated)
            versions = self.place.versions().items()
            if same := [name for name, value in versions if value.get("fingerprint") == plan.fingerprint]:
                self._nothing_new(same[-1], settled)
                return
            self._make(plan, begun if begun_here else {}, begun)
            self._guard(plan, accept)
            still_ours()
            rows = self.report.rows
            for stage in plan.datasets:
                rows[stage.name] = Manifest.from_json(read(join(stage.output, MANIFEST))).rows()
            made = {**_plan_content(plan), "published": _now(), "dumps": self.report.dumps, "rows": rows}
            write(join(self.place.version(version), VERSION), made)
            self._settle()
            self._tidy(plan)

    def back(self, to: str | None) -> None:
        """Serves an older version, or the one that is named.

        Raises:
            JobFailed: there is no such version, or a rebuild is running.
        """
        FileSystems.set_options(PipelineOptions([*self.corpus.beam]))
        with held(self.place):
            self._settle()
            before, now = roll_back(self.place, to, now=_now())
            self.say(f"{now} is served in the place of {before}")
            self.report.status, self.report.version, self.report.served = ROLLED_BACK, now, now

    @property
    def _plan_path(self) -> str:
        return join(self.place.state, "rebuild.json")

    @property
    def _crawls(self) -> Path:
        return Path(self.work, "crawls")

    @property
    def _annotated(self) -> str:
        return join(self.work, "annotated")

    def _check_work(self) -> None:
        if not is_url(self.work):
            return
        for name, source in self.corpus.sources.items():
            if source.dump or source.crawl:
                what = "dump" if source.dump else "crawl"
                raise ConfigError(f"`work` has to name a folder of this machine, for the {what} of sources.{name}")

    def _settle(self) -> str:
        """Serves a version that is whole and was not served yet, and keeps its signatures; returns its name, or ""."""
        begun = read(self._plan_path) or {}
        version = str(begun.get("version", ""))
        if not version or read(join(self.place.version(version), VERSION)) is None:
            if latest := self.place.latest():
                self.place.link(latest)
            return ""
        self.place.serve(version, since=_now())
        for found, kept in begun.get("signatures", {}).items():
            keep(found, kept)
        remove_file(self._plan_path)
        self.report.status = PUBLISHED
        self.report.version = self.report.served = version
        return version

    def _nothing_new(self, same: str, settled: str) -> None:
        latest = self.place.latest() or ""
        if same != settled:
            self.report.status, self.report.version = NOTHING_NEW, same
        if same != latest:
            self.say(f"{same} is what would be made; it is not served, because {latest} was chosen by --rollback")
        self.report.served = latest
        remove_file(self._plan_path)
        self.report.removed = prune(self.place, keep=self.corpus.retention.versions)

    def _make(self, plan: RebuildPlan, begun_here: Mapping[str, Any], begun: Mapping[str, Any]) -> None:
        """Makes the datasets of the plan, after it is written down what they will be."""
        versions = self.place.versions()
        self._explain(plan, versions)
        for stage in plan.datasets:  # before the plan says that they are what it wants
            if begun_here.get("datasets", {}).get(stage.name, {}).get("key") != stage.key:
                remove(stage.output)
        if begun and not begun_here:  # a newer dump came; what was made of the older one may serve still
            versions = {str(begun["version"]): begun, **versions}
        self.report.version, self.report.served = plan.version, self.place.latest() or ""
        kept = {s.output: s.kept for s in (*plan.annotations, *plan.datasets) if s.kept}
        write(self._plan_path, {**_plan_content(plan), "signatures": kept})
        stages = Stages(
            place=self.place,
            dumps=Path(self.work, "dumps"),
            crawls=self._crawls,
            annotated=self._annotated,
            beam=self.corpus.beam,
            report=self.report,
            say=self.say,
        )
        stages.carry_out(plan, versions=versions)
        names = {stage.name for stage in plan.datasets}
        for name in children(self.place.version(plan.version)):
            if name not in names:
                remove(join(self.place.version(plan.version), name))

    def _explain(self, plan: RebuildPlan, versions: Mapping[str, Any]) -> None:
        """Says of each dataset why that of the version which is served cannot stay."""
        served = versions.get(self.place.latest() or "", {})
        old = {**served.get("datasets", {}), **{f"annotate {k}": v for k, v in served.get("annotations", {}).items()}}
        new = {**{f"annotate {s.name}": s for s in plan.annotations}, **{s.name: s for s in plan.datasets}}
        for name, stage in new.items():
            if name in old and old[name]["key"] != stage.key:
                before, now = (dict(decides, input=None) for decides in (old[name]["decides"], stage.decides))
                found = differences(before, now) or ["its input is new"]
                more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
                self.say(f"{name} is made again: {'; '.join(found[:_SHOWN])}{more}")

    def _guard(self, plan: RebuildPlan, accept: bool) -> None:
        latest = self.place.latest()
        self.report.stage = "guards"
        datasets = {stage.name: stage.output for stage in plan.datasets}
        bounds = self.corpus.guards
        found = faults(self.place, old=latest, new=plan.version, datasets=datasets, bounds=bounds)
        for line in found:
            self.say(f"{'accepted' if accept else 'held back'}: {line}")
        if found and not accept:
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise GuardError(f"the guards hold {plan.version} back: {'; '.join(found[:_SHOWN])}{more}")
        self.report.stage = ""

    def _tidy(self, plan: RebuildPlan) -> None:
        """Removes what is not kept: versions, stores of annotations that a newer one replaced, older dumps."""
        retention = self.corpus.retention
        self.report.removed = prune(self.place, keep=retention.versions)
        made = {s.name: s.key for s in plan.annotations if is_dataset(s.output)}
        for source in children(self._annotated):
            folder = join(self._annotated, source)
            gone = children(folder) if source in made else []
            for name in gone if source in self.corpus.sources else children(folder):
                if name != made.get(source):
                    remove(join(folder, name))
        dumps = Path(self.work, "dumps")
        for wiki in [] if is_url(self.work) else children(str(dumps)):
            dates = children(str(dumps / wiki))
            for date in dates[: len(dates) - retention.dumps]:
                remove(str(dumps / wiki / date))
        if not is_url(self.work):
            tidy(self._crawls, (m for i in plan.inputs.values() for m in i.months), keep=retention.dumps)


def remove_file(path: str) -> None:
    """Removes a small file if it is there."""
    if is_url(path):
        store.remove([path])
    else:
        Path(path).unlink(missing_ok=True)


def _plan_content(plan: RebuildPlan) -> dict[str, Any]:
    return {
        "version": plan.version,
        "fingerprint": plan.fingerprint,
        "datasets": {s.name: {"key": s.key, "decides": s.decides} for s in plan.datasets},
        "annotations": {s.name: {"key": s.key, "decides": s.decides} for s in plan.annotations},
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


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
        say(f"{arguments.corpus}: {len(corpus.sources)} sources, {len(corpus.datasets)} datasets", sys.stdout)
        return 0
    show_warnings()
    mute_stores()
    report = Report(corpus=arguments.corpus, started=datetime.now(UTC))
    # carries out, and tells programs how it ended, however it ended
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
    say(json.dumps(summary, ensure_ascii=False), sys.stdout)
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
    say(f"gistmill rebuild: {without_secrets(line)}")
