"""Appositions that do not read well, or say something else, as a predicate, and such as may end elsewhere than at their
comma."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.lexicon import PERSON_NOUNS, PRONOUNS
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at
from gistmill.rules.discofuse.parse import FINITE, QUOTES, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# Who holds one of these is known by it alone: "Ann is the mayor".
_UNIQUE = frozenset(
    """
    president chairman chairwoman chairperson chair chancellor captain leader king queen emperor empress pope governor
    mayor premier ambassador commissioner commander founder owner capital secretary minister treasurer speaker bishop
    archbishop protagonist narrator heroine headquarters runner-up incumbent winner champion victor defendant plaintiff
    """.split()
)
# With one of these before it a noun means one.
_SINGLE_OUT = frozenset(
    "only sole chief main lead leading principal current then former present reigning top head titular".split()
)
# Prepositions that may have a deed with its doer behind them: "followed by Lee saying so".
_BEFORE_DEEDS = frozenset("by of with without from".split())
_LOOSE = frozenset(("ADP", "ADV"))


def doubt_of(parse: Parse, antecedent: int, head: int, opening: int, closing: int) -> Reason | None:
    """Returns the reason against an apposition that something in its form or behind it makes doubtful, or None.

    Args:
        parse: the sentence.
        antecedent: the noun that it is to.
        head: its head.
        opening, closing: the commas around it.
    """
    if _reminds(parse, head, opening, closing) or _has_owner_of_clause(parse, antecedent, head, opening):
        return DiscoFuseReason.UNRESOLVED_ANAPHOR
    if parse.tokens[head].pos == "ADJ" and parse.tokens[antecedent].dep == "pobj":
        return DiscoFuseReason.AMBIGUOUS  # "gave her the job at Acme , the biggest of all": either may be meant
    bare = parse.lower[opening + 1] not in ("a", "an") and _is_bare(parse, antecedent)
    if bare or _is_in_preposition(parse, antecedent):
        return DiscoFuseReason.WRONG_SCOPE
    if _is_region_s(parse, antecedent, head, opening) or _is_not_a_person(parse, antecedent, head):
        return DiscoFuseReason.AMBIGUOUS
    if _lists_the_rest(parse, antecedent, head):
        return DiscoFuseReason.LIST
    if _has_loose_end(parse, head, closing) or _is_before_rest(parse, antecedent, opening, closing):
        return DiscoFuseReason.CLAUSE_CUT
    return DiscoFuseReason.VERB_FORM if _disagrees(parse, antecedent, closing) else None


def _reminds(parse: Parse, head: int, opening: int, closing: int) -> bool:
    """Whether "the" only calls up who is known already: "Ann Lee , the novelist". "Ann Lee is the novelist" asks which.

    It tells who somebody is with something behind the noun ("the head of the firm"), with a word that singles one out
    ("the oldest mill"), and where the noun means one by itself ("the mayor").
    """
    token = parse.tokens[head]
    if parse.lower[opening + 1] != "the" or token.pos != "NOUN" or token.entity.endswith("WORK_OF_ART"):
        return False
    if head != closing - 1 or token.lemma.lower() in _UNIQUE or not QUOTES.isdisjoint(parse.lower[opening:closing]):
        return False
    return not any(_singles_out(parse, k) for k in range(opening + 2, head))


def _singles_out(parse: Parse, position: int) -> bool:
    token = parse.tokens[position]
    return (
        token.tag in ("JJS", "RBS", "POS")
        or token.entity.endswith("ORDINAL")
        or parse.lower[position] in _SINGLE_OUT
        or token.tag == "CD"
    )


def _has_owner_of_clause(parse: Parse, antecedent: int, head: int, opening: int) -> bool:
    """Whether "his" inside it means somebody named before, but the antecedent once it is the subject: "Lee accused Bo ,
    a friend of his wife". One in a clause of the apposition may be its own: "a judge who lost his post"."""
    if parse.tokens[antecedent].dep in SUBJECTS:
        return False
    for k in parse.subtree(head):
        gender = PRONOUNS.get(parse.lower[k]) if parse.tokens[k].tag == "PRP$" else None
        if gender is None or k == opening + 1 or not agrees(parse, head, gender):
            continue  # "the wife of his friend"
        at = k
        while at != head and parse.tokens[at].dep not in ("relcl", "acl"):
            at = parse.tokens[at].head
        before = range(parse.left_edge(antecedent))
        if at == head and any(parse.tokens[j].pos == "PROPN" or PRONOUNS.get(parse.lower[j]) == gender for j in before):
            return True
    return False


def _is_bare(parse: Parse, antecedent: int) -> bool:
    """Whether the antecedent is a common noun in the singular without an article, which opens no sentence about one
    thing: "heard by appeal court , the City Court", "drivers ' club , the RAC"."""
    token = parse.tokens[antecedent]
    if token.tag != "NN" or token.entity or token.text[0].isupper():
        return False
    before = [k for k in parse.children(antecedent) if k < antecedent]
    if any(parse.tokens[k].dep in ("det", "nummod", "predet") or parse.tokens[k].pos == "PROPN" for k in before):
        return False
    owner = next((k for k in before if parse.tokens[k].dep == "poss"), None)
    if owner is None:
        return True
    own = parse.tokens[owner]
    return own.tag == "NNS" and parse.child(owner, "det", "poss", "nummod") is None


def _is_in_preposition(parse: Parse, antecedent: int) -> bool:
    """Whether the antecedent only is a part of a preposition: "in response to a leak , a measure that"."""
    token = parse.tokens[antecedent]
    joined = token.head == antecedent - 1 and token.dep == "pobj" and parse.tokens[antecedent + 1].dep == "prep"
    return joined and token.tag == "NN" and not token.entity


def _is_region_s(parse: Parse, antecedent: int, head: int, opening: int) -> bool:
    """Whether a place and its region own the name behind them: "raced by Dover , Kent 's Grey Farm"."""
    region = parse.tokens[opening + 1]
    named = parse.tokens[antecedent].entity.endswith("GPE") and parse.tokens[head].pos == "PROPN"
    return named and region.entity.endswith("GPE") and region.dep == "poss"


def _is_not_a_person(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether what cannot be a person seems to be one whose calling is before the name: "wrote with the clerk Lee , a
    book"."""
    start = antecedent
    while start > 0 and parse.tokens[start - 1].pos == "PROPN":
        start -= 1
    called = start > 0 and parse.tokens[start - 1].pos == "NOUN" and parse.tokens[start - 1].lemma in PERSON_NOUNS
    kinds = kinds_at(parse, head)
    return called and parse.tokens[antecedent].entity.endswith("PERSON") and bool(kinds) and Kind.PERSON not in kinds


def _lists_the_rest(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether two nouns with an article each stand behind a name that is not a person's: "owned by Acme , the Grey
    group and the Lee group"."""
    noun = parse.tokens[antecedent]
    if noun.pos != "PROPN" or noun.entity.endswith("PERSON"):
        return False
    joined = [k for k in parse.children(head) if k > head and parse.tokens[k].dep == "conj"]
    return any(parse.lower[parse.left_edge(k)] in ("the", "its", "their") for k in joined)


def _has_loose_end(parse: Parse, head: int, closing: int) -> bool:
    """Whether a phrase behind a comma in it may be the clause's: "has a boat , the Ada , now in repair"."""
    for c in parse.commas:
        if head < c < closing and parse.tokens[c + 1].pos in _LOOSE:
            return not any(parse.tokens[k].tag in FINITE for k in range(head, c))
    return False


def _is_before_rest(parse: Parse, antecedent: int, opening: int, closing: int) -> bool:
    """Whether what follows the second comma goes with something that the first half no longer has.

    A phrase or clause may hang on the clause of the apposition ("You are the spy , a man who fled , after being seen"),
    and a participle may have the antecedent for its subject ("followed by Lee , a judge , saying so"), or go on with
    the clause ("the story of Lee , a clerk who loses faith , finally quitting").
    """
    after = closing + 1
    if after >= len(parse) - 1:
        return False
    token = parse.tokens[after]
    clause = any(parse.tokens[k].dep == "relcl" and parse.finite(k) for k in range(opening + 1, closing))
    at = antecedent
    while not parse.is_verb(at) and parse.tokens[at].head != at and parse.tokens[at].dep not in SUBJECTS:
        at = parse.tokens[at].head
    if parse.tokens[at].dep in SUBJECTS and at < parse.tokens[at].head:
        return False
    participle = token.tag == "VBG" or token.tag == "RB" and parse.tokens[after + 1].tag == "VBG"
    if participle and parse.tokens[antecedent].dep == "pobj":
        return clause or parse.lower[parse.tokens[antecedent].head] in _BEFORE_DEEDS
    return clause and (token.dep == "mark" or token.dep == "prep" and parse.child(after, "pcomp") is not None)


def _disagrees(parse: Parse, antecedent: int, closing: int) -> bool:
    """Whether a noun behind it was read as the verb of one person: "Lee , a clerk , alter ego of Bo"."""
    after = closing + 1
    if after >= len(parse) or parse.tokens[after].tag != "VBP":
        return False
    subject = parse.subject(after)
    return (
        subject is not None
        and subject <= antecedent
        and parse.tokens[subject].entity.endswith("PERSON")
        and parse.child(subject, "conj") is None
    )
