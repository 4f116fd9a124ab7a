"""The caution of a tagger, fitted to rows that it was not trained on."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gistmill.rules.fusion.codec import TooLongError
from gistmill.rules.fusion.decode import left_alone
from gistmill.rules.fusion.heads import Heads
from gistmill.rules.fusion.labels import NONE
from gistmill.training.data.batching import by_length
from gistmill.training.errors import TrainingError
from gistmill.training.tagger.rows import TYPE, sentences
from gistmill.training.tagger.task import Tagger
from gistmill.training.task import Row


def caution_that_keeps(task: Tagger, rows: Iterable[Row], share: float) -> float:
    """Returns the least caution, in hundredths, with which a tagger leaves a share of the unchanged pairs alone.

    Args:
        task: the tagger.
        rows: of a DiscoFuse dataset; those of another type than PAIR_NONE are not looked at.
        share: above 0 and at most 1. A pair that is too long for the tagger counts as left alone.

    Raises:
        TrainingError: no row is of the type PAIR_NONE.
    """
    heads = Heads(task.labels, task.network.heads.numpy())
    odds: list[float] = []
    encoded = []
    for row in rows:
        if row[TYPE] == NONE:
            try:
                encoded.append(task.codec.encode(*sentences(row)))
            except TooLongError:
                odds.append(math.inf)
    for batch in by_length([len(one.ids) for one in encoded]):
        part = [encoded[number] for number in batch]
        odds += [
            left_alone(task.labels, heads.plans(states, one.n))
            for one, states in zip(part, task.states(part), strict=True)
        ]
    if not odds:
        raise TrainingError(f"no row of the type {NONE}, to fit the caution to")
    least = sorted(odds, reverse=True)[math.ceil(share * len(odds)) - 1]
    return math.floor(-least * 100 + 1) / 100 if math.isfinite(least) else 0.0
