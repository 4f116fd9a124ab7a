"""Steps that look at all documents before they pass one on: ranks of pairs, and duplicates.

Both work in two passes: the first finds what is decided of each among all, the second attaches it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Self

from typing_extensions import override

from gistmill.core.records import Reason
from gistmill.rules.curriculum.recipe import CurriculumConfig, RankedPair
from gistmill.rules.documents import DuplicateReason
from gistmill.transforms.duplicates.minhash import NONE, Deduplicate, DuplicatesConfig
from gistmill.transforms.duplicates.signatures import SignatureFile, SignaturesError, signature_files
from gistmill.transforms.ranks.find import RankPairs
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.files.ranges import split_commas
from gistmill.transforms.steps.base import Flow, Step


class Rank(Step):
    """Makes RankedPairs of Pairs. The source is read twice."""

    NAME = "Rank"
    CONFIG = CurriculumConfig
    SERVES = (RankedPair,)

    @classmethod
    @override
    def open(cls, config: CurriculumConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config)

    @override
    def apply(self, flow: Flow) -> Flow:
        ranked = (flow.ranges, flow.pending) | self.NAME >> RankPairs(flow.workspace, self._config, flow.read)
        return dataclasses.replace(flow, settled=ranked)


class DeduplicateStep(Step):
    """Rejects duplicates. Documents that are costly to make are kept in the workspace between the two passes.

    Args:
        config: what counts as a duplicate.
        reasons: the enumerations of reasons for which the source rejects documents.
        old: files with the signatures of documents that stay.
    """

    NAME = "Deduplicate"
    CONFIG = DuplicatesConfig
    REASONS = (DuplicateReason,)
    READS_TEXT = True

    def __init__(
        self, config: DuplicatesConfig, reasons: Sequence[type[Reason]], old: Sequence[SignatureFile] = ()
    ) -> None:
        self._config, self._reasons, self._old = config, reasons, old

    @classmethod
    @override
    def open(cls, config: DuplicatesConfig, *, source: type[Source], wanted: type) -> Self | None:
        """Reads the manifests of the datasets that documents are compared with."""
        against = tuple(split_commas(config.duplicates_against or ()))
        if config.deduplicate != NONE:
            return cls(config, source.REASONS, signature_files(against, config.bands))
        if against or config.keep_signatures:
            flag = "--duplicates-against" if against else "--keep-signatures"
            raise SignaturesError(f"{flag} needs --deduplicate near or exact")
        return None

    @override
    def apply(self, flow: Flow) -> Flow:
        reasons = (*self._reasons, *flow.reasons)
        deduplicate = Deduplicate(
            flow.workspace, self._config, flow.read, keep=flow.costly, reasons=reasons, old=self._old
        )
        settled, signatures = (flow.ranges, flow.pending) | self.NAME >> deduplicate
        return dataclasses.replace(flow, settled=settled, files=(*flow.files, signatures))

    @override
    def record(self, version: str) -> Mapping[str, Any]:
        return {"signatures": [{"dataset": f.dataset, "name": f.name, "sha256": f.sha256} for f in self._old]}
