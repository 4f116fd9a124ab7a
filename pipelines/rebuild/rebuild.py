"""A complete rebuild: finding new inputs, running the stages, checking guards and finally updating the pointer.

``state/rebuild.json`` contains the version being made and the keys of its datasets. It exists from before the first
change until everything is done, so that the next process can identify the files of a killed one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.addresses import public_name, without_secrets
from gistmill.core.manifest import MANIFEST, Manifest, ManifestError
from gistmill.core.statistics import StatisticsError
from gistmill.pipelines.building import carry_out, prepare
from gistmill.pipelines.errors import AS_KEY, ConfigError, JobFailed, ResumeError, in_python, naming_arguments
from gistmill.pipelines.job import JobConfig, RunConfig, configure, job_options
from gistmill.pipelines.place import differences
from gistmill.pipelines.rebuild.corpus import DECIDED, Corpus
from gistmill.pipelines.rebuild.crawls import bring, keep
from gistmill.pipelines.rebuild.download import fetch
from gistmill.pipelines.rebuild.dumps import Say
from gistmill.pipelines.rebuild.layout import VERSION, CorpusPlace, children, is_dataset, read, remove, take_over, write
from gistmill.pipelines.rebuild.plan import RebuildPlan, Stage, check_plan, find_inputs, make_plan
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.validate import open_dataset
from gistmill.published.comparison.compare import compare
from gistmill.published.comparison.guards import GuardsConfig, broken, broken_alone
from gistmill.published.files import DatasetError
from gistmill.transforms.io import is_url, join
from gistmill.transforms.sources.warc.source import WarcConfig

PUBLISHED, NOTHING_NEW, FAILED, ROLLED_BACK = "published", "nothing-new", "failed", "rolled-back"


class GuardError(JobFailed):
    """A complete version violates a guard; the message is one line for the user."""


@dataclass(slots=True, kw_only=True)
class Report:
    """The outcome of a rebuild. Fields are named as in the JSON object; ``to_json`` adds the exit code and duration."""

    status: str = FAILED  # ``published``, ``nothing-new``, ``failed``, ``interrupted`` or ``rolled-back``
    corpus: str  # name of the corpus file
    version: str = ""  # the version that was made or already existed
    served: str = ""  # the version that readers see at the end
    started: datetime  # with time zone
    dumps: dict[str, str] = field(default_factory=dict)  # dates by wiki, and the last months by crawl
    rows: dict[str, Mapping[str, int]] = field(default_factory=dict)  # by dataset and configuration
    # The finished stages in order: name, how, seconds and cpu_seconds (on this machine); for annotations that reused
    # older ones also documents: the numbers of documents reused, revised and parsed.
    stages: list[dict[str, Any]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)  # removed versions
    failed_stage: str = ""  # the stage that was last running
    error: str = ""  # one-line description of the error
    advice: str = ""  # one line on what to do

    def to_json(self, *, exit_code: int, now: datetime) -> dict[str, Any]:
        """Returns the content of the JSON line."""
        values = {
            **asdict(self),
            "exit_code": exit_code,
            "corpus": public_name(self.corpus),
            "started": self.started.isoformat(timespec="seconds"),
            "seconds": round((now - self.started).total_seconds(), 3),
            "failed_stage": self.failed_stage if self.error else "",
            "error": without_secrets(self.error),
        }
        return {name: value for name, value in values.items() if value not in ("", [], {})}


class Rebuild:
    """A rebuild of a corpus; its outcome is written to the report."""

    def __init__(self, corpus: Corpus, report: Report, say: Say = lambda line: None) -> None:
        self.corpus, self.report, self.say = corpus, report, say
        self.place = CorpusPlace(corpus.config.publish.rstrip("/"))
        self.work = (corpus.config.work or self.place.state).rstrip("/")  # folder or URL of dumps and annotations
        self._plan_path = join(self.place.state, "rebuild.json")
        self._annotated = join(self.work, "annotated")
        self._fetched: set[str] = set()

    def run(self, *, accept: bool = False) -> None:
        """Makes and publishes a version if anything is new; with ``accept``, even if it violates guards.

        Raises:
            ConfigError: an option, model or input cannot be used.
            JobFailed: a stage failed, or the new version violates guards; the previous version is still served.
        """
        self._check_work()
        with self.place.held() as still_ours:
            write(join(self.work, "corpus.json"), {"publish": self.place.root})
            settled = self._settle()
            inputs = find_inputs(self.corpus, Path(self.work), now=self.report.started, say=self.say)
            self.report.dumps = {i.name: i.date for i in inputs.values() if i.date}
            begun = read(self._plan_path) or {}
            date = max((i.date for i in inputs.values()), default="") or self.report.started.strftime("%Y%m%d")
            version = str(begun.get("version", ""))
            if not (goes_on := version.startswith(f"{date}-")):
                version = self.place.next_name(date)
            plan = make_plan(self.corpus, inputs, version=version, place=self.place, annotated=self._annotated)
            versions = self.place.versions()
            if same := [name for name, value in versions.items() if value.get("fingerprint") == plan.fingerprint]:
                self._nothing_new(same[-1], settled)
                return
            self._explain(plan, versions)
            for stage in plan.datasets:  # before they are recorded in the plan
                if not goes_on or begun.get("datasets", {}).get(stage.name, {}).get("key") != stage.key:
                    remove(stage.output)
            if begun and not goes_on:  # there is a newer dump, but results from the older one may still be useful
                versions = {str(begun["version"]): begun, **versions}
            self.report.version, self.report.served = version, self.place.latest()
            kept = {s.output: s.kept for s in (*plan.annotations, *plan.datasets) if s.kept}
            write(self._plan_path, {**plan.to_json(), "signatures": kept})
            self._carry_out(plan, versions)
            for name in {*children(self.place.version(version))} - {stage.name for stage in plan.datasets}:
                remove(self.place.dataset(version, name))
            self._guard(plan, accept)
            still_ours()
            for stage in plan.datasets:
                self.report.rows[stage.name] = Manifest.from_json(read(join(stage.output, MANIFEST))).rows()
            made = {**plan.to_json(), "published": _now(), "dumps": self.report.dumps, "rows": self.report.rows}
            write(join(self.place.version(version), VERSION), made)
            self._settle()
            self._tidy(plan)

    def check(self) -> None:
        """Performs the checks that precede any work in ``run``, without writing anything or contacting servers of dumps
        or crawls. Raises ConfigError, or StoreError if a store with inputs does not respond."""
        self._check_work()
        inputs = find_inputs(self.corpus, Path(self.work), now=self.report.started, say=self.say, offline=True)
        plan = make_plan(self.corpus, inputs, version="0", place=self.place, annotated=self._annotated)
        check_plan(plan, self.corpus.beam)

    def _check_work(self) -> None:
        """Sets the options for stores. Raises ConfigError if the work folder cannot be used: it must not be shared by
        several corpora, as a rebuild removes unknown files from it."""
        for name, source in self.corpus.sources.items() if is_url(self.work) else ():
            if what := "dump" if source.dump else "crawl" if source.crawl else "":
                raise ConfigError(f"`work` must be a folder on this machine, because sources.{name} is a {what}")
        FileSystems.set_options(PipelineOptions([*self.corpus.beam]))
        found = read(join(self.work, "corpus.json"))
        if found not in (None, {"publish": self.place.root}):
            raise ConfigError(f"`work`: {self.work} belongs to the corpus {found.get('publish')}; choose another")

    def back(self, to: str | None) -> None:
        """Serves the version ``to``, or the previous one. Raises JobFailed if it is missing or a rebuild is running."""
        FileSystems.set_options(PipelineOptions([*self.corpus.beam]))
        with self.place.held():
            self._settle()
            versions, latest = list(self.place.versions()), self.place.latest()
            older = versions[: versions.index(latest)] if latest in versions else versions
            now = older[-1] if to is None and older else to
            if not latest or now not in versions:
                problem = f"there is no version {to or f'before {latest}'}" if latest else "no version is served"
                there = ", ".join(versions) or "none"
                raise JobFailed(f"{self.place.root}: {problem}; available versions: {there}")
            self.place.serve(now, since=_now())
            self.say(f"{now} is now served instead of {latest}")
            self.report.status, self.report.version, self.report.served = ROLLED_BACK, now, now

    def _settle(self) -> str:
        """Serves a complete version that is not yet served, and stores its signatures; returns its name, or ""."""
        begun = read(self._plan_path) or {}
        version = str(begun.get("version", ""))
        if not version or read(join(self.place.version(version), VERSION)) is None:
            if latest := self.place.latest():
                self.place.link(latest)
            return ""
        self.place.serve(version, since=_now())
        self.say(f"{version} was published: {self.place.version(version)}")
        for found, kept in begun.get("signatures", {}).items():
            keep(found, kept)
        remove(self._plan_path)
        self.report.status = PUBLISHED
        self.report.version = self.report.served = version
        return version

    def _nothing_new(self, same: str, settled: str) -> None:
        latest = self.place.latest()
        if same != settled:
            self.report.status, self.report.version = NOTHING_NEW, same
        if same != latest:
            self.say(f"a new version would equal {same}, which is not served because --rollback selected {latest}")
        self.report.served = latest
        remove(self._plan_path)
        self.report.removed = self.place.prune(keep=self.corpus.config.retention.versions)

    def _explain(self, plan: RebuildPlan, versions: Mapping[str, Any]) -> None:
        """Reports why each outdated dataset must be rebuilt."""
        served = versions.get(self.place.latest(), {})
        for prefix, kind, stages in (("annotate ", "annotations", plan.annotations), ("", "datasets", plan.datasets)):
            for stage in stages:
                old = served.get(kind, {}).get(stage.name)
                if old and old["key"] != stage.key:
                    before, now = (dict(decides, input=None) for decides in (old["decides"], stage.decides))
                    found = differences(before, now) or ["its input has changed"]
                    self.say(f"{prefix}{stage.name} is rebuilt: {_some(found)}")

    def _guard(self, plan: RebuildPlan, accept: bool) -> None:
        self.report.failed_stage = "guards"
        found = [
            f"{stage.name}: {line}"
            for stage in plan.datasets
            for line in broken_guards(self._served(stage), stage.output, self.corpus.guards)
        ]
        for line in found:
            self.say(f"{'accepted' if accept else 'held back'}: {line}")
        if found and not accept:
            raise GuardError(f"{plan.version} violates guards: {_some(found)}")
        self.report.failed_stage = ""

    def _served(self, stage: Stage) -> str:
        """Returns the location of a stage's dataset in the served version; "" if no version is served."""
        latest = self.place.latest()
        return self.place.dataset(latest, stage.name) if latest else ""

    def _tidy(self, plan: RebuildPlan) -> None:
        """Removes old versions, replaced annotations, and old dumps and crawls."""
        retention = self.corpus.config.retention
        self.report.removed = self.place.prune(keep=retention.versions)
        made = {s.name: s.key for s in plan.annotations if is_dataset(s.output)}
        for source in children(self._annotated):
            folder = join(self._annotated, source)
            for name in children(folder) if source in made or source not in self.corpus.sources else ():
                if name != made.get(source):
                    remove(join(folder, name))
        if is_url(self.work):
            return
        read_last = {(i.name, part) for i in plan.inputs.values() for part in i.parts}
        for folder in ("dumps", "crawls"):
            tidy(Path(self.work, folder), read_last, keep=retention.dumps)

    def _carry_out(self, plan: RebuildPlan, versions: Mapping[str, Any]) -> None:
        """Makes all missing datasets of a plan. Existing ones at their output already match the plan; datasets with the
        same key in ``versions`` are linked or copied."""
        stores = {stage.key: stage for stage in plan.annotations}
        for stage in plan.datasets:
            if is_dataset(stage.output):
                self._finished(stage.name, "finished before")
                continue
            remove(stage.output)
            keys = {v: value.get("datasets", {}).get(stage.name, {}).get("key") for v, value in versions.items()}
            same = [self.place.dataset(version, stage.name) for version, key in keys.items() if key == stage.key]
            if same := list(filter(is_dataset, same)):
                with self._timed(stage.name, "taken over"):
                    take_over(same[-1], stage.output)
                continue
            if stage.needs in stores:
                self._annotate(stores[stage.needs], plan)
            self._fetch(stage.source, plan)
            with self._timed(stage.name, "built"):
                self._job(stage.config, before=self._served(stage))

    def _annotate(self, stage: Stage, plan: RebuildPlan) -> None:
        name = f"annotate {stage.name}"
        if is_dataset(stage.output):
            self._finished(name, "finished before")
            return
        remove(stage.output)
        self._fetch(stage.source, plan)
        with self._timed(name, "built"):
            # annotations in the source's newest store that are still valid are reused
            folder = join(self._annotated, stage.name)
            manifests = {place: read(join(place, MANIFEST)) for place in (join(folder, n) for n in children(folder))}
            try:
                ends = {place: Manifest.from_json(value).end for place, value in manifests.items() if value is not None}
            except ManifestError as error:
                raise ConfigError(f"{folder}: {error}; remove that folder to rebuild it") from None
            newest = {"reuse": max(ends, key=lambda place: ends[place])} if ends else {}
            self._job(configure(stage.config.recipe, {**stage.config.to_values(), **newest}))
        if reused := Manifest.from_json(read(join(stage.output, MANIFEST))).reuse:
            self.report.stages[-1]["documents"] = dict(reused.documents)

    def _fetch(self, name: str, plan: RebuildPlan) -> None:
        """Downloads a source's dump, or as many files of its crawl as any stage reads."""
        inputs = plan.inputs.get(name)
        if inputs is None or not inputs.name or name in self._fetched:
            return
        source, parts = inputs.source, inputs.parts
        with self._timed(f"download {inputs.name} {'..'.join(dict.fromkeys((parts[0], parts[-1])))}", "done"):
            if inputs.dump and source.dump:
                fetch(inputs.dump, Path(self.work, "dumps"), config=source.dump, say=self.say)
            if source.crawl:
                stages = (s for s in (*plan.annotations, *plan.datasets) if s.source == name)
                limits = [stage.config.of(WarcConfig).limit for stage in stages]
                limit = None if None in limits else max(filter(None, limits), default=None)
                bring(inputs.months, Path(inputs.paths[0]), config=source.crawl, limit=limit, say=self.say)
        self._fetched.add(name)

    def _job(self, config: JobConfig, *, before: str = "") -> None:
        keys = {name: option for name, option in job_options(config.recipe).items() if name not in DECIDED}

        def say(line: str) -> None:
            if not line.startswith("nothing to resume"):  # which is normal here
                line = line.replace("--resume continues", "the same command continues")
                self.say(f"{self.report.failed_stage}: {in_python(line, keys, given=AS_KEY)}")

        try:
            run = prepare(config, beam=self.corpus.beam, before=before)
            published = carry_out(run, say=say, progress=not config.of(RunConfig).quiet, guard=exit_on_signals)
        except ResumeError as error:  # left by an interrupted rebuild with other options
            say(f"starting again: {str(error).rpartition('; ')[0]}")
            self._job(configure(config.recipe, {**config.to_values(), "resume": False}), before=before)
            return
        except (ConfigError, JobFailed) as error:
            raise naming_arguments(error, keys, given=AS_KEY) from error.__cause__
        if published is None:
            raise JobFailed("templates are not supported: a rebuild runs its jobs, but a template only builds a graph")

    @contextmanager
    def _timed(self, name: str, how: str) -> Iterator[None]:
        self.say(f"{name} ...")
        begin, used = time.monotonic(), sum(os.times()[:4])  # of this process and its ended children
        self.report.failed_stage = name
        yield
        self._finished(name, how, time.monotonic() - begin, sum(os.times()[:4]) - used)

    def _finished(self, name: str, how: str, seconds: float = 0.0, cpu: float = 0.0) -> None:
        times = {"seconds": round(seconds, 3), "cpu_seconds": round(cpu, 3)}
        self.report.stages.append({"name": name, "how": how, **times})


def tidy(root: Path, read_last: Collection[tuple[str, str]], *, keep: int) -> None:
    """Removes dumps or months except those read last and the newest ``keep`` of each wiki or crawl; all if it is 0."""
    for name in filter(lambda name: (root / name).is_dir(), children(str(root))):
        there = children(str(root / name))
        for part in there[: len(there) - keep]:
            if not keep or (name, part) not in read_last:
                remove(str(root / name / part))


def broken_guards(before: str, now: str, bounds: GuardsConfig) -> list[str]:
    """Returns the guards that the dataset ``now`` violates, one line each. ``before`` is the served version's dataset,
    or "" if there is none; if it is missing or was made by another recipe, the two are not compared."""
    new, found = open_dataset(now), list[str]()
    try:
        if before and is_dataset(before):
            old = open_dataset(before)
            contents = ({file.sha256 for file in dataset.manifest.files} for dataset in (old, new))
            if old.manifest.recipe == new.manifest.recipe and next(contents) != next(contents):
                found = broken(compare(old, new), bounds)
    except (ConfigError, DatasetError, StatisticsError, OSError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else error
        found = [f"cannot be compared with the previous version: {reason}"]
    return [*found, *broken_alone(new.manifest, bounds)]


def _some(lines: Sequence[str]) -> str:
    """Joins the first lines into one, and adds the number of remaining lines."""
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
    return f"{'; '.join(lines[:5])}{more}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
