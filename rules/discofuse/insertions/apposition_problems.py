"""Why an apposition between two commas cannot be split off: what it is to, where it ends, and whether it is one."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.insertions.insertion import Insertion, goes_on, is_cut
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, rivals
from gistmill.rules.discofuse.nouns.referent_kinds import agree, described_kinds, kinds_at, may_agree
from gistmill.rules.discofuse.parse import ARTICLES, NOMINAL_SUBJECTS, NOUNS, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

# "each with a name", "both of them", "some of which": not what the noun is. The released data has some all the same.
_PARTITIVE = frozenset(
    "each both all some most many one two three none neither either this that these those no not".split()
)
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
_NAMING = frozenset("call name term dub label style title christen nickname consider deem".split())
_WHERE = frozenset("in at on into within inside".split())


def problem_of(parse: Parse, match: Insertion) -> R | None:
    """Returns the first reason to refuse the apposition, or None."""
    return first_reason(CHECKS, parse, match)


def _sums_up(parse: Parse, match: Insertion) -> bool:
    """Whether the apposition may be to the clause: "wears a cloak , a mark of modesty"."""
    noun, lemma = parse.tokens[match.antecedent], parse.tokens[match.head].lemma.lower()
    if noun.dep in NOMINAL_SUBJECTS:
        return False
    if lemma in _SUMMARIES:
        return noun.pos != "PROPN" or parse.lower[match.open + 1] != "the"
    kinds = kinds_at(parse, match.head)
    if not kinds or noun.dep != "pobj" or agree(kinds, kinds_at(parse, match.antecedent)):
        return False
    # "went there for the Post , a visit to", "married at the Storkyrkan , the same date": no organisation, no place
    timed = kinds == frozenset((Kind.EVENT,)) or main_kind(lemma) is Kind.MEASURE
    return timed and not noun.entity.endswith(("DATE", "TIME", "EVENT"))


def _is_partitive(parse: Parse, match: Insertion) -> bool:
    return parse.lower[match.open + 1] in _PARTITIVE


def _is_to_predicate(parse: Parse, match: Insertion) -> bool:
    """Whether the antecedent is said of the subject, so that the apposition is another predicate ("The mill was a mess
    , a heap of old wood"), or may be what the verb calls its object ("They named it a city , the last one")."""
    token = parse.tokens[match.antecedent]
    said = token.dep == "attr" and token.pos == "NOUN" and parse.lower[parse.left_edge(match.antecedent)] in ("a", "an")
    return said or token.dep in ("dobj", "ccomp", "oprd") and parse.tokens[token.head].lemma in _NAMING


def _is_of_other_kind(parse: Parse, match: Insertion) -> bool:
    """Whether it cannot be about the antecedent by their kinds. A name's kind is often wrong, so only persons in places
    and books are ruled out, and persons called by the name of a work. A quality ("the largest of any") has one thing
    that nothing hangs on."""
    noun, own = parse.tokens[match.antecedent], parse.tokens[match.head]
    if own.pos not in NOUNS:
        return is_plural(parse, match.antecedent) or parse.child(match.antecedent, "prep") is not None
    kinds, others = kinds_at(parse, match.head), kinds_at(parse, match.antecedent)
    role = not noun.entity and noun.lemma.lower() in PERSON_NOUNS and noun.dep not in SUBJECTS
    if own.pos == "NOUN" and (role or noun.pos == "NOUN"):  # "Minister for Defence , a post"
        return not may_agree(kinds, others)
    person = kinds == frozenset((Kind.PERSON,)) or main_kind(own.lemma.lower()) is Kind.PERSON
    if person and noun.dep == "pobj" and parse.lower[noun.head] in _WHERE:
        # "a character in Shrugged , an owner of mines", "my friend at the Post , an executive"
        return not noun.entity.endswith("PERSON") or Kind.PERSON in kinds_at(parse, parse.tokens[noun.head].head)
    return False


def _has_items(parse: Parse, match: Insertion) -> bool:
    """Whether it has conjuncts behind a comma, or behind "and" at the end and the article of the noun before: "with the
    president , the government and parliament"."""
    article, joined = parse.lower[parse.left_edge(match.antecedent)], parse.child(match.head, "conj")
    alike = article in ARTICLES and article == parse.lower[match.open + 1]
    if joined is not None and alike and match.close == len(parse) - 1:
        return True
    return any(
        parse.tokens[k].dep in ("conj", "appos") and "," in parse.lower[match.open + 1 : k]
        for k in range(match.open + 2, match.close)
        if k != match.head
    )


def _is_to_item(parse: Parse, match: Insertion) -> bool:
    """Whether the antecedent, or what it belongs to, is a conjunct itself, or in a phrase that a comma opens ("had ,
    with a servant , a daughter")."""
    at = match.antecedent
    if parse.tokens[at].dep == "pobj" and parse.lower[parse.tokens[at].head - 1] == ",":
        return True
    while parse.tokens[at].dep in ("pobj", "prep"):
        at = parse.tokens[at].head
    return parse.tokens[at].dep in ("conj", "appos") and parse.lower[parse.left_edge(at) - 1] in (",", "and", "or")


def _is_to_several(parse: Parse, match: Insertion) -> bool:
    """Whether something else is joined to the antecedent as well, be it behind the second comma."""
    if any(k != match.head and parse.tokens[k].dep in ("conj", "appos") for k in parse.children(match.antecedent)):
        return True
    return any(
        parse.tokens[k].dep in ("conj", "cc")
        and match.antecedent <= parse.tokens[k].head <= match.close < k
        and not parse.is_verb(parse.tokens[k].head)
        for k in parse.subtree(match.antecedent)
    )


def _has_rival(parse: Parse, match: Insertion) -> bool:
    return rivals(
        parse,
        match.antecedent,
        match.open,
        number="plural" if is_plural(parse, match.head) else "singular",
        personal=is_personal(parse, match.head),
        kinds=described_kinds(parse, match.head),
    )


def names_many(parse: Parse, match: Insertion) -> bool:
    """Whether a noun in the plural is among the conjuncts, or each has an article: "coins , the penny and the bill".

    "His former ally and minister" is one person, and so is "Palin , the state's governor and the first Alaskan".
    """
    conjuncts = [k for k in parse.children(match.head) if parse.tokens[k].dep == "conj"]
    if any(parse.tokens[k].tag in ("NNS", "NNPS") for k in (match.head, *conjuncts)):
        return True
    articles = any(parse.lower[parse.left_edge(k)] == "the" for k in conjuncts)
    return articles and parse.tokens[match.antecedent].pos != "PROPN"


def _disagrees(parse: Parse, match: Insertion) -> bool:
    """Whether only one of the two is many. A name in the plural may be one: "The Lovers of Achilles was a play"."""
    if not is_plural(parse, match.antecedent):
        return names_many(parse, match)
    return not is_plural(parse, match.head) and not parse.tokens[match.antecedent].entity


CHECKS: tuple[Check[Insertion], ...] = (
    Check("apposition.summary", R.CLAUSAL_ANTECEDENT, _sums_up,
          "The old clerk wore a red cloak, a mark of his rank.",
          "The farm bred a black dog, an animal that can carry small loads."),
    Check("apposition.partitive", R.WRONG_SCOPE, _is_partitive,
          "The old miller fed two dogs, both animals from the farm.",
          "The farm bred a black dog, an animal that can carry small loads."),
    Check("apposition.cut-phrase", R.WRONG_SCOPE, is_cut,
          "The region is largely pine forest, a landscape of great beauty.",
          "The region has an old pine forest, a landscape of great beauty."),
    Check("apposition.predicate", R.WRONG_SCOPE, _is_to_predicate,
          "The old mill was a ruin, a heap of wet wood.", "The town sold the ruin, a heap of wet wood."),
    Check("apposition.kind", R.WRONG_SCOPE, _is_of_other_kind,
          "Karl is one of the heroes in Shadow Land, an owner of many mines.",
          "Karl is one of the heroes of Ada Lane, an owner of many mines."),
    Check("apposition.items", R.LIST, _has_items,
          "Power rests with the president, the government and the parliament.",
          "The town honoured Eva Berg, the owner and editor of the paper."),
    Check("apposition.item", R.LIST, _is_to_item,
          "The road leads to the castle and the mill, a ruin by the river.",
          "The road leads to the mill, a ruin by the river."),
    Check("apposition.several", R.LIST, _is_to_several,
          "Ada Lane wrote to Leo Kim and Eva Berg, a painter from Oslo.",
          "Ada Lane wrote to Eva Berg, a painter from Oslo."),
    Check("apposition.rival", R.AMBIGUOUS, _has_rival,
          "The brother of the miller, a quiet man from Leeds, sold the house.",
          "The house of the miller, a quiet man from Leeds, was sold."),
    Check("apposition.number", R.NUMBER, _disagrees,
          "The firm printed two posters, a map of the town.", "The town sold the ruin, a heap of wet wood."),
    Check("apposition.goes-on", R.CLAUSE_CUT, goes_on,
          "Ada saw the miller, a quiet man from Leeds, that day.",
          "The house of the miller, a quiet man from Leeds, was sold."),
)  # fmt: skip
