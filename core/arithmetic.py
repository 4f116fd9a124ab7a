"""The arithmetic of a dataset: the numeric libraries and kernels that each of its processes used.

Kernels are variants of a routine for kinds of processors. They round differently: where they differ, the last bits of a
number may, and now and then a decision that hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Arithmetic:
    """How a numeric library computes in a process.

    Attributes:
        library: its name.
        version: its version, "" where it does not say.
        kernel: the kernels that it has chosen, in its own words; "" where it does not say.
        threads: how many it uses, 0 where it does not say.
    """

    library: str
    version: str
    kernel: str
    threads: int

    def __str__(self) -> str:
        return " ".join(filter(None, (self.library, self.version, self.kernel)))


def differences(used: Iterable[Arithmetic], *, here: Iterable[Arithmetic]) -> str | None:
    """Returns a line that says where workers computed in other ways than each other or than this process; None when all
    computed alike. Threads do not count: they divide the rows of a product, not its sums.

    Args:
        used: the libraries and kernels of the workers.
        here: what this process computes with; a library that it has not loaded is not compared with.
    """
    theirs, own = _by_library(used), _by_library(here)
    parts = []
    for library, ways in sorted(theirs.items()):
        if len(ways | own.get(library, set())) > 1:
            but = own.get(library, set()) - ways
            parts.append(" and ".join(sorted(ways)) + (f" (here {' and '.join(sorted(but))})" if but else ""))
    if not parts:
        return None
    return f"workers computed with {'; '.join(parts)}: a few rows may depend on that; the manifest lists all"


def _by_library(arithmetic: Iterable[Arithmetic]) -> dict[str, set[str]]:
    ways: dict[str, set[str]] = {}
    for one in arithmetic:
        ways.setdefault(one.library, set()).add(str(one))
    return ways
