"""Features of a pronoun with a candidate antecedent: each is the number of an active indicator, so that a row is a list of ints.

The blocks below are conjunctions of a few properties; the scorer learns an embedding for every number. BLOCKS is the layout that
the fitted weights were made for; the scorer refuses weights of another layout.
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rules.coreference import lexicon
from rules.coreference.mentions import GROUP, NAME, Candidate
from rules.coreference.persons import personhood
from rules.coreference.syntax import AGENT, CLAUSES, CONTENT, OBJECTS, OF, POSSESSIVE, PREDICATE, ROLES, SUBJECTS, Syntax
from rules.records import Token

BLOCKS = {
    "class": 3, "type": 42, "agreement": 18, "roles": ROLES * 4, "distance": 32, "tokens": 20, "rank": 24, "role_distance": 128, "clauses": 112, "path": 64, "mark": 64, "control": 128,
    "clause_types": CLAUSES * CLAUSES, "form": 8, "conjunct": 3, "owned": 80, "leaning": 6, "person": 60, "topic": 12, "frequency": 14, "first": 12, "title": 48, "quotes": 8,
    "determiner": 15, "speech": 24, "paragraph": 3, "before": 8, "after": 7, "opening": 16, "choice": 24, "between": 8, "verb": 4,
    "chain": 216, "chain_next": 12, "chain_other": 5, "chain_mean": 15,
    "none": 12, "none_choice": 12, "none_candidates": 15, "none_place": 12, "none_it": 8, "none_title": 6, "none_chain": 15,
}
START: dict[str, int] = {}
SIZE = 0
for _name, _size in BLOCKS.items():
    START[_name] = SIZE
    SIZE += _size
(_CLASS, _TYPE, _AGREEMENT, _ROLES, _DISTANCE, _TOKENS, _RANK, _ROLE_DISTANCE, _CLAUSES, _PATH, _MARK, _CONTROL, _CLAUSE_TYPES, _FORM, _CONJUNCT, _OWNED,
 _LEANING, _PERSON, _TOPIC,
 _FREQUENCY, _FIRST, _TITLE, _QUOTES, _DETERMINER, _SPEECH, _PARAGRAPH, _BEFORE, _AFTER, _OPENING, _CHOICE, _BETWEEN, _VERB, CHAIN, CHAIN_NEXT, CHAIN_OTHER,
 CHAIN_MEAN, _NONE, _NONE_CHOICE, _NONE_CANDIDATES, _NONE_PLACE, _NONE_IT, _NONE_TITLE, NONE_CHAIN) = START.values()

_CLASS_OF = {lexicon.MALE: 0, lexicon.FEMALE: 0, lexicon.NEUTER: 1, lexicon.PLURAL: 2}
_ENTITY = {"PERSON": 0, "": 1, "ORG": 2, "GPE": 3, "NORP": 4, "LOC": 5, "FAC": 5, "PRODUCT": 6, "WORK_OF_ART": 7, "EVENT": 8, "LAW": 7, "LANGUAGE": 7}
_BEFORE_WORDS = {"by": 1, "with": 2, "and": 3, "of": 4, ",": 5, "(": 6, "to": 7}
_DETERMINERS = {"the": 1, "this": 2, "that": 2, "these": 2, "those": 2, "a": 3, "an": 3}
_MARKS = {
    word: group for group, words in enumerate((
        "when while as after before until once", "because since so", "although though whereas", "if unless whether", "that", "where why how"), 1)
    for word in words.split()
}
_GOVERNORS = {
    lemma: group for group, lemmas in enumerate((
        "tell inform ask advise warn convince persuade assure remind order command beg urge instruct teach show invite encourage",
        "make force cause let have help lead leave see find catch keep get allow enable send bring take give prompt",
        "say claim state announce declare think believe know feel admit argue reveal insist suggest hope realize report write learn discover"), 1)
    for lemma in lemmas.split()
}
_TOKEN_LIMITS = (2, 4, 7, 11, 16, 24, 36, 55, 85)
# Values of ``pleonastic`` that hardly ever have an antecedent.
EMPTY = frozenset({3, 5, 6, 7})
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
        kind = 0 if x.cluster.person else _ENTITY.get(x.entity, 7)
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
    return kind, form, topic, determiner, before, after, clause_type, int(quoted), 2 if head.dep == "conj" else int(after == 4), personhood(x, syntax)


class PronounView:
    """What features ask of one pronoun, computed once for all its candidates."""

    __slots__ = ("pronoun", "syntax", "group", "kind", "clause_type", "quoted", "speaker", "speech", "opening", "parents", "verb", "paragraph",
                 "owned", "partner", "mark")

    def __init__(self, pronoun: Candidate, syntax: Syntax, paragraph: int) -> None:
        tokens = syntax.tokens
        self.pronoun, self.syntax, self.paragraph = pronoun, syntax, paragraph
        self.kind = _CLASS_OF[pronoun.gender]
        self.group = role_group(pronoun.role)
        self.clause_type = syntax.clause_type(pronoun.clause)
        self.quoted = int(syntax.quoted is not None and syntax.quoted[pronoun.head])
        self.opening = int(pronoun.start < 2)
        self.owned, self.partner = self._owned(tokens)
        self.parents: dict[int, int] = {}  # clauses above the pronoun's own -> type of the clause under each on the way
        clause, kind = pronoun.clause, self.clause_type
        self.speaker, self.speech = -1, 0
        while True:
            above = syntax.parent_clause(clause)
            if above == clause or above in self.parents:
                break
            if self.speaker < 0 and kind == CONTENT:
                self.speaker, self.speech = above, 1 + (tokens[above].lemma in lexicon.SPEECH_LEMMAS)
            self.parents[above] = kind * 2 + (len(self.parents) > 0)
            clause, kind = above, syntax.clause_type(above)
        self.verb = tokens[pronoun.clause].lemma
        self.mark = next((_MARKS.get(t.text.lower(), 7) for t in tokens[:pronoun.clause] if t.head == pronoun.clause and (
            t.dep == "mark" or t.dep == "advmod" and t.tag == "WRB")), 0)

    def _owned(self, tokens: Sequence[Token]) -> tuple[int, int]:
        """What a possessive owns: 0 a subject, 1 an object, 2 a predicate, 3 something else, 4 nothing; and whom it is joined to."""
        if self.group != 1:
            return 4, -1
        index = tokens[self.pronoun.head].head
        role = self.syntax.role(index)
        partner = tokens[index].head if tokens[index].dep == "conj" else -1
        return 0 if role in SUBJECTS else 1 if role in OBJECTS else 2 if role == PREDICATE else 3, partner


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
    x_kind, form, topic, determiner, before, after, x_clause_type, x_quoted, conjunct, person = x.static
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
    elif x.head == view.partner:
        relation = 6
    elif x.clause in view.parents:
        relation = 1
    elif x_syntax.parent_clause(x.clause) == p.clause:
        relation = 2
    else:
        relation = 5 if x_syntax.base(x.clause) == x_syntax.base(p.clause) else 3
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
        _CLAUSES + (relation * 4 + x_group) * 4 + group,
        _PATH + (view.parents[x.clause] * 4 + x_group + 4 if relation == 1 else 0),
        _MARK + (view.mark * 4 + x_group) * 2 + (relation == 1),
        _CONTROL + ((view.parents[x.clause] // 2 * 4 + _GOVERNORS.get(x_syntax.tokens[x.clause].lemma, 0)) * 4 + x_group + 16
                    if relation == 1 else 0),
        _CLAUSE_TYPES + x_clause_type * CLAUSES + view.clause_type,
        _FORM + form,
        _CONJUNCT + conjunct,
        _LEANING + (0 if cluster.gender or x.kind is not NAME or kind else 1 + (cluster.leaning == p.gender) + 2 * (cluster.leaning == "")
                    if cluster.person else 4 + (cluster.leaning == p.gender)),
        _PERSON + ((person * 2 + (x.entity == "PERSON")) * 2 + cluster.person) * 3 + kind,
        _OWNED + ((view.owned * 4 + x_group) * 2 + (relation == 0)) * 2 + follows,
        _TOPIC + topic * 3 + near,
        _FREQUENCY + min(earlier, 6) * 2,
        _FREQUENCY + min(later, 6) * 2 + 1,
        _FIRST + first * 4 + min(earlier, 3),
        _TITLE + (title * 4 + group) * 3 + kind,
        _QUOTES + (view.quoted * 2 + x_quoted) * 2 + same,
        _DETERMINER + determiner * 3 + kind,
        _SPEECH + (speaks * 4 + group) * 2 + view.quoted,
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
