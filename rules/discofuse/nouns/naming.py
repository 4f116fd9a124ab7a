"""Which nouns name a thing that can come back, and which are only said of one."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse

# "Leeds is an old city": the subject is what comes back.
_SAID_OF_ANOTHER = frozenset(("attr", "oprd", "appos"))
# Into what these make of a thing: "turned the mill into a school".
_MAKING = frozenset("change convert develop divide evolve form grow make merge shape split transform turn".split())
# Of these there is one, whatever part of it was named: "the world of the 1930s", "to the west of the river".
UNIQUE = frozenset(
    """
    earth east future internet moon north northeast northwest past present public sky south southeast southwest sun
    universe weather west world
    """.split()
)


def names_a_thing(parse: Parse, head: int) -> bool:
    """Whether a noun names something that the same noun can take up.

    It does not where it is said of another ("is the second sport", "are some of the best songs", "known as coal
    country", "used as a school", "turned into a school", "high for a large country"), in the middle of a preposition
    ("in order of weight"), and where its complement names a part of the only one there is ("the world of the 1930s").
    """
    token = parse.tokens[head]
    before_of = parse.lower[head + 1 : head + 2] == ["of"]
    if _is_said_of_another(parse, head) or before_of and token.lemma.lower() in UNIQUE:
        return False
    if token.dep != "pobj":
        return True
    if _is_partitive(parse, head):
        return False
    preposition, determiner = parse.lower[token.head], parse.child(head, "det")
    if determiner is None:
        complex_preposition = before_of and token.tag == "NN" and token.head == head - 1
        return preposition != "as" and not complex_preposition
    if parse.lower[determiner] not in ("a", "an"):
        return True
    above = parse.tokens[parse.tokens[token.head].head]
    if preposition == "as" or preposition == "into" and above.lemma in _MAKING:
        return False
    return not (preposition == "for" and above.pos == "ADJ")


def _is_said_of_another(parse: Parse, head: int) -> bool:
    """Whether the noun, or what it is joined to, is a predicate or an apposition: "is an old mill and a school"."""
    head = parse.first_conjunct(head)
    return parse.tokens[head].dep in _SAID_OF_ANOTHER


def _is_partitive(parse: Parse, head: int) -> bool:
    """Whether the noun says of what kind the subject is, or of what a part: "are some of the best songs"."""
    preposition = parse.tokens[head].head
    part = parse.tokens[preposition].head
    said = parse.lower[preposition] == "of" and parse.tokens[part].dep == "attr"
    return said and (parse.tokens[part].pos != "NOUN" or parse.tokens[part].lemma == "part")
