"""Features of a pronoun with a candidate antecedent: each is the number of an active indicator, so that a row is a list of ints.

The blocks below are conjunctions of a few properties; the scorer learns an embedding for every number. BLOCKS is the layout that
the fitted weights were made for; the scorer refuses weights of another layout.
"""
from __future__ import annotations

from bisect import bisect_left

from rules.coreference import lexicon
from rules.coreference.mentions import GROUP, NAME, Candidate
from rules.coreference.syntax import AGENT, CLAUSES, CONTENT, OBJECTS, OF, POSSESSIVE, ROLES, SUBJECTS, Syntax

BLOCKS = {
    "class": 3, "type": 42, "agreement": 18, "roles": ROLES * 4, "distance": 32, "tokens": 20, "rank": 24, "role_distance": 128, "clauses": 20,
    "clause_types": CLAUSES * CLAUSES, "form": 8, "conjunct": 2, "topic": 12, "frequency": 14, "first": 12, "title": 48, "quotes": 8,
    "determiner": 15, "speech": 6, "paragraph": 3, "before": 8, "after": 7, "opening": 16, "choice": 24, "between": 8, "verb": 4,
    "chain": 216, "chain_next": 12, "chain_other": 5, "chain_mean": 15,
    "none": 12, "none_choice": 12, "none_candidates": 15, "none_place": 12, "none_it": 8, "none_title": 6, "none_chain": 15,
}
START: dict[str, int] = {}
SIZE = 0
for _name, _size in BLOCKS.items():
    START[_name] = SIZE
    SIZE += _size
(_CLASS, _TYPE, _AGREEMENT, _ROLES, _DISTANCE, _TOKENS, _RANK, _ROLE_DISTANCE, _CLAUSES, _CLAUSE_TYPES, _FORM, _CONJUNCT, _TOPIC, _FREQUENCY,
 _FIRST, _TITLE, _QUOTES, _DETERMINER, _SPEECH, _PARAGRAPH, _BEFORE, _AFTER, _OPENING, _CHOICE, _BETWEEN, _VERB, CHAIN, CHAIN_NEXT, CHAIN_OTHER,
 CHAIN_MEAN, _NONE, _NONE_CHOICE, _NONE_CANDIDATES, _NONE_PLACE, _NONE_IT, _NONE_TITLE, NONE_CHAIN) = START.values()

_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_ENTITY = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 5, "FAC": 5, "PRODUCT": 6, "WORK_OF_ART": 7, "EVENT": 8, "LAW": 7, "LANGUAGE": 7}
_BEFORE_WORDS = {"by": 1, "with": 2, "and": 3, "of": 4, ",": 5, "(": 6, "to": 7}
_DETERMINERS = {"the": 1, "this": 2, "that": 2, "these": 2, "those": 2, "a": 3, "an": 3}
_TOKEN_LIMITS = (2, 4, 7, 11, 16, 24, 36, 55, 85)
NEAR, FAR_AFTER = 200, 70


def pronoun_class(pronoun: Candidate) -> int:
    """Returns 0 for he and she, 1 for it, 2 for they."""
    return _CLASS_OF[pronoun.gender]


def role_group(role: int) -> int:
    """Returns 0 for a subject, 1 for a possessive, 2 for an object, 3 for the rest."""
    return 0 if role in SUBJECTS else 1 if role == POSSESSIVE else 2 if role in OBJECTS else 3


def static_row(x: Candidate, syntax: Syntax) -> tuple[int, ...]:
    """Returns what holds of a candidate for whatever pronoun: (type, form, front, determiner, before, after, clause type, quoted, shape)."""
    tokens = syntax.tokens
    if x.kind is NAME:
        kind = _ENTITY.get(x.entity, 7)
    elif x.kind is GROUP:
        kind = 9
    else:
        group = x.words[0] in lexicon.GROUP_NOUNS
        kind = (10 if x.person else 11) if x.plural else 12 if x.person else 13
        if group and not x.person:
            kind = 13 if not x.plural else 11
    form = (min(len(x.words), 4) - 1) * 2 + (tokens[x.start].text in lexicon.FIRST_NAMES)
    head = tokens[x.head]
    topic = (head.dep in ("nsubj", "nsubjpass") and tokens[head.head].dep == "ROOT") * 2 + (x.start < 4)
    first = tokens[x.start]
    determiner = _DETERMINERS.get(first.text.lower(), 4 if first.tag == "PRP$" else 0) if x.kind is not NAME else 0
    before = _BEFORE_WORDS.get(tokens[x.start - 1].text.lower(), 0) if x.start else 0
    after = 0
    if x.end < len(tokens):
        follower = tokens[x.end]
        after = {",": 1, "(": 2, "'s": 3, "and": 4}.get(follower.text, 5 if follower.pos in ("VERB", "AUX") else 6)
    clause_type = syntax.clause_type(x.clause)
    quoted = syntax.quoted is not None and syntax.quoted[x.head]
    return kind, form, topic, determiner, before, after, clause_type, int(quoted), int(head.dep == "conj")


class PronounView:
    """What features ask of one pronoun, computed once for all its candidates."""

    __slots__ = ("pronoun", "syntax", "group", "kind", "clause_type", "quoted", "speaker", "speech", "opening", "parents", "verb", "paragraph")

    def __init__(self, pronoun: Candidate, syntax: Syntax, paragraph: int) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax, self.paragraph = pronoun, syntax, paragraph
        self.kind = _CLASS_OF[pronoun.gender]
        self.group = role_group(pronoun.role)
        self.clause_type = syntax.clause_type(pronoun.clause)
        self.quoted = int(syntax.quoted is not None and syntax.quoted[pronoun.head])
        self.opening = int(pronoun.start < 2)
        self.parents = []  # clauses above the pronoun's own, from the inside out
        clause = pronoun.clause
        self.speaker, self.speech = -1, 0
        while True:
            above = syntax.parent_clause(clause)
            if above == clause or above in self.parents:
                break
            if self.speaker < 0 and syntax.clause_type(clause) == CONTENT:
                self.speaker, self.speech = above, 1 + (tokens[above].lemma in lexicon.SPEECH_LEMMAS)
            self.parents.append(above)
            clause = above
        self.verb = tokens[pronoun.clause].lemma


def pair_row(view: PronounView, x: Candidate, x_syntax: Syntax, x_paragraph: int, *, rank: int, agreeing: int, between: int, title: int,
             first: int) -> list[int]:
    """Returns the active features of a candidate.

    Args:
        view, x, x_syntax, x_paragraph: the pronoun, the candidate, the candidate's sentence and paragraph.
        rank: how many other clusters stand nearer.
        agreeing: how many of the pronoun's candidate clusters agree in gender and animacy (capped at 3).
        between: how many pronouns of the same gender stand between.
        title: 0 the document has no title, 1 the title names the candidate, 2 it names another, 3 it names none of the document's names.
        first: 0 the candidate's cluster opens the document, 1 it is the second, 2 later.
    """
    p, kind, group = view.pronoun, view.kind, view.group
    x_kind, form, topic, determiner, before, after, x_clause_type, x_quoted, conjunct = x.static
    cluster = x.cluster
    sentences = p.sentence - x.sentence
    follows = x.begin > p.begin
    distance = (0 if sentences == 0 else 1) if follows else min(sentences, 5) + 2
    same = sentences == 0
    x_subject, x_group = x.role in SUBJECTS, role_group(x.role)
    agreement = 0 if not cluster.gender else 1 if cluster.gender == p.gender else 2
    gap = abs(p.place - x.place)
    if not same:
        relation = 4
    elif x.clause == p.clause:
        relation = 0
    elif x.clause in view.parents:
        relation = 1
    else:
        relation = 2 if x_syntax.parent_clause(x.clause) == p.clause else 3
    places = cluster.places
    here = bisect_left(places, p.place)
    earlier = here - bisect_left(places, p.place - NEAR)
    later = bisect_left(places, p.place + FAR_AFTER) - here
    speaks = view.speech if same and x_subject and x.clause == view.speaker else 0
    near = 0 if same else 1 if sentences in (1, -1) else 2
    agrees = agreement != 2 and (kind != 0 or cluster.person)
    return [
        _CLASS + kind,
        _TYPE + x_kind * 3 + kind,
        _AGREEMENT + (agreement * 2 + cluster.person) * 3 + kind,
        _ROLES + x.role * 4 + group,
        _DISTANCE + distance * 4 + group,
        _TOKENS + bisect_left(_TOKEN_LIMITS, gap) * 2 + follows,
        _RANK + min(rank, 5) * 4 + group,
        _ROLE_DISTANCE + (x_group * 8 + distance) * 4 + group,
        _CLAUSES + (relation * 2 + x_subject) * 2 + (group == 0),
        _CLAUSE_TYPES + x_clause_type * CLAUSES + view.clause_type,
        _FORM + form,
        _CONJUNCT + conjunct,
        _TOPIC + topic * 3 + near,
        _FREQUENCY + min(earlier, 6) * 2,
        _FREQUENCY + min(later, 6) * 2 + 1,
        _FIRST + first * 4 + min(earlier, 3),
        _TITLE + (title * 4 + group) * 3 + kind,
        _QUOTES + (view.quoted * 2 + x_quoted) * 2 + same,
        _DETERMINER + determiner * 3 + kind,
        _SPEECH + speaks * 2 + (group == 0),
        _PARAGRAPH + min(abs(view.paragraph - x_paragraph), 2),
        _BEFORE + before,
        _AFTER + after,
        _OPENING + (view.opening * 2 + x_subject) * 4 + min(distance, 5) // 2,
        _CHOICE + (min(agreeing, 3) * 2 + agrees) * 3 + kind,
        _BETWEEN + min(between, 3) * 2 + same,
        _VERB + (x_syntax.tokens[x.clause].lemma == view.verb and not same) * 2 + x_subject,
    ]


def none_row(view: PronounView, *, candidates: int, agreeing: int, title: int, pleonastic: int) -> list[int]:
    """Returns the active features of the answer "no antecedent here".

    Args:
        view: the pronoun.
        candidates: how many candidates there are.
        agreeing: as in ``pair_row``.
        title: 0 the document has no title, 1 the title names a cluster of the document, 2 it names none.
        pleonastic: what ``pleonastic`` returns.
    """
    kind, p = view.kind, view.pronoun
    return [
        _NONE + kind * 4 + view.group,
        _NONE_CHOICE + min(agreeing, 3) * 3 + kind,
        _NONE_CANDIDATES + min(candidates // 2, 4) * 3 + kind,
        _NONE_PLACE + (min(p.sentence, 3)) * 3 + kind,
        _NONE_IT + pleonastic,
        _NONE_TITLE + title * 2 + (kind == 0),
    ]


def pleonastic(pronoun: Candidate, syntax: Syntax) -> int:
    """Says how much an "it" looks like a subject without reference.

    Returns 0: not at all (or another pronoun), 1: object, 2: subject of "be", 3: of "be" with a clause after it ("it is clear that"), 4: of
    a cleft or passive report ("it is said that"), 5: of a verb of seeming, 6: weather, 7: a time ("it was noon").
    """
    if pronoun.gender != lexicon.NEUTER or pronoun.role == POSSESSIVE or pronoun.role == OF or pronoun.role == AGENT:
        return 0
    tokens = syntax.tokens
    head = tokens[pronoun.head].head
    verb = tokens[head]
    if pronoun.role not in SUBJECTS:
        return 1
    if verb.lemma in lexicon.WEATHER_LEMMAS:
        return 6
    if verb.lemma in lexicon.RAISING_LEMMAS:
        return 5
    labels = {t.dep for t in tokens[head + 1:] if t.head == head}
    clausal = bool(labels & {"ccomp", "xcomp", "csubj", "advcl", "relcl"})
    if verb.lemma == "be":
        for index in range(head + 1, len(tokens)):
            token = tokens[index]
            if token.head == head and token.dep in ("attr", "acomp"):
                if token.entity[2:] in ("DATE", "TIME"):
                    return 7
                clausal = clausal or any(t.head == index and t.dep in ("ccomp", "xcomp", "relcl", "acl", "csubj") for t in tokens[index + 1:])
        return 3 if clausal else 2
    return 4 if clausal and pronoun.role != 0 else 0
