"""What the second tier is told of a pronoun and a candidate besides the text: a few properties, each as the number of
an indicator.

They are the scorer's of this package alone, so that the sieve's features can change without a new delta.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.coreference import lexicon
from rules.coreference.candidates import Question
from rules.coreference.mentions import GROUP, NAME, NOMINAL, PRONOUN, Candidate
from rules.coreference.syntax import POSSESSIVE, ROLES, SUBJECTS

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
_START: dict[str, int] = {}
SIZE = 0
for _name, _size in BLOCKS.items():
    _START[_name] = SIZE
    SIZE += _size
(
    _PRONOUN,
    _SENTENCES,
    _TOKENS,
    _RANK,
    _AGREEMENT,
    _KIND,
    _ROLE,
    _ROLE_PAIR,
    _BEFORE,
    _AFTER,
    _TITLE,
    _FIRST,
    _CLAUSE,
    _NONE,
    _NONE_CANDIDATES,
    _NONE_PLACE,
    _NONE_TITLE,
) = _START.values()

# Indicators of "none" below this belong to he and she; what disagreement of gender with them would be in agreement.
OF_PERSONS = BLOCKS["pronoun"] // 3
AGREEING = {
    _AGREEMENT + found * 2 + person: _AGREEMENT + agreed * 2 + person
    for found, agreed in ((3, 1), (4, 0))
    for person in (0, 1)
}

_CLASS = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_TOKEN_LIMITS = (3, 6, 10, 16, 24, 36, 55, 80, 110)
_ENTITIES = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 3, "FAC": 3}

# What a token is told to be, before the encoder reads it: part of a name or nominal by gender, or a pronoun.
PLAIN, CODES = 0, 13
_GENDERS = {lexicon.MALE: 0, lexicon.FEMALE: 1}
_PRONOUN_CODES = {lexicon.MALE: 9, lexicon.FEMALE: 10, lexicon.NEUTER: 11, lexicon.PLURAL: 12}


def code_of(mention: Candidate) -> int:
    """Returns the code of a mention's tokens; codes 1, 2, 5, 6, 9 and 10 are masculine and feminine in turn."""
    if mention.kind is PRONOUN:
        return _PRONOUN_CODES[mention.gender]
    cluster = mention.cluster
    gender = _GENDERS.get(cluster.gender, 2 if cluster.person else 3)
    return (1 if mention.kind is NAME else 5) + gender


def rows_of(question: Question, *, has_title: bool) -> list[list[int]]:
    """Returns the indicators of "none" and of each candidate, as numbers below SIZE."""
    p = question.pronoun
    group = _CLASS[p.gender]
    ranks: dict[int, int] = {}
    for x in question.candidates:
        ranks.setdefault(x.cluster.number, len(ranks))
    pronoun = _PRONOUN + group * 6 + _form(question)
    titled = any(x.cluster.titled for x in question.candidates)
    title = (1 + titled if has_title else 0) * 3 + group
    rows = [
        [
            pronoun,
            _NONE + group,
            _NONE_CANDIDATES + group * 5 + min(len(ranks), 5) - 1,
            _NONE_PLACE + group * 4 + min(p.sentence, 3),
            _NONE_TITLE + title,
        ]
    ]
    earlier = {c.number: sum(m.order < p.order for m in c.mentions) for c in {x.cluster for x in question.candidates}}
    for x in question.candidates:
        number = x.cluster.number
        rows.append(_row(question, x, ranks[number], earlier[number], pronoun=pronoun, has_title=has_title))
    return rows


def _form(question: Question) -> int:
    p = question.pronoun
    if question.view.syntax.tokens[p.head].text.lower() in lexicon.REFLEXIVES:
        return 5
    return 0 if p.role == POSSESSIVE else (1 if p.sentence == 0 else 2) if p.role in SUBJECTS else 3


def _row(question: Question, x: Candidate, rank: int, earlier: int, *, pronoun: int, has_title: bool) -> list[int]:
    p, cluster = question.pronoun, x.cluster
    group = _CLASS[p.gender]
    after = x.order > p.order
    sentences = min(abs(p.sentence - x.sentence), 4) if not after else 5
    gap = abs(p.begin - x.begin)
    tokens = sum(gap >= limit for limit in _TOKEN_LIMITS)
    kind = 0 if x.kind is NAME else 1 if x.kind is NOMINAL else 2
    entity = _ENTITIES.get(x.entity, 5) if x.kind is NAME else 6 + x.person if x.kind is NOMINAL else 8 + x.person
    title = 2 if cluster.titled else 1 if has_title else 0
    p_role = 0 if p.role in SUBJECTS else 1 if p.role == POSSESSIVE else 2
    x_role = 0 if x.role in SUBJECTS else 1 if x.role == POSSESSIVE else 2
    return [
        pronoun,
        _SENTENCES + group * 6 + sentences,
        _TOKENS + after * 10 + tokens,
        _RANK + group * 8 + min(rank, 7),
        _AGREEMENT + group * 10 + _agreement(p, x) * 2 + bool(cluster.person),
        _KIND + group * 10 + entity,
        _ROLE + x.role,
        _ROLE_PAIR + p_role * 3 + x_role,
        _BEFORE + min(earlier, 5),
        _AFTER + min(len(cluster.mentions) - earlier, 3),
        _TITLE + title * 3 + group,
        _FIRST + min(cluster.number, 2) * 3 + kind,
        _CLAUSE + (0 if x.sentence != p.sentence else 1 if x.clause != p.clause else 2),
    ]


def _agreement(p: Candidate, x: Candidate) -> int:
    gender, leaning = x.cluster.gender, x.cluster.leaning
    if gender:
        return 0 if gender == p.gender else 4
    return 2 if not leaning else 1 if leaning == p.gender else 3


def mention_codes(mentions: Sequence[Candidate]) -> dict[int, int]:
    """Returns the code of every token (place in the document) that belongs to a mention other than a coordination; of
    two mentions, the one that begins later counts.
    """
    codes: dict[int, int] = {}
    for m in mentions:
        if m.kind is not GROUP:
            code = code_of(m)
            for place in range(m.begin, m.begin + m.end - m.start):
                codes[place] = code
    return codes
