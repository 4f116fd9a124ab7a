"""Steps: optional stages between reading and the recipe, with a common interface; ``registry.py`` lists them in order.

A filter step computes a Verdict for each document (``Flow.filtered``).
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self, TypeVar

import apache_beam as beam

from gistmill.core.deadline import DeadlineExceeded, within
from gistmill.core.options import Options, option
from gistmill.core.records import FromDocument, Reason, Reject, Verdict
from gistmill.core.values import POSITIVE
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, SegmentedDocument
from gistmill.transforms.beam.transforms import DealRanges, ForTypes
from gistmill.transforms.reuse import AnnotatedStore
from gistmill.transforms.sources.base import Source

TEXTS = (CleanDocument, AnnotatedDocument)
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class DeadlineConfig(Options):
    """The option for all steps whose running time depends on the page.

    The default is far above the time for real documents: half a second for the slowest page.
    """

    GROUP: ClassVar[str] = "cleaning"

    parse_deadline: float = option(
        POSITIVE,
        default=60.0,
        unit="seconds",
        metavar="SECONDS",
        group="cleaning",
        help="time limit for parsing one page's wikitext or HTML, after which the page is rejected; coreference and "
        "the recipe each have the same limit",
    )


def in_time(work: Callable[[], Made], document: FromDocument, *, seconds: float, stage: str) -> Made | Reject:
    """Returns the result of ``work``, or a Reject of the document if it takes longer than ``seconds``."""
    try:
        with within(seconds):
            return work()
    except DeadlineExceeded:
        return document.origin.reject(CleanReason.DEADLINE, stage, f"not finished in {seconds:g} seconds")


def judged(document: Any, *, verdict: Callable[[Any], Verdict], stage: str) -> list[Any]:
    """Returns a document, or the stage's Reject if ``verdict`` does not accept it."""
    found = verdict(document)
    return [document if found.reason is None else document.origin.reject(found.reason, stage, found.detail)]


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Documents on their way through the graph.

    Attributes:
        workspace: the root of the run's workspace; "" if the graph is only measured.
        ranges: PCollection[Range] of all ranges of the input.
        pending: the ranges that are not finished yet.
        read: turns any ranges into documents, with all steps so far, until a step has settled them.
        costly: whether ``read`` does work that is expensive to repeat, or that might give a different result.
        reasons: the enumerations of the reasons for which the steps so far reject documents.
        settled: the documents of the pending ranges, once a step has required them in their current form.
        files: the files that steps add to the dataset, each a PCollection[ShardFile].
        store: the older dataset that supplies annotations; None for none.
    """

    workspace: str
    ranges: beam.PCollection
    pending: beam.PCollection
    read: Callable[[beam.PCollection], beam.PCollection]
    costly: bool = False
    reasons: tuple[type[Reason], ...] = ()
    settled: beam.PCollection | None = None
    files: tuple[beam.PCollection, ...] = ()
    store: AnnotatedStore | None = None

    def through(self, label: str, transform: beam.PTransform, *, costly: bool = False) -> Flow:
        """Returns the flow with a transform of its documents appended."""
        costly = costly or self.costly
        if self.settled is not None:
            return dataclasses.replace(self, settled=self.settled | label >> transform, costly=costly)
        read = self.read
        return dataclasses.replace(self, read=lambda ranges: read(ranges) | label >> transform, costly=costly)

    def filtered(self, label: str, verdict: Callable[[Any], Verdict], takes: tuple[type, ...] = TEXTS) -> Flow:
        """Returns the flow with a filter for documents of the classes ``takes`` appended. The lower-case label is the
        stage of its rejects; ``verdict`` must be picklable."""
        return self.through(label, beam.ParDo(ForTypes(takes, partial(judged, verdict=verdict, stage=label.lower()))))

    def documents(self) -> beam.PCollection:
        """Returns the documents of the pending ranges."""
        return self.read(self.pending | "Deal" >> DealRanges()) if self.settled is None else self.settled


class Step(ABC):
    """A step that is needed in a job.

    Class attributes:
        NAME: its label in the graph and, in lower case, the stage of its rejects.
        CONFIG: the class of its configuration, which declares its options; Options for none.
        REASONS: the enumerations of the reasons for which it rejects documents.
        SERVES: the document classes for which it can be needed; only jobs whose recipes take these offer it.
        READS_TEXT: whether it reads cleaned texts, so that no document may skip cleaning.
    """

    NAME: ClassVar[str]
    CONFIG: ClassVar[type[Options]] = Options
    REASONS: ClassVar[tuple[type[Reason], ...]] = ()
    SERVES: ClassVar[tuple[type, ...]] = (CleanDocument, AnnotatedDocument, SegmentedDocument)
    READS_TEXT: ClassVar[bool] = False

    def __init__(self, config: Any) -> None:
        self._config = config

    @classmethod
    @abstractmethod
    def open(cls, config: Any, *, source: type[Source], wanted: type) -> Self | None:
        """Returns the step, or None if it is not needed.

        Args:
            config: an instance of CONFIG.
            source: the source of the documents.
            wanted: the class of the documents that the recipe takes.

        Raises:
            SourceError, ModelError: a file or a model cannot be used; the message names it.
        """

    @abstractmethod
    def apply(self, flow: Flow) -> Flow:
        """Returns the flow with the step appended. The data that its workers need is written to the workspace."""

    def record(self, version: str) -> Mapping[str, Any]:
        """Returns the step's entries in the manifest: ``models``, ``evaluation`` and ``signatures``, lists of mappings.

        Args:
            version: the gistmill version, recorded for models shipped with it.
        """
        return {}
