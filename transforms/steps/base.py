"""A step: an optional stage between reading and the recipe. All have one shape; ``registry.py`` lists them in order."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import apache_beam as beam

from gistmill.core.annotation_parts import Part
from gistmill.core.options import Options
from gistmill.core.records import Pair, Reason
from gistmill.transforms.beam.transforms import DealRanges
from gistmill.transforms.reuse import AnnotatedStore
from gistmill.transforms.sources.base import Source


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Documents on their way through the graph.

    Attributes:
        workspace: root of the run's workspace.
        ranges: PCollection[Range] of all ranges of the input.
        pending: those of them that are not finished yet.
        read: makes documents of any ranges, with all steps so far, as long as no step has settled them.
        costly: whether ``read`` does work that should not be done twice, or could come out differently.
        reasons: the enumerations of reasons for which the steps so far reject documents.
        settled: the documents of the pending ranges, once a step has needed them as they are.
        files: files that steps add to the dataset, each a PCollection[ShardFile].
    """

    workspace: str
    ranges: beam.PCollection
    pending: beam.PCollection
    read: Callable[[beam.PCollection], beam.PCollection]
    costly: bool = False
    reasons: tuple[type[Reason], ...] = ()
    settled: beam.PCollection | None = None
    files: tuple[beam.PCollection, ...] = ()

    def through(self, label: str, transform: beam.PTransform, *, costly: bool = False) -> Flow:
        """Returns the flow with a transform of documents at its end."""
        costly = costly or self.costly
        if self.settled is not None:
            return dataclasses.replace(self, settled=self.settled | label >> transform, costly=costly)
        read = self.read
        return dataclasses.replace(self, read=lambda ranges: read(ranges) | label >> transform, costly=costly)

    def documents(self) -> beam.PCollection:
        """Returns the documents of the pending ranges."""
        return self.read(self.pending | "Deal" >> DealRanges()) if self.settled is None else self.settled


class Step(ABC):
    """A step that has something to do.

    Class attributes:
        NAME: its label in the graph, and in lower case the stage of its rejects.
        CONFIG: the class of its configuration, which declares its options.
        REASONS: the enumerations of reasons for which it rejects documents.
        READS_TEXT: whether it looks at cleaned texts; then no document may skip cleaning.
    """

    NAME: ClassVar[str]
    CONFIG: ClassVar[type[Options]]
    REASONS: ClassVar[tuple[type[Reason], ...]] = ()
    READS_TEXT: ClassVar[bool] = False

    @classmethod
    def serves(cls, wanted: type) -> bool:
        """Whether a recipe that takes documents of the class ``wanted`` can need the step: only then is it offered."""
        return not issubclass(wanted, Pair)  # rows were documents once

    @classmethod
    def resolve(cls, config: Any, source: type[Source]) -> Any:
        """Returns the configuration with the defaults that depend on the source."""
        return config

    @classmethod
    @abstractmethod
    def open(cls, config: Any, *, source: type[Source], wanted: type) -> Self | None:
        """Returns the step, or None where it has nothing to do.

        Args:
            config: of the class CONFIG.
            source: where documents come from.
            wanted: class of the documents that the recipe takes.

        Raises:
            SourceError, ModelError: a file or a model cannot be used; the message names it.
        """

    @abstractmethod
    def apply(self, flow: Flow) -> Flow:
        """Returns the flow with the step at its end."""

    def reusing(self, store: AnnotatedStore) -> Step:
        """Returns the step as it takes over what an older dataset has; most steps take over nothing."""
        return self

    def parts(self) -> Mapping[str, Part]:
        """Returns the parts of an annotation that the step makes, by name (``core/annotation_parts.py``)."""
        return {}

    def save(self, workspace: str) -> None:  # noqa: B027, most steps have nothing to write
        """Writes what the workers need into the workspace, before the graph runs."""

    def record(self, version: str) -> Mapping[str, Any]:
        """Returns what the manifest says of the step: ``models``, ``evaluation`` and ``signatures``, lists of mappings.

        Args:
            version: of gistmill, for models that come with it.
        """
        return {}
