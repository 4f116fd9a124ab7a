"""Apposition between two commas (paper, Table 14, row 9, and Figure 2): it becomes "ANTECEDENT is APPOSITION"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.discofuse import morphology
from rules.discofuse.apposition_sense import fits, is_past, nearest, sums_up
from rules.discofuse.halves import Halves
from rules.discofuse.insertions import closing_of, continues, reaches, without_insertion
from rules.discofuse.noun_phrases import core, definite, is_plural, person
from rules.discofuse.operations import join
from rules.discofuse.parse import FINITE, SUBJECTS, Parse
from rules.discofuse.reasons import DiscoFuseReason
from rules.discofuse.references import is_personal, names_again, quantified, rivals
from rules.discofuse.referent_kinds import described_kinds
from rules.discofuse.words import Words
from rules.verdict import Reason

# "each with a name", "both of them", "some of which": not what the noun is. The released data has some all the same.
_PARTITIVE = frozenset(
    "each both all some most many one two three none neither either this that these those no not".split()
)
_NOUNS = frozenset(("NOUN", "PROPN"))
# What ends no noun phrase: "Later , the mill", "As he said , the mill".
_NO_PHRASE = frozenset(("ADV", "ADP", "SCONJ", "CCONJ", "PRON", "PART", "VERB", "AUX"))


@dataclass(frozen=True, slots=True)
class AppositionMatch:
    """The commas at ``open`` and ``close`` (or the final mark there) set off the apposition headed by ``head`` to the
    noun at ``antecedent``."""

    open: int
    close: int
    head: int
    antecedent: int


def find(parse: Parse) -> AppositionMatch | None:
    """Finds the apposition in a sentence of exactly two commas, as the released data does."""
    if len(parse.commas) != 2:
        return None
    opening, closing = parse.commas
    if opening == 0 or closing - opening < 3 or closing >= len(parse) - 2 or not _determined(parse, opening, closing):
        return None
    for i in range(opening + 1, closing):
        if parse.tokens[i].dep == "appos" and parse.tokens[i].head < opening:
            return AppositionMatch(opening, closing, i, parse.tokens[i].head)
    return _unlabelled(parse, opening, closing)


def find_all(parse: Parse) -> Iterator[AppositionMatch]:
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
            and parse.lower[opening + 1] not in _PARTITIVE
            and _determined(parse, opening, closing)
        ):
            yield AppositionMatch(opening, closing, i, nearest(parse, token.head, i))


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


def _unlabelled(parse: Parse, opening: int, closing: int) -> AppositionMatch | None:
    """A noun phrase right behind another one, whatever the parser took it for. It holds no clause, and no clause is
    joined to the one that it stands in.

    The items of a list count: the released data has some of them, and the verdict rejects them.
    """
    inside = range(opening + 1, closing)
    head = next(
        (i for i in inside if parse.tokens[i].pos in _NOUNS and not opening < parse.tokens[i].head < closing), None
    )
    if head is None or parse.tokens[opening - 1].pos in _NO_PHRASE or _is_behind_fronted(parse, head):
        return None
    own = set(parse.subtree(head))
    if any(parse.tokens[i].tag in FINITE and i not in own for i in inside):
        return None
    joint = parse.tokens[closing + 1]
    if joint.dep == "cc" and parse.is_verb(joint.head) and not parse.is_verb(closing + 2):
        return None
    return AppositionMatch(opening, closing, head, _noun_at(parse, opening - 1))


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
        and (parse.tokens[at].pos not in _NOUNS or parse.tokens[at].dep in ("compound", "appos", "punct", "nmod"))
        and parse.tokens[at].head < position + 1
    ):
        at = parse.tokens[at].head
    return at


def apply(parse: Parse, match: AppositionMatch) -> Halves:
    """Cuts the apposition out; "be" takes tense from the main clause, number and person from the antecedent."""
    words = parse.words
    antecedent = definite(core(parse, match.antecedent, end=match.open))
    many = is_plural(parse, match.head) or _names_many(parse, match.head, match.antecedent)
    # "Azerbaijanis are a part", but "The Birches was a community", "NI Railways is a firm"
    people = parse.tokens[match.antecedent].tag == "NNPS" and all(w.tag in ("NNPS", "JJ") for w in antecedent)
    plural = people or many and is_plural(parse, match.antecedent)
    past = is_past(parse, match.antecedent, match.head)
    form = morphology.be(past=past, plural=plural, person=person(parse, match.antecedent))
    second = join(antecedent, (form,), words[match.open + 1 : match.close])
    first = without_insertion(parse, match.open, match.close)
    return Halves(first=first, second=second, boundary=match.open + 1, problem=_problem(parse, match, antecedent))


def _names_many(parse: Parse, head: int, antecedent: int) -> bool:
    """Whether a noun in the plural is among the conjuncts, or each has an article: "coins , the penny and the bill".

    "His former ally and minister" is one person, and so is "Palin , the state's governor and the first Alaskan".
    """
    conjuncts = [k for k in parse.children(head) if parse.tokens[k].dep == "conj"]
    if any(parse.tokens[k].tag in ("NNS", "NNPS") for k in (head, *conjuncts)):
        return True
    articles = any(parse.lower[parse.left_edge(k)] == "the" for k in conjuncts)
    return articles and parse.tokens[antecedent].pos != "PROPN"


def _problem(parse: Parse, match: AppositionMatch, antecedent: Words) -> Reason | None:
    if parse.is_verb(match.antecedent) or sums_up(parse, match.antecedent, match.head):
        return DiscoFuseReason.CLAUSAL_ANTECEDENT
    if parse.lower[match.open + 1] in _PARTITIVE:
        return DiscoFuseReason.WRONG_SCOPE
    if not reaches(parse, antecedent, match.open) or not names_again(parse, antecedent, match.antecedent):
        return DiscoFuseReason.WRONG_SCOPE
    if parse.tokens[match.antecedent].pos not in (*_NOUNS, "PRON") or parse.tokens[match.head].lemma == "one":
        return DiscoFuseReason.WRONG_SCOPE
    if quantified(parse, match.antecedent) or _differ(parse, match) or not fits(parse, match.antecedent, match.head):
        return DiscoFuseReason.WRONG_SCOPE
    if _lists(parse, match) or _names_others(parse, match):
        return DiscoFuseReason.LIST
    if any(a.text == "," and b.pos == "DET" for a, b in zip(antecedent, antecedent[1:])):
        return DiscoFuseReason.LIST
    number = "plural" if is_plural(parse, match.head) else "singular"
    if rivals(
        parse,
        match.antecedent,
        match.open,
        number=number,
        personal=is_personal(parse, match.head),
        kinds=described_kinds(parse, match.head),
    ):
        return DiscoFuseReason.AMBIGUOUS
    if any(
        parse.tokens[k].dep in ("conj", "cc")
        and k > match.close
        and parse.tokens[k].head <= match.close
        and not parse.is_verb(parse.tokens[k].head)
        and parse.tokens[k].head >= match.antecedent
        for k in parse.subtree(match.antecedent)
    ):
        return DiscoFuseReason.LIST
    if is_plural(parse, match.antecedent):
        # a name in the plural may be one thing: "The Lovers of Achilles was a play"
        if not is_plural(parse, match.head) and not parse.tokens[match.antecedent].entity:
            return DiscoFuseReason.NUMBER
    elif _names_many(parse, match.head, match.antecedent):
        return DiscoFuseReason.NUMBER
    if not continues(parse, match.open, match.close, clause=False):
        return DiscoFuseReason.CLAUSE_CUT
    if any(parse.tokens[c + 1].pos == "ADP" for c in parse.commas if match.open < c < match.close):
        return DiscoFuseReason.CLAUSE_CUT  # "a new term , the cosmological constant , to the equations"
    # a clause behind the second comma may hang on the apposition: "the Lion , a sculpture ... , which had ..."
    behind = [k for k in parse.subtree(match.head) if k > match.close]
    clauses = {j for k in behind if parse.tokens[k].dep in ("relcl", "acl") for j in parse.subtree(k)}
    if set(behind) - clauses or any(
        not match.open <= parse.tokens[i].head <= match.close
        for i in range(match.open + 1, match.close)
        if i != match.head
    ):
        return DiscoFuseReason.CLAUSE_CUT
    return None


def _differ(parse: Parse, match: AppositionMatch) -> bool:
    """Whether one of the two is a person and the other a place, a time or the like."""
    kinds = parse.tokens[match.antecedent].entity[2:], parse.tokens[match.head].entity[2:]
    persons = is_personal(parse, match.antecedent), is_personal(parse, match.head)
    places = {"GPE", "LOC", "FAC", "DATE", "TIME", "WORK_OF_ART", "ORG", "EVENT"}
    return persons[0] and kinds[1] in places or persons[1] and kinds[0] in places - {"ORG"}


def _names_others(parse: Parse, match: AppositionMatch) -> bool:
    """Whether the names of others follow a person's: "the poet Ada Grey , the climber Leo Brown and ..."."""
    if not parse.tokens[match.antecedent].entity.endswith("PERSON"):
        return False
    names = [i for i in range(match.open + 1, match.close) if parse.tokens[i].entity == "B-PERSON"]
    return sum(not _is_below_preposition(parse, i, match) for i in names) > 1


def _is_below_preposition(parse: Parse, position: int, match: AppositionMatch) -> bool:
    """Whether a word of the apposition hangs on a preposition, a possessive or a verb in it: "the son of Ada"."""
    at = position
    while match.open < at < match.close and at != match.head:
        if parse.tokens[at].dep in ("pobj", "poss") or parse.is_verb(at):
            return True
        at = parse.tokens[at].head
    return False


def _lists(parse: Parse, match: AppositionMatch) -> bool:
    """Whether the phrase may be an item of a list, or not belong to the noun right before it.

    That is so with conjuncts behind a comma, and after a prepositional phrase that a comma opens ("fathered , with a
    servant , a daughter").
    """
    for k in range(match.open + 2, match.close):
        if k != match.head and parse.tokens[k].dep in ("conj", "appos") and "," in parse.lower[match.open + 1 : k]:
            return True
    at = match.antecedent
    while parse.tokens[at].dep in ("pobj", "prep"):
        at = parse.tokens[at].head
    if parse.tokens[at].dep in ("conj", "appos") and parse.lower[parse.left_edge(at) - 1] in (",", "and", "or"):
        return True
    if any(k != match.head and parse.tokens[k].dep in ("conj", "appos") for k in parse.children(match.antecedent)):
        return True
    joined = parse.child(match.head, "conj")
    if "and" in parse.lower[match.open : match.close] and _names_examples(parse, match):
        return True
    if joined is not None and match.close >= len(parse) - 1:
        alike = parse.lower[match.open + 1] == "the" == parse.lower[parse.left_edge(match.antecedent)]
        indefinite = parse.lower[parse.left_edge(joined)] in ("a", "an")
        if (alike or indefinite) and not parse.tokens[match.antecedent].entity.endswith("PERSON"):
            # "a field of Welford F.C. , a youth centre and a park", "the president , the government and parliament"
            return True
    if parse.tokens[match.head].lemma == parse.tokens[match.antecedent].lemma:
        return True  # "an asexual phase , a sexual phase"
    if parse.tokens[match.antecedent].dep == "pobj":
        preposition = parse.tokens[match.antecedent].head
        if preposition and parse.lower[preposition - 1] == ",":
            return True
    return (
        match.close + 1 < len(parse)
        and parse.lower[match.close + 1] in ("and", "or", "&")
        and _noun_follows(parse, match.close + 2)
    )


def _names_examples(parse: Parse, match: AppositionMatch) -> bool:
    """Whether examples stand in a list: "schools , including the University of X , the A College and the B"."""
    before = parse.left_edge(match.antecedent) - 1
    named = {parse.tokens[i].pos for i in (match.antecedent, match.head)} == {"PROPN"}
    return named or before >= 0 and parse.lower[before] in ("including", "like", "as")


def _noun_follows(parse: Parse, start: int) -> bool:
    """Whether a noun phrase without a verb of its own starts here: the next item of a list."""
    for i in range(start, min(start + 6, len(parse))):
        if parse.is_verb(i):
            return False
        if parse.tokens[i].pos in _NOUNS:
            return parse.tokens[i].dep not in SUBJECTS
    return False
