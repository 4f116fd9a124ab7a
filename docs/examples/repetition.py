"""A filter that rejects documents with many repeated sentences.

Source: the repetition filters of J. W. Rae et al., "Scaling language models: methods, analysis & insights from training
Gopher", 2021, appendix A.1, here applied to sentences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.records import ACCEPTED, Reason, Verdict
from gistmill.core.values import SHARE
from gistmill.rules.documents import SegmentedDocument
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import Flow, Step


class RepetitionReason(Reason):
    """Why the step rejects a document."""

    REPETITION = "too many sentences occurred before in the document"


@dataclass(frozen=True, kw_only=True)
class RepetitionConfig(Options):
    """The option of the step."""

    GROUP: ClassVar[str] = "duplicates"

    max_repetition: float = option(
        SHARE, default=1.0, help="reject documents in which more than this share of the sentences repeats earlier ones"
    )

    def verdict(self, document: SegmentedDocument) -> Verdict:
        """Accepts the document if few enough sentences are repeated; otherwise returns REPETITION."""
        texts = [sentence.text for sentence in document.sentences]
        repeated = len(texts) - len(set(texts))
        if repeated > self.max_repetition * len(texts):
            return Verdict(RepetitionReason.REPETITION, f"{repeated} of {len(texts)} sentences")
        return ACCEPTED


class Repetition(Step):
    """A step that rejects documents with many repeated sentences."""

    NAME = "Repetition"
    CONFIG = RepetitionConfig
    REASONS = (RepetitionReason,)
    SERVES = (SegmentedDocument,)

    @classmethod
    @override
    def open(cls, config: RepetitionConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if config.max_repetition < 1 else None

    @override
    def apply(self, flow: Flow) -> Flow:
        return flow.filtered(self.NAME, self._config.verdict, (SegmentedDocument,))
