"""Apposition between two commas (paper, Table 14, row 9, and Figure 2): it becomes "ANTECEDENT is APPOSITION"."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.insertions.apposition_problems import names_many, problem_of
from gistmill.rules.discofuse.insertions.insertion import Insertion, antecedent_of, closing_of, without_insertion
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, person
from gistmill.rules.discofuse.nouns.referent_kinds import TRANSPARENT, described_kinds
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import FINITE, NOUNS, SUBJECTS, Parse

_MANY = frozenset((Kind.GROUP, Kind.PERSON))
# What ends no noun phrase: "Later , the mill", "As he said , the mill".
_NO_PHRASE = frozenset(("ADV", "ADP", "SCONJ", "CCONJ", "PRON", "PART", "VERB", "AUX"))
# An author's work is there for all who read, watch or hear it, and land and water for all who see them.
_LASTING = frozenset(
    """
    adaptation album anthology book collection comic compilation film game memoir movie novel novella opera painting
    play poem remake sculpture sequel song soundtrack version
    archipelago bay desert glacier gulf island lake mountain peninsula planet plateau river sea star valley volcano
    """.split()
)


def find(parse: Parse) -> Insertion | None:
    """Finds the apposition in a sentence of exactly two commas, as the released data does."""
    if len(parse.commas) != 2:
        return None
    opening, closing = parse.commas
    if opening == 0 or closing - opening < 3 or closing >= len(parse) - 2 or not _determined(parse, opening, closing):
        return None
    for i in range(opening + 1, closing):
        if parse.tokens[i].dep == "appos" and parse.tokens[i].head < opening:
            return Insertion(opening, closing, i, parse.tokens[i].head)
    return _unlabelled(parse, opening, closing)


def find_all(parse: Parse) -> Iterator[Insertion]:
    """Finds every apposition that a comma opens and a comma or the sentence's end closes, as the parse has them."""
    if not parse.commas:
        return
    for i in [i for i, token in enumerate(parse.tokens) if token[4] == "appos" and token[5] < i]:
        token = parse.tokens[i]
        left = parse.left_edge(i)
        opening = left if parse.lower[left] == "," else left - 1
        closing = closing_of(parse, i)
        if (
            opening > token.head
            and parse.lower[opening] == ","
            and closing is not None
            and closing - opening >= 3
            and _determined(parse, opening, closing)
        ):
            yield Insertion(opening, closing, i, token.head)


def _determined(parse: Parse, opening: int, closing: int) -> bool:
    """The first word is a determiner or possessive, or a possessor stands before the noun: "Winter 's team mate"."""
    first = parse.tokens[opening + 1]
    if (
        first.dep in ("det", "poss", "predet")
        and first.tag not in ("WDT", "WP$", "WP")
        or first.tag in ("DT", "PDT", "PRP$")
    ):
        return True
    mark = next((i for i in range(opening + 2, min(opening + 6, closing)) if parse.tokens[i].tag == "POS"), None)
    return mark is not None and parse.tokens[parse.tokens[mark].head].dep == "poss"


def _unlabelled(parse: Parse, opening: int, closing: int) -> Insertion | None:
    """A noun phrase right behind another one, whatever the parser took it for. It holds no clause, and no clause is
    joined to the one that it stands in.

    The items of a list count: the released data has some of them, and the verdict rejects them.
    """
    inside = range(opening + 1, closing)
    head = next(
        (i for i in inside if parse.tokens[i].pos in NOUNS and not opening < parse.tokens[i].head < closing), None
    )
    if head is None or parse.tokens[opening - 1].pos in _NO_PHRASE or _is_behind_fronted(parse, head):
        return None
    own = set(parse.subtree(head))
    if any(parse.tokens[i].tag in FINITE and i not in own for i in inside):
        return None
    joint = parse.tokens[closing + 1]
    if joint.dep == "cc" and parse.is_verb(joint.head) and not parse.is_verb(closing + 2):
        return None
    return Insertion(opening, closing, head, _noun_at(parse, opening - 1))


def _is_behind_fronted(parse: Parse, head: int) -> bool:
    """Whether it stands behind a fronted phrase as the subject, or as a time: "In May , the mill", "In 1962 , a year
    before his death".
    """
    token = parse.tokens[head]
    return parse.tokens[0].pos in ("ADP", "SCONJ") and (token.dep in SUBJECTS or token.entity[2:] in ("DATE", "TIME"))


def _noun_at(parse: Parse, position: int) -> int:
    """Returns the head of the noun phrase that ends at ``position``."""
    at = position
    while (
        parse.tokens[at].head != at
        and (parse.tokens[at].pos not in NOUNS or parse.tokens[at].dep in ("compound", "appos", "punct", "nmod"))
        and parse.tokens[at].head < position + 1
    ):
        at = parse.tokens[at].head
    return at


def apply(parse: Parse, match: Insertion) -> Halves:
    """Cuts the apposition out; "be" takes tense from the main clause, number and person from the antecedent."""
    antecedent = antecedent_of(parse, match)
    many = is_plural(parse, match.head) or names_many(parse, match)
    # "Azerbaijanis are a part", but "The Birches was a community", "NI Railways is a firm", "Wales is a country"
    noun = parse.tokens[match.antecedent]
    people = noun.tag == "NNPS" and (
        noun.entity.endswith("NORP")
        or noun.entity[2:] not in ("GPE", "FAC")
        and all(w.tag in ("NNPS", "JJ") for w in antecedent)
    )
    if noun.tag == "NNPS" and noun.text.lower().removesuffix("s") in PERSON_NOUNS:
        people = not _MANY.isdisjoint(described_kinds(parse, match.head))  # "The Green Mountain Boys were a group"
    plural = people or many and is_plural(parse, match.antecedent)
    if noun.tag == "NNPS" and noun.dep in SUBJECTS and parse.number(noun.head) == "singular":
        plural = False  # "Ada Gaines , a clerk , is"
    form = morphology.be(past=is_past(parse, match), plural=plural, person=person(parse, match.antecedent))
    return Halves(
        first=without_insertion(parse, match),
        second=join(antecedent, (form,), parse.words[match.open + 1 : match.close]),
        boundary=match.open + 1,
        problem=problem_of(parse, match),
    )


def is_past(parse: Parse, match: Insertion) -> bool:
    """Whether the new sentence is in the past: as the clause of the antecedent, unless the apposition has a clause in
    the present ("a role it still holds"), or says what a named thing is for good ("Cain , a novel by Lee")."""
    indefinite = parse.lower[match.open + 1] in ("a", "an")
    lasts = indefinite and parse.tokens[match.head].lemma.lower() in _LASTING
    if lasts and parse.tokens[match.antecedent].pos == "PROPN" or _is_told_in_present(parse, match.head):
        return False
    at = match.antecedent
    while parse.tokens[at].head != at and not (parse.is_verb(at) and parse.finite(at)):
        at = parse.tokens[at].head
    return parse.tells_of_past(at)


def _is_told_in_present(parse: Parse, head: int) -> bool:
    """Whether a clause of the apposition is in the present; one behind "part of the brain" is about the part."""
    nouns = [head]
    if parse.tokens[head].lemma in TRANSPARENT:
        nouns += [j for k in parse.children(head) if parse.lower[k] == "of" for j in parse.children(k)]
    clauses = [k for noun in nouns for k in parse.children(noun) if parse.tokens[k].dep == "relcl"]
    return any(parse.finite(k) and not parse.past(k) for k in clauses)
