"""What a sample is drawn from: all ranges of an input, cut fine, and how much each of them holds."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from gistmill.core.records import Pair, RangeEnd
from gistmill.core.sampling import Floats, Sample, chances, draw
from gistmill.pipelines.job import JobConfig, steps_of
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument
from gistmill.rules.recipe import Recipe
from gistmill.transforms.sources.config import FilesConfig
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.files.source import FilesSource
from gistmill.transforms.sources.sampled import processor_seconds
from gistmill.transforms.steps.clean import CleanConfig, Cleaner

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
