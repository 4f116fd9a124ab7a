"""Windows of a document, each with the questions that the encoder answers in it.

They are independent of the sieve's features, which can therefore change without a new delta. The delta was fitted to
this layout: changing the order or size of a block requires a new fit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, POSSESSIVE, PRONOUN, ROLES, SUBJECTS, Markable
from gistmill.rules.coreference.pronouns import AntecedentQuestion

# In word pieces: the longest window, the context to the left and right of a question, and the longest title.
LONGEST, LEFT, RIGHT, TITLE = 232, 120, 40, 20
SLOTS = 20  # distinguishable entities per window; 0 is "no candidate", the last is "any other"


@dataclass(frozen=True, slots=True)
class Window:
    """Words [start, end) of a document and the numbers of the questions to answer there."""

    start: int
    end: int
    questions: tuple[int, ...]


def windows(
    lengths: Sequence[int], sentence_starts: Sequence[int], places: Sequence[int], wanted: Sequence[int]
) -> list[Window]:
    """Returns the smallest number of windows that contain every question with its context.

    Args:
        lengths: the number of word pieces in each word of the document.
        sentence_starts: the numbers of the words that begin a sentence, in order.
        places: the number of each question's pronoun among the words, in order.
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
    """Whether the right context of a question's pronoun ends below ``limit`` or at the end of the document."""
    return place < limit and (limit == len(ends) - 1 or ends[place + 1] + RIGHT <= ends[limit])


def slots_of(questions: Sequence[AntecedentQuestion], window: Window) -> dict[int, int]:
    """Returns the slot of every word that belongs to a candidate entity of the document; entities are numbered from 1
    in order of their first mention in the window."""
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
    """Returns (head, start, end) of each of a question's candidates, as word numbers in the window."""
    return tuple(
        (x.place - start, x.begin - start, x.begin + x.end - x.start - start)
        if x.begin >= start and x.begin + x.end - x.start <= end
        else None
        for x in q.candidates
    )


BLOCKS = {
    "pronoun": 18,
    "sentences": 18,
    "tokens": 20,
    "rank": 24,
    "agreement": 30,
    "kind": 30,
    "role": ROLES,
    "roles": 9,
    "before": 6,
    "after": 4,
    "title": 9,
    "first": 9,
    "clause": 3,
    "none": 3,
    "none_candidates": 15,
    "none_place": 12,
    "none_title": 9,
}
START: dict[str, int] = dict(zip(BLOCKS, accumulate(BLOCKS.values(), initial=0), strict=False))
SIZE = sum(BLOCKS.values())

_CLASS = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_ENTITIES = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 3, "FAC": 3}

# The code added to a token's embedding marks a name or nominal, by gender, or a pronoun.
PLAIN, CODES = 0, 13
_GENDERS = {lexicon.MALE: 0, lexicon.FEMALE: 1}
_PRONOUN_CODES = {lexicon.MALE: 9, lexicon.FEMALE: 10, lexicon.NEUTER: 11, lexicon.PLURAL: 12}


def code_of(mention: Markable) -> int:
    """Returns the code for a mention's tokens; codes 1, 5 and 9 are masculine, and 2, 6 and 10 feminine."""
    if mention.kind == PRONOUN:
        return _PRONOUN_CODES[mention.gender]
    cluster = mention.cluster
    gender = _GENDERS.get(cluster.gender, 2 if cluster.person else 3)
    return (1 if mention.kind == NAME else 5) + gender


def rows_of(question: AntecedentQuestion, *, has_title: bool) -> list[list[int]]:
    """Returns the indicators for "none" and each candidate, as numbers below SIZE."""
    p = question.pronoun
    group = _CLASS[p.gender]
    ranks: dict[int, int] = {}
    for x in question.candidates:
        ranks.setdefault(x.cluster.number, len(ranks))
    pronoun = START["pronoun"] + group * 6 + _form(question)
    titled = any(x.cluster.titled for x in question.candidates)
    title = (1 + titled if has_title else 0) * 3 + group
    rows = [
        [
            pronoun,
            START["none"] + group,
            START["none_candidates"] + group * 5 + min(len(ranks), 5) - 1,
            START["none_place"] + group * 4 + min(p.sentence, 3),
            START["none_title"] + title,
        ]
    ]
    earlier = {c.number: sum(m.order < p.order for m in c.mentions) for c in {x.cluster for x in question.candidates}}
    for x in question.candidates:
        number = x.cluster.number
        rows.append(_row(question, x, ranks[number], earlier[number], pronoun=pronoun, has_title=has_title))
    return rows


def _form(question: AntecedentQuestion) -> int:
    p = question.pronoun
    if question.view.syntax.tokens[p.head].text.lower() in lexicon.REFLEXIVES:
        return 5
    return 0 if p.role == POSSESSIVE else (1 if p.sentence == 0 else 2) if p.role in SUBJECTS else 3


def _row(
    question: AntecedentQuestion, x: Markable, rank: int, earlier: int, *, pronoun: int, has_title: bool
) -> list[int]:
    p, cluster = question.pronoun, x.cluster
    group = _CLASS[p.gender]
    after = x.order > p.order
    sentences = min(abs(p.sentence - x.sentence), 4) if not after else 5
    gap = abs(p.begin - x.begin)
    tokens = sum(gap >= limit for limit in (3, 6, 10, 16, 24, 36, 55, 80, 110))
    kind = 0 if x.kind == NAME else 1 if x.kind == NOMINAL else 2
    entity = _ENTITIES.get(x.entity, 5) if x.kind == NAME else 6 + x.person if x.kind == NOMINAL else 8 + x.person
    title = 2 if cluster.titled else 1 if has_title else 0
    p_role = 0 if p.role in SUBJECTS else 1 if p.role == POSSESSIVE else 2
    x_role = 0 if x.role in SUBJECTS else 1 if x.role == POSSESSIVE else 2
    return [
        pronoun,
        START["sentences"] + group * 6 + sentences,
        START["tokens"] + after * 10 + tokens,
        START["rank"] + group * 8 + min(rank, 7),
        START["agreement"] + group * 10 + _agreement(p, x) * 2 + bool(cluster.person),
        START["kind"] + group * 10 + entity,
        START["role"] + x.role,
        START["roles"] + p_role * 3 + x_role,
        START["before"] + min(earlier, 5),
        START["after"] + min(len(cluster.mentions) - earlier, 3),
        START["title"] + title * 3 + group,
        START["first"] + min(cluster.number, 2) * 3 + kind,
        START["clause"] + (0 if x.sentence != p.sentence else 1 if x.clause != p.clause else 2),
    ]


def _agreement(p: Markable, x: Markable) -> int:
    gender, leaning = x.cluster.gender, x.cluster.leaning
    if gender:
        return 0 if gender == p.gender else 4
    return 2 if not leaning else 1 if leaning == p.gender else 3


def mention_codes(mentions: Sequence[Markable]) -> dict[int, int]:
    """Returns the codes of the tokens in mentions, except coordinations, by position in the document. Where mentions
    overlap, the one that begins later applies."""
    codes: dict[int, int] = {}
    for m in mentions:
        if m.kind != GROUP:
            code = code_of(m)
            for place in range(m.begin, m.begin + m.end - m.start):
                codes[place] = code
    return codes
