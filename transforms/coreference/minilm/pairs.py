"""The indicators that the second tier gets besides the text: a few properties of a pronoun and a candidate.

They are separate from the sieve's features, which can therefore change without a new delta. The fitted delta belongs to
this layout: neither the order nor the size of a block may change without a new fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import GROUP, NAME, NOMINAL, PRONOUN, Markable
from gistmill.rules.coreference.questions import AntecedentQuestion
from gistmill.rules.coreference.syntax import POSSESSIVE, ROLES, SUBJECTS

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
START: dict[str, int] = dict(zip(BLOCKS, accumulate(BLOCKS.values(), initial=0)))
SIZE = sum(BLOCKS.values())
_PRONOUN = START["pronoun"]
_SENTENCES = START["sentences"]
_TOKENS = START["tokens"]
_RANK = START["rank"]
_AGREEMENT = START["agreement"]
_KIND = START["kind"]
_ROLE = START["role"]
_ROLE_PAIR = START["roles"]
_BEFORE = START["before"]
_AFTER = START["after"]
_TITLE = START["title"]
_FIRST = START["first"]
_CLAUSE = START["clause"]
_NONE = START["none"]
_NONE_CANDIDATES = START["none_candidates"]
_NONE_PLACE = START["none_place"]
_NONE_TITLE = START["none_title"]

_CLASS = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_TOKEN_LIMITS = (3, 6, 10, 16, 24, 36, 55, 80, 110)
_ENTITIES = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 3, "FAC": 3}

# The code that is added to a token's embedding: part of a name or nominal by gender, or a pronoun.
PLAIN, CODES = 0, 13
_GENDERS = {lexicon.MALE: 0, lexicon.FEMALE: 1}
_PRONOUN_CODES = {lexicon.MALE: 9, lexicon.FEMALE: 10, lexicon.NEUTER: 11, lexicon.PLURAL: 12}


def code_of(mention: Markable) -> int:
    """Returns the code of a mention's tokens; codes 1, 2, 5, 6, 9 and 10 are masculine and feminine in turn."""
    if mention.kind == PRONOUN:
        return _PRONOUN_CODES[mention.gender]
    cluster = mention.cluster
    gender = _GENDERS.get(cluster.gender, 2 if cluster.person else 3)
    return (1 if mention.kind == NAME else 5) + gender


def rows_of(question: AntecedentQuestion, *, has_title: bool) -> list[list[int]]:
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
    tokens = sum(gap >= limit for limit in _TOKEN_LIMITS)
    kind = 0 if x.kind == NAME else 1 if x.kind == NOMINAL else 2
    entity = _ENTITIES.get(x.entity, 5) if x.kind == NAME else 6 + x.person if x.kind == NOMINAL else 8 + x.person
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


def _agreement(p: Markable, x: Markable) -> int:
    gender, leaning = x.cluster.gender, x.cluster.leaning
    if gender:
        return 0 if gender == p.gender else 4
    return 2 if not leaning else 1 if leaning == p.gender else 3


def mention_codes(mentions: Sequence[Markable]) -> dict[int, int]:
    """Returns the codes of the tokens in mentions other than coordinations, by place in the document. Of two mentions,
    the one that begins later counts.
    """
    codes: dict[int, int] = {}
    for m in mentions:
        if m.kind != GROUP:
            code = code_of(m)
            for place in range(m.begin, m.begin + m.end - m.start):
                codes[place] = code
    return codes
