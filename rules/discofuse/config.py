"""Configuration of the DiscoFuse recipe.

The paper down-samples "and", "but" and anaphora to 27.5% of the Wikipedia examples (section 3.2). Pairs without a
phenomenon (those that no rule matches) are down-sampled here too; otherwise they would be most of the rows.

Source: Geva et al., 2019, Table 16, and released.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import SHARE, SWITCH, mapping_of, one_of, whole
from gistmill.rules.discofuse.candidate import DiscourseType as T

_COORDINATED = (T.PAIR_CONN, T.PAIR_CONN_ANAPHORA, T.SINGLE_S_COORD, T.SINGLE_S_COORD_ANAPHORA, T.SINGLE_VP_COORD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """The groups that are down-sampled, with a number of examples or a rate for each.

    Attributes:
        none: pairs without a phenomenon.
        anaphora: pairs with anaphora and without a connective; other types are rarer here than in released rows.
        and_, but: examples with these connectives, of all coordinated types.
    """

    none: float
    anaphora: float
    and_: float
    but: float

    def by_key(self) -> dict[str, float]:
        """Returns the numbers by discourse type or TYPE/connective, in the form of the option ``balanced_rates``."""
        return {
            T.PAIR_NONE.name: self.none,
            T.PAIR_ANAPHORA.name: self.anaphora,
            **{f"{kind.name}/and": self.and_ for kind in _COORDINATED},
            **{f"{kind.name}/but": self.but for kind in _COORDINATED},
        }


def bare(connective: str) -> str:
    """Returns a connective without its commas: "but" for ", but"."""
    return " ".join(connective.replace(",", " ").split())


# Computed by ``python -m research.fit_balance`` for both conventions.
RATES: Mapping[str, Groups] = {
    "extended": Groups(none=0.029, anaphora=0.459, and_=0.285, but=0.735),
    "released": Groups(none=0.026, anaphora=0.916, and_=0.316, but=0.841),
}
BY_KEY = {conventions: rates.by_key() for conventions, rates in RATES.items()}


CONVENTIONS = ("released", "extended")
PRECISIONS = ("strict", "balanced", "generous")
_RELEASED = "released"
# By level of precision, and for the released data. The paper limits only the length of texts, and its Table 3 contains
# a four-token sentence; subject, verb and final mark are the minimum. Short halves and long first halves are wrong more
# often: benchmarks/README.md gives the shares.
_MIN_SENTENCE_TOKENS = {"strict": 8, "balanced": 5, "generous": 4, _RELEASED: 3}
_MAX_FIRST_TOKENS = {"strict": 15, "balanced": 25, "generous": 0, _RELEASED: 0}
_COREF_CUTS = {"strict": 0.92, "balanced": 0.84, "generous": 0.7, _RELEASED: 0.6}


@dataclass(frozen=True, kw_only=True)
class DiscoFuseConfig(Options):
    """Options of the recipe.

    With ``extended``, ``min_coref_confidence`` is set where readers found few wrong replacements: a wrong one ruins an
    example, a missed one only loses it (benchmarks/readings/splits.md gives the shares by threshold). ``released``
    reproduces data of which raters understood 86% (paper, Table 2): of 50 examples added by its lower threshold, 39
    were right. ``min_text_tokens`` and ``ascii_only`` are the paper's filters (section 3.2). ``released`` applies both
    and converts typographic marks to ASCII; ``extended`` keeps texts as printed, because names often are not ASCII.
    """

    GROUP: ClassVar[str] = "recipe"

    conventions: str = option(
        one_of(*CONVENTIONS),
        default="extended",
        help="extended: every phenomenon that a text's parse shows; released: one per text, in the order and "
        "within the limits of the released dataset",
    )
    precision: str = option(
        one_of(*PRECISIONS),
        default="balanced",
        help="strict: fewer but more reliable rows; generous: more rows but more errors. With --conventions extended, "
        "sets the defaults of --min-sentence-tokens, --max-first-tokens and --min-coref-confidence",
    )
    min_text_tokens: int = option(
        whole(1),
        default=7,
        unit="tokens",
        help="minimum number of tokens in a text (one sentence, or both sentences of a pair)",
    )
    min_sentence_tokens: int | None = option(
        whole(1),
        unit="tokens",
        help="minimum number of tokens in each of the two sentences produced, including final punctuation "
        "(default: 8, 5 or 4 depending on --precision, or 3 with --conventions released)",
    )
    max_first_tokens: int | None = option(
        whole(0),
        unit="tokens",
        help="maximum number of tokens in the first sentence when one sentence is split in two, because parsers err in "
        "long ones; 0: no limit (default: 15, 25 or 0 depending on --precision, or 0 with --conventions released)",
    )
    ascii_only: bool | None = option(
        SWITCH,
        help="reject texts with non-ASCII characters other than typographic marks (default: true with "
        "--conventions released, else false)",
    )
    keep_marks: bool | None = option(
        SWITCH,
        help="keep dashes, quotes and other typographic marks in inputs and targets; other columns use ASCII "
        "marks (default: false with --conventions released, else true)",
    )
    min_coref_confidence: float | None = option(
        SHARE,
        metavar="P",
        help="minimum confidence of a coreference link required to replace a mention (default: 0.92, 0.84 or "
        "0.7 depending on --precision, or 0.6 with --conventions released)",
    )
    max_antecedent_tokens: int = option(
        whole(1), default=8, unit="tokens", help="maximum number of tokens in a mention's replacement"
    )
    balanced_rates: Mapping[str, float] | None = option(
        mapping_of(SHARE),
        metavar="{TYPE: RATE}",
        help="share of rows to keep in the configuration `balanced`, by discourse type or TYPE/connective; all "
        "other rows are kept (default: rates that reproduce the proportions in the released dataset, "
        "rules/discofuse/config.py)",
    )

    def check(self) -> None:
        """Raises ValueError if a rate has an unknown discourse type, or ``released`` is combined with a precision."""
        if self.conventions == _RELEASED and self.precision != "balanced":
            raise ValueError(
                f"precision: {self.precision} requires --conventions extended; released reproduces the released data"
            )
        for key in self.balanced_rates or ():
            if key.split("/")[0] not in T.__members__:
                raise ValueError(
                    f"balanced_rates: {key!r} is not a discourse type; expected one of {', '.join(T.__members__)}"
                )

    @property
    def _level(self) -> str:
        return _RELEASED if self.conventions == _RELEASED else self.precision

    @property
    def rejects_non_ascii(self) -> bool:
        """Whether texts must be ASCII: ``ascii_only``, or the default for the conventions."""
        return self.conventions == _RELEASED if self.ascii_only is None else self.ascii_only

    @property
    def keeps_marks(self) -> bool:
        """Whether natural text keeps the printed marks: ``keep_marks``, or the default for the conventions."""
        return self.conventions != _RELEASED if self.keep_marks is None else self.keep_marks

    @property
    def sentence_floor(self) -> int:
        """Minimum number of tokens per sentence: ``min_sentence_tokens``, or the default for the precision."""
        return self.min_sentence_tokens or _MIN_SENTENCE_TOKENS[self._level]

    @property
    def first_ceiling(self) -> int:
        """Maximum number of tokens in the first sentence, 0 if unlimited: ``max_first_tokens``, or a default."""
        return _MAX_FIRST_TOKENS[self._level] if self.max_first_tokens is None else self.max_first_tokens

    @property
    def coref_cut(self) -> float:
        """Minimum confidence of a link: ``min_coref_confidence``, or the default for the precision."""
        return _COREF_CUTS[self._level] if self.min_coref_confidence is None else self.min_coref_confidence

    def balanced_rate(self, discourse_type: str, connective: str) -> float:
        """Returns the share of examples of this type and connective kept in ``balanced``, ignoring commas."""
        rates = BY_KEY[self.conventions] if self.balanced_rates is None else self.balanced_rates
        return rates.get(f"{discourse_type}/{bare(connective)}", rates.get(discourse_type, 1.0))
