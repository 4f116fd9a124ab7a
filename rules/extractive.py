"""Extractiveness of a summary: the fragments that it copies from its document, and the n-grams that are new.

Source: M. Grusky et al., "Newsroom", 2018, section 4.1 (coverage, density, compression; the procedure of its Figure 3),
and A. See et al., "Get to the point", 2017 (novel n-grams).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Fragments(NamedTuple):
    """Measures of copying, 0.0 for a summary without words.

    Attributes:
        coverage: share of the summary's words that are in fragments.
        density: mean length, over the summary's words, of the fragment that a word is in.
    """

    coverage: float
    density: float


class Extractiveness:
    """The comparison of a summary's words with those of its document."""

    def __init__(self, document: Sequence[str], summary: Sequence[str]) -> None:
        self._document, self._summary = document, summary
        self._words = set(document)
        pairs = set(pairwise(summary))
        # where each pair of the summary's words begins in the document
        self._places: dict[tuple[str, ...], list[int]] = {}
        for place, pair in enumerate(pairwise(document)):
            if pair in pairs:
                self._places.setdefault(pair, []).append(place)

    def fragment_lengths(self) -> list[int]:
        """Returns the lengths of the runs of words that the summary shares with the document, in the summary's order.

        At each word of the summary the longest run that begins there is taken, and the search goes on after it; as in
        the source, no run begins at a place of the document inside a run that was just compared.
        """
        lengths, start = [], 0
        while start < len(self._summary):
            if self._summary[start] not in self._words:
                start += 1
                continue
            longest, free = 1, 0
            for place in self._places.get(tuple(self._summary[start : start + 2]), ()):
                if place >= free:
                    length = self._shared(place, start)
                    longest, free = max(longest, length), place + length
            lengths.append(longest)
            start += longest
        return lengths

    def fragments(self) -> Fragments:
        """Returns coverage and density."""
        lengths, size = self.fragment_lengths(), len(self._summary) or 1
        return Fragments(sum(lengths) / size, sum(n * n for n in lengths) / size)

    def ngrams(self, n: int) -> tuple[int, int]:
        """Returns the number of n-grams in the summary, and how many of them are new; every occurrence counts."""
        every = max(0, len(self._summary) - n + 1)
        return every, sum(not self._occurs(i, n) for i in range(every))

    def _occurs(self, start: int, n: int) -> bool:
        if n == 1:
            return self._summary[start] in self._words
        places = self._places.get((self._summary[start], self._summary[start + 1]), ())
        wanted = self._summary[start : start + n]
        return bool(places) if n == 2 else any(self._document[p : p + n] == wanted for p in places)

    def _shared(self, place: int, start: int) -> int:
        """Length of the run that is the same in both from these places on, where a pair is."""
        document, summary = self._document, self._summary
        most = min(len(document) - place, len(summary) - start)
        length = 2
        while length < most and document[place + length] == summary[start + length]:
            length += 1
        return length
