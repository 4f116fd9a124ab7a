"""Configuration of the DiscoFuse recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.discofuse.candidate import DiscourseType

CONVENTIONS = ("released", "extended")

_COORDINATED = ("PAIR_CONN", "PAIR_CONN_ANAPHORA", "SINGLE_S_COORD", "SINGLE_S_COORD_ANAPHORA", "SINGLE_VP_COORD")
# Shares of examples that the balanced configuration keeps, by type or TYPE/connective; what is not named is kept
# whole. Measured on a slice of the English Wikipedia under the extended conventions: pairs without a phenomenon and
# anaphora come down to the order of "however" and "although", 8% each, "and" and "but" to 12.5 and 10.7% of all
# examples (paper, Table 16).
_AND, _BUT = 0.22, 0.62
BALANCED_RATES: Mapping[str, float] = {
    "PAIR_NONE": 0.023,
    "PAIR_ANAPHORA": 0.4,
    **{f"{kind}/and": _AND for kind in _COORDINATED},
    **{f"{kind}/but": _BUT for kind in _COORDINATED},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoFuseConfig:
    """What the recipe can be told.

    Attributes:
        conventions: ``extended`` records every phenomenon that a text has, wherever the parse shows one; ``released``
            one type a text, by the order and within the limits of the released dataset.
        min_text_tokens: the paper's filter; a text (one sentence, or the two of a pair) has at least so many tokens.
        min_sentence_tokens: the verdict's; each of the two sentences made has at least so many.
        ascii_only: refuse texts with characters outside ASCII, as the paper does.
        min_coref_confidence: a mention is replaced only if its link to the antecedent is at least so sure. The default
            is the sieve's cut: a wrong replacement ruins an example, a missed one only loses it.
        max_antecedent_tokens: no mention is replaced by more tokens than this.
        balanced_rates: shares that the ``balanced`` configuration keeps, by ``TYPE`` or ``TYPE/connective``.
        salt: salt of the hash that samples ``balanced``.
    """

    conventions: str = "extended"
    min_text_tokens: int = 7
    min_sentence_tokens: int = 7
    ascii_only: bool = True
    min_coref_confidence: float = 0.75
    max_antecedent_tokens: int = 8
    balanced_rates: Mapping[str, float] = field(default_factory=lambda: dict(BALANCED_RATES))
    salt: str = "gistmill"

    def __post_init__(self) -> None:
        if self.conventions not in CONVENTIONS:
            raise ValueError(f"conventions: {self.conventions!r} is not one of {', '.join(CONVENTIONS)}")
        for name in ("min_text_tokens", "min_sentence_tokens", "max_antecedent_tokens"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}: {value!r} is not a whole number of at least 1")
        if not _is_share(self.min_coref_confidence):
            raise ValueError(f"min_coref_confidence: {self.min_coref_confidence!r} is not a number from 0 to 1")
        if not self.salt or not isinstance(self.salt, str):
            raise ValueError(f"salt: {self.salt!r} is not a text")
        for key, rate in self.balanced_rates.items():
            if key.split("/")[0] not in DiscourseType.__members__:
                raise ValueError(
                    f"balanced_rates: {key!r} does not name a discourse type; "
                    f"there are {', '.join(DiscourseType.__members__)}"
                )
            if not _is_share(rate):
                raise ValueError(f"balanced_rates: {rate!r} for {key} is not a number from 0 to 1")

    def balanced_rate(self, discourse_type: str, connective: str) -> float:
        """Returns the share of such examples that ``balanced`` keeps; the connective's comma does not matter."""
        bare = connective.replace(",", "").strip()
        rates = self.balanced_rates
        return rates.get(f"{discourse_type}/{bare}", rates.get(discourse_type, 1.0))


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
