"""Longest common subsequences, a row of the table at a time in the bits of one int.

Source: H. Hyyro, "Bit-parallel LCS-length computation revisited", AWOCA 2004. A row of the table of lengths rises by 0
or 1 from column to column; bit j of ``level`` is set where it does not. One addition makes the next row, its carries
doing what the comparisons of the table do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain


def lcs_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Returns the length of the longest common subsequence."""
    rows, columns = (a, b) if len(a) < len(b) else (b, a)
    places = dict.fromkeys(rows, 0)
    for j, word in enumerate(columns):
        if word in places:
            places[word] |= 1 << j
    level = whole = (1 << len(columns)) - 1
    for word in rows:
        risen = level & places[word]
        level = (level + risen | level - risen) & whole
    return len(columns) - level.bit_count()


def union_lcs(reference: Sequence[Sequence[str]], candidate: Iterable[Sequence[str]]) -> Counter[str]:
    """Returns the words of the union LCS of each reference line with all candidate lines, counted over the lines.

    Source: C.-Y. Lin, "ROUGE", 2004, section 3.2. A line pair can have several longest subsequences; the one taken is
    that of ``rouge-score``: from the last words back, equal words are a match; else the reference's last word goes if
    the table says no less without it, and the candidate's otherwise.
    """
    places, whole = _lay_out(candidate, set().union(*reference))
    return Counter(chain.from_iterable([_matched([w for w in line if places[w]], places, whole) for line in reference]))


def _lay_out(lines: Iterable[Sequence[str]], vocabulary: Iterable[str]) -> tuple[dict[str, int], int]:
    """Lays all lines into one int, a bit a word, with a bit before each line and after the last one that stays clear.

    It stops the carries of the line before. Returns the bits at which each word of the vocabulary stands, and all bits.
    """
    places = dict.fromkeys(vocabulary, 0)
    at, whole = 0, 0
    for line in lines:
        at += 1
        for j, word in enumerate(line, at):
            if word in places:
                places[word] |= 1 << j
        whole |= (1 << len(line)) - 1 << at
        at += len(line)
    return places, whole


def _matched(rows: Sequence[str], places: dict[str, int], whole: int) -> list[str]:
    """The words of ``rows`` that the subsequence with any of the lines holds."""
    level, takes = whole, []
    for word in rows:
        at = places[word]
        risen = level & at
        summed = level + risen | level - risen
        # bits at which the table rises by this row, and those where the words are equal
        takes.append(summed - level | at)
        level = summed & whole
    ends = whole & ~(whole >> 1)
    found = []
    for word, take in zip(reversed(rows), reversed(takes), strict=True):
        # ends: in each line the last word that is not yet passed
        left = ends & take
        if left:
            found.append(word)
            ends ^= left
            at = places[word]
            while left:
                top = left.bit_length()
                at &= (1 << top) - 1
                # the nearest equal word at or before; where the table rises there is one
                ends |= 1 << at.bit_length() - 2
                left ^= 1 << top - 1
    return found
