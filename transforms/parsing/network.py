"""The networks of the parser in NumPy: token vectors, and the scores of transitions.

A row of a result depends on its own text alone, to the last bit. BLAS multiplies one row in another way than several,
and some of its kernels add by a row's place in the matrix. ``product`` sees to the first, ``transforms/arithmetic.py``
to the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gistmill.transforms.parsing.internals import (
    HIDDEN,
    PIECES,
    WIDTH,
    Encoding,
    Floats,
    Ints,
    Maxout,
    TransitionWeights,
)

EMBEDDINGS = 32_768  # kinds of tokens whose vectors are kept: 24 MiB
GROUP = 500  # rows that go through all convolutions together, so that they stay in the cache
EPSILON = np.float32(1e-8)  # of the normalisation


def product(rows: Floats, weights: Floats, *, out: Floats | None = None) -> Floats:
    """The product of two matrices, into ``out`` if given; a row of it is the same however many rows there are."""
    if len(rows) == 1:
        return np.add((rows.repeat(2, axis=0) @ weights)[:1], 0, out=out)
    return np.matmul(rows, weights, out=out)


class Embedding:
    """Vectors of tokens without their context, for both networks, kept by all that the networks know of a token."""

    def __init__(self, shared: Encoding, own: Encoding) -> None:
        self._encodings = shared, own
        self._rows: dict[bytes, int] = {}
        self._table = np.empty((EMBEDDINGS, 2 * WIDTH), np.float32)

    def __call__(self, attributes: Ints) -> Floats:
        """Returns vectors of shape (tokens, 2 * width), the shared network's first.

        Args:
            attributes: EMBEDDED of each token, of shape (tokens, 6).
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
            self._rows.update(zip(new, range(first, first + len(new))))
        return self._table[[self._rows[kind] for kind in kinds]]

    def _embed(self, attributes: Ints) -> Floats:
        vectors = []
        for encoding in self._encodings:
            known = np.ascontiguousarray(attributes[:, : len(encoding.columns)])
            vectors.append(_maxout(encoding.tables.predict(known), encoding.mix))
        return np.hstack(vectors)


class Encoder:
    """Convolutions over texts that lie end to end."""

    def __init__(self, encoding: Encoding) -> None:
        self._convolutions = encoding.convolutions
        self._gap = len(encoding.convolutions)  # rows of zeros between texts, as spaCy has them: no text sees another

    def __call__(self, embedded: Floats, lengths: Sequence[int]) -> Floats:
        """Returns vectors with context, of the shape of ``embedded``: (tokens, width), tokens of the given lengths."""
        encoded = np.empty((len(embedded), WIDTH), np.float32)
        done = 0
        for group in _groups(lengths):
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
    # a root and a quotient are rounded alike on every processor; the power of -1/2 that thinc takes need not be
    units *= 1 / np.sqrt(np.square(units).mean(axis=1, keepdims=True) + EPSILON)
    units *= layer.gain
    units += layer.shift
    return units


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    for length in lengths:
        group.append(length)
        if sum(group) >= GROUP:
            yield group
            group = []
    if group:
        yield group


class TransitionScorer:
    """Scores of transitions. What each token adds to a state in each slot is computed once."""

    def __init__(self, weights: TransitionWeights) -> None:
        self._weights = weights
        self.slots = weights.lower.shape[1] // (2 * HIDDEN)

    def features(self, vectors: Floats) -> Floats:
        """Returns what each token adds in each slot, of shape (tokens + 1, slots, 2 * hidden); the last one, which is
        also that of number -1, stands for no token."""
        matrix, bias = self._weights.narrow
        features = np.empty((len(vectors) + 1, self._weights.lower.shape[1]), np.float32)
        product(product(vectors, matrix) + bias, self._weights.lower, out=features[:-1])
        features[-1] = self._weights.missing
        return features.reshape(len(features), self.slots, 2 * HIDDEN)

    def scores(self, summed: Floats) -> Floats:
        """Returns scores of shape (states, transitions) from the sums of features, (states, 2 * hidden)."""
        summed = summed + self._weights.bias
        matrix, bias = self._weights.upper
        return product(np.maximum(summed[:, :HIDDEN], summed[:, HIDDEN:]), matrix) + bias
