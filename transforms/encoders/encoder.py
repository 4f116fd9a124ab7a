"""A BERT: embeddings in numpy, the layers in onnxruntime on one thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime

from gistmill.transforms.encoders.checkpoint import OUTLIERS, layers_of, merged
from gistmill.transforms.encoders.graph import build
from gistmill.transforms.encoders.minilm import EPSILON, HEADS

FloatArray = npt.NDArray[np.float32]
Numbers = Sequence[int] | npt.NDArray[np.integer[Any]]


def session(graph: bytes) -> onnxruntime.InferenceSession:
    """Returns a session of a graph on one thread of the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class Pieces(NamedTuple):
    """A sequence to encode.

    Attributes:
        ids: the number of each piece, of shape (pieces,).
        added: tables of shape (numbers, width), and for each the row that is added to the embedding of each piece, of
            shape (pieces,). ``Encoder.types`` is such a table: what another sentence has beside the first one.
        needed: the positions whose states are returned, of shape (positions,).
    """

    ids: Numbers
    added: Iterable[tuple[FloatArray, Numbers]]
    needed: npt.NDArray[np.integer[Any]]


class Encoder:
    """Turns the pieces of sequences into states.

    Args:
        weights: the tensors of a BERT checkpoint by name, float32.
        delta: the fitted low-rank products for its maps; other names are ignored.
        heads: number of attention heads.
        quantised: whether the linear maps multiply integers.
    """

    def __init__(
        self,
        weights: Mapping[str, npt.NDArray[Any]],
        delta: Mapping[str, npt.NDArray[Any]],
        *,
        heads: int = HEADS,
        quantised: bool = True,
    ) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        types = weights["embeddings.token_type_embeddings.weight"]
        self._positions = weights["embeddings.position_embeddings.weight"] + types[0]
        self.types = types - types[0]
        self._gain, self._shift = (np.array(weights[f"embeddings.LayerNorm.{k}"]) for k in ("weight", "bias"))
        graph = build(
            merged(weights, delta),
            heads=heads,
            layers=layers_of(weights),
            epsilon=EPSILON,
            quantised=quantised,
            outliers={n.removeprefix(OUTLIERS): a for n, a in delta.items() if n.startswith(OUTLIERS)},
        )
        self._session, self._quantised = session(graph), quantised

    @property
    def width(self) -> int:
        """The width of the states."""
        return len(self._gain)

    def run(self, sequence: Pieces) -> FloatArray:
        """Encodes a sequence; returns the states of the last layer, of shape (positions, width), float32."""
        (found,) = self.run_all([sequence])
        return found

    def run_all(self, sequences: Sequence[Pieces]) -> list[FloatArray]:
        """Returns what ``run`` does of each sequence, to the bit; in floating point faster, as they go together."""
        embedded = [self._embedded(sequence) for sequence in sequences]
        needed = [np.asarray(sequence.needed, np.int64) for sequence in sequences]
        if self._quantised:
            feeds = [{"embedded": x, "needed": n} for x, n in zip(embedded, needed, strict=True)]
            return [self._session.run(None, feed)[0] for feed in feeds]
        words, positions = (np.array([len(each) for each in all_], np.int64) for all_ in (embedded, needed))
        feed = {
            "embedded": np.concatenate(embedded),
            "needed": np.concatenate(needed) + np.repeat(words.cumsum() - words, positions),
            "words_each": words,
            "needed_each": positions,
        }
        (states,) = self._session.run(None, feed)
        return np.split(states, positions.cumsum()[:-1])

    def _embedded(self, sequence: Pieces) -> FloatArray:
        x = self._words[np.asarray(sequence.ids)] + self._positions[: len(sequence.ids)]
        for table, numbers in sequence.added:
            x = x + table[np.asarray(numbers)]
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * self._gain + self._shift
        found: FloatArray = x.astype(np.float32)
        return found
