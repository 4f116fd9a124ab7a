"""Curricula, which train on one bucket of rows after another, from easy to hard.

Source: LATS, section 4.2.1: One-Pass (Bengio et al., 2009) with early stopping (Cirik et al., 2016), and Baby-Steps
(Spitkovsky et al., 2010), which keeps the earlier buckets. The next bucket begins when accuracy on held-out rows from
the current buckets has not improved for a number of epochs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gistmill.core.hashing import unit_interval
from gistmill.training.config import BABY_STEPS, CurriculumConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.data.source import InMemory
from gistmill.training.data.stream import Stream
from gistmill.training.errors import SettingsError
from gistmill.training.machine import Machine
from gistmill.training.objectives import Batches
from gistmill.training.task import Row


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a training run with its own rows.

    Attributes:
        name: a name for messages.
        stream: its batches.
        held_out: held-out rows whose accuracy determines when the phase ends; empty: it ends with the run.
        patience: number of epochs without better accuracy on these rows after which the phase ends.
        epochs: maximum number of epochs; None: no maximum.
    """

    name: str
    stream: Batches
    held_out: Sequence[Row] = ()
    patience: int = 0
    epochs: int | None = None


def phases(
    data: DataConfig, config: CurriculumConfig, columns: Sequence[str], length: Callable[[Row], int], machine: Machine
) -> list[Phase]:
    """Returns a phase for each bucket, in order, with all rows in memory.

    Raises:
        SettingsError: the bucket column is missing or contains a value that is not a whole number.
        TrainingError: the dataset cannot be read.
    """
    buckets = _buckets(data, config.bucket_column, columns)
    learned: list[Row] = []
    held_out: list[Row] = []
    found = []
    for number, rows in sorted(buckets.items()):
        kept, out = split_held_out(rows, config.hold_out, data.seed)
        if config.curriculum != BABY_STEPS:
            learned, held_out = [], []
        learned, held_out = [*learned, *kept], [*held_out, *out]
        stream = Stream(
            [InMemory(learned)],
            seed=data.seed,
            batching=data.batching,
            length=length,
            rank=machine.rank,
            world=machine.world,
            shuffle=data.shuffle_rows,
        )
        found.append(Phase(f"bucket {number}", stream, held_out, config.bucket_patience, config.bucket_epochs))
    return found


def split_held_out(rows: Sequence[Row], share: float, seed: int) -> tuple[list[Row], list[Row]]:
    """Splits rows by a hash of their ids into training rows and held-out rows, with at least one of each.

    Raises:
        SettingsError: there are fewer than two rows.
    """
    if len(rows) < 2:
        raise SettingsError("a curriculum bucket needs at least two rows: one to train on and one to hold out")
    by_chance = sorted(rows, key=lambda row: (unit_interval(f"hold-out {seed}", row["id"]), row["id"]))
    count = min(max(1, round(share * len(rows))), len(rows) - 1)
    out = {row["id"] for row in by_chance[:count]}
    return [row for row in rows if row["id"] not in out], [row for row in rows if row["id"] in out]


def _buckets(data: DataConfig, column: str, columns: Sequence[str]) -> dict[int, list[Row]]:
    buckets: dict[int, list[Row]] = {}
    for source in data.sources(tuple(dict.fromkeys(("id", *columns, column)))):
        for row in source.open().in_order():
            bucket = row.pop(column)
            if not isinstance(bucket, int) or isinstance(bucket, bool):
                raise SettingsError(f"--bucket-column {column} must contain whole numbers, not {bucket!r}")
            buckets.setdefault(bucket, []).append(row)
    return buckets
