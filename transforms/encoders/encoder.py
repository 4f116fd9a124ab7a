"""A BERT: embeddings in numpy, the layers in onnxruntime on one thread, one sequence at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime

from gistmill.transforms.encoders.checkpoint import OUTLIERS, layers_of, merged
from gistmill.transforms.encoders.graph import build
from gistmill.transforms.encoders.minilm import EPSILON, HEADS

FloatArray = npt.NDArray[np.float32]


def session(graph: bytes) -> onnxruntime.InferenceSession:
    """Returns a session of a graph on one thread of the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class Encoder:
    """Turns the pieces of a sequence into states.

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
        self._session = session(graph)

    @property
    def width(self) -> int:
        """The width of the states."""
        return len(self._gain)

    def run(
        self,
        ids: Sequence[int] | npt.NDArray[np.integer[Any]],
        added: Iterable[tuple[FloatArray, Sequence[int] | npt.NDArray[np.integer[Any]]]],
        needed: npt.NDArray[np.integer[Any]],
    ) -> FloatArray:
        """Encodes a sequence.

        Args:
            ids: the number of each piece, of shape (pieces,).
            added: tables of shape (numbers, width), and for each the row that is added to the embedding of each piece,
                of shape (pieces,). ``types`` is such a table: what another sentence has beside the first one.
            needed: the positions whose states are returned, of shape (positions,).

        Returns:
            The states of the last layer, of shape (positions, width), float32.
        """
        x = self._words[np.asarray(ids)] + self._positions[: len(ids)]
        for table, numbers in added:
            x = x + table[np.asarray(numbers)]
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * self._gain + self._shift
        found: FloatArray
        (found,) = self._session.run(None, {"embedded": x.astype(np.float32), "needed": needed.astype(np.int64)})
        return found
