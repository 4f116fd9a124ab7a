"""The parser in NumPy: token vectors, the scores of transitions, and greedy decoding of a whole batch.

Each row of a result depends only on its own text, to the last bit. BLAS multiplies a single row differently from
several rows, which ``product`` avoids, and some of its kernels add depending on the row's position in the matrix, which
``transforms/arithmetic.py`` avoids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.tokens import Doc

from gistmill.transforms.parsing.plain import (
    HIDDEN,
    PIECES,
    WIDTH,
    ArcStates,
    Encoding,
    Floats,
    Ints,
    Maxout,
    TransitionWeights,
)

EMBEDDINGS = 32_768  # kinds of tokens whose vectors are cached: 24 MiB
GROUP = 500  # rows per pass through all convolutions, so that they fit in the cache
EPSILON = np.float32(1e-8)  # for the normalisation


def product(rows: Floats, weights: Floats, *, out: Floats | None = None) -> Floats:
    """Returns the product of two matrices, in ``out`` if given; each row is independent of the number of rows."""
    if len(rows) == 1:
        return np.add((rows.repeat(2, axis=0) @ weights)[:1], 0, out=out)
    return np.matmul(rows, weights, out=out)


class Embedding:
    """Token vectors without context, for both networks, cached by the token attributes that the networks read."""

    def __init__(self, shared: Encoding, own: Encoding) -> None:
        self._encodings = shared, own
        self._rows: dict[bytes, int] = {}
        self._table = np.empty((EMBEDDINGS, 2 * WIDTH), np.float32)

    def __call__(self, attributes: Ints) -> Floats:
        """Returns vectors of shape (tokens, 2 * width), the shared network's first.

        Args:
            attributes: the EMBEDDED attributes of each token, of shape (tokens, 6).
        """
        kinds = np.ascontiguousarray(attributes).view(f"V{attributes.shape[1] * attributes.itemsize}").ravel().tolist()
        new = {kind: place for place, kind in enumerate(kinds) if kind not in self._rows}
        if len(self._rows) + len(new) > EMBEDDINGS:
            self._rows.clear()
            new = {kind: place for place, kind in enumerate(kinds)}
            if len(new) > EMBEDDINGS:
                return self._embed(attributes)
        if new:
            first = len(self._rows)
            self._table[first : first + len(new)] = self._embed(attributes[list(new.values())])
            self._rows.update(zip(new, range(first, first + len(new)), strict=True))
        return self._table[[self._rows[kind] for kind in kinds]]

    def _embed(self, attributes: Ints) -> Floats:
        vectors = []
        for encoding in self._encodings:
            known = np.ascontiguousarray(attributes[:, : len(encoding.columns)])
            vectors.append(_maxout(encoding.tables.predict(known), encoding.mix))
        return np.hstack(vectors)


class Encoder:
    """Convolutions over concatenated texts."""

    def __init__(self, encoding: Encoding) -> None:
        self._convolutions = encoding.convolutions
        self._gap = len(encoding.convolutions)  # rows of zeros between texts, as in spaCy, to separate them

    def __call__(self, embedded: Floats, lengths: Sequence[int]) -> Floats:
        """Returns vectors with context, of the same shape as ``embedded``: (tokens, width); ``lengths`` are tokens."""
        encoded = np.empty((len(embedded), WIDTH), np.float32)
        done = 0
        for group in groups(lengths, int, GROUP):
            size = sum(group)
            places = np.arange(size) + np.repeat(np.arange(1, len(group) + 1) * self._gap, group)
            rows = np.zeros((size + self._gap * (len(group) + 1), WIDTH), np.float32)
            rows[places] = embedded[done : done + size]
            window = np.zeros((len(rows), 3 * WIDTH), np.float32)
            for convolution in self._convolutions:
                window[1:, :WIDTH] = rows[:-1]
                window[:, WIDTH : 2 * WIDTH] = rows
                window[:-1, 2 * WIDTH :] = rows[1:]
                rows += _maxout(window, convolution)
            encoded[done : done + size] = rows[places]
            done += size
        return encoded


def _maxout(rows: Floats, layer: Maxout) -> Floats:
    pieces = product(rows, layer.weights)
    pieces += layer.bias
    units = np.maximum(pieces[:, :WIDTH], pieces[:, WIDTH : 2 * WIDTH])
    for piece in range(2, PIECES):
        np.maximum(units, pieces[:, piece * WIDTH : (piece + 1) * WIDTH], out=units)
    units -= units.mean(axis=1, keepdims=True)
    # roots and quotients are rounded alike on every processor; thinc's power of -1/2 may not be
    units *= 1 / np.sqrt(np.square(units).mean(axis=1, keepdims=True) + EPSILON)
    units *= layer.gain
    units += layer.shift
    return units


def groups(numbers: Iterable[int], size: Callable[[int], int], enough: int) -> Iterator[list[int]]:
    """Yields numbers in groups, each of which ends as soon as its sizes add up to ``enough``."""
    group: list[int] = []
    total = 0
    for number in numbers:
        group.append(number)
        total += size(number)
        if total >= enough:
            yield group
            group, total = [], 0
    if group:
        yield group


class TransitionScorer:
    """Scores for transitions. Each token's contribution to a state in each slot is computed once."""

    def __init__(self, weights: TransitionWeights) -> None:
        self._weights = weights
        self.slots = weights.lower.shape[1] // (2 * HIDDEN)

    def features(self, vectors: Floats) -> Floats:
        """Returns each token's contribution in each slot, of shape (tokens + 1, slots, 2 * hidden); the last row (index
        -1) stands for a missing token."""
        matrix, bias = self._weights.narrow
        features = np.empty((len(vectors) + 1, self._weights.lower.shape[1]), np.float32)
        product(product(vectors, matrix) + bias, self._weights.lower, out=features[:-1])
        features[-1] = self._weights.missing
        return features.reshape(len(features), self.slots, 2 * HIDDEN)

    def scores(self, summed: Floats) -> Floats:
        """Returns scores of shape (states, transitions) from the summed features, of shape (states, 2 * hidden)."""
        summed = summed + self._weights.bias
        matrix, bias = self._weights.upper
        return product(np.maximum(summed[:, :HIDDEN], summed[:, HIDDEN:]), matrix) + bias


Flags = npt.NDArray[np.bool_]


class ArcParser:
    """Finds heads, labels and sentence starts."""

    def __init__(self, parser: Any, weights: TransitionWeights) -> None:
        self._parser = parser
        self._scorer = TransitionScorer(weights)

    def __call__(self, docs: Sequence[Doc], vectors: Floats) -> None:
        """Writes the parse into the Docs; ``vectors`` are those of all their tokens, concatenated."""
        features = self._scorer.features(vectors)
        slots = np.arange(self._scorer.slots)[:, None]
        states = ArcStates(self._parser, docs)
        while states.live:
            states.advance(self._scorer.scores(features[states.token_ids().T, slots].sum(axis=0)))
        states.annotate()


class EntityRecogniser:
    """Finds entities with the transitions Begin, In, Last, Unit and Out.

    Outside an entity, a state consists of its token alone, so one product scores all tokens. All entities that could
    begin anywhere are then followed together, one token per step; those that begin inside another are dropped.
    """

    def __init__(self, weights: TransitionWeights, moves: Sequence[str]) -> None:
        self._scorer = TransitionScorer(weights)
        kinds = [move[2:] for move in moves]
        self._kinds = kinds
        self._begins, self._units = (np.array([m[:2] == p and m != "U-" for m in moves]) for p in ("B-", "U-"))
        self._outside = moves.index("O")
        self._never = ~(self._begins | self._units)
        self._never[self._outside] = False
        # for each transition that begins an entity, those that continue it and end it
        self._goes_on, self._ends = (
            np.array([moves.index(p + k) if b else 0 for k, b in zip(kinds, self._begins, strict=True)])
            for p in ("I-", "L-")
        )

    def __call__(self, vectors: Floats, *, space: Flags, stop: Flags) -> Iterator[tuple[int, int, str]]:
        """Yields (start, end, kind) of each entity, in order.

        Args:
            vectors: the vectors of the tokens of all texts, concatenated.
            space: whether a token is white space; no entity begins there.
            stop: whether a token is the last of its sentence or text; no entity continues beyond it.
        """
        features = self._scorer.features(vectors)
        moves = self._outside_moves(features, space=space, stop=stop)
        ends = self._follow(features, moves, stop=stop)
        free = 0
        chosen = np.flatnonzero(moves != self._outside)
        for start, move in zip(chosen.tolist(), moves[chosen].tolist(), strict=True):
            if start >= free:
                free = ends.get(start, start + 1)
                yield start, free, self._kinds[move]

    def _outside_moves(self, features: Floats, *, space: Flags, stop: Flags) -> Ints:
        """Returns the best transition for each token, assuming no open entity before it."""
        # slots: the token, the first token of the open entity, the token before
        scores = self._scorer.scores(features[:-1, 0] + features[-1, 1] + features[-1, 2])
        scores[:, self._never] = -np.inf
        scores[np.ix_(space | stop, self._begins)] = -np.inf
        scores[np.ix_(space, self._units)] = -np.inf
        return scores.argmax(axis=1)

    def _follow(self, features: Floats, moves: Ints, *, stop: Flags) -> dict[int, int]:
        """Returns the end of every entity of several tokens, by its start."""
        ends: dict[int, int] = {}
        starts = np.flatnonzero(self._begins[moves])
        here = starts + 1
        while len(starts):
            scores = self._scorer.scores(features[here, 0] + features[starts, 1] + features[here - 1, 2])
            states = np.arange(len(starts))
            last, inside = scores[states, self._ends[moves[starts]]], scores[states, self._goes_on[moves[starts]]]
            done = stop[here] | (last > inside)
            ends.update(zip(starts[done].tolist(), (here[done] + 1).tolist(), strict=True))
            starts, here = starts[~done], here[~done] + 1
        return ends
