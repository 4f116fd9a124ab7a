"""The numeric libraries and kernels used by the processes that built a dataset.

Kernels are variants of a routine for different processors. They round differently, so the last bits of a number, and
occasionally a decision based on it, depend on the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Arithmetic:
    """A numeric library as used by one process.

    Attributes:
        library: its name.
        version: its version; "" if unknown.
        kernel: the kernels it has selected, as it names them; "" if unknown.
        threads: number of threads it uses; 0 if unknown.
    """

    library: str
    version: str
    kernel: str
    threads: int

    def __str__(self) -> str:
        return " ".join(filter(None, (self.library, self.version, self.kernel)))


def differences(used: Iterable[Arithmetic], *, here: Iterable[Arithmetic]) -> str | None:
    """Returns a line that describes differences between the workers, or between them and this process; None if there
    are none. Thread counts are ignored: threads divide the rows of a product, not its sums.

    Args:
        used: the workers' libraries and kernels.
        here: the libraries and kernels of this process; libraries it has not loaded are not compared.
    """
    theirs, own = _by_library(used), _by_library(here)
    parts = []
    for library, ways in sorted(theirs.items()):
        if len(ways | own.get(library, set())) > 1:
            but = own.get(library, set()) - ways
            parts.append(" and ".join(sorted(ways)) + (f" (here {' and '.join(sorted(but))})" if but else ""))
    if not parts:
        return None
    return f"workers computed with {'; '.join(parts)}: a few rows may differ; the manifest lists all kernels"


def _by_library(arithmetic: Iterable[Arithmetic]) -> dict[str, set[str]]:
    ways: dict[str, set[str]] = {}
    for one in arithmetic:
        ways.setdefault(one.library, set()).add(str(one))
    return ways
