"""Carries out the stages of a plan that are not finished: downloads, annotations, datasets."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST, Manifest, ManifestError
from gistmill.pipelines.building import carry_out, prepare
from gistmill.pipelines.errors import ConfigError, JobFailed, ResumeError
from gistmill.pipelines.job import JobConfig, RunConfig, configure
from gistmill.pipelines.rebuild.crawl_files import bring
from gistmill.pipelines.rebuild.fetching import fetch
from gistmill.pipelines.rebuild.layout import CorpusPlace, children, is_dataset, read, remove, same_dataset, take_over
from gistmill.pipelines.rebuild.plan import Inputs, RebuildPlan, Stage
from gistmill.pipelines.rebuild.report import Report
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.transforms.io import join
from gistmill.transforms.sources.warc.source import WarcConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """Carries out stages.

    Attributes:
        place: of the corpus.
        dumps: folder of dumps.
        crawls: folder of crawls.
        annotated: folder or URL of the stores of annotations.
        beam: arguments for Beam.
        report: gets what was done, and how long it took.
        say: gets lines for a person.
    """

    place: CorpusPlace
    dumps: Path
    crawls: Path
    annotated: str
    beam: Sequence[str]
    report: Report
    say: Callable[[str], object]
    _fetched: set[str] = field(default_factory=set, init=False)

    def carry_out(self, plan: RebuildPlan, *, versions: Mapping[str, Any]) -> None:
        """Makes every dataset of a plan that is not there.

        Args:
            plan: what is to be made; where a dataset is in its place, it is the one of the plan.
            versions: contents of versions whose datasets of equal keys are used again, the oldest first.

        Raises:
            JobFailed: a stage failed; those before it are finished.
            ConfigError: an input or an option cannot be used.
        """
        stores = {stage.key: stage for stage in plan.annotations}
        for stage in plan.datasets:
            if is_dataset(stage.output):
                self.report.skipped(stage.name)
                continue
            remove(stage.output)
            found = same_dataset(versions, self.place, stage.name, stage.key)
            if found is not None:
                with self._timed(stage.name, "taken over"):
                    take_over(found, stage.output)
                continue
            if stage.needs in stores:
                self._annotate(stores[stage.needs], plan)
            self._fetch(stage, plan)
            with self._timed(stage.name, "built"):
                # the dataset that the served version has of a stage; "" where none is served
                latest = self.place.latest()
                self._run(stage.config, before=self.place.dataset(latest, stage.name) if latest else "")

    def _annotate(self, stage: Stage, plan: RebuildPlan) -> None:
        if is_dataset(stage.output):
            self.report.skipped(f"annotate {stage.name}")
            return
        remove(stage.output)
        self._fetch(stage, plan)
        with self._timed(f"annotate {stage.name}", "built"):
            self._run(self._with_older(stage))
        if reused := Manifest.from_json(read(join(stage.output, MANIFEST))).reuse:
            self.report.stages[-1]["documents"] = dict(reused.documents)

    def _with_older(self, stage: Stage) -> JobConfig:
        """The configuration that takes what is still valid from the newest older store of the source."""
        folder = join(self.annotated, stage.name)
        manifests = {place: read(join(place, MANIFEST)) for place in (join(folder, n) for n in children(folder))}
        try:
            older = {place: Manifest.from_json(value).end for place, value in manifests.items() if value is not None}
        except ManifestError as error:
            raise ConfigError(f"{folder}: {error}; remove that store, and it is made again") from None
        if not older:
            return stage.config
        newest = max(older, key=lambda place: older[place])
        return configure(stage.config.recipe, {**stage.config.to_values(), "reuse": newest})

    def _fetch(self, stage: Stage, plan: RebuildPlan) -> None:
        inputs: Inputs | None = plan.inputs.get(stage.source)
        if inputs is None or stage.source in self._fetched:
            return
        if inputs.months:
            self._bring(inputs, plan)
        if inputs.dump is None or inputs.source.dump is None:
            return
        with self._timed(f"download {inputs.dump.wiki} {inputs.dump.date}", "done"):
            fetch(inputs.dump, self.dumps, config=inputs.source.dump, say=self.say)
        self._fetched.add(stage.source)

    def _bring(self, inputs: Inputs, plan: RebuildPlan) -> None:
        """Brings the files of a crawl, as many as any stage reads."""
        source, months = inputs.source, [m.entry for m in inputs.months]
        assert source.crawl is not None
        readers = [s.config for s in (*plan.annotations, *plan.datasets) if s.source == source.name]
        limits = [config.of(WarcConfig).limit for config in readers]
        limit = None if None in limits else max(filter(None, limits), default=None)
        span = months[0].month if len(months) == 1 else f"{months[0].month}..{months[-1].month}"
        with self._timed(f"download {months[0].crawl} {span}", "done"):
            bring(inputs.months, self.crawls, source=source.name, config=source.crawl, limit=limit, say=self.say)
        self._fetched.add(source.name)

    def _run(self, config: JobConfig, *, before: str = "") -> None:
        try:
            self._job(config, before=before)
        except ResumeError as error:  # what an interrupted rebuild of other options left
            self.say(f"starting again: {error}")
            self._job(configure(config.recipe, {**config.to_values(), "resume": False}), before=before)

    def _job(self, config: JobConfig, *, before: str) -> None:
        def say(line: str) -> None:
            if not line.startswith("nothing to resume"):  # the usual case here
                self.say(line)

        progress = not config.of(RunConfig).quiet
        run = prepare(config, beam=self.beam, before=before)
        published = carry_out(run, say=say, progress=progress, guard=exit_on_signals)
        if published is None:
            raise JobFailed("a template builds a graph and runs nothing; a rebuild waits for its jobs")

    @contextmanager
    def _timed(self, name: str, how: str) -> Iterator[None]:
        self.say(f"{name} ...")
        begin, used = time.monotonic(), _cpu_seconds()
        self.report.stage = name
        yield
        self.report.finished(name, how, time.monotonic() - begin, cpu_seconds=_cpu_seconds() - used)


def _cpu_seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])
