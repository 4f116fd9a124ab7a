"""Measures of how extractive a summary is: the fragments it copies from its document, and its novel n-grams.

Source: M. Grusky et al., "Newsroom", 2018, section 4.1 (coverage, density, compression; the procedure of its Figure 3),
and A. See et al., "Get to the point", 2017 (novel n-grams).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.text.words import words_for


class Fragments(NamedTuple):
    """Measures of copying, all 0.0 for a summary without words.

    Attributes:
        coverage: share of the summary's words that belong to fragments.
        density: mean, over the summary's words, of the length of the fragment that contains the word.
    """

    coverage: float
    density: float


class Shared(NamedTuple):
    """A fragment that a summary copies from its document.

    Attributes:
        document, summary: index of its first word in each.
        length: number of words.
    """

    document: int
    summary: int
    length: int


class Copied(NamedTuple):
    """A copied fragment, located in both texts.

    Attributes:
        words: number of words.
        document_start, document_end, summary_start, summary_end: its character positions, with exclusive ends.
    """

    words: int
    document_start: int
    document_end: int
    summary_start: int
    summary_end: int


class Extractiveness:
    """The comparison of a summary's words with those of its document."""

    def __init__(self, document: Sequence[str], summary: Sequence[str]) -> None:
        self._document, self._summary = document, summary
        # the first occurrence of each word in the document
        self._first = dict(zip(reversed(document), range(len(document) - 1, -1, -1), strict=True))
        pairs = set(pairwise(summary))
        # the positions in the document of each pair of adjacent words in the summary
        self._places: dict[tuple[str, ...], list[int]] = {}
        for place, pair in enumerate(pairwise(document)):
            if pair in pairs:
                self._places.setdefault(pair, []).append(place)

    def shared(self) -> Iterator[Shared]:
        """Yields the runs of words that the summary shares with the document, in the summary's order.

        At each word of the summary, the longest run that begins there is chosen (the first of equals), and the search
        continues after it. As in the source, no run begins in the document inside a run that was just compared.
        """
        start = 0
        while start < len(self._summary):
            begin, longest, free = self._first.get(self._summary[start], -1), 1, 0
            for place in self._places.get(tuple(self._summary[start : start + 2]), ()):
                if place >= free:
                    length = self._shared(place, start)
                    if length > longest:
                        longest, begin = length, place
                    free = place + length
            if begin >= 0:
                yield Shared(begin, start, longest)
            start += longest

    def fragments(self) -> Fragments:
        """Returns the coverage and density."""
        lengths, size = [run.length for run in self.shared()], len(self._summary) or 1
        return Fragments(sum(lengths) / size, sum(n * n for n in lengths) / size)

    def ngrams(self, n: int) -> tuple[int, int]:
        """Returns the number of n-grams in the summary and the number of novel ones, counting every occurrence."""
        every = max(0, len(self._summary) - n + 1)
        return every, sum(not self._occurs(i, n) for i in range(every))

    def _occurs(self, start: int, n: int) -> bool:
        if n == 1:
            return self._summary[start] in self._first
        places = self._places.get((self._summary[start], self._summary[start + 1]), ())
        wanted = self._summary[start : start + n]
        return bool(places) if n == 2 else any(self._document[p : p + n] == wanted for p in places)

    def _shared(self, place: int, start: int) -> int:
        """Returns the length of the common run that starts at these positions, where both texts share a word pair."""
        document, summary = self._document, self._summary
        most = min(len(document) - place, len(summary) - start)
        length = 2
        while length < most and document[place + length] == summary[start + length]:
            length += 1
        return length


def copied(document: str, summary: str, *, language: str = ENGLISH) -> tuple[list[Copied], Fragments]:
    """Returns the fragments that a summary copies from a document, in the summary's order, and the measures.

    Characters between words are ignored.

    Args:
        document, summary: the texts.
        language: the texts' language, which defines their words (see ``rules/text/words.py``). English words are runs
            of letters and digits, compared regardless of case.
    """
    words, own = map(words_for(language).spans, (document, summary))
    measured = Extractiveness([word.text for word in words], [word.text for word in own])
    runs = [
        Copied(length, words[d].start, words[d + length - 1].end, own[s].start, own[s + length - 1].end)
        for d, s, length in measured.shared()
    ]
    return runs, measured.fragments()
