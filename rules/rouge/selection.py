"""Sentences of a document, scored against a summary or against the rest of the document, and chosen by it.

Source: J. Zhang et al., "PEGASUS", 2020 (principal sentences: independent or sequential, n-grams counted or as a set),
and A. Fabbri et al., "Improving zero and few-shot abstractive summarization", 2021, sections 3.1 (oracle) and 5.2
(IND-ORIG by F1 or precision). A sentence's rest is never made: its counts are the document's less the sentence's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from rules.rouge.scoring import Score, ratios, score_ngrams
from rules.rouge.tokens import Tokens, join, tokenise_all

Measure = Literal["precision", "recall", "fmeasure"]


class ScoredDocument:
    """The tokenised sentences of a document. Scores are those of ``rouge-score`` for the sentences' joined texts."""

    def __init__(self, sentences: Sequence[str], *, stemmer: bool = False) -> None:
        self.sentences = tokenise_all(sentences, stemmer=stemmer)

    def part(self, indices: Collection[int]) -> Tokens:
        """Returns some sentences as one text, in the document's order, each a line."""
        return join([self.sentences[i] for i in sorted(indices)])

    def against(self, summary: Tokens, *, n: int = 1) -> list[Score]:
        """Returns ROUGE-n of each sentence alone, the summary being the target."""
        return [score_ngrams(summary, s, n) for s in self.sentences]

    def against_rest(self, *, unique: bool = False) -> list[Score]:
        """Returns ROUGE-1 of each sentence alone, all other sentences being the target.

        ``unique`` takes words as sets: each counts once in the sentence and once in the rest.
        """
        growing = _Growing(self.sentences, unique=unique)
        return [growing.score_with(i) for i in range(len(self.sentences))]

    def principal(
        self, count: int, *, measure: Measure = "fmeasure", unique: bool = False, sequential: bool = False
    ) -> list[int]:
        """Returns the indices of the ``count`` most important sentences, the first chosen first.

        Importance is ROUGE-1 against the rest: of each sentence alone, or (``sequential``) of the sentences chosen so
        far together with it. Of equals the earlier sentence is chosen.
        """
        if not sequential:
            return best([getattr(s, measure) for s in self.against_rest(unique=unique)], count)
        growing = _Growing(self.sentences, unique=unique)
        left, chosen = list(range(len(self.sentences))), []
        while left and len(chosen) < count:
            chosen.append(max(left, key=lambda i: getattr(growing.score_with(i), measure)))
            growing.add(chosen[-1])
            left.remove(chosen[-1])
        return chosen


def best(scores: Sequence[float], count: int) -> list[int]:
    """Returns the indices of the ``count`` highest scores, the highest first; of equals the earlier."""
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:count]


class _Growing:
    """A set of sentences that grows, scored against the sentences outside."""

    def __init__(self, sentences: Sequence[Tokens], *, unique: bool) -> None:
        self._counts: list[Mapping[str, int]] = [s.ngrams(1) for s in sentences]
        self._total = Counter(join(sentences).words)
        self._inside = dict.fromkeys(self._total, 0)
        self._unique = unique
        # the score of the set as it is: words that it shares with the rest, its words, the words of the rest
        self._now = (0, 0, len(self._total) if unique else self._total.total())

    def score_with(self, index: int) -> Score:
        """Returns ROUGE-1 of the set with one more sentence, against the rest without it."""
        hits, predicted, wanted = self._with(index)
        return ratios(hits, predicted=predicted, wanted=wanted)

    def add(self, index: int) -> None:
        """Adds a sentence to the set."""
        self._now = self._with(index)
        for word, k in self._counts[index].items():
            self._inside[word] += k

    def _with(self, index: int) -> tuple[int, int, int]:
        total, inside = self._total, self._inside
        hits, predicted, wanted = self._now
        if self._unique:
            for word, k in self._counts[index].items():
                before, left = inside[word], total[word] - inside[word] - k
                hits += (left > 0) - (before > 0)
                predicted += not before
                wanted -= not left
            return hits, predicted, wanted
        added = 0
        for word, k in self._counts[index].items():
            before, all_ = inside[word], total[word]
            after = before + k
            hits += (after if after + after < all_ else all_ - after) - (
                before if before + before < all_ else all_ - before
            )
            added += k
        return hits, predicted + added, wanted - added
