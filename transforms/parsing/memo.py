"""A dictionary of answers that are dear to find."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LIMIT = 40_000  # entries; English text of a million words has about as many different words


class Memo(dict[K, V]):
    """Computes what it lacks by ``find``, a function of the key alone, and forgets everything when it is full.

    So its memory is bounded, and what it answers never depends on what it was asked before.
    """

    def __init__(self, find: Callable[[K], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: K) -> V:
        value = self._find(key)
        if len(self) >= LIMIT:
            self.clear()
        self[key] = value
        return value
