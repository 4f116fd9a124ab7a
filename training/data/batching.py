"""How rows become batches: by number of rows or by tokens, with rows of like length together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from training.data.chance import permutation
from training.errors import SettingsError

Indices = npt.NDArray[np.int64]
_UNSORTED_POOL = 1024  # rows that are turned into Python objects at once where nothing is sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Batching:
    """What a batch is.

    Rows come in pools. The rows of a pool are sorted by length, cut into batches, and the batches are shuffled. So
    the rows of a batch have lengths close to each other, and lengths do not rise over the epoch.

    Attributes:
        rows: most rows of a batch of one process.
        tokens: most tokens of a batch of one process: number of its rows times the length of the longest. A row that
            is longer is a batch of its own. None: only ``rows`` counts.
        pool: rows of one process that are sorted by length together; 0: none are, and batches are as the rows come.
        max_length: longer rows count as rows of this length, because the model cuts them off; None: none are cut.

    Raises:
        SettingsError: a number is too small, or ``tokens`` comes without ``pool``.
    """

    rows: int | None = None
    tokens: int | None = None
    pool: int = 0
    max_length: int | None = None

    def __post_init__(self) -> None:
        if self.rows is None and self.tokens is None:
            raise SettingsError("a batch needs a number of rows or of tokens")
        for name in ("rows", "tokens", "max_length"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SettingsError(f"{name} of a batch: at least 1, not {value}")
        if self.pool < 0:
            raise SettingsError(f"the pool that is sorted by length: at least 0 rows, not {self.pool}")
        if self.tokens is not None and not self.pool:
            raise SettingsError("batches by tokens need rows that are sorted by length: a pool above 0")

    @property
    def pool_rows(self) -> int:
        """Rows of one process that are planned together: of batches by rows, a whole number of batches."""
        if self.tokens is not None or self.rows is None:
            return self.pool
        return -(-max(self.pool, _UNSORTED_POOL if not self.pool else 0) // self.rows) * self.rows

    def cut(self, lengths: Sequence[int] | None, rows: int, *, world: int, key: str) -> list[Indices]:
        """Returns the batches of a pool, in the order in which they are trained on.

        Args:
            lengths: length of each row; None where nothing is sorted.
            rows: number of rows of the pool.
            world: of batches by tokens, the number of batches is a multiple of it, and each ``world`` batches in
                succession have lengths close to each other: those are the batches of one step.
            key: salt of the order.

        Returns:
            For each batch, the indices of its rows in the pool. Every row is in one batch, but for batches by tokens
            of a pool of ``rows`` that ``world`` does not divide: there the last ``rows % world`` are left out.
        """
        if lengths is None:
            assert self.rows is not None
            return [np.arange(a, min(a + self.rows, rows)) for a in range(0, rows, self.rows)]
        known = np.asarray(lengths, dtype=np.int64)[:rows]
        if self.max_length is not None:
            known = np.minimum(known, self.max_length)
        if self.tokens is None:
            assert self.rows is not None
            order = np.argsort(known, kind="stable")
            batches = [order[a : a + self.rows] for a in range(0, rows, self.rows)]
            return [batches[i] for i in permutation(len(batches), key)]
        order = np.argsort(known[: rows - rows % world], kind="stable")
        batches = _multiple_of(world, self._by_tokens(order, known))
        steps = [batches[a : a + world] for a in range(0, len(batches), world)]
        return [batch for i in permutation(len(steps), key) for batch in steps[i]]

    def _by_tokens(self, order: Indices, lengths: Indices) -> list[Indices]:
        """Returns the rows in order of length, cut so that no batch is above a limit unless it has one row."""
        assert self.tokens is not None
        batches, start = [], 0
        for stop, index in enumerate(order):
            count = stop - start + 1
            if count > 1 and (count * lengths[index] > self.tokens or (self.rows is not None and count > self.rows)):
                batches.append(order[start:stop])
                start = stop
        if start < len(order):
            batches.append(order[start:])
        return batches


def _multiple_of(world: int, batches: list[Indices]) -> list[Indices]:
    """Returns as many batches as a multiple of ``world``: those with the most rows are halved."""
    batches = list(batches)
    while len(batches) % world:
        largest = max(range(len(batches)), key=lambda i: len(batches[i]))
        whole = batches[largest]
        batches[largest : largest + 1] = [whole[: len(whole) // 2], whole[len(whole) // 2 :]]
    return batches
