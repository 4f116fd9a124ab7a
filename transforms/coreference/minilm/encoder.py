"""The encoder of windows: beside the pieces, it reads the codes of mentions and the slots of candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.transforms.encoders import encoder
from gistmill.transforms.encoders.minilm import HEADS


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
        self._encoder = encoder.Encoder(weights, delta, heads=heads, quantised=quantised)
        self._codes, self._slots = delta["codes"], delta["slots"]

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
        added = [(self._codes, codes), (self._slots, slots)]
        return self._encoder.run(encoder.Pieces(ids, added, needed))
