"""How much of a summary is copied from its document: extractive fragments, and n-grams that are new.

Source: M. Grusky et al., "Newsroom", 2018, section 4.1 (coverage, density, compression; the procedure of its Figure 3),
and A. See et al., "Get to the point", 2017 (novel n-grams).
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rules.rouge.tokens import Tokens


class Fragments(NamedTuple):
    """Mean length of the fragment that a word of the summary belongs to (``density``), and the share of words that belong
    to one (``coverage``); 0.0 for a summary without words."""

    coverage: float
    density: float


def fragment_lengths(document: Sequence[str], summary: Sequence[str]) -> list[int]:
    """Returns the lengths of the runs of words that the summary shares with the document, in the summary's order.

    At each word of the summary the longest run that begins there is taken, and the search goes on after it; as in the
    source, a place in the document inside a run that was just compared is no beginning of another one.
    """
    known = set(document)
    pairs = set(pairwise(summary))
    places: dict[tuple[str, str], list[int]] = {}
    for place, pair in enumerate(pairwise(document)):
        if pair in pairs:
            places.setdefault(pair, []).append(place)
    lengths, start = [], 0
    while start < len(summary):
        if summary[start] not in known:
            start += 1
            continue
        longest, free = 1, 0
        for place in places.get(tuple(summary[start:start + 2]), ()):
            if place >= free:
                length = _shared(document, place, summary, start)
                longest, free = max(longest, length), place + length
        lengths.append(longest)
        start += longest
    return lengths


def fragments(document: Sequence[str], summary: Sequence[str]) -> Fragments:
    """Returns coverage and density."""
    lengths = fragment_lengths(document, summary)
    size = len(summary) or 1
    return Fragments(sum(lengths) / size, sum(n * n for n in lengths) / size)


def novel_ngrams(document: Tokens, summary: Tokens, n: int) -> tuple[int, int]:
    """Returns how many n-grams the summary has, and how many of these do not occur in the document; each occurrence counts."""
    wanted = summary.ngrams(n)
    there = document.ngrams_among(wanted, n)
    return sum(wanted.values()), sum(k for gram, k in wanted.items() if gram not in there)


def _shared(document: Sequence[str], place: int, summary: Sequence[str], start: int) -> int:
    """Length of the run that is the same from here on in both."""
    most = min(len(document) - place, len(summary) - start)
    length = 2
    while length < most and document[place + length] == summary[start + length]:
        length += 1
    return length
