"""What the configuration ``balanced`` keeps: fitted shares, and the released rows' distribution that they aim at.

The paper down-samples "and", "but" and anaphora, to 27.5% of the Wikipedia examples (section 3.2). Here pairs without a
phenomenon are down-sampled too: every pair that no rule matches is one, and they would be most of the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gistmill.rules.discofuse.candidate import DiscourseType as T

_COORDINATED = (T.PAIR_CONN, T.PAIR_CONN_ANAPHORA, T.SINGLE_S_COORD, T.SINGLE_S_COORD_ANAPHORA, T.SINGLE_VP_COORD)
# Of the examples: those that the down-sampled Wikipedia part has (section 3.2), and shares in it (Table 16; of pairs
# without a phenomenon in 514 released rows).
KEPT, AND, BUT, NONE = 4_581_352 / 16_642_323, 0.125, 0.107, 32 / 514


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """What is down-sampled: one number for each group, of examples or as a rate.

    Attributes:
        none: pairs without a phenomenon.
        anaphora: pairs with anaphora and without a connective. Other types with anaphora are rarer here than in the
            released rows.
        and_, but: examples with these connectives, of any type that coordinates.
    """

    none: float
    anaphora: float
    and_: float
    but: float

    def by_key(self) -> dict[str, float]:
        """Returns the numbers by discourse type or TYPE/connective, as the option ``balanced_rates`` has them."""
        return {
            T.PAIR_NONE.name: self.none,
            T.PAIR_ANAPHORA.name: self.anaphora,
            **{f"{kind.name}/and": self.and_ for kind in _COORDINATED},
            **{f"{kind.name}/but": self.but for kind in _COORDINATED},
        }


def bare(connective: str) -> str:
    """Returns a connective without its commas: "but" for ", but"."""
    return " ".join(connective.replace(",", " ").split())


def fit(full: Groups, others: float) -> Groups:
    """Returns the rates that give ``balanced`` the size and the shares of the released part.

    The shares of "and", "but" and pairs without a phenomenon are met first. The rate of anaphora then gives the size.
    It cannot be above 1, so that the size may stay below.

    Args:
        full: the examples of each group.
        others: all other examples, which are kept.

    Raises:
        ValueError: there are too few examples of a group.
    """
    total = KEPT * (full.none + full.anaphora + full.and_ + full.but + others)
    rest = 1 - AND - BUT - NONE
    anaphora = min(max(rest * total - others, 0), full.anaphora)
    total = (others + anaphora) / rest
    wanted = Groups(none=NONE * total, anaphora=anaphora, and_=AND * total, but=BUT * total)
    rates = {}
    for name in ("none", "anaphora", "and_", "but"):
        there, needed = getattr(full, name), getattr(wanted, name)
        if needed > there:
            raise ValueError(f"{needed:.0f} examples of the group {name.strip('_')} are needed, there are {there:.0f}")
        rates[name] = round(needed / there, 3) if there else 1.0
    return Groups(**rates)


# By ``python -m research.fit_balance``, for each of the conventions.
RATES: Mapping[str, Groups] = {
    "extended": Groups(none=0.029, anaphora=0.459, and_=0.285, but=0.735),
    "released": Groups(none=0.026, anaphora=0.916, and_=0.316, but=0.841),
}
BY_KEY = {conventions: rates.by_key() for conventions, rates in RATES.items()}
