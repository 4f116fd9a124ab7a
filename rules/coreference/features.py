"""Features of a pronoun with a candidate antecedent: a row is a list of the numbers of its active indicators.

Each block of the layout combines a few properties. The scorer has an embedding for every number; ``layout.BLOCKS`` is
the layout that the fitted weights belong to.

The fitted weights belong to this layout: neither the order nor the size of a block may change without a new fit.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from gistmill.rules.coreference import markables, preferences
from gistmill.rules.coreference.markables import CLAUSES as markables_CLAUSES
from gistmill.rules.coreference.markables import NAME, Cluster, Markable, Syntax
from gistmill.rules.coreference.preferences import UNKNOWN, predicate_fit
from gistmill.rules.coreference.pronoun_view import PronounView, Shape, animacy_of, relation_of, role_group

BLOCKS = {
    name: int(size)
    for name, size in (
        pair.split(":")
        for pair in (
            f"class:3 type:42 agreement:18 roles:{markables.ROLES * 4} distance:32 tokens:20 rank:24 "
            "agreeing_rank:20 subject_rank:64 role_distance:128 clauses:128 path:64 mark:64 control:128 "
            f"clause_types:{markables.CLAUSES * markables.CLAUSES} form:8 conjunct:3 owned:80 leaning:6 person:60 "
            "topic:12 frequency:14 first:12 title:48 quotes:8 animate:60 dominance:60 most:24 determiner:15 "
            "speech:24 paragraph:3 before:8 after:7 opening:16 choice:24 between:8 verb:4 "
            f"referent:{preferences.CLASSES * 12} preference:{preferences.BUCKETS * 12} "
            f"predicate:{preferences.PREDICATES * 3} chain:270 chain_next:12 chain_other:5 chain_mean:15 none:12 "
            "none_choice:12 none_candidates:15 none_place:12 none_it:10 none_title:6 none_chain:15"
        ).split()
    )
}
START: dict[str, int] = dict(zip(BLOCKS, accumulate(BLOCKS.values(), initial=0), strict=False))
SIZE = sum(BLOCKS.values())
# Module-level integers, because an enumeration's members are slower where features are made.
CLASS, TYPE, AGREEMENT, ROLES, DISTANCE, TOKENS, RANK, AGREEING_RANK, SUBJECT_RANK = (
    START[name] for name in "class type agreement roles distance tokens rank agreeing_rank subject_rank".split()
)
ROLE_DISTANCE, CLAUSES, PATH, MARK, CONTROL, CLAUSE_TYPES, FORM, CONJUNCT, OWNED, LEANING = (
    START[name] for name in "role_distance clauses path mark control clause_types form conjunct owned leaning".split()
)
PERSON, TOPIC, FREQUENCY, FIRST, TITLE, QUOTES, ANIMATE, DOMINANCE, MOST, DETERMINER, SPEECH = (
    START[name] for name in "person topic frequency first title quotes animate dominance most determiner speech".split()
)
PARAGRAPH, BEFORE, AFTER, OPENING, CHOICE, BETWEEN, VERB, REFERENT, PREFERENCE, PREDICATE = (
    START[name] for name in "paragraph before after opening choice between verb referent preference predicate".split()
)
CHAIN, CHAIN_NEXT, CHAIN_OTHER, CHAIN_MEAN, NONE, NONE_CHOICE, NONE_CANDIDATES, NONE_PLACE = (
    START[name]
    for name in "chain chain_next chain_other chain_mean none none_choice none_candidates none_place".split()
)
NONE_IT, NONE_TITLE, NONE_CHAIN = (START[name] for name in "none_it none_title none_chain".split())


_GOVERNORS = {
    lemma: group
    for group, lemmas in enumerate(
        (
            "tell inform ask advise warn convince persuade assure remind order command beg urge instruct teach "
            "show invite encourage",
            "make force cause let have help lead leave see find catch keep get allow enable send bring take give "
            "prompt",
            "say claim state announce declare think believe know feel admit argue reveal insist suggest hope "
            "realize report write learn discover",
        ),
        1,
    )
    for lemma in lemmas.split()
}
_TOKEN_LIMITS = (2, 4, 7, 11, 16, 24, 36, 55, 85)
NEAR, FAR_AFTER = 200, 70


class Surroundings(NamedTuple):
    """The place of one candidate among the others of its pronoun and in the document.

    Attributes:
        ranks: how many other clusters stand nearer; of those, how many agree with the pronoun; how many agreeing ones
            stand nearer as subjects.
        agreeing: how many of the pronoun's candidate clusters agree in gender and animacy.
        between: how many pronouns of the same gender stand between.
        title: 0 the document has no title, 1 the title names the candidate, 2 it names another, 3 it names none of
            the document's names.
        first: 0 the candidate's cluster opens the document, 1 it is the second, 2 later.
        dominance: how much the document's pronouns are of the pronoun's gender, from 0 to 3; 4 for things.
        most: how often the candidate cluster with the most mentions before the pronoun has been mentioned.
    """

    ranks: tuple[int, int, int]
    agreeing: int
    between: int
    title: int
    first: int
    dominance: int
    most: int


def mentioned_before(cluster: Cluster, p: Markable) -> int:
    """Returns how many mentions of a cluster stand in reach before a pronoun."""
    return bisect_left(cluster.places, p.place) - bisect_left(cluster.places, p.place - NEAR)


def pair_row(
    view: PronounView, x: Markable, shape: Shape, x_syntax: Syntax, x_paragraph: int, around: Surroundings
) -> list[int]:
    """Returns the active features of a candidate.

    Args:
        view: the pronoun.
        x: the candidate; it must belong to a cluster.
        shape: the candidate's shape.
        x_syntax, x_paragraph: the sentence of the candidate, and the index of its paragraph.
        around: its place among the other candidates.
    """
    sentences = view.pronoun.sentence - x.sentence
    follows = x.begin > view.pronoun.begin
    distance = (0 if sentences == 0 else 1) if follows else min(sentences, 5) + 2
    row = _place_features(view, x, x_paragraph, around, distance, follows)
    row += _clause_features(view, x, shape, x_syntax, sentences == 0, follows)
    row += _entity_features(view, x, shape, around, sentences)
    return row


def _place_features(
    view: PronounView, x: Markable, x_paragraph: int, around: Surroundings, distance: int, follows: bool
) -> list[int]:
    """Roles of the two, and how far apart they stand."""
    p, group = view.pronoun, view.group
    x_group = role_group(x.role)
    same = x.sentence == p.sentence
    return [
        CLASS + view.kind,
        ROLES + x.role * 4 + group,
        DISTANCE + distance * 4 + group,
        TOKENS + bisect_left(_TOKEN_LIMITS, abs(p.place - x.place)) * 2 + follows,
        RANK + min(around.ranks[0], 5) * 4 + group,
        AGREEING_RANK + min(around.ranks[1], 4) * 4 + group,
        SUBJECT_RANK + (min(around.ranks[2], 3) * 4 + x_group) * 4 + group,
        ROLE_DISTANCE + (x_group * 8 + distance) * 4 + group,
        PARAGRAPH + min(abs(view.paragraph - x_paragraph), 2),
        OPENING + (view.opening * 2 + (x_group == 0)) * 4 + min(distance, 5) // 2,
        BETWEEN + min(around.between, 3) * 2 + same,
    ]


def _clause_features(
    view: PronounView, x: Markable, shape: Shape, x_syntax: Syntax, same: bool, follows: bool
) -> list[int]:
    """The relation of the two clauses, and their verbs."""
    group, x_group = view.group, role_group(x.role)
    relation = relation_of(view, x, x_syntax)
    verb = x_syntax.tokens[x.clause].lemma
    path = control = 0
    if relation == 1:
        way = view.parents[x.clause]
        path = way * 4 + x_group + 4
        control = (way // 2 * 4 + _GOVERNORS.get(verb, 0)) * 4 + x_group + 16
    speaks = view.speech if same and x_group == 0 and x.clause == view.speaker else 0
    return [
        CLAUSES + (relation * 4 + x_group) * 4 + group,
        PATH + path,
        MARK + (view.mark * 4 + x_group) * 2 + (relation == 1),
        CONTROL + control,
        CLAUSE_TYPES + shape.clause_type * markables_CLAUSES + view.clause_type,
        OWNED + ((view.owned * 4 + x_group) * 2 + (relation == 0)) * 2 + follows,
        QUOTES + (view.quoted * 2 + shape.quoted) * 2 + same,
        SPEECH + (speaks * 4 + group) * 2 + view.quoted,
        VERB + (verb == view.verb and not same) * 2 + (x_group == 0),
    ]


def _entity_features(view: PronounView, x: Markable, shape: Shape, around: Surroundings, sentences: int) -> list[int]:
    """The candidate itself: its form, its gender, how often its cluster appears, whether the title names it."""
    p, kind, cluster = view.pronoun, view.kind, x.cluster
    agreement = 0 if not cluster.gender else 1 if cluster.gender == p.gender else 2
    agrees = agreement != 2 and (kind != 0 or cluster.person)
    near = 0 if sentences == 0 else 1 if sentences in (1, -1) else 2
    here = bisect_left(cluster.places, p.place)
    earlier = mentioned_before(cluster, p)
    share = 2 if around.most < 2 else 0 if earlier == around.most else 1
    later = bisect_left(cluster.places, p.place + FAR_AFTER) - here
    preferred = UNKNOWN if view.preferences is None else int(view.preferences[shape.referent])
    leaning = 0
    if not cluster.gender and x.kind == NAME and kind == 0:
        leaning = 3 if not cluster.leaning else 1 + (cluster.leaning == p.gender)
        if not cluster.person:
            leaning = 4 + (cluster.leaning == p.gender)
    return [
        TYPE + shape.type * 3 + kind,
        AGREEMENT + (agreement * 2 + cluster.person) * 3 + kind,
        FORM + shape.form,
        CONJUNCT + shape.conjunct,
        LEANING + leaning,
        PERSON + ((shape.person * 2 + (x.entity == "PERSON")) * 2 + cluster.person) * 3 + kind,
        TOPIC + shape.topic * 3 + near,
        FREQUENCY + min(earlier, 6) * 2,
        FREQUENCY + min(later, 6) * 2 + 1,
        FIRST + around.first * 4 + min(earlier, 3),
        TITLE + (around.title * 4 + view.group) * 3 + kind,
        ANIMATE + (view.person * 4 + animacy_of(x)) * 3 + kind,
        DOMINANCE + (around.dominance * 4 + around.title) * 3 + agreement,
        MOST + (share * 4 + view.group) * 2 + agrees,
        DETERMINER + shape.determiner * 3 + kind,
        BEFORE + shape.before,
        AFTER + shape.after,
        CHOICE + (min(around.agreeing, 3) * 2 + agrees) * 3 + kind,
        REFERENT + (shape.referent * 4 + view.group) * 3 + kind,
        PREFERENCE + (preferred * 4 + view.group) * 3 + kind,
        PREDICATE + predicate_fit(view.predicate, x, shape.referent) * 3 + kind,
    ]


def none_row(view: PronounView, *, candidates: int, agreeing: int, title: int, pleonastic: int) -> list[int]:
    """Returns the active features of the answer "none".

    Args:
        view: the pronoun.
        candidates: how many candidates there are.
        agreeing: as in ``pair_row``.
        title: 0 the document has no title, 1 the title names a cluster of the document, 2 it names none.
        pleonastic: what ``pleonastic`` returns.
    """
    kind, p = view.kind, view.pronoun
    return [
        NONE + kind * 4 + view.group,
        NONE_CHOICE + min(agreeing, 3) * 3 + kind,
        NONE_CANDIDATES + min(candidates // 2, 4) * 3 + kind,
        NONE_PLACE + (min(p.sentence, 3)) * 3 + kind,
        NONE_IT + pleonastic,
        NONE_TITLE + title * 2 + (kind == 0),
    ]
