"""The layout of a row of features: named blocks of indicators, one after the other.

The fitted weights belong to this layout: neither the order nor the size of a block may change without a new fit.
"""

from __future__ import annotations

from itertools import accumulate

from gistmill.rules.coreference import preferences, syntax

BLOCKS = {
    "class": 3,
    "type": 42,
    "agreement": 18,
    "roles": syntax.ROLES * 4,
    "distance": 32,
    "tokens": 20,
    "rank": 24,
    "agreeing_rank": 20,
    "subject_rank": 64,
    "role_distance": 128,
    "clauses": 128,
    "path": 64,
    "mark": 64,
    "control": 128,
    "clause_types": syntax.CLAUSES * syntax.CLAUSES,
    "form": 8,
    "conjunct": 3,
    "owned": 80,
    "leaning": 6,
    "person": 60,
    "topic": 12,
    "frequency": 14,
    "first": 12,
    "title": 48,
    "quotes": 8,
    "animate": 60,
    "dominance": 60,
    "most": 24,
    "determiner": 15,
    "speech": 24,
    "paragraph": 3,
    "before": 8,
    "after": 7,
    "opening": 16,
    "choice": 24,
    "between": 8,
    "verb": 4,
    "referent": preferences.CLASSES * 12,
    "preference": preferences.BUCKETS * 12,
    "predicate": preferences.PREDICATES * 3,
    "chain": 270,
    "chain_next": 12,
    "chain_other": 5,
    "chain_mean": 15,
    "none": 12,
    "none_choice": 12,
    "none_candidates": 15,
    "none_place": 12,
    "none_it": 10,
    "none_title": 6,
    "none_chain": 15,
}
START: dict[str, int] = dict(zip(BLOCKS, accumulate(BLOCKS.values(), initial=0)))
SIZE = sum(BLOCKS.values())
# Module-level integers, because an enumeration's members are slower where features are made.
CLASS = START["class"]
TYPE = START["type"]
AGREEMENT = START["agreement"]
ROLES = START["roles"]
DISTANCE = START["distance"]
TOKENS = START["tokens"]
RANK = START["rank"]
AGREEING_RANK = START["agreeing_rank"]
SUBJECT_RANK = START["subject_rank"]
ROLE_DISTANCE = START["role_distance"]
CLAUSES = START["clauses"]
PATH = START["path"]
MARK = START["mark"]
CONTROL = START["control"]
CLAUSE_TYPES = START["clause_types"]
FORM = START["form"]
CONJUNCT = START["conjunct"]
OWNED = START["owned"]
LEANING = START["leaning"]
PERSON = START["person"]
TOPIC = START["topic"]
FREQUENCY = START["frequency"]
FIRST = START["first"]
TITLE = START["title"]
QUOTES = START["quotes"]
ANIMATE = START["animate"]
DOMINANCE = START["dominance"]
MOST = START["most"]
DETERMINER = START["determiner"]
SPEECH = START["speech"]
PARAGRAPH = START["paragraph"]
BEFORE = START["before"]
AFTER = START["after"]
OPENING = START["opening"]
CHOICE = START["choice"]
BETWEEN = START["between"]
VERB = START["verb"]
REFERENT = START["referent"]
PREFERENCE = START["preference"]
PREDICATE = START["predicate"]
CHAIN = START["chain"]
CHAIN_NEXT = START["chain_next"]
CHAIN_OTHER = START["chain_other"]
CHAIN_MEAN = START["chain_mean"]
NONE = START["none"]
NONE_CHOICE = START["none_choice"]
NONE_CANDIDATES = START["none_candidates"]
NONE_PLACE = START["none_place"]
NONE_IT = START["none_it"]
NONE_TITLE = START["none_title"]
NONE_CHAIN = START["none_chain"]
