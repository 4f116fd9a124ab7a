"""The weights of the operations in the complexity of a pair (paper, equations 1 to 3 and Table 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gistmill.core.values import SHARE, Kind, custom, list_of, nearest


class Weights(NamedTuple):
    """A weight for each operation, in the order of equation 1."""

    deletion: float
    reordering: float
    substitution: float
    addition: float


COMBINATIONS: Mapping[str, Weights] = {
    f"combination-{number}": Weights(*weights)
    for number, weights in enumerate(
        (
            (0.02, 0.01, 0.43, 0.54),
            (0.52, 0.06, 0.20, 0.21),
            (0.25, 0.23, 0.41, 0.11),
            (0.11, 0.41, 0.37, 0.11),
            (0.02, 0.08, 0.81, 0.09),
            (0.19, 0.53, 0.02, 0.26),
            (0.64, 0.21, 0.01, 0.13),
            (0.33, 0.19, 0.14, 0.34),
            (0.08, 0.23, 0.57, 0.12),
            (0.30, 0.45, 0.20, 0.06),
            (0.10, 0.20, 0.30, 0.40),
        ),
        1,
    )
}
"""The columns of Table 4 as printed. By rounding, 2 and 7 have a sum of 0.99, and 10 one of 1.01: no order changes."""

BEST = "combination-4"  # of the paper: the best overall score. The released code (sortData.py) has combination 6.
_FOUR = list_of(SHARE, length=4)
_TOLERANCE = 1e-9


def _parse(value: Any) -> str | tuple[float, ...]:
    if isinstance(value, str) and "," not in value:
        if value not in COMBINATIONS:
            near = nearest(value, COMBINATIONS)
            raise ValueError(f"expected four weights, or combination-1 to combination-{len(COMBINATIONS)}{near}")
        return value
    weights: tuple[float, ...] = _FOUR.parse(value)
    if abs(sum(weights) - 1) > _TOLERANCE:
        raise ValueError(f"expected four weights with a sum of 1 (it is {sum(weights):.12g})")
    return weights


WEIGHTS: Kind = custom(
    _parse,
    pattern=f"({'|'.join(COMBINATIONS)}|{_FOUR.pattern})",
    metavar="D,R,S,A",
    allowed="a combination of the paper, or four numbers from 0 to 1 with a sum of 1",
)
"""The kind of the option: the name of a combination, or four weights."""


def weights_of(value: str | tuple[float, ...]) -> Weights:
    """Returns the weights that a value of the option stands for."""
    return COMBINATIONS[value] if isinstance(value, str) else Weights(*value)
