"""Appositions that do not read well, or say something else, as a predicate, and such as may end elsewhere than at their
comma."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.lexicon import PRONOUNS
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.parse import QUOTES, SUBJECTS, Parse
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
    return None


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
