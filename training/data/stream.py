"""``Stream``: an endless, seeded, exactly resumable stream of batches."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.mixture import counts_of
from gistmill.training.data.batching import Batching, ahead, permutation
from gistmill.training.data.order import Order
from gistmill.training.data.source import Readable, Row, Source
from gistmill.training.errors import SettingsError, TrainingError

_STRETCH = 1024  # rows in which the proportions hold
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mixture:
    """Epochs over several splits.

    Attributes:
        sizes: rows of each split.
        counts: rows of each split in an epoch.
        salt: of the order in which the splits take turns.
    """

    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    salt: str

    @classmethod
    def of(cls, sizes: Sequence[int], weights: Sequence[float | None], *, salt: str) -> Mixture:
        """Returns the mixture of splits of these sizes.

        Without weights an epoch has every row of every split. With weights it has as many rows as the split allows
        that is the smallest for its weight: that one is whole in every epoch, and the others in part.

        Args:
            sizes: rows of each split, all above 0.
            weights: of each split; all of them None, or none.
            salt: of the order in which the splits take turns.
        """
        given = [weight for weight in weights if weight is not None]
        return cls(tuple(sizes), counts_of(sizes, given or None), salt)

    @property
    def rows(self) -> int:
        """Rows of an epoch."""
        return sum(self.counts)

    def turn(self, split: int, epoch: int) -> tuple[int, int]:
        """Returns the pass over a split that an epoch belongs to, and the position in it of the epoch's first row.

        An epoch goes on in a pass where the one before has ended, so that a large split is read through before any of
        its rows comes again. An epoch for which a pass has too few rows left begins a new one, so that no row is in it
        twice.
        """
        count = self.counts[split]
        epochs = self.sizes[split] // count
        return epoch // epochs, epoch % epochs * count

    def stretch(self, epoch: int, start: int, stop: int) -> tuple[Numbers, Numbers]:
        """Returns where the rows at positions ``start`` to below ``stop`` of an epoch come from; there is at least one.

        Returns:
            For each row the number of its split, and its place among the rows that the split has in the epoch.
        """
        if len(self.counts) == 1:
            return np.zeros(stop - start, dtype=np.int64), np.arange(start, stop)
        parts = max(1, self.rows // _STRETCH)
        first = bisect.bisect_right(range(parts), start, key=lambda part: sum(self._before(part, parts))) - 1
        splits, places, position = [], [], sum(self._before(first, parts))
        skipped = start - position
        for part in range(first, parts):
            if position >= stop:
                break
            labels, offsets = self._part(epoch, part, parts)
            splits.append(labels)
            places.append(offsets)
            position += len(labels)
        wanted = slice(skipped, skipped + stop - start)
        return np.concatenate(splits)[wanted], np.concatenate(places)[wanted]

    def _before(self, part: int, parts: int) -> list[int]:
        """Returns the rows of each split that come before a part of the epoch."""
        return [count * part // parts for count in self.counts]

    def _part(self, epoch: int, part: int, parts: int) -> tuple[Numbers, Numbers]:
        starts, stops = self._before(part, parts), self._before(part + 1, parts)
        labels = np.concatenate([np.full(b - a, n) for n, (a, b) in enumerate(zip(starts, stops, strict=True))])
        places = np.concatenate([np.arange(a, b) for a, b in zip(starts, stops, strict=True)])
        order = permutation(len(labels), f"{self.salt}/mixture/{epoch}/{part}")
        labels = labels[order]
        # a split's own rows keep their order, which is shuffled already
        return labels, places[np.argsort(np.argsort(labels, kind="stable"), kind="stable")]


SHUFFLE_ROWS = 100_000


class Stream:
    """The batches of one process: epochs follow each other without end.

    The order of the rows of an epoch depends on sources, seed and epoch alone. Each process has its own part of it: no
    row is in two of them, or twice in an epoch, and all processes have the same number of batches. Of an epoch's rows,
    fewer than ``world`` are left out, others in each epoch. gistmill.training.data.stream says what an epoch of
    several sources is.

    Args:
        sources: what to read, opened or not; several are mixed by their weights.
        seed: of all chance.
        batching: what a batch is.
        length: length of a row in tokens; it is called in a thread of its own. With batches by tokens each process
            measures the rows of all processes.
        rank, world: number of this process, and how many there are.
        shuffle: rows that are shuffled together in memory (Order's window); 0: the rows come as the dataset has them.
        in_turn: whether processes take the rows of an epoch's order in turn, so that their batches of one step follow
            each other in it; otherwise each has a stretch of the order, and reads that alone.

    Raises:
        SettingsError: a source does not have what is asked for, or fewer rows than there are processes.
        TrainingError: a shard is missing, cut off, changed or broken, or a place cannot be read.
    """

    def __init__(
        self,
        sources: Sequence[Source | Readable],
        *,
        seed: int,
        batching: Batching,
        length: Callable[[Row], int],
        rank: int = 0,
        world: int = 1,
        shuffle: int = SHUFFLE_ROWS,
        in_turn: bool = False,
    ) -> None:
        if not sources:
            raise SettingsError("there is no dataset to train on")
        if not 0 <= rank < world:
            raise SettingsError(f"the number of a process is from 0 to {world - 1}, not {rank}")
        weights = [source.weight for source in sources]
        if None in weights and any(weights):
            raise SettingsError("give all datasets a weight, or none")
        self._splits = [source.open() if isinstance(source, Source) else source for source in sources]
        self._seed, self._batching, self._length, self._shuffle = seed, batching, length, shuffle
        self._rank, self._world, self._in_turn = rank, world, in_turn
        self._mixture = Mixture.of([s.rows for s in self._splits], weights, salt=str(seed))
        if self._mixture.rows < world:
            raise SettingsError(f"{self._mixture.rows} rows are too few for {world} processes")
        self._place = (0, 0, 0)  # epoch, pool in it, batch in that: of the batch that comes next

    @property
    def epoch(self) -> int:
        """The epoch, from 0, of the batch that comes next."""
        return self._place[0]

    @property
    def rows_in_epoch(self) -> int:
        """Rows of an epoch, over all processes."""
        return self._mixture.rows // self._world * self._world

    def batches_in_epoch(self) -> int | None:
        """Returns the batches of one process in an epoch; None for batches by tokens, which depend on the lengths."""
        if self._batching.by_tokens or self._batching.rows is None:
            return None
        return -(-(self.rows_in_epoch // self._world) // self._batching.rows)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yields the batches that follow; ``state`` is that of the last one which was yielded.

        Raises:
            TrainingError: a shard cannot be read.
        """
        begin = self._place[2]
        for epoch, pool, batches in ahead(self._pools(*self._place[:2]), depth=1):
            last = pool + 1 == self._pools_in_epoch
            for number in range(begin, len(batches)):
                if number + 1 < len(batches):
                    self._place = (epoch, pool, number + 1)
                else:
                    self._place = (epoch + 1, 0, 0) if last else (epoch, pool + 1, 0)
                yield batches[number]
            begin = 0

    def state(self) -> dict[str, Any]:
        """Returns where the stream stands, as JSON has it. It is the same in every process."""
        epoch, pool, batch = self._place
        return {"epoch": epoch, "pool": pool, "batch": batch, "of": self._identity()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes to where a stream stood: the very same batches follow.

        Raises:
            SettingsError: the stream is of other datasets, another seed, batching, length or number of processes.
            TrainingError: the state cannot be read, or a shard cannot.
        """
        try:
            place = (int(state["epoch"]), int(state["pool"]), int(state["batch"]))
            then = dict(state["of"])
        except (KeyError, TypeError, ValueError):
            raise TrainingError("the state of the data in the checkpoint cannot be read") from None
        now = self._identity()
        names = [name for name in {**now, **then} if then.get(name) != now.get(name)]
        if changed := [f"{name} was {then.get(name)}, is {now.get(name)}" for name in names]:
            raise SettingsError(f"the data is not that of the checkpoint: {'; '.join(changed)}")
        self._place = place

    def _identity(self) -> dict[str, Any]:
        """Returns what decides about the batches, as JSON has it."""
        identity = {
            "seed": self._seed,
            "shuffle": self._shuffle,
            "processes": self._world,
            **{f"batch {name}": value for name, value in dataclasses.asdict(self._batching).items()},
        }
        for number, split in enumerate(self._splits, 1):
            identity[f"dataset {number}"] = split.fingerprint
            identity[f"rows of dataset {number} in an epoch"] = self._mixture.counts[number - 1]
        return identity

    @property
    def _pools_in_epoch(self) -> int:
        return -(-(self.rows_in_epoch // self._world) // self._batching.pool_rows)

    def _pools(self, epoch: int, pool: int) -> Iterator[tuple[int, int, list[list[Row]]]]:
        """Yields the pools from one on, with their epoch and number: the batches of this process."""
        # of its own: the thread of an iterator that was left may still be reading
        orders = [Order(s, window=self._shuffle, salt=f"{self._seed}/{n}") for n, s in enumerate(self._splits)]
        while True:
            for number in range(pool, self._pools_in_epoch):
                yield epoch, number, self._batches(orders, epoch, number)
            epoch, pool = epoch + 1, 0

    def _batches(self, orders: Sequence[Order], epoch: int, pool: int) -> list[list[Row]]:
        each = self.rows_in_epoch // self._world
        start = pool * self._batching.pool_rows
        stop = min(start + self._batching.pool_rows, each)
        key = f"{self._seed}/batches/{epoch}/{pool}"
        if not self._batching.by_tokens:
            if self._in_turn:
                rows = self._rows(orders, epoch, self._world * start, self._world * stop)[self._rank :: self._world]
            else:
                rows = self._rows(orders, epoch, self._rank * each + start, self._rank * each + stop)
            lengths = [self._length(row) for row in rows] if self._batching.pool else None
            cut = self._batching.cut(lengths, len(rows), world=1, key=key)
        else:  # the number of batches depends on the lengths, so all processes plan those of all
            rows = self._rows(orders, epoch, self._world * start, self._world * stop)
            lengths = [self._length(row) for row in rows]
            cut = self._batching.cut(lengths, len(rows), world=self._world, key=key)[self._rank :: self._world]
        return [[rows[i] for i in batch] for batch in cut]

    def _rows(self, orders: Sequence[Order], epoch: int, start: int, stop: int) -> list[Row]:
        splits, places = self._mixture.stretch(epoch, start, stop)
        rows: list[Row] = [{}] * (stop - start)
        for number, order in enumerate(orders):
            (own,) = np.nonzero(splits == number)
            turn, offset = self._mixture.turn(number, epoch)
            for position, row in zip(own, order.rows(turn, offset + places[own]) if len(own) else (), strict=True):
                rows[position] = row
        return rows
