"""Configuration of the DiscoFuse recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import SHARE, SWITCH, mapping_of, one_of, whole
from gistmill.rules.discofuse import balance
from gistmill.rules.discofuse.candidate import DiscourseType

CONVENTIONS = ("released", "extended")
# The paper filters the length of texts alone, and its Table 3 has a sentence of four tokens; subject, verb and mark are
# the least. Of sentences made of 3 and 4 tokens one in seven was wrong when read, of those of 5 and 6 one in twelve.
_MIN_SENTENCE_TOKENS = {"released": 3, "extended": 5}
# Parsers err with length. Of 1,712 examples made of one sentence that were read, 19% of those whose first sentence had
# more tokens were wrong, and 8% of the others.
_MAX_FIRST_TOKENS = {"released": 0, "extended": 25}
_COREF_CUTS = {"released": 0.6, "extended": 0.9}


@dataclass(frozen=True, kw_only=True)
class DiscoFuseConfig(Options):
    """The options of the recipe.

    ``min_coref_confidence`` of ``extended`` is where readers found few wrong replacements: a wrong one ruins an
    example, a missed one only loses it (benchmarks/readings/splits.md has the shares by cut). ``released`` reproduces
    data of which raters understood 86% (paper, Table 2): of 50 examples that its lower cut added, 39 were right.
    ``min_text_tokens`` and ``ascii_only`` are the paper's filters (section 3.2). ``keep_marks`` is off, as in the
    released rows: so the two forms of a text have the same tokens, and a dataset has one form of each mark, however
    its source was typeset.
    """

    GROUP: ClassVar[str] = "recipe"

    conventions: str = option(
        one_of(*CONVENTIONS),
        default="extended",
        help="extended: every phenomenon that the parse shows in a text; released: one per text, by the order and "
        "within the limits of the released dataset",
    )
    min_text_tokens: int = option(
        whole(1), default=7, unit="tokens", help="tokens that a text, one sentence or the two of a pair, must have"
    )
    min_sentence_tokens: int | None = option(
        whole(1),
        unit="tokens",
        help="tokens that each of the two sentences made must have, with its final mark (default: 5, or 3 with "
        "--conventions released)",
    )
    max_first_tokens: int | None = option(
        whole(0),
        unit="tokens",
        help="tokens that the first of two sentences made of one may have, as parsers err in long ones; 0: any number "
        "(default: 25, or 0 with --conventions released)",
    )
    ascii_only: bool = option(
        SWITCH, default=True, help="reject texts with characters outside ASCII, other than typographic marks"
    )
    keep_marks: bool = option(
        SWITCH,
        default=False,
        help="keep dashes, quotes and other typographic marks in inputs and targets; elsewhere they are ASCII",
    )
    min_coref_confidence: float | None = option(
        SHARE,
        metavar="P",
        help="how sure a coreference link must be before a mention is replaced (default: 0.9, or 0.6 with "
        "--conventions released)",
    )
    max_antecedent_tokens: int = option(whole(1), default=8, unit="tokens", help="longest replacement of a mention")
    balanced_rates: Mapping[str, float] | None = option(
        mapping_of(SHARE),
        metavar="{TYPE: RATE}",
        help="shares that the configuration `balanced` keeps, by discourse type or TYPE/connective; what is not named "
        "is kept whole (default: rates that give it the shares of the released dataset, rules/discofuse/balance.py)",
    )

    def check(self) -> None:
        """Raises ValueError where a rate is for no discourse type."""
        for key in self.balanced_rates or ():
            if key.split("/")[0] not in DiscourseType.__members__:
                raise ValueError(
                    f"balanced_rates: {key!r} does not name a discourse type; "
                    f"there are {', '.join(DiscourseType.__members__)}"
                )

    @property
    def sentence_floor(self) -> int:
        """The tokens that each sentence must have: ``min_sentence_tokens``, or the default of the conventions."""
        return self.min_sentence_tokens or _MIN_SENTENCE_TOKENS[self.conventions]

    @property
    def first_ceiling(self) -> int:
        """The tokens that the first sentence may have, 0 for any: ``max_first_tokens``, or the conventions' default."""
        given = self.max_first_tokens
        return _MAX_FIRST_TOKENS[self.conventions] if given is None else given

    @property
    def coref_cut(self) -> float:
        """The confidence that a link must have: ``min_coref_confidence``, or the default of the conventions."""
        given = self.min_coref_confidence
        return _COREF_CUTS[self.conventions] if given is None else given

    def balanced_rate(self, discourse_type: str, connective: str) -> float:
        """Returns the share of such examples that ``balanced`` keeps; the connective's comma does not matter."""
        rates = balance.BY_KEY[self.conventions] if self.balanced_rates is None else self.balanced_rates
        return rates.get(f"{discourse_type}/{balance.bare(connective)}", rates.get(discourse_type, 1.0))
