"""Windows: stretches of a document, each with the questions that the encoder answers in it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from gistmill.rules.coreference.questions import AntecedentQuestion

# In word pieces: the longest window, what a question wants to its left, to its right, and the longest title.
LONGEST, LEFT, RIGHT, TITLE = 232, 120, 40, 20
SLOTS = 20  # entities that the encoder distinguishes in a window; 0 is "no candidate", the last is "any other"


@dataclass(frozen=True, slots=True)
class Window:
    """Words [start, end) of a document and the numbers of the questions that are asked in it."""

    start: int
    end: int
    questions: tuple[int, ...]


def windows(
    lengths: Sequence[int], sentence_starts: Sequence[int], places: Sequence[int], wanted: Sequence[int]
) -> list[Window]:
    """Cuts as few windows as hold every wanted question with what it needs around it.

    Args:
        lengths: word pieces of each word of the document.
        sentence_starts: where the sentences begin, as word numbers, in order.
        places: the word of every question's pronoun, in order.
        wanted: the numbers of the questions to ask, in order.
    """
    ends = [0, *accumulate(lengths)]
    found = []
    k = 0
    while k < len(wanted):
        first = places[wanted[k]]
        start = max(bisect_left(ends, ends[first] - LEFT), 0)
        at = bisect_left(sentence_starts, start)
        if at < len(sentence_starts) and sentence_starts[at] <= first:
            start = sentence_starts[at]
        limit = max(bisect_right(ends, ends[start] + LONGEST) - 1, start + 1)
        last = k
        while last + 1 < len(wanted) and _fits(ends, places[wanted[last + 1]], limit):
            last += 1
        need = bisect_left(ends, ends[places[wanted[last]] + 1] + RIGHT)
        at = bisect_left(sentence_starts, need)
        end = min(sentence_starts[at] if at < len(sentence_starts) else len(lengths), limit)
        found.append(Window(start, end, tuple(wanted[k : last + 1])))
        k = last + 1
    return found


def _fits(ends: Sequence[int], place: int, limit: int) -> bool:
    """Whether a question's word has what it needs to the right of it below ``limit``, or the document ends there."""
    return place < limit and (limit == len(ends) - 1 or ends[place + 1] + RIGHT <= ends[limit])


def slots_of(questions: Sequence[AntecedentQuestion], window: Window) -> dict[int, int]:
    """Returns the slot of every word that belongs to an entity that is a candidate in the document: entities are
    numbered from 1 by their first mention in the window.
    """
    clusters = {x.cluster.number: x.cluster for q in questions for x in q.candidates}
    inside = sorted(
        (
            (m.order, c.number, m)
            for c in clusters.values()
            for m in c.mentions
            if m.begin >= window.start and m.begin + m.end - m.start <= window.end
        ),
        key=lambda item: item[0],
    )
    numbers: dict[int, int] = {}
    slots: dict[int, int] = {}
    for _, number, m in inside:
        slot = numbers.setdefault(number, min(len(numbers) + 1, SLOTS))
        for place in range(m.begin, m.begin + m.end - m.start):
            slots[place] = slot
    return slots


def spans_in(q: AntecedentQuestion, start: int, end: int) -> tuple[tuple[int, int, int] | None, ...]:
    """Returns (head, start, end) of a question's candidates as words of a window."""
    return tuple(
        (x.place - start, x.begin - start, x.begin + x.end - x.start - start)
        if x.begin >= start and x.begin + x.end - x.start <= end
        else None
        for x in q.candidates
    )
