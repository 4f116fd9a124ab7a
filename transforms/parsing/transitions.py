"""Greedy transition systems over all texts of a batch at once: arcs, and entities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.tokens import Doc

from gistmill.transforms.parsing.internals import ArcStates, Floats, Ints, TransitionWeights
from gistmill.transforms.parsing.network import TransitionScorer

Flags = npt.NDArray[np.bool_]


class ArcParser:
    """Finds heads, labels and sentence starts."""

    def __init__(self, parser: Any, weights: TransitionWeights) -> None:
        self._parser = parser
        self._scorer = TransitionScorer(weights)

    def __call__(self, docs: Sequence[Doc], vectors: Floats) -> None:
        """Writes the parse into the Docs; ``vectors`` are those of their tokens, laid end to end."""
        features = self._scorer.features(vectors)
        slots = np.arange(self._scorer.slots)[:, None]
        states = ArcStates(self._parser, docs)
        while states.live:
            states.advance(self._scorer.scores(features[states.token_ids().T, slots].sum(axis=0)))
        states.annotate()


class EntityRecogniser:
    """Finds entities by the transitions Begin, In, Last, Unit and Out.

    Outside an entity a state is its token alone, so the scores of all tokens are one product. The entities that could
    begin anywhere are then followed together, one token a step; those that begin inside another are dropped.
    """

    def __init__(self, weights: TransitionWeights, moves: Sequence[str]) -> None:
        self._scorer = TransitionScorer(weights)
        kinds = [move[2:] for move in moves]
        self._kinds = kinds
        self._begins, self._units = (np.array([m[:2] == p and m != "U-" for m in moves]) for p in ("B-", "U-"))
        self._outside = moves.index("O")
        self._never = ~(self._begins | self._units)
        self._never[self._outside] = False
        # the transitions that go on with, and end, what a transition begins
        self._goes_on, self._ends = (
            np.array([moves.index(p + k) if b else 0 for k, b in zip(kinds, self._begins, strict=True)])
            for p in ("I-", "L-")
        )

    def __call__(self, vectors: Floats, *, space: Flags, stop: Flags) -> Iterator[tuple[int, int, str]]:
        """Yields (start, end, kind) of each entity, in order.

        Args:
            vectors: of the tokens of all texts, laid end to end.
            space: whether a token is white space; no entity begins there.
            stop: whether a token is the last of its sentence or text; no entity goes on behind it.
        """
        features = self._scorer.features(vectors)
        moves = self._outside_moves(features, space=space, stop=stop)
        ends = self._follow(features, moves, stop=stop)
        free = 0
        chosen = np.flatnonzero(moves != self._outside)
        for start, move in zip(chosen.tolist(), moves[chosen].tolist()):
            if start >= free:
                free = ends.get(start, start + 1)
                yield start, free, self._kinds[move]

    def _outside_moves(self, features: Floats, *, space: Flags, stop: Flags) -> Ints:
        """The best transition of each token, if no entity were open before it."""
        # slots: the token, the first token of the open entity, the token before
        scores = self._scorer.scores(features[:-1, 0] + features[-1, 1] + features[-1, 2])
        scores[:, self._never] = -np.inf
        scores[np.ix_(space | stop, self._begins)] = -np.inf
        scores[np.ix_(space, self._units)] = -np.inf
        return scores.argmax(axis=1)

    def _follow(self, features: Floats, moves: Ints, *, stop: Flags) -> dict[int, int]:
        """The end of every entity of several tokens, by its start."""
        ends: dict[int, int] = {}
        starts = np.flatnonzero(self._begins[moves])
        here = starts + 1
        while len(starts):
            scores = self._scorer.scores(features[here, 0] + features[starts, 1] + features[here - 1, 2])
            states = np.arange(len(starts))
            last, inside = scores[states, self._ends[moves[starts]]], scores[states, self._goes_on[moves[starts]]]
            done = stop[here] | (last > inside)
            ends.update(zip(starts[done].tolist(), (here[done] + 1).tolist()))
            starts, here = starts[~done], here[~done] + 1
        return ends
