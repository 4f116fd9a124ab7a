"""Scoring and selection of a document's sentences by ROUGE against a summary or the rest of the document.

Sources: J. Zhang et al., "PEGASUS", 2020 (principal sentences: independent or sequential, n-grams counted or as a set);
A. Fabbri et al., "Improving zero and few-shot abstractive summarization", 2021, sections 3.1 (oracle) and 5.2 (IND-ORIG
by F1 or precision). The rest is never constructed: its counts are the document's minus the sentence's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from gistmill.core import deadline
from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.rouge.scoring import Overlap, Tokens, join, overlap_of_ngrams, tokenise_all

Measure = Literal["precision", "recall", "fmeasure"]


class ScoredDocument:
    """A document's tokenised sentences. Scores are the same as ``rouge-score`` returns for the joined sentences.

    Args:
        sentences: texts of the sentences.
        stemmer, language: see ``tokenise_all``; for languages other than English, Unicode words are used.
    """

    def __init__(self, sentences: Sequence[str], *, stemmer: bool = False, language: str = ENGLISH) -> None:
        self.sentences: Sequence[Tokens] = tokenise_all(sentences, stemmer=stemmer, language=language)

    @classmethod
    def of(cls, sentences: Sequence[Tokens]) -> ScoredDocument:
        """Returns a document made from tokenised sentences."""
        document = cls(())
        document.sentences = sentences
        return document

    def part(self, indices: Collection[int]) -> Tokens:
        """Returns some of the sentences as one text, in the document's order, with one sentence per line."""
        return join([self.sentences[i] for i in sorted(indices)])

    def against(self, summary: Tokens, *, n: int = 1) -> list[Overlap]:
        """Returns the counts for ROUGE-n of each sentence alone, with the summary as the target."""
        if n > 1:
            return [overlap_of_ngrams(summary, s, n) for s in self.sentences]
        there, wanted = summary.ngrams(1), len(summary)
        return [Overlap(_hits(s.words, there), len(s.words), wanted) for s in self.sentences]

    def against_rest(self, *, unique: bool = False) -> list[Overlap]:
        """Returns the counts for ROUGE-1 of each sentence alone, with all other sentences as the target.

        If ``unique``, each distinct word counts once in the sentence and once in the rest.
        """
        growing = (_GrowingUnique if unique else _Growing)(self.sentences)
        return [growing.overlap_with(i) for i in range(len(self.sentences))]

    def principal(
        self,
        count: int,
        *,
        measure: Measure = "fmeasure",
        unique: bool = False,
        sequential: bool = False,
        later: bool = False,
    ) -> list[int]:
        """Returns the indices of the ``count`` most important sentences, in the order in which they are chosen.

        Importance is ROUGE-1 against the rest, either of each sentence alone or, if ``sequential``, of the sentence
        together with those already chosen. Of equals, the earlier sentence is chosen, or the later one if ``later``.
        """
        if not sequential:
            return best([o.exact(measure) for o in self.against_rest(unique=unique)], count, later=later)
        growing = (_GrowingUnique if unique else _Growing)(self.sentences)
        left = _in_order(len(self.sentences), later=later)
        chosen: list[int] = []
        while left and len(chosen) < count:
            deadline.check()
            chosen.append(max(left, key=lambda i: growing.overlap_with(i).exact(measure)))
            growing.add(chosen[-1])
            left.remove(chosen[-1])
        return chosen


def best(scores: Sequence[Any], count: int, *, later: bool = False) -> list[int]:
    """Returns the indices of the ``count`` highest scores, best first; of equals, the earlier or the ``later`` one."""
    return sorted(_in_order(len(scores), later=later), key=scores.__getitem__, reverse=True)[:count]


def _in_order(size: int, *, later: bool) -> list[int]:
    """Returns the indices ordered so that the preferred one of equal scores comes first, even after a reverse sort."""
    return [*range(size)][:: -1 if later else 1]


def _hits(words: Sequence[str], there: Mapping[str, int]) -> int:
    """Returns the number of words that occur in ``there``, each counted at most as often as it occurs there."""
    found = list(filter(there.__contains__, words))
    different = set(found)
    hits = len(found)
    if len(different) < hits:
        for word in different:
            surplus = found.count(word) - there[word]
            if surplus > 0:
                hits -= surplus
    return hits


class _Growing:
    """A growing set of sentences, scored against the other sentences; every occurrence of a word counts.

    The overlap of the set and the rest is the sum, over all words, of the smaller of their two counts. A word's
    ``surplus`` is its count outside minus its count inside; moving one more occurrence inside increases the overlap if
    the surplus is at least two.
    """

    def __init__(self, sentences: Sequence[Tokens]) -> None:
        self._counts: list[Mapping[str, int]] = [s.ngrams(1) for s in sentences]
        self._repeated = [
            [(w, k) for w, k in c.items() if k > 1] if len(c) < len(s) else []
            for s, c in zip(sentences, self._counts, strict=True)
        ]
        self._words = [len(s) for s in sentences]
        self._surplus = Counter(join(sentences).words)
        self._gain: dict[str, int] = {word: surplus > 1 for word, surplus in self._surplus.items()}
        self._hits, self._inside, self._outside = 0, 0, sum(self._words)

    def overlap_with(self, index: int) -> Overlap:
        """Returns the counts for ROUGE-1 of the set with one more sentence, against the rest without that sentence."""
        words = self._words[index]
        return Overlap(self._hits_with(index), self._inside + words, self._outside - words)

    def add(self, index: int) -> None:
        """Adds a sentence to the set."""
        self._hits = self._hits_with(index)
        self._inside += self._words[index]
        self._outside -= self._words[index]
        for word, k in self._counts[index].items():
            surplus = self._surplus[word] = self._surplus[word] - 2 * k
            self._gain[word] = 1 if surplus > 1 else 0 if surplus == 1 else -1

    def _hits_with(self, index: int) -> int:
        gain = self._gain
        hits = self._hits + sum(map(gain.__getitem__, self._counts[index]))
        for word, k in self._repeated[index]:
            surplus = self._surplus[word]
            hits += (abs(surplus) - abs(surplus - 2 * k)) // 2 - gain[word]
        return hits


class _GrowingUnique:
    """The same as _Growing, but with each distinct word counted once."""

    def __init__(self, sentences: Sequence[Tokens]) -> None:
        self._counts: list[Mapping[str, int]] = [s.ngrams(1) for s in sentences]
        self._outside = Counter(join(sentences).words)
        self._inside: set[str] = set()
        self._hits = 0

    def overlap_with(self, index: int) -> Overlap:
        """Returns the counts for ROUGE-1 of the set with one more sentence, against the rest without that sentence."""
        counts = self._counts[index]
        new = counts.keys() - self._inside
        gone = [w for w, k in counts.items() if self._outside[w] == k]
        hits = self._hits + len(new) - len(gone)
        return Overlap(hits, len(self._inside) + len(new), len(self._outside) - len(gone))

    def add(self, index: int) -> None:
        """Adds a sentence to the set."""
        self._hits = self.overlap_with(index).hits
        counts = self._counts[index]
        self._inside |= counts.keys()
        self._outside -= counts
