"""The trial of an estimate: which ranges are drawn, and the ordinary graph over them, in a workspace of its own."""

from __future__ import annotations

import copy
import functools
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from apache_beam.io.filesystem import BeamIOError

from gistmill.core.options import FlagsError, OptionError, Options, check_keys, from_yaml, option, options_of
from gistmill.core.records import Pair, RangeEnd
from gistmill.core.row_budget import UNLIMITED
from gistmill.core.sampling import Floats, Sample, chances, draw
from gistmill.core.values import BETWEEN, NOT_NEGATIVE, POSITIVE, SWITCH, TEXT, TOKEN, list_of, whole
from gistmill.pipelines.building import Guard, Run, prepare, run_graph, unguarded
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, OutputConfig, RunConfig, steps_of
from gistmill.pipelines.publishing.publication import check_damage
from gistmill.pipelines.stores import failure_of_store
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument
from gistmill.rules.recipe import Recipe
from gistmill.transforms.io import is_url, join
from gistmill.transforms.sinks.results import read_results
from gistmill.transforms.sinks.spills import RangeResult, finished_ranges
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.ranges import FileRange, SourceError
from gistmill.transforms.sources.files.source import FilesSource
from gistmill.transforms.sources.sampled import SampledSource, processor_seconds, read_timings, resident_peak
from gistmill.transforms.steps.clean import CleanConfig, Cleaner


@dataclass(frozen=True, kw_only=True)
class EstimateConfig(Options):
    """The options of the estimate."""

    GROUP: ClassVar[str] = "estimate"

    sample_share: float | None = option(
        BETWEEN, help="share of the input that the sample has (default: 0.1, and at most 64 MB of text)"
    )
    sample_ranges: int | None = option(whole(2), help="how many ranges the sample has, in the place of a share")
    sample_seed: int = option(whole(0), default=1, help="decides which ranges are drawn")
    look_bytes: int = option(
        whole(0),
        default=64_000_000,
        unit="bytes",
        help="an input of at most so much text is read and cleaned whole, to know how many sentences each range has",
    )
    for_workers: tuple[int, ...] | None = option(
        list_of(whole(1)),
        metavar="N,N",
        help="numbers of workers to say time and price for (default: --workers, or what this machine has room for)",
    )
    prices: str | None = option(TEXT, metavar="FILE.yaml", help="prices of machines and runners (docs/estimate.md)")
    machine: str | None = option(TOKEN, help="the machine in that file (default: all of them)")
    json: bool = option(SWITCH, default=False, help="print one JSON object (docs/estimate.md)")

    def check(self) -> None:
        """Raises ValueError for options that do not go together."""
        if self.sample_share is not None and self.sample_ranges is not None:
            raise ValueError("give --sample-share or --sample-ranges, not both")
        if self.machine is not None and self.prices is None:
            raise ValueError("--machine names an entry of the file of --prices")


@dataclass(frozen=True, kw_only=True)
class Machine(Options):
    """A kind of machine, in the file of prices."""

    cores: int | None = option(whole(1), help="cores, one worker on each", required=True)
    memory_gb: float | None = option(POSITIVE, help="memory", unit="GB", required=True)
    hour: float | None = option(NOT_NEGATIVE, help="price of the machine for an hour", required=True)
    speed: float = option(POSITIVE, default=1.0, help="how fast a core is, where one of this machine has 1")


@dataclass(frozen=True, kw_only=True)
class RunnerCosts(Options):
    """What a runner adds, in the file of prices."""

    start_seconds: float = option(NOT_NEGATIVE, default=0.0, unit="seconds", help="time before the workers begin")
    overhead: float = option(NOT_NEGATIVE, default=0.0, help="processor time of its own, as a share of the work")
    core_hour: float = option(NOT_NEGATIVE, default=0.0, help="its fee for an hour of a core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The content of a file of prices."""

    currency: str
    machines: Mapping[str, Machine]
    runners: Mapping[str, RunnerCosts]


def read_prices(path: str) -> Prices:
    """Reads a file of prices.

    Raises:
        ConfigError: it cannot be read, an unknown key (the nearest one is named), a bad value, or no machine.
    """
    try:
        content = from_yaml(Path(path).read_bytes(), path)
        check_keys(content, ("currency", "machines", "runners"), path)
    except OSError as error:
        raise ConfigError(f"--prices {path}: {error.strerror or error}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    machines = _entries(content.get("machines"), Machine, f"machines in {path}")
    if not machines:
        raise ConfigError(f"{path} names no machines")
    runners = _entries(content.get("runners"), RunnerCosts, f"runners in {path}")
    return Prices(currency=str(content.get("currency") or ""), machines=machines, runners=runners)


def _entries(value: Any, kind: type[Any], place: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{place}: expected a mapping of names")
    return {str(name): _entry(given, kind, f"{name} of {place}") for name, given in value.items()}


def _entry(given: Any, kind: type[Any], place: str) -> Any:
    if not isinstance(given, dict):
        raise ConfigError(f"{place}: expected a mapping")
    known = {o.name: o for o in options_of(kind)}
    try:
        check_keys({str(key): value for key, value in given.items()}, known, place)
        made = kind.from_values(given)
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    except OptionError as error:
        raise ConfigError(f"{error.name} of {place}: {error.problem}") from None
    if missing := [o.name for o in known.values() if o.required and getattr(made, o.name) is None]:
        raise ConfigError(f"{missing[0]} of {place} is missing")
    return made


_UNITS = 5_000  # ranges that an input is cut into, as far as it can be
_SHARE, _MOST_TEXT = 0.1, 64_000_000  # of a sample that nobody asked for otherwise
_BY_BYTES = 0.02  # of a unit's size in a frame of sentences: a page without any has its work too
_FEWEST = 8  # ranges below which all are read
# What is read before the sample, so that caches are as full as they mostly are: of the input, and bytes of text.
_WARM_SHARE, _WARM_BYTES = 0.05, 400_000
_SENTENCE = re.compile(r".+?[.!?]['\")\]]*(?:\s|$)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What of a frame is read.

    Attributes:
        ranges: of the sample.
        sample: says what they tell of the whole, by sizes.
        of_rows, of_work: the same draw, by expected rows and by words.
        before: ranges to read first. They are not in the sample: they fill the caches of a process.
        before_size: their words, in parts of the whole.
    """

    ranges: Sequence[FileRange]
    sample: Sample
    of_rows: Sample
    of_work: Sample
    before: Sequence[FileRange]
    before_size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All ranges of an input.

    Attributes:
        ranges: in order.
        sizes: of each, in parts of the whole that add up to 1; they decide the draw.
        rows, work: its expected rows and its words, in such parts; where nobody looked, the sizes.
        documents: in each; None where nobody looked.
        plan_seconds: processor time of finding the ranges.
        look_seconds: processor time of looking into them.
    """

    ranges: Sequence[FileRange]
    sizes: Floats
    rows: Floats
    work: Floats
    documents: Sequence[int] | None
    plan_seconds: float
    look_seconds: float

    @property
    def text_bytes(self) -> int:
        """Expected bytes of text in all ranges."""
        return sum(place.size for place in self.ranges)

    def drawn(self, *, share: float | None, units: int | None, seed: int) -> Drawn:
        """Returns a sample; all ranges if there are few.

        Args:
            share: of the whole, None for the default.
            units: number of ranges, in the place of a share.
            seed: decides.
        """
        if share is None and units is None:
            share = min(_SHARE, _MOST_TEXT / max(self.text_bytes, 1))
        few = len(self.ranges) < _FEWEST
        chance = np.ones(len(self.ranges)) if few else chances(self.sizes.tolist(), share=share, units=units)
        chosen = draw(self.sizes.tolist(), chance, seed=seed)
        before = self._others(set(chosen.tolist()), seed)
        return Drawn(
            ranges=[self.ranges[i] for i in chosen],
            sample=Sample(1.0, self.sizes[chosen], chance[chosen]),
            of_rows=Sample(1.0, self.rows[chosen], chance[chosen]),
            of_work=Sample(1.0, self.work[chosen], chance[chosen]),
            before=[self.ranges[i] for i in before],
            before_size=float(self.work[before].sum()),
        )

    def _others(self, chosen: set[int], seed: int) -> list[int]:
        """Some of the ranges that were not chosen."""
        others = [int(i) for i in np.random.default_rng(seed).permutation(len(self.ranges)) if i not in chosen]
        reached = np.cumsum([self.ranges[i].size for i in others])
        enough = int(np.searchsorted(reached, min(_WARM_SHARE * self.text_bytes, _WARM_BYTES))) + 1
        return others[:enough]


def finely_cut(source: FilesSource[Any]) -> FilesSource[Any]:
    """Returns the source with smaller ranges, which hold the same documents, unless it was said how large they are."""
    if not isinstance(source.config, FilesConfig) or source.config.range_bytes is not None:
        return source
    size, most = sum(file.size for file in source.files), source.config.most_range_bytes
    finer = copy.copy(source)
    finer.config = replace(source.config, range_bytes=min(max(size // _UNITS, 1), most))
    return finer


def frame_of(source: FilesSource[Any], config: JobConfig, *, workspace: str, look_bytes: int) -> Frame:
    """Finds all ranges, and looks into them if the text is small enough.

    Args:
        source: the input.
        config: that of the job, which says how documents are cleaned.
        workspace: folder of the run, where a plan may leave the text of files.
        look_bytes: text up to which all of it is read and cleaned.

    Raises:
        SourceError: an input cannot be read.
    """
    begun = processor_seconds()
    ranges = [made for made in source.planner(workspace)(source.files) if isinstance(made, FileRange)]
    planned = processor_seconds()
    bytes_of = np.maximum(np.array([place.size for place in ranges], np.float64), 1.0)
    sizes = bytes_of / bytes_of.sum()
    frame = Frame(
        ranges=ranges,
        sizes=sizes,
        rows=sizes,
        work=sizes,
        documents=None,
        plan_seconds=planned - begun,
        look_seconds=0.0,
    )
    if bytes_of.sum() > look_bytes or len(ranges) < _FEWEST:
        return frame
    found = _looked(source, config, ranges)

    def parts(values: Sequence[float]) -> Floats:
        return (
            _BY_BYTES * sizes + (1 - _BY_BYTES) * np.array(values, np.float64) / sum(values) if sum(values) else sizes
        )

    return replace(
        frame,
        sizes=parts([held.sentences for held in found]),
        rows=parts([held.rows for held in found]),
        work=parts([held.words for held in found]),
        documents=[held.documents for held in found],
        look_seconds=max(processor_seconds() - planned, 0.0),
    )


@dataclass(slots=True)
class _Held:
    """What a range holds."""

    documents: int = 0
    sentences: int = 0
    words: int = 0
    rows: float = 0.0

    def add(self, paragraphs: Sequence[Sequence[str]], recipe: Recipe[Any]) -> None:
        self.sentences += sum(map(len, paragraphs))
        self.words += sum(len(sentence.split()) for sentences in paragraphs for sentence in sentences)
        self.rows += recipe.expected_rows(paragraphs)


def _looked(source: FilesSource[Any], config: JobConfig, ranges: Sequence[FileRange]) -> list[_Held]:
    cleaning = next((step.CONFIG for step in steps_of(config.recipe) if step.CONFIG is CleanConfig), None)
    cleaner = Cleaner(config.of(CleanConfig)) if cleaning is not None else None
    recipe, read, found = config.recipe(config.of(config.recipe.CONFIG)), source.reader(), []
    try:
        for place in ranges:
            held = _Held()
            for made in read(place):
                if isinstance(made, RangeEnd):
                    held.documents = made.documents + made.counts.get("documents/read", 0)
                    break
                held.add(_paragraphs(made, cleaner), recipe)
            found.append(held)
    finally:
        if cleaner is not None:
            cleaner.close()
    return found


def _paragraphs(found: Any, cleaner: Cleaner | None) -> list[list[str]]:
    """The sentences of each paragraph of a document, cut at full stops; a row is a sentence of its own."""
    if isinstance(found, RawDocument) and cleaner is not None:
        found = cleaner.clean(found)
    if isinstance(found, CleanDocument):
        return [_SENTENCE.findall(p) or [p] for s in found.sections for p in s.paragraphs]
    if isinstance(found, AnnotatedDocument):
        grouped = groupby(found.sentences, key=lambda sentence: sentence.paragraph)
        return [[" ".join([t.text for t in s.tokens]) for s in sentences] for _, sentences in grouped]
    return [[""]] if isinstance(found, Pair) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What the run over a sample found. Times are seconds of processor time.

    Attributes:
        frame: all ranges.
        drawn: the sample.
        ranges: what each range of the sample gave.
        seconds: what each took, from reading to its spills.
        before: what the ranges gave that were read first.
        before_seconds: what all of these took.
        start_seconds: from the start of the process to the first range, without finding ranges and looking into them.
        finish_seconds: after the last range: merging.
        shard_bytes: bytes of the dataset of all that was read.
        peak_bytes: the most that the process held.
    """

    frame: Frame
    drawn: Drawn
    ranges: Sequence[RangeResult]
    seconds: Sequence[float]
    before: Sequence[RangeResult]
    before_seconds: float
    start_seconds: float
    finish_seconds: float
    shard_bytes: int
    peak_bytes: int


def try_sample(
    config: JobConfig,
    asked: EstimateConfig,
    *,
    beam: Sequence[str],
    say: Callable[[str], object] = lambda line: None,
    guard: Guard = unguarded,
    progress: bool = False,
) -> Trial:
    """Runs a job over a sample of its input, with one worker in this process, and leaves nothing behind.

    Args:
        config: that of the job; its output and its workers do not count.
        asked: how the sample is drawn.
        beam: arguments for Beam, without a runner.
        say: gets lines for a person.
        guard: what to do about signals.
        progress: whether progress is shown on standard error.

    Raises:
        ConfigError, JobFailed, WorkspaceError, DamagedInputError: as ``prepare`` and ``carry_out``.
    """
    settings = config.of(RunConfig)
    parent = settings.temp_dir if settings.temp_dir and not is_url(settings.temp_dir) else None
    try:
        folder = tempfile.mkdtemp(prefix="gistmill-estimate-", dir=parent)
    except OSError as error:
        raise ConfigError(f"--temp-dir {parent}: {error.strerror or error}") from None
    with guard(functools.partial(shutil.rmtree, folder, ignore_errors=True)):
        try:
            run = _prepared(config, folder, beam)
            return _tried(run, config, asked, str(Path(folder, "work")), say=say, progress=progress)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _prepared(config: JobConfig, folder: str, beam: Sequence[str]) -> Run:
    output = replace(config.of(OutputConfig), output=str(Path(folder, "dataset")), overwrite=False)
    run = replace(config.of(RunConfig), workers=None, temp_dir=None, resume=False)
    sections = {**config.sections, OutputConfig: output, RunConfig: run}
    if not issubclass(config.source, FilesSource):
        raise ConfigError("the job makes its documents, and reads no files: there is nothing to sample")
    return prepare(replace(config, sections=sections), beam=beam)


def _tried(
    run: Run, config: JobConfig, asked: EstimateConfig, root: str, *, say: Callable[[str], object], progress: bool
) -> Trial:
    source = finely_cut(cast(FilesSource[Any], run.plan.source))
    Path(root).mkdir()
    try:
        frame = frame_of(source, config, workspace=root, look_bytes=asked.look_bytes)
    except SourceError as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except BeamIOError as error:
        raise failure_of_store(error) from error
    if not frame.ranges:
        raise ConfigError("the input has nothing to read")
    drawn = frame.drawn(share=asked.sample_share, units=asked.sample_ranges, seed=asked.sample_seed)
    say(f"{len(drawn.ranges):,} of {len(frame.ranges):,} ranges are read, and {len(drawn.before):,} before them")
    timings = join(root, "timings")
    Path(timings).mkdir()
    chosen = SampledSource(source, [*drawn.before, *drawn.ranges], timings)
    plan = replace(run.plan, source=chosen, workspace=root, budget=UNLIMITED, shards=None)
    run_graph(run, plan, say=say, progress=progress)
    ended, results = processor_seconds(), read_results(root)
    check_damage(results.damage, allow_truncated=run.publication.allow_truncated)
    seconds, first, last = read_timings(timings)
    found = finished_ranges(root)
    return Trial(
        frame=frame,
        drawn=drawn,
        ranges=[found[place.key] for place in drawn.ranges],
        seconds=[seconds[place.key] for place in drawn.ranges],
        before=[found[place.key] for place in drawn.before],
        before_seconds=sum(seconds[place.key] for place in drawn.before),
        start_seconds=max(first - frame.plan_seconds - frame.look_seconds, 0.0),
        finish_seconds=max(ended - last, 0.0),
        shard_bytes=sum(shard.bytes for shard in results.shards),
        peak_bytes=resident_peak(),
    )
