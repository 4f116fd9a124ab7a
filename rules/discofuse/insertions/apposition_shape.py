"""What only looks like an apposition: a predicate, a relative or absolute clause, or a phrase about something else."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at
from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.discofuse.words import Words

_OFFICES = frozenset("post office position title job appointment rank role".split())
_OF_RELATIVES = frozenset(("which", "whom"))
_COUNTED = frozenset("last straight consecutive successive final".split())
_STEM = 4  # letters that a noun of a deed shares with its verb at least: "selection", "select"
_WORKS = frozenset("book drama episode film game legend movie myth novel opera play poem story tale".split())
_NAMING = frozenset("call name term dub label style title christen nickname consider deem".split())
_FAR = 6  # words between a work and its relative clause
_BEING = frozenset(("being", "having"))
_COPULAS = frozenset(("be", "become", "remain"))


def is_not_an_apposition(parse: Parse, antecedent: int, head: int, opening: int, closing: int) -> bool:
    """Whether the phrase between the two positions is something else than a description of the noun before it."""
    return (
        _is_relative(parse, opening, closing)
        or _is_absolute(parse, head, closing)
        or _is_predicate(parse, antecedent, opening)
        or _names_itself(parse, antecedent, head)
        or _is_office_of_holder(parse, antecedent, head)
        or _is_named_so(parse, antecedent)
    )


def has_verb(phrase: Words, antecedent: int) -> bool:
    """Whether the phrase before the comma is a clause whose verb was taken for an adjective: "Ada besieged Ulm , the
    last town"."""
    return any(
        w.tag in ("VBD", "VBZ", "VBP") and w.dep in ("amod", "compound", "nmod") and w.position < antecedent
        for w in phrase
    )


def names_deed(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether the apposition is to what somebody did: "was called to the team , his third call", "visited Ulm , a long
    visit".

    Its noun is one of an event, and counts the events of its owner or is that of the verb above.
    """
    noun, lemma = parse.tokens[antecedent], parse.tokens[head].lemma.lower()
    if noun.dep in SUBJECTS or main_kind(lemma) is not Kind.EVENT:
        return False
    own = parse.tokens[parse.left_edge(head)].tag == "PRP$"
    counts = any(
        parse.tokens[k].entity.endswith("ORDINAL") or parse.lower[k] in _COUNTED
        for k in parse.children(head)
        if k < head
    )
    at = noun.head
    while not parse.is_verb(at) and parse.tokens[at].head != at:
        at = parse.tokens[at].head
    verb = parse.tokens[at].lemma.lower()
    shared = len(verb) >= _STEM and lemma.startswith(verb[: max(_STEM, len(verb) - 1)])
    return own and counts or shared and parse.is_verb(at)


def is_in_work(parse: Parse, antecedent: int) -> bool:
    """Whether only a work says so, in a clause about it that the new sentence would leave: "in the play Rain , in which
    Lee , the king , dies"."""
    at = antecedent
    while parse.tokens[at].head != at:
        if parse.tokens[at].dep == "relcl":
            which = next((k for k in range(parse.left_edge(at), at) if parse.tokens[k].tag == "WDT"), None)
            before = range(max(0, which - 1 - _FAR), which - 1) if which else ()
            if (
                which
                and parse.lower[which - 1] == "in"
                and any(parse.tokens[k].lemma.lower() in _WORKS for k in before)
            ):
                return True
        at = parse.tokens[at].head
    return False


def _is_relative(parse: Parse, opening: int, closing: int) -> bool:
    """Whether it is a clause about the noun before it: "the course of which lies below". In "a group of which he is the
    head" the relative word is below the noun, and so it is in "a town in which"."""
    for k in range(opening + 2, closing - 1):
        if parse.is_verb(k):
            return False
        if parse.lower[k] in _OF_RELATIVES and parse.lower[k - 1] == "of":
            after = next((i for i in range(k + 1, closing) if parse.tokens[i].pos != "ADV"), closing)
            return parse.is_verb(after)
    return False


def _is_absolute(parse: Parse, head: int, closing: int) -> bool:
    """Whether it says with a participle how the clause is meant: "their purpose being trade"."""
    if parse.lower[head] in _BEING:
        return True
    return any(parse.lower[k] in _BEING and parse.tokens[k].head == head for k in range(head + 1, closing))


def _is_predicate(parse: Parse, antecedent: int, opening: int) -> bool:
    """Whether the antecedent is in a phrase between a copula and its predicate: "it is , in addition to the mill , a
    farm"."""
    at = antecedent
    while parse.tokens[at].dep in ("pobj", "prep", "pcomp") and parse.tokens[at].head < at:
        at = parse.tokens[at].head
        comma = at - 1
        if comma > 0 and parse.lower[comma] == "," and parse.tokens[at].pos in ("ADP", "SCONJ"):
            return comma < opening and parse.tokens[comma - 1].lemma in _COPULAS
    return False


def _names_itself(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether a person is described by the name before the comma: "winning the Crown , the first Crown winner"."""
    if parse.tokens[antecedent].pos != "PROPN" or Kind.PERSON not in kinds_at(parse, head):
        return False
    parts = {parse.lower[k] for k in parse.subtree(head) if k < head and parse.tokens[k].dep == "compound"}
    return parse.lower[antecedent] in parts


def _is_office_of_holder(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether the antecedent is who holds an office, and not the office: "He was the new judge , a post that"; but
    "became Minister , a post that"."""
    if parse.tokens[head].lemma not in _OFFICES:
        return False
    first = parse.tokens[parse.left_edge(antecedent)]
    role = parse.tokens[antecedent].lemma.lower() in PERSON_NOUNS or parse.tokens[antecedent].dep == "attr"
    return role and (first.tag in ("DT", "PRP$") or first.dep == "poss")


def _is_named_so(parse: Parse, antecedent: int) -> bool:
    """Whether the phrase may be what the verb calls its object: "we call the pictures , the last farewell"."""
    token = parse.tokens[antecedent]
    return token.dep in ("dobj", "ccomp", "oprd") and parse.tokens[token.head].lemma in _NAMING
