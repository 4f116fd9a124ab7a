"""Python's collector of reference cycles, in processes that keep a model for good and make records by the thousand."""

from __future__ import annotations

import gc
import weakref

# Objects that are made before the youngest are gone through, 700 by default. A batch of documents makes 100,000, and
# none of them is in a cycle.
YOUNGEST = 50_000


class _Sparing:
    """Who lives of those for whose sake the collector is spared, and what it was set to before."""

    def __init__(self) -> None:
        self._owners = 0
        self._before = gc.get_threshold()

    def begin(self, owner: object) -> None:
        if not self._owners:
            self._before = gc.get_threshold()
        self._owners += 1
        weakref.finalize(owner, self._end)
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNGEST, *self._before[1:])

    def _end(self) -> None:
        self._owners -= 1
        if not self._owners:
            gc.set_threshold(*self._before)
            gc.unfreeze()


_SPARING = _Sparing()


def spare_collector(owner: object) -> None:
    """Lets the collector pass over all objects that there are now, and run less often, while ``owner`` lives.

    It goes through everything whenever that has grown by a quarter, and a model's tables are most of it.
    """
    _SPARING.begin(owner)
