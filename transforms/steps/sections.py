"""Beam wiring of URL sections: documents of other sections become Rejects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.records import Reject
from gistmill.rules.documents import RawDocument
from gistmill.rules.url_sections import SectionReason, SectionsConfig
from gistmill.transforms.beam.transforms import OnlyFor
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step


class Sections(Step):
    """Rejects documents of other sections than the wanted ones. It stands before cleaning, which costs more."""

    NAME = "Sections"
    CONFIG = SectionsConfig
    REASONS = (SectionReason,)

    def __init__(self, config: SectionsConfig) -> None:
        self._config = config

    @classmethod
    @override
    def open(cls, config: SectionsConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.url_sections else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.through(self.NAME, beam.ParDo(OnlyFor((RawDocument,), self._look)))

    def _look(self, document: RawDocument) -> Iterator[RawDocument | Reject]:
        verdict = self._config.verdict(document.origin)
        if verdict.reason is None:
            yield document
        else:
            yield document.origin.reject(verdict.reason, "sections", verdict.detail)
