"""Python's collector of reference cycles, in processes that keep a model or a recipe for good."""

from __future__ import annotations

import gc
import weakref


class _Sparing:
    """How many live of those for whose sake the collector is spared."""

    def __init__(self) -> None:
        self._owners = 0

    def begin(self, owner: object) -> None:
        self._owners += 1
        weakref.finalize(owner, self._end)
        gc.unfreeze()  # what an earlier owner left may be garbage by now
        gc.collect()
        gc.freeze()

    def _end(self) -> None:
        self._owners -= 1
        if not self._owners:
            gc.unfreeze()


_SPARING = _Sparing()


def spare_collector(owner: object) -> None:
    """Lets the collector pass over all objects that there are now, while ``owner`` lives.

    The collector goes through everything whenever that has grown by a quarter, and tables and modules are most of it.
    """
    _SPARING.begin(owner)
