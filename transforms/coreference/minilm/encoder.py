"""The encoder of windows: beside the pieces, it reads the codes of mentions and the slots of candidates."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.transforms import encoders
from gistmill.transforms.coreference.minilm.windows import CODES, SIZE, SLOTS
from gistmill.transforms.encoders import HEADS, OUTLIERS


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
        self._encoder = encoders.Encoder(weights, delta, heads=heads, quantised=quantised)
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
        return self._encoder.run(encoders.Pieces(ids, added, needed))


NONE, OUTSIDE = -2, -1  # the rows of the fitted "nowhere", counted from the end of all spans
FloatArray = npt.NDArray[np.floating[Any]]
_SIZES = {"codes": CODES, "slots": SLOTS + 1, "features": SIZE}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The questions of a window for the head.

    Attributes:
        pronouns: the states of the pronouns, of shape (questions, width), floating.
        spans: the different candidates, of shape (spans, 2 * width), floating: the mean states of the head and of all
            words of a candidate, side by side.
        chosen: the index in ``spans`` of the candidate of every row of every question, NONE or OUTSIDE where there is
            none; of shape (rows,), integer.
        counts: the number of rows of each question.
        rows: the indicators of every row.
    """

    pronouns: FloatArray
    spans: FloatArray
    chosen: npt.NDArray[np.intp]
    counts: Sequence[int]
    rows: Sequence[Sequence[int]]


class Head:
    """The fitted pair scorer.

    Args:
        delta: the fitted arrays by name, floating: the tables ``codes``, ``slots`` and ``features`` of shape (numbers,
            width), the ``weight`` and ``bias`` of the linear maps, and ``nowhere`` of shape (2, 2 * width).

    Raises:
        ValueError: a table has another size than the indicators of pairs.py, the codes or the slots need.
    """

    def __init__(self, delta: Mapping[str, FloatArray]) -> None:
        for name, size in _SIZES.items():
            if len(delta[name]) != size:
                raise ValueError(f"the delta's {name} are for {len(delta[name])} numbers, not {size}: fit it again")
        self._weights = delta

    def log_probabilities(self, pairs: Pairs) -> list[FloatArray]:
        """Returns the log probabilities of each question's rows, of shape (rows of the question,), floating."""
        w = self._weights
        lengths = np.fromiter(map(len, pairs.rows), np.intp, len(pairs.rows))
        flat = np.fromiter((n for row in pairs.rows for n in row), np.intp, int(lengths.sum()))
        features = np.add.reduceat(w["features"][flat], np.concatenate(([0], np.cumsum(lengths)[:-1])), axis=0)
        spans = np.concatenate([pairs.spans, w["nowhere"]]) @ w["candidate.weight"].T + w["candidate.bias"]
        pronouns = pairs.pronouns @ w["pronoun.weight"].T + w["pronoun.bias"]
        of_p, of_c, of_both, of_features = np.split(w["pair.weight"].T, np.cumsum([pronouns.shape[1]] * 3))
        question = np.repeat(np.arange(len(pairs.counts)), pairs.counts)
        hidden = (pronouns @ of_p)[question] + (spans @ of_c)[pairs.chosen] + _gelu(features) @ of_features
        hidden += (pronouns[question] * spans[pairs.chosen]) @ of_both + w["pair.bias"]
        scores = _gelu(hidden) @ w["score.weight"][0] + features @ w["alone.weight"][0]
        found: list[FloatArray] = []
        start = 0
        for count in pairs.counts:
            part = scores[start : start + count]
            top = part.max()
            found.append(part - top - np.log(np.exp(part - top).sum()))
            start += count
        return found


def _gelu(x: FloatArray) -> FloatArray:
    y: FloatArray = 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return y


DELTA = "delta.npz"
OPTION = "--coref minilm"


def describe() -> list[dict[str, Any]]:
    """Finds the packages and checks the files, without loading them, and returns the manifest's record.

    Raises:
        PackageError: a package is not installed, or a file is not the one that the delta was fitted for.
    """
    versions = encoders.checked(OPTION)
    delta = hashlib.sha256(files(__package__).joinpath("data", DELTA).read_bytes()).hexdigest()
    return [
        {
            "name": encoders.PACKAGES[0],
            "version": versions.pop(encoders.PACKAGES[0]),
            "sha256": encoders.CHECKSUMS[encoders.WEIGHTS],
            "files": {**encoders.CHECKSUMS, DELTA: delta},
            "packages": versions,
        }
    ]


def read_delta() -> dict[str, npt.NDArray[Any]]:
    """Reads the fitted delta and head.

    Returns:
        The arrays by name: float32, but for the outliers' channels, which are int16.
    """
    with files(__package__).joinpath("data", DELTA).open("rb") as stream:
        return {
            name: array if name.startswith(OUTLIERS) else array.astype(np.float32)
            for name, array in np.load(stream).items()
        }
