"""What an apposition is to: the noun that it agrees with in kind and number."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, PLURAL, PRONOUNS
from gistmill.rules.coreference.noun_kinds import ABSTRACT, Kind, main_kind
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import nouns_above
from gistmill.rules.discofuse.nouns.referent_kinds import agree, described_kinds, kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, SUBJECTS, Parse

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
    if not kinds or noun.entity or may_agree(kinds, kinds_at(parse, antecedent)):
        return antecedent
    plural = is_plural(parse, head)
    inner = [k for k in parse.subtree(antecedent) if antecedent < k < head and parse.tokens[k].dep == "pobj"]
    if kinds == _PERSONS and inner and parse.tokens[inner[-1]].pos == "PROPN" and not plural:
        return inner[-1]  # "the offer of Karzai , a leader", whatever kind of name it was taken for
    inside = [k for k in parse.subtree(antecedent) if antecedent < k < head and parse.tokens[k].dep in ("pobj", "dobj")]
    for other in (*reversed(inside), *nouns_above(parse, antecedent)):
        known = parse.tokens[other].pos == "NOUN" or parse.tokens[other].entity
        if known and agree(kinds, kinds_at(parse, other)) and is_plural(parse, other) == plural:
            return other
    return antecedent


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
    if not kinds or agree(kinds, others):
        return False
    if noun.pos == "NOUN":
        return main_kind(lemma) in ABSTRACT and bool(others)
    # "went there for the Post , a visit to", "married at the Storkyrkan , the same date": no organisation, no place
    timed = kinds == frozenset((Kind.EVENT,)) or main_kind(lemma) is Kind.MEASURE
    return timed and noun.dep == "pobj" and not noun.entity.endswith(("DATE", "TIME", "EVENT"))


def owner_is_unknown(parse: Parse, head: int, antecedent: int) -> bool:
    """Whether the apposition opens with a possessive that means nobody in the sentence before it: "Ann , his aide ,
    left". The many that "their" means may be named one by one."""
    gender = PRONOUNS.get(parse.lower[parse.left_edge(head)])
    if gender in (None, PLURAL) or parse.tokens[parse.left_edge(head)].tag != "PRP$":
        return False
    named = any(agrees(parse, k, gender) for k in heads(parse, 0, antecedent) if k != antecedent)
    return not named and not any(PRONOUNS.get(word) == gender for word in parse.lower[:antecedent])
