"""The referents of noun phrases and pronouns: agreement, binding, and pronouns without a referent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import NO_KINDS, PERSON_NOUNS, ReferentKind, kinds_of_noun
from gistmill.rules.coreference.markables import PRONOUN, Markable, Syntax
from gistmill.rules.coreference.preferences import EMPTY, pleonastic
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import NAME_TAGS, NOMINAL_SUBJECTS, NOUNS, PLURAL_TAGS, SUBJECTS, WORDS, Parse

Kinds = frozenset[ReferentKind]


def _kinds(letters: str) -> Kinds:
    return frozenset(map(ReferentKind, letters))


NUMBERS = frozenset(("PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "DATE", "TIME"))
_OF_ENTITIES = "PERSON:p NORP:gp ORG:g GPE:gl LOC:l FAC:l EVENT:e WORK_OF_ART:w LAW:w LANGUAGE:w PRODUCT:tw"
_KINDS_OF_ENTITY = {label: _kinds(letters) for label, letters in (pair.split(":") for pair in _OF_ENTITIES.split())}
_KINDS_OF_ENTITY |= dict.fromkeys(NUMBERS, _kinds("m"))
# A phrase of one kind may describe a referent of the other: a company is a maker, a city a community, a book an object.
_AKIN = frozenset(map(_kinds, "pa pg gl ga lt wt wi ei is es ig ia".split()))
_PERSON = frozenset((ReferentKind.PERSON,))


def kinds_at(parse: Parse, noun: int) -> Kinds:
    """Returns the kinds that the noun's entity type and lemma allow; none if both are unknown.

    A name also has the kinds of its last word ("the Alabama State Capitol"), because entity types are often wrong.
    """
    token = parse.tokens[noun]
    label, lemma = token.entity[2:], token.lemma.lower()
    if token.pos == "PRON":
        return _PERSON if lemma in ("he", "she", "who", "i", "we", "you") else NO_KINDS
    of_entity = _KINDS_OF_ENTITY.get(label, NO_KINDS)
    if token.pos == "PROPN":
        described = any(k < noun for k in parse.children(noun))  # not a bare "Mark" or "Bill"
        return of_entity | (kinds_of_noun(lemma) if described or not label else NO_KINDS)
    found = kinds_of_noun(lemma) | (_PERSON if lemma in PERSON_NOUNS else NO_KINDS)
    if lemma in WORDS["transparent"]:
        complement = next((k for k in parse.children(noun) if k > noun and parse.lower[k] == "of"), None)
        inner = None if complement is None else parse.child(complement, "pobj")
        found |= NO_KINDS if inner is None else kinds_at(parse, inner)
    return found if found and label in NUMBERS else found | of_entity


def described_kinds(parse: Parse, noun: int) -> Kinds:
    """Returns the kinds that a noun attributes to its referent; for a name, those of its own word ("a Frenchman")."""
    token = parse.tokens[noun]
    if token.pos != "PROPN" or token.entity.endswith("PERSON"):
        return kinds_at(parse, noun)
    return kinds_of_noun(token.lemma.lower())


def may_agree(one: Kinds, other: Kinds) -> bool:
    """Whether one thing can be of both kinds; unknown kinds agree with all others."""
    if not one or not other or one & other:
        return True
    return any(frozenset((a, b)) in _AKIN for a in one for b in other)


IMPERSONAL = frozenset(
    ("GPE", "LOC", "FAC", "DATE", "TIME", "EVENT", "WORK_OF_ART", "MONEY", "QUANTITY", "PERCENT", "LANGUAGE", "LAW")
)


def is_personal(parse: Parse, noun: int) -> bool:
    """Whether the noun certainly names a person."""
    token = parse.tokens[noun]
    return token.entity.endswith("PERSON") or (not token.entity and token.lemma in PERSON_NOUNS)


def may_be_person(parse: Parse, noun: int) -> bool:
    """Whether "who" can refer to the noun: a person, people, or a name of unknown kind."""
    token = parse.tokens[noun]
    if token.entity or token.pos == "PROPN":
        return token.entity[2:] not in IMPERSONAL
    return token.lemma.lower() in PERSON_NOUNS or parse.lower[noun] in WORDS["people"]


def quantified(parse: Parse, noun: int) -> bool:
    """Whether the noun phrase has no particular referent to mention again: "no man", "each town"."""
    return any(parse.lower[k] in WORDS["quantifiers"] for k in (noun, *parse.children(noun)) if k <= noun)


def rivals(
    parse: Parse, noun: int, opening: int, *, number: str | None, personal: bool | None, kinds: Kinds = NO_KINDS
) -> bool:
    """Whether another noun before the comma may be meant as well.

    A rival is the noun of a phrase around the antecedent ("a treatise in the Arabic language , which"), an object next
    to it, or a conjunct of it, if it agrees in number with the clause's verb, as far as that shows. So is a noun inside
    the antecedent's phrase ("the religion of Israel , which"). A person's name before "who" has no rivals.

    Args:
        parse: the sentence.
        noun: the head of the antecedent.
        opening: the comma.
        number: the number of the verb or the apposition; None if it shows none.
        personal: whether a person is meant; None for persons and things alike, as with "whose".
        kinds: the kinds of the apposition or of the clause's predicate noun; empty if there is none.
    """
    token = parse.tokens[noun]
    wanted = _Wanted(number, personal, kinds, not kinds.isdisjoint(kinds_at(parse, noun)))
    # nouns in a prepositional phrase inside the antecedent, or their conjuncts, that are not part of its name
    inside = ((k, parse.first_conjunct(k)) for k in parse.subtree(noun) if noun < k < opening)
    inner = (k for k, first in inside if parse.tokens[first].dep == "pobj" and first != noun)
    if any(_may_be_meant(parse, k, wanted, noun) for k in inner):
        return True
    if token.dep == "conj":
        return number != "singular"
    if token.dep not in ("pobj", "dobj") or (personal and token.entity.endswith("PERSON")):
        return False
    above = (k for k in _nouns_above(parse, noun, certain=wanted.sure and token.pos == "PROPN") if k < opening)
    return any(_may_be_meant(parse, k, wanted, noun) for k in above)


def _nouns_above(parse: Parse, noun: int, *, certain: bool) -> list[int]:
    """Returns the nouns that a phrase may belong to, nearest first: those above a prepositional phrase, the object of
    the verb above it, a noun right before it ("adapted from the animal in the strip") unless the phrase itself is
    ``certain`` to be meant, and the noun of a clause that the phrase ends ("the offer to marry Paul")."""
    found: list[int] = []
    at = noun
    while parse.tokens[at].dep in ("pobj", "dobj") or parse.tokens[at].pos == "ADJ":
        above = parse.tokens[at].head
        if parse.tokens[at].dep == "pobj":
            preposition, above = above, parse.tokens[above].head
            if parse.is_verb(above):
                found.extend(_beside(parse, above, preposition, adjacent=not certain))
        if parse.is_verb(above):
            ends = parse.tokens[at].dep == "pobj" or not parse.finite(above)
            if ends and parse.tokens[above].dep in ("acl", "relcl"):
                found.append(parse.tokens[above].head)  # "the Grant enacted by Congress , which"
            break
        if above >= at:
            break
        found.append(above)
        at = above
    return found


def _beside(parse: Parse, verb: int, preposition: int, *, adjacent: bool) -> list[int]:
    """Returns the verb's objects before the prepositional phrase, and a noun right before it (``adjacent``)."""
    before = [k for k in parse.children(verb) if k < preposition]
    found = [k for k in before if parse.tokens[k].dep in ("dobj", "attr")]
    for k in before if adjacent else ():
        if parse.tokens[k].dep == "prep" and parse.right_edge(k) == preposition - 1:
            found.extend(inner for inner in parse.children(k) if parse.tokens[inner].dep == "pobj")
    return found


class _Wanted(NamedTuple):
    """The properties of a possible referent; ``sure`` means that the antecedent has one of the ``kinds``."""

    number: str | None
    personal: bool | None
    kinds: Kinds
    sure: bool


def _may_be_meant(parse: Parse, other: int, wanted: _Wanted, noun: int) -> bool:
    """Whether number and kind allow another noun to be meant, and it is not part of the same name."""
    token, kinds = parse.tokens[other], kinds_at(parse, other)
    if token.pos not in NOUNS or (wanted.number and is_plural(parse, other) != (wanted.number == "plural")):
        return False
    first, last = min(noun, other), max(noun, other)
    between = parse.tokens[first + 1 : last + 1]
    one_name = parse.tokens[first].entity and all(t.entity.startswith("I-") for t in between)  # "the Kingdom of Kongo"
    if one_name or not may_agree(wanted.kinds, kinds):
        return False
    if wanted.sure and kinds and token.pos == "NOUN" and wanted.kinds.isdisjoint(kinds):
        return False
    if wanted.personal:
        return may_be_person(parse, other)
    return wanted.personal is None or not is_personal(parse, other) or token.lemma in WORDS["of_age_or_sex"]


_NOT_HEADS = frozenset(("compound", "amod", "nmod", "npadvmod", "quantmod", "nummod"))
# Times and amounts, which pronouns do not refer to.
NOT_THINGS = NUMBERS | {"LANGUAGE"}
_PLACES = frozenset(("GPE", "LOC", "FAC", "EVENT", "LAW", "NORP", "LANGUAGE"))


def heads(parse: Parse, start: int, end: int) -> Iterator[int]:
    """Yields the heads of noun phrases among tokens [start, end), other than times and amounts."""
    for i in range(start, end):
        token = parse.tokens[i]
        if token.pos in NOUNS and token.dep not in _NOT_HEADS and token.entity[2:] not in NOT_THINGS:
            yield i


def agreeing(parse: Parse, start: int, end: int, gender: str) -> Iterator[int]:
    """Yields the heads among tokens [start, end) that agree with a pronoun of the class (m, f, n, p)."""
    return (k for k in heads(parse, start, end) if agrees(parse, k, gender))


def agrees(parse: Parse, head: int, gender: str, *, named: bool = False) -> bool:
    """Whether a pronoun of the class (m, f, n, p) can refer to the noun phrase of ``head``.

    ``named`` says that it is a name, even if it is tagged as a common noun.
    """
    token = parse.tokens[head]
    entity, plural, lemma = token.entity[2:], token.tag in PLURAL_TAGS, token.lemma.lower()
    named = named or token.pos == "PROPN" or entity == "PERSON"
    if gender == lexicon.PLURAL:
        return plural or entity in ("NORP", "ORG") or lemma in lexicon.GROUP_NOUNS or _is_team(parse, head)
    if not named:
        person = lemma in PERSON_NOUNS
        fits = not person if gender == lexicon.NEUTER else person and lexicon.gender_of_noun(lemma) in ("", gender)
        return not plural and fits
    if gender == lexicon.NEUTER:
        return entity not in ("PERSON", "NORP") or not _is_person(parse, head)
    placed = entity in _PLACES and token.dep not in ("nsubj", "nsubjpass", "poss")
    return not plural and not placed and _gender_of_name(parse, head) in ("", gender)


def _is_team(parse: Parse, head: int) -> bool:
    """Whether a name looks like a team's: "the Seahawks"."""
    named = parse.tokens[head].pos == "PROPN" and parse.lower[head].endswith("s")
    return named and any(parse.lower[k] == "the" for k in parse.children(head))


def _first_word(parse: Parse, head: int) -> int:
    while head and parse.tokens[head - 1].dep in ("compound", "nmod") and parse.tokens[head - 1].tag in NAME_TAGS:
        head -= 1
    return head


def _gender_of_name(parse: Parse, head: int) -> str:
    start = _first_word(parse, head)
    word = parse.tokens[start].text
    known = lexicon.gender_of_first_name(word)
    if start == head:  # alone it may be a surname, as many male first names are
        return known if known == lexicon.FEMALE else ""
    return known if known or word in lexicon.FIRST_NAMES else lexicon.leaning_of_first_name(word)


def _is_person(parse: Parse, head: int) -> bool:
    """Whether a name labelled as a person's has a first name or title, or is one word without an article."""
    start = _first_word(parse, head)
    with_article = parse.tokens[head].entity.endswith("PERSON") and parse.child(head, "det") == start - 1
    if with_article and not _is_team(parse, head):
        return False
    before = [t.text for t in parse.tokens[start:head]]
    return not before or any(word in lexicon.FIRST_NAMES or word.lower() in lexicon.TITLES for word in before)


def commands(parse: Parse, name: int, position: int) -> bool:
    """Whether a name commands a position, so that only a pronoun can be there: "Lincoln met his cabinet".

    A subject or object commands its verb's clause and everything below it, except coordinated clauses with their own
    subject ("Lincoln left , and he"). A name in a prepositional phrase commands its own clause. A possessor, or a name
    inside another noun phrase, commands nothing: "Lincoln 's plan ended his career".
    """
    token = parse.tokens[name]
    if token.dep in SUBJECTS or token.dep in ("dobj", "dative", "iobj", "agent"):
        return _is_below(parse, position, token.head)
    if token.dep == "pobj":
        verb = parse.tokens[token.head].head  # of the nearest clause
        nearest = next(filter(parse.is_verb, parse.ancestors(position)), position)
        return parse.is_verb(verb) and verb == nearest
    return token.dep not in ("poss", "compound", "nmod")


def _is_below(parse: Parse, position: int, verb: int) -> bool:
    """Whether a position is in the verb's clause, and not in a coordinated clause with its own subject."""
    for k in (position, *parse.ancestors(position)):
        if k == verb or (parse.tokens[k].dep == "conj" and parse.is_verb(k) and parse.subject(k) is not None):
            return k == verb
    return False


def barred_subject(parse: Parse, position: int) -> int | None:
    """Returns the subject that an object cannot refer to, as that would require a reflexive ("Walsh saw him", "Walsh
    arranged for him to play": principle B); None for other pronouns."""
    token = parse.tokens[position]
    at = token.head
    if token.dep in NOMINAL_SUBJECTS and parse.lower[position] in ("him", "her", "them"):
        at = parse.tokens[at].head
    elif token.dep not in ("dobj", "dative", "iobj", "pobj"):
        return None
    subjects = (parse.subject(k) for k in (at, *parse.ancestors(at)))
    subject = next((k for k in subjects if k is not None), None)
    return None if subject == position else subject


def is_empty(parse: Parse, position: int) -> bool:
    """Whether an "it" has no referent: "it must be remembered that", "it was near the river that", "it rained"."""
    if parse.lower[position] != "it":
        return False
    token = parse.tokens[position]
    if token.dep == "nsubj" and (_is_cleft(parse, token.head) or _is_set_phrase(parse, token.head)):
        return True
    if token.dep == "expl" or _stands_for_clause(parse, position):
        return True
    syntax = Syntax(parse.tokens)
    pronoun = Markable(0, position, position + 1, position, offset=0, kind=PRONOUN, syntax=syntax)
    pronoun.gender = lexicon.NEUTER
    return pleonastic(pronoun, syntax) in EMPTY


def _stands_for_clause(parse: Parse, position: int) -> bool:
    """Whether a "that"-clause is reported or judged: "it is said that", "it is clear that"."""
    token = parse.tokens[position]
    predicates = [k for k in parse.children(token.head) if parse.tokens[k].dep in ("acomp", "oprd")]
    below = [k for at in (token.head, *predicates) for k in parse.children(at)]
    clauses = [k for k in below if parse.tokens[k].dep in ("ccomp", "csubj")]
    reported = any(parse.lower[j] == "that" for k in clauses for j in parse.children(k))
    return reported and (token.dep == "nsubjpass" or (token.dep == "nsubj" and bool(predicates)))


def _is_cleft(parse: Parse, verb: int) -> bool:
    """Whether "be" and "that" enclose an adverbial ("it was during the second year that he left"), or a relative clause
    follows a particular person or a noun without an article ("it was the owner who left")."""
    if parse.tokens[verb].lemma != "be":
        return False
    noun = parse.child(verb, "attr", "dobj")  # the "dobj" of "'s", which may be read as "has"
    clause = None if noun is None else parse.child(noun, "relcl")
    if noun is not None and clause is not None:
        opening = parse.left_edge(noun)
        bare = parse.tokens[opening].pos in ("NOUN", "ADJ") and parse.tokens[noun].tag == "NN"
        if bare and parse.left_edge(clause) == noun + 1:
            return True  # "it is human creativity that drives us"
        return parse.lower[opening] not in ("a", "an", "one") and is_personal(parse, noun)
    adverbial = next((k for k in parse.children(verb) if k > verb and parse.tokens[k].dep == "prep"), None)
    if adverbial is None or parse.child(verb, "attr", "acomp") is not None:
        return False
    return "that" in parse.lower[adverbial : parse.right_edge(verb)]


def _is_set_phrase(parse: Parse, verb: int) -> bool:
    """Whether "it" is in "it looks as if it will rain", "it is a matter of time" or "when it comes to selling"."""
    lemma, clause, noun = parse.tokens[verb].lemma, parse.child(verb, "advcl", "ccomp"), parse.child(verb, "attr")
    if lemma == "come" and any(parse.lower[k] == "when" for k in parse.children(verb)):
        return True
    openings = () if clause is None or lemma not in WORDS["impressions"] else parse.children(clause)
    like = any(parse.lower[k] in ("like", "as", "though", "if") for k in openings)
    return like or (noun is not None and parse.lower[noun : noun + 2] in (["matter", "of"], ["question", "of"]))
