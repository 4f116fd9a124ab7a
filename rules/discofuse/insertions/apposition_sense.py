"""What an apposition is to: the noun that it agrees with in kind and number."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, PLURAL, PRONOUNS
from gistmill.rules.coreference.noun_kinds import ABSTRACT, Kind, main_kind
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, nouns_above
from gistmill.rules.discofuse.nouns.referent_kinds import Kinds, agree, described_kinds, kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, SUBJECTS, Parse
from gistmill.rules.documents import Token

# Nouns that sum up what a clause said: "it bought arms , a step that ..." is not about the arms.
_SUMMARIES = frozenset(
    """
    provision move decision act action fact process practice feat situation policy result event figure record
    change development claim idea increase decrease rise trend view step custom tradition phenomenon pattern
    strategy task notion condition distinction accomplishment achievement measure position belief technique
    procedure statement number role mark sign gesture blow honour honor victory defeat success failure mistake surprise
    shock relief disaster triumph compromise difference reference tribute reminder indication effort attempt time
    experience factor phase stage fate privilege advantage disadvantage loss gain total average first
    memory echo testament nod hint throwback
    """.split()
)
# What somebody does: "dined at the Palace , their first appearance", no palace.
_DEEDS = frozenset("appearance debut performance visit victory win defeat role trip start goal".split())
_PERSONS = frozenset((Kind.PERSON,))
# Nouns that can be said of any place or thing.
_OF_ANYTHING = frozenset("place spot site location area thing item object".split())
_FIGURES = ("PERCENT", "MONEY", "QUANTITY", "CARDINAL")
_WHERE = frozenset("in at on into within inside".split())


def nearest(parse: Parse, antecedent: int, head: int) -> int:
    """Returns the noun that an apposition is to: the parse's, or the nearest above it if only that one agrees.

    "The offer of Paul , a Frenchman": not the offer. Where neither agrees, the parse's own is returned.

    Args:
        parse: the sentence.
        antecedent: the noun that the parse has.
        head: the head of the apposition.
    """
    kinds = described_kinds(parse, head)
    noun = parse.tokens[antecedent]
    if not kinds or noun.entity or may_agree(kinds, kinds_at(parse, antecedent)) and not _for_a_person(noun, kinds):
        return antecedent
    plural = is_plural(parse, head)
    inner = [k for k in parse.subtree(antecedent) if antecedent < k < head and parse.tokens[k].dep == "pobj"]
    if kinds == _PERSONS and inner and parse.tokens[inner[-1]].pos == "PROPN" and not plural:
        return inner[-1]  # "the appointment of Karzai , a leader", whatever kind of name it was taken for
    inside = [k for k in parse.subtree(antecedent) if antecedent < k < head and parse.tokens[k].dep in ("pobj", "dobj")]
    for other in (*reversed(inside), *nouns_above(parse, antecedent)):
        known = parse.tokens[other].pos == "NOUN" or parse.tokens[other].entity
        if known and agree(kinds, kinds_at(parse, other)) and is_plural(parse, other) == plural:
            return other
    return antecedent


def _for_a_person(noun: Token, kinds: Kinds) -> bool:
    """Whether only a person is what the apposition says, and the common noun is mainly no person, group or animal."""
    lively = (None, Kind.PERSON, Kind.GROUP, Kind.ANIMAL)
    return kinds == _PERSONS and noun.pos == "NOUN" and main_kind(noun.lemma.lower()) not in lively


def names_many(parse: Parse, head: int, antecedent: int) -> bool:
    """Whether a noun in the plural is among the conjuncts, or each has an article: "coins , the penny and the bill".

    "His former ally and minister" is one person, and so is "Palin , the state's governor and the first Alaskan".
    """
    conjuncts = [k for k in parse.children(head) if parse.tokens[k].dep == "conj"]
    if any(parse.tokens[k].tag in ("NNS", "NNPS") for k in (head, *conjuncts)):
        return True
    if any(parse.child(k, "poss") is not None and parse.tokens[k].pos == "PROPN" for k in conjuncts):
        return True  # "Ross 's Moments and Lamar 's Euphoria"
    articles = any(parse.lower[parse.left_edge(k)] == "the" for k in conjuncts)
    return articles and parse.tokens[antecedent].pos != "PROPN"


def fits(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether the apposition can be about the antecedent.

    Kinds of common nouns have to agree. What kind a name is of is often wrong, so only a date is ruled out as a person.
    A quality ("the largest of any") has one thing that nothing hangs on.
    """
    noun, own = parse.tokens[antecedent], parse.tokens[head]
    told = parse.child(head, "acl")
    if (
        told is not None
        and parse.lower[parse.left_edge(head)] == "the"
        and parse.tokens[parse.left_edge(told)].tag == "VBG"
    ):
        return False  # "the first having become law"
    if _is_address(parse, head) and not is_personal(parse, antecedent):
        return False
    if own.pos not in NOUNS:
        return not is_plural(parse, antecedent) and parse.child(antecedent, "prep") is None
    kinds, others = kinds_at(parse, head), kinds_at(parse, antecedent)
    role = not noun.entity and noun.lemma.lower() in PERSON_NOUNS and noun.dep not in SUBJECTS
    if own.pos == "NOUN" and (role or noun.pos == "NOUN" and noun.dep in SUBJECTS):  # "Minister for Defence , a post"
        return may_agree(kinds, others)
    if noun.pos == "NOUN" and own.pos == "NOUN":
        concrete = kinds - ABSTRACT, others - ABSTRACT
        return not kinds or not others or agree(kinds, others) or all(concrete) and may_agree(*concrete)
    person = kinds == _PERSONS or main_kind(own.lemma.lower()) is Kind.PERSON
    if person and noun.dep == "pobj" and parse.lower[noun.head] in _WHERE:
        # "a character in Shrugged , an owner of mines", "my friend at the Post , an executive"
        return noun.entity.endswith("PERSON") and Kind.PERSON not in kinds_at(parse, parse.tokens[noun.head].head)
    return not (noun.entity.endswith(("DATE", "TIME")) and Kind.PERSON in kinds and noun.text.isupper())


def _is_address(parse: Parse, head: int) -> bool:
    """Whether it may be how the author calls the reader: "mind your step , my friend"."""
    return parse.lower[parse.left_edge(head)] in ("my", "our") and parse.tokens[head].lemma.lower() in PERSON_NOUNS


def sums_up(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether the apposition may be to the clause: "wears a cloak , a mark of modesty"."""
    noun = parse.tokens[antecedent]
    if noun.dep in NOMINAL_SUBJECTS:
        return False
    lemma = parse.tokens[head].lemma.lower()
    if lemma in ("fact", "time", "occasion", "instance"):
        return True  # "played works of Lee , the first time that"
    if noun.pos == "PROPN" and noun.dep == "pobj" and lemma in _DEEDS:
        return not noun.entity.endswith(("EVENT", "WORK_OF_ART", "DATE", "TIME"))
    if lemma in _SUMMARIES:
        return noun.pos != "PROPN" or parse.lower[parse.left_edge(head)] != "the"
    kinds, others = kinds_at(parse, head), kinds_at(parse, antecedent)
    if (
        _is_figure(parse, antecedent)
        and Kind.MEASURE not in kinds
        and main_kind(lemma) is not main_kind(noun.lemma.lower())
    ):
        return True
    if not kinds or agree(kinds, others):
        return False
    if noun.pos == "NOUN":
        return main_kind(lemma) in ABSTRACT and bool(others)
    # "went there for the Post , a visit to", "married at the Storkyrkan , the same date": no organisation, no place
    timed = kinds == frozenset((Kind.EVENT,)) or main_kind(lemma) is Kind.MEASURE
    return timed and noun.dep == "pobj" and not noun.entity.endswith(("DATE", "TIME", "EVENT"))


def _is_figure(parse: Parse, noun: int) -> bool:
    """Whether the noun behind a preposition is a number of something, or one by its kind: "with an 18% rating"."""
    token = parse.tokens[noun]
    if token.dep != "pobj" or main_kind(token.lemma.lower()) not in ABSTRACT:
        return False
    return any(parse.tokens[k].entity.endswith(_FIGURES) for k in parse.subtree(noun) if k < noun)


def fits_another(parse: Parse, head: int, antecedent: int) -> bool:
    """Whether the apposition is of a noun that fits any thing, and its clause has another: "a school near our town , a
    place that"."""
    if parse.tokens[head].lemma not in _OF_ANYTHING or parse.tokens[antecedent].pos != "NOUN":
        return False
    others = heads(parse, _first_of_clause(parse, antecedent), antecedent)
    return any(k != antecedent and not is_personal(parse, k) and not is_plural(parse, k) for k in others)


def _first_of_clause(parse: Parse, noun: int) -> int:
    """Returns where the clause of the noun begins, as far as marks show."""
    return max((k + 1 for k in range(noun) if parse.lower[k] in (",", ";", ":", "--")), default=0)


def owner_is_unknown(parse: Parse, head: int, antecedent: int) -> bool:
    """Whether the apposition opens with a possessive that means nobody in the sentence before it: "Ann , his aide ,
    left". The many that "their" means may be named one by one."""
    gender = PRONOUNS.get(parse.lower[parse.left_edge(head)])
    if gender in (None, PLURAL) or parse.tokens[parse.left_edge(head)].tag != "PRP$":
        return False
    named = any(agrees(parse, k, gender) for k in heads(parse, 0, antecedent) if k != antecedent)
    return not named and not any(PRONOUNS.get(word) == gender for word in parse.lower[:antecedent])
