"""The encoder: embeddings in numpy, the layers in onnxruntime on one thread, one window at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from transforms.coreference.minilm.graph import build
from transforms.coreference.minilm.weights import EPSILON, HEADS, OUTLIERS, layers_of, merged


class Encoder:
    """Turns the pieces of a window into states.

    Args:
        weights: the tensors of a BERT checkpoint by name, float32.
        delta: the fitted low-rank products for its maps, and the embeddings ``codes`` and ``slots`` of shape
            (numbers, width), float32.
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
        import onnxruntime

        self._words = weights["embeddings.word_embeddings.weight"]
        self._positions = (
            weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._gain, self._shift = (np.array(weights[f"embeddings.LayerNorm.{k}"]) for k in ("weight", "bias"))
        self._codes, self._slots = delta["codes"], delta["slots"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        graph = build(
            merged(weights, delta),
            heads=heads,
            layers=layers_of(weights),
            epsilon=EPSILON,
            quantised=quantised,
            outliers={n.removeprefix(OUTLIERS): a for n, a in delta.items() if n.startswith(OUTLIERS)},
        )
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    @property
    def longest(self) -> int:
        """The largest number of pieces in a window."""
        return len(self._positions)

    def states(
        self,
        ids: Sequence[int],
        codes: Sequence[int] | npt.NDArray[np.intp],
        slots: Sequence[int] | npt.NDArray[np.intp],
        needed: npt.NDArray[np.intp],
    ) -> npt.NDArray[np.float32]:
        """Encodes a window.

        Args:
            ids, codes, slots: the number of each piece, and the code and slot that are added to its embedding.
            needed: the positions whose states are returned, of shape (positions,), any integer dtype.

        Returns:
            The states of the last layer, of shape (positions, width), float32.
        """
        x = self._words[np.asarray(ids)] + self._positions[: len(ids)]
        x = x + self._codes[np.asarray(codes)] + self._slots[np.asarray(slots)]
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * self._gain + self._shift
        found: npt.NDArray[np.float32]
        (found,) = self._session.run(None, {"embedded": x.astype(np.float32), "needed": needed.astype(np.int64)})
        return found
