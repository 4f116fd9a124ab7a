"""Configuration of the recipe ``propositions``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import SHARE, one_of, whole
from gistmill.rules.discofuse.config import PRECISIONS, DiscoFuseConfig


@dataclass(frozen=True, kw_only=True)
class PropositionsConfig(Options):
    """The options of the recipe. ``precision`` is that of ``discofuse``, and so are its levels."""

    GROUP: ClassVar[str] = "recipe"

    precision: str = option(
        one_of(*PRECISIONS),
        default="balanced",
        help="strict: fewer splits and replacements, and surer ones; generous: more, and more faults. It sets the "
        "default of --min-coref-confidence",
    )
    min_coref_confidence: float | None = option(
        SHARE,
        metavar="P",
        help="how sure a coreference link must be before a mention is replaced (default: 0.95, 0.84 or 0.7 by "
        "--precision)",
    )
    max_antecedent_tokens: int = option(whole(1), default=8, unit="tokens", help="longest replacement of a mention")

    @property
    def splits(self) -> DiscoFuseConfig:
        """The options of the rules that split: of any text, with the marks that it has."""
        return DiscoFuseConfig(precision=self.precision, ascii_only=False, keep_marks=True)

    @property
    def coref_cut(self) -> float:
        """The confidence that a link must have: ``min_coref_confidence``, or the default of the precision."""
        return self.splits.coref_cut if self.min_coref_confidence is None else self.min_coref_confidence
