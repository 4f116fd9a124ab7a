"""Where files and parts of files may be cut, so that a rebuilt dataset is cut at the same rows: hashes of ids decide.

Source of the idea: A. Muthitacharoen, B. Chen, D. Mazieres, "A low-bandwidth network file system", SOSP 2001, section
3.1 (breakpoints that the content chooses); here it is ids that choose, because rows are kept whole.
"""

from __future__ import annotations

from gistmill.core.hashing import unit_interval

_FULL = 1 - 1e-9  # 10,000 times a ten-thousandth is not quite 1


def cut_point(key: str) -> float:
    """Returns a number in [0, 1) that depends on the id of a row alone; a row with a small one may begin a part."""
    return unit_interval("gistmill-cut", key)


class Cutter:
    """Tells which rows begin a new part. Weights are shares of the largest part.

    A part has a weight of at least ``least``. After that, a row begins another one with a chance in proportion to its
    weight, so that a part grows by ``more`` on average; at 1 it ends in any case.
    """

    def __init__(self, *, least: float, more: float) -> None:
        self._least, self._more = least, more
        self._weight = 0.0

    def begins(self, key: str, weight: float) -> bool:
        """Whether the row with this id and weight, which comes next, begins a new part. The first row does not."""
        cut = self._weight >= _FULL or (self._weight >= self._least and cut_point(key) < weight / self._more)
        self._weight = weight if cut else self._weight + weight
        return cut
