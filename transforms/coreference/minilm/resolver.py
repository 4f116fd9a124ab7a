"""``--coref minilm``: the sieve, with its uncertain answers revised by a small language model that reads the text.

The packages that run the model are loaded only by ``load_minilm``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference.chains import FloatArray, by_cluster
from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.names import title_words
from gistmill.rules.coreference.pronouns import AntecedentQuestion
from gistmill.rules.coreference.scorer import Sieve
from gistmill.rules.documents import Sentence
from gistmill.transforms import encoders
from gistmill.transforms.coreference.minilm.windows import (
    CODES,
    PLAIN,
    SIZE,
    SLOTS,
    TITLE,
    Window,
    mention_codes,
    rows_of,
    slots_of,
    spans_in,
    windows,
)
from gistmill.transforms.encoders import OUTLIERS, Encoder, Pieces, WordPieces

# The sieve's answers are not revised from this probability up: that is a third of them, at the same F1.
SURE = 0.9
DELTA = "delta.npz"
OPTION = "--coref minilm"


def describe() -> list[dict[str, Any]]:
    """Finds the packages and checks the files, without loading them, and returns the manifest's record.

    Raises:
        PackageError: a package is not installed, or a file differs from the one that the delta was fitted for.
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
        The arrays by name: float32, except for the indices of the outlier channels, which are int16.
    """
    with files(__package__).joinpath("data", DELTA).open("rb") as stream:
        return {
            name: array if name.startswith(OUTLIERS) else array.astype(np.float32)
            for name, array in np.load(stream).items()
        }


def load_minilm() -> Sieve:
    """Makes the resolver.

    Raises:
        PackageError: see describe.
    """
    describe()
    folder, delta = encoders.model_folder(OPTION), read_delta()
    encoder = Encoder(encoders.read_safetensors(folder / encoders.WEIGHTS), delta)
    return Sieve(second=MiniLM(encoder, delta, WordPieces(folder / encoders.TOKENIZER)).revise)


class MiniLM:
    """Combines the sieve's probabilities with the encoder's, as a product of powers.

    Args:
        encoder: an encoder made with the delta.
        delta: see read_delta. ``mix``, of shape (3, 2), contains the powers of the sieve's and the encoder's
            probabilities: for "he" and "she", "it" and "they". They are fitted for a calibrated result.
        pieces: splits words into word pieces.
    """

    def __init__(self, encoder: Encoder, delta: Mapping[str, FloatArray], pieces: WordPieces) -> None:
        self._encoder, self._head, self._pieces = encoder, Head(delta), pieces
        self._mix, self._tables = delta["mix"], (delta["codes"], delta["slots"])

    def revise(
        self,
        sentences: Sequence[Sentence],
        mentions: Sequence[Markable],
        questions: Sequence[AntecedentQuestion],
        probabilities: Sequence[FloatArray],
        title: str,
    ) -> list[FloatArray]:
        """Returns the probabilities of each question's rows, of shape (rows,), floating; confident answers keep their
        probabilities."""
        revised = list(probabilities)
        wanted = [k for k, q in enumerate(questions) if max(by_cluster(q, probabilities[k]).values()) < SURE]
        if wanted:
            for k, logs in self.read(sentences, mentions, questions, wanted, title=title).items():
                revised[k] = mixed(probabilities[k], logs, self._mix[questions[k].view.kind])
        return revised

    def read(
        self,
        sentences: Sequence[Sentence],
        mentions: Sequence[Markable],
        questions: Sequence[AntecedentQuestion],
        wanted: Sequence[int],
        *,
        title: str,
    ) -> dict[int, FloatArray]:
        """Returns the encoder's log probabilities of the rows of each wanted question."""
        words = [self._pieces.pieces(t.text) for s in sentences for t in s.tokens]
        starts = [0]
        for s in sentences:
            starts.append(starts[-1] + len(s.tokens))
        codes = mention_codes(mentions)
        shown = [p for word in title_words(title) for p in self._pieces.pieces(word)][:TITLE]
        answers: dict[int, FloatArray] = {}
        places = [q.pronoun.place for q in questions]
        for window in windows([len(w) for w in words], starts[:-1], places, wanted):
            asked = [questions[k] for k in window.questions]
            slots = slots_of(questions, window)
            logs = self._answer(window, words, asked, codes, slots, shown, has_title=bool(title))
            answers.update(zip(window.questions, logs, strict=True))
        return answers

    def _answer(
        self,
        window: Window,
        words: Sequence[Sequence[int]],
        asked: Sequence[AntecedentQuestion],
        codes: Mapping[int, int],
        slots: Mapping[int, int],
        title: Sequence[int],
        *,
        has_title: bool,
    ) -> list[FloatArray]:
        ids, begins = self._pieces.sequence(title, words[window.start : window.end])
        of_word = [(codes.get(i, PLAIN), slots.get(i, 0)) for i in range(window.start, window.end)]
        marks = np.zeros((2, len(ids)), np.intp)
        marks[:, begins[0] : begins[-1]] = np.repeat(np.array(of_word).T, np.diff(begins), axis=1)
        spots = _Spots(begins)
        pronouns = [spots.add(q.pronoun.place - window.start, q.pronoun.place - window.start + 1) for q in asked]
        different: dict[tuple[int, int], int] = {}
        chosen = []
        for q in asked:
            chosen.append(NONE)
            for span in spans_in(q, window.start, window.end):
                if span is None:
                    chosen.append(OUTSIDE)
                else:
                    head, start, end = span
                    spot = spots.add(head, head + 1), spots.add(start, end)
                    chosen.append(different.setdefault(spot, len(different)))
        positions = spots.positions()
        states = self._encoder.run(Pieces(ids, zip(self._tables, marks, strict=True), positions))
        means = spots.means(positions, states)
        return self._head.log_probabilities(
            means[pronouns],
            means[np.array(list(different), np.intp).reshape(-1, 2)].reshape(len(different), 2 * means.shape[1]),
            np.array(chosen),
            [len(q.rows) for q in asked],
            [row for q in asked for row in rows_of(q, has_title=has_title)],
        )


def mixed(sieve: FloatArray, logs: FloatArray, powers: Sequence[float] | FloatArray) -> FloatArray:
    """Returns the normalised product of powers of two distributions.

    Args:
        sieve: probabilities, of shape (rows,), floating.
        logs: the logarithms of the other distribution over the same rows, of shape (rows,), floating.
        powers: the power of each distribution, of shape (2,).

    Returns:
        Probabilities of shape (rows,), in the wider of the two dtypes.
    """
    scores = powers[0] * np.log(np.maximum(sieve, 1e-9)) + powers[1] * logs
    found: FloatArray = np.exp(scores - scores.max())
    product: FloatArray = found / found.sum()
    return product


class _Spots:
    """The spans of a window whose mean states are needed, without repetition."""

    def __init__(self, begins: Sequence[int]) -> None:
        self._begins = begins
        self._numbers: dict[tuple[int, int], int] = {}

    def add(self, start: int, end: int) -> int:
        """Adds the words [start, end); returns the index of their mean."""
        return self._numbers.setdefault((self._begins[start], self._begins[end]), len(self._numbers))

    def positions(self) -> npt.NDArray[np.intp]:
        """Returns the positions of the states that the means require, in order."""
        return np.unique(np.concatenate([np.arange(s, e) for s, e in self._numbers]))

    def means(self, positions: npt.NDArray[np.intp], states: FloatArray) -> FloatArray:
        """Returns the mean states, of shape (spots, width), floating, from the states at ``positions``."""
        starts, ends = np.array(list(self._numbers)).T
        sums = np.concatenate([np.zeros((1, states.shape[1]), states.dtype), np.cumsum(states, axis=0)])
        low, high = np.searchsorted(positions, starts), np.searchsorted(positions, ends)
        found: FloatArray = (sums[high] - sums[low]) / (high - low)[:, None]
        return found


NONE, OUTSIDE = -2, -1  # rows of the fitted "nowhere", which follow all spans
_SIZES = {"codes": CODES, "slots": SLOTS + 1, "features": SIZE}


class Head:
    """The fitted pair scorer.

    Args:
        delta: the fitted arrays by name, floating: the tables ``codes``, ``slots`` and ``features`` of shape (numbers,
            width), the ``weight`` and ``bias`` of the linear maps, and ``nowhere`` of shape (2, 2 * width).

    Raises:
        ValueError: the size of a table does not match the indicators in windows.py, the codes or the slots.
    """

    def __init__(self, delta: Mapping[str, FloatArray]) -> None:
        for name, size in _SIZES.items():
            if len(delta[name]) != size:
                raise ValueError(f"the delta's {name} contain {len(delta[name])} rows, not {size}: fit the delta again")
        self._weights = delta

    def log_probabilities(
        self,
        pronouns: FloatArray,
        spans: FloatArray,
        chosen: npt.NDArray[np.intp],
        counts: Sequence[int],
        rows: Sequence[Sequence[int]],
    ) -> list[FloatArray]:
        """Returns the log probabilities of each question's rows, of shape (rows of the question,), floating.

        Args:
            pronouns: the states of the pronouns, of shape (questions, width), floating.
            spans: the distinct candidates, of shape (spans, 2 * width), floating: for each, the mean state of its head
                followed by the mean state of all its words.
            chosen: for every row of every question, the index in ``spans`` of its candidate, or NONE or OUTSIDE if
                there is none; of shape (rows,), integer.
            counts: the number of rows of each question.
            rows: the indicators of every row.
        """
        w = self._weights
        lengths = np.fromiter(map(len, rows), np.intp, len(rows))
        flat = np.fromiter((n for row in rows for n in row), np.intp, int(lengths.sum()))
        features = np.add.reduceat(w["features"][flat], np.concatenate(([0], np.cumsum(lengths)[:-1])), axis=0)
        spans = np.concatenate([spans, w["nowhere"]]) @ w["candidate.weight"].T + w["candidate.bias"]
        pronouns = pronouns @ w["pronoun.weight"].T + w["pronoun.bias"]
        of_p, of_c, of_both, of_features = np.split(w["pair.weight"].T, np.cumsum([pronouns.shape[1]] * 3))
        question = np.repeat(np.arange(len(counts)), counts)
        hidden = (pronouns @ of_p)[question] + (spans @ of_c)[chosen] + _gelu(features) @ of_features
        hidden += (pronouns[question] * spans[chosen]) @ of_both + w["pair.bias"]
        scores = _gelu(hidden) @ w["score.weight"][0] + features @ w["alone.weight"][0]
        found: list[FloatArray] = []
        for part in np.split(scores, np.cumsum(counts)[:-1]):
            top = part.max()
            found.append(part - top - np.log(np.exp(part - top).sum()))
        return found


def _gelu(x: FloatArray) -> FloatArray:
    y: FloatArray = 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return y
