"""``--coref minilm``: the sieve, whose unsure answers are revised by a small language model that reads the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.names import title_words
from gistmill.rules.coreference.questions import AntecedentQuestion
from gistmill.rules.coreference.scorer import FloatArray, Sieve, by_cluster
from gistmill.rules.documents import Sentence
from gistmill.transforms.coreference.minilm.encoder import NONE, OPTION, OUTSIDE, Encoder, Head, Pairs, read_delta
from gistmill.transforms.coreference.minilm.windows import (
    PLAIN,
    TITLE,
    Window,
    mention_codes,
    rows_of,
    slots_of,
    spans_in,
    windows,
)
from gistmill.transforms.encoders import TOKENIZER, WEIGHTS, WordPieces, model_folder, read_safetensors

# An answer of the sieve that is this sure is not revised: a third of them, and F1 stays the same.
SURE = 0.9


def load_minilm() -> Sieve:
    """Makes the resolver; ``weights.describe`` says whether everything is there."""
    folder, delta = model_folder(OPTION), read_delta()
    encoder = Encoder(read_safetensors(folder / WEIGHTS), delta)
    return Sieve(second=MiniLM(encoder, Head(delta), WordPieces(folder / TOKENIZER), delta["mix"]))


class MiniLM:
    """Revises the sieve's probabilities: a product of powers of the sieve's and the encoder's.

    Args:
        encoder, head, pieces: the parts of the model.
        mix: the powers of the sieve's and of the encoder's probabilities, of shape (3, 2), floating: for "he" and
            "she", for "it", for "they". They are fitted so that the result is calibrated.
    """

    def __init__(self, encoder: Encoder, head: Head, pieces: WordPieces, mix: FloatArray) -> None:
        self._encoder, self._head, self._pieces, self._mix = encoder, head, pieces, mix

    def revise(
        self,
        sentences: Sequence[Sentence],
        mentions: Sequence[Markable],
        questions: Sequence[AntecedentQuestion],
        probabilities: Sequence[FloatArray],
        *,
        title: str,
    ) -> list[FloatArray]:
        """Returns the probabilities of each question's rows, of shape (rows,), floating; sure answers keep the given
        ones.
        """
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
        means = spots.means(self._encoder, ids, marks)
        return self._head.log_probabilities(
            Pairs(
                means[pronouns],
                means[np.array(list(different), np.intp).reshape(-1, 2)].reshape(len(different), 2 * means.shape[1]),
                np.array(chosen),
                [len(q.rows) for q in asked],
                [row for q in asked for row in rows_of(q, has_title=has_title)],
            )
        )


def mixed(sieve: FloatArray, logs: FloatArray, powers: Sequence[float] | FloatArray) -> FloatArray:
    """Returns the normalised product of powers of two distributions.

    Args:
        sieve: probabilities, of shape (rows,), floating.
        logs: the logarithms of other probabilities of the same rows, of shape (rows,), floating.
        powers: the power of each, of shape (2,).

    Returns:
        Probabilities of shape (rows,), of the wider of the dtypes.
    """
    scores = powers[0] * np.log(np.maximum(sieve, 1e-9)) + powers[1] * logs
    found: FloatArray = np.exp(scores - scores.max())
    product: FloatArray = found / found.sum()
    return product


class _Spots:
    """The stretches of a window whose mean states are asked for, each once."""

    def __init__(self, begins: Sequence[int]) -> None:
        self._begins = begins
        self._numbers: dict[tuple[int, int], int] = {}

    def add(self, start: int, end: int) -> int:
        """Asks for the words [start, end); returns the number of their mean."""
        return self._numbers.setdefault((self._begins[start], self._begins[end]), len(self._numbers))

    def means(self, encoder: Encoder, ids: Sequence[int], marks: npt.NDArray[np.intp]) -> FloatArray:
        """Returns the mean states, of shape (spots, width), floating; only the states that they need are computed.

        Args:
            encoder: makes the states.
            ids: the pieces of the window.
            marks: the code and the slot of each piece, of shape (2, pieces), integer.
        """
        starts, ends = np.array(list(self._numbers)).T
        positions = np.unique(np.concatenate([np.arange(s, e) for s, e in self._numbers]))
        states = encoder.states(ids, marks[0], marks[1], positions)
        sums = np.concatenate([np.zeros((1, states.shape[1]), states.dtype), np.cumsum(states, axis=0)])
        low, high = np.searchsorted(positions, starts), np.searchsorted(positions, ends)
        found: FloatArray = (sums[high] - sums[low]) / (high - low)[:, None]
        return found
