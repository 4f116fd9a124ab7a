"""Beam wiring of dates: documents of other days become Rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.records import FromDocument
from gistmill.rules.dates import DateReason, DatesConfig
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, KnownDocument
from gistmill.transforms.beam.transforms import OnlyFor
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step


class Dates(Step):
    """Rejects documents of other days than the wanted ones. It stands after cleaning, which finds a page's date."""

    NAME = "Dates"
    CONFIG = DatesConfig
    REASONS = (DateReason,)

    def __init__(self, config: DatesConfig) -> None:
        self._config = config

    @classmethod
    @override
    def open(cls, config: DatesConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.since or config.until else None

    @override
    def apply(self, flow: Flow) -> Flow:
        of_text = OnlyFor((CleanDocument, AnnotatedDocument, KnownDocument), self._look)
        return flow.through(self.NAME, beam.ParDo(of_text))

    def _look(self, document: FromDocument) -> Iterator[FromDocument]:
        verdict = self._config.verdict(document.origin)
        if verdict.reason is None:
            yield document
        else:
            yield document.origin.reject(verdict.reason, "dates", verdict.detail)
