"""Appositions between two commas (paper, Table 14, row 9, and Figure 2), turned into "ANTECEDENT is APPOSITION"."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.coreference.lexicon import PERSON_NOUNS, ReferentKind, main_kind
from gistmill.rules.discofuse import insertion, operations
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.insertion import Insertion
from gistmill.rules.discofuse.nouns import references
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, person
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import FINITE, NOMINAL_SUBJECTS, NOUNS, SUBJECTS, TIME_ENTITIES, WORDS, Parse


def _sums_up(parse: Parse, match: Insertion) -> bool:
    """Whether the apposition may refer to the whole clause: "wears a cloak , a mark of modesty"."""
    noun, lemma = parse.tokens[match.antecedent], parse.tokens[match.head].lemma.lower()
    if noun.dep not in NOMINAL_SUBJECTS and lemma in WORDS["summaries"]:
        return noun.pos != "PROPN" or parse.lower[match.open + 1] != "the"
    kinds = references.kinds_at(parse, match.head)
    if not kinds or noun.dep != "pobj" or not kinds.isdisjoint(references.kinds_at(parse, match.antecedent)):
        return False
    # "went there for the Post , a visit to", "married at the Storkyrkan , the same date": neither refers to the name
    timed = kinds == frozenset((ReferentKind.EVENT,)) or main_kind(lemma) is ReferentKind.MEASURE
    return timed and not noun.entity.endswith(("DATE", "TIME", "EVENT"))


def _is_to_predicate(parse: Parse, match: Insertion) -> bool:
    """Whether the antecedent is predicated of the subject, so that the apposition is another predicate ("The mill was a
    mess , a heap of old wood"), or may be a name given to the object ("They named it a city , the last one")."""
    token = parse.tokens[match.antecedent]
    said = token.dep == "attr" and token.pos == "NOUN" and parse.opening(match.antecedent) in ("a", "an")
    return said or (token.dep in ("dobj", "ccomp", "oprd") and parse.tokens[token.head].lemma in WORDS["naming"])


def _is_of_other_kind(parse: Parse, match: Insertion) -> bool:
    """Whether the kinds of referents rule the apposition out. Since names are often given the wrong kind, only persons
    in places and books, or named by the title of a work, are ruled out. A quality ("the largest of any") must describe
    a singular noun without prepositional phrases."""
    noun, own = parse.tokens[match.antecedent], parse.tokens[match.head]
    if own.pos not in NOUNS:
        return is_plural(parse, match.antecedent) or parse.child(match.antecedent, "prep") is not None
    kinds, others = references.kinds_at(parse, match.head), references.kinds_at(parse, match.antecedent)
    role = not noun.entity and noun.lemma.lower() in PERSON_NOUNS and noun.dep not in SUBJECTS
    if own.pos == "NOUN" and (role or noun.pos == "NOUN"):  # "Minister for Defence , a post"
        return not references.may_agree(kinds, others)
    person = kinds == frozenset((ReferentKind.PERSON,)) or main_kind(own.lemma.lower()) is ReferentKind.PERSON
    if person and noun.dep == "pobj" and parse.lower[noun.head] in ("in", "at", "on", "into", "within", "inside"):
        # "a character in Shrugged , an owner of mines", "my friend at the Post , an executive"
        above = references.kinds_at(parse, parse.tokens[noun.head].head)
        return not noun.entity.endswith("PERSON") or ReferentKind.PERSON in above
    return False


def _has_items(parse: Parse, match: Insertion) -> bool:
    """Whether the apposition has conjuncts after a comma, or ends the sentence with an "and" and the same article as
    the noun before: "with the president , the government and parliament"."""
    article = parse.opening(match.antecedent)
    alike = article in ("a", "an", "the") and article == parse.lower[match.open + 1]
    if alike and match.close == len(parse) - 1 and parse.child(match.head, "conj") is not None:
        return True
    items = (k for k in range(match.open + 2, match.close) if parse.tokens[k].dep in ("conj", "appos"))
    return any(k != match.head and "," in parse.lower[match.open + 1 : k] for k in items)


def _is_to_item(parse: Parse, match: Insertion) -> bool:
    """Whether the antecedent, or the noun it modifies, is a conjunct or in a phrase after a comma ("had , with a
    servant , a daughter")."""
    at = match.antecedent
    if parse.tokens[at].dep == "pobj" and parse.lower[parse.tokens[at].head - 1] == ",":
        return True
    while parse.tokens[at].dep in ("pobj", "prep"):
        at = parse.tokens[at].head
    return parse.tokens[at].dep in ("conj", "appos") and parse.lower[parse.left_edge(at) - 1] in (",", "and", "or")


def _is_to_several(parse: Parse, match: Insertion) -> bool:
    """Whether another phrase is joined to the antecedent, even after the second comma."""
    if any(k != match.head and parse.tokens[k].dep in ("conj", "appos") for k in parse.children(match.antecedent)):
        return True
    behind = (parse.tokens[k] for k in parse.subtree(match.antecedent) if k > match.close)
    joined = (token.head for token in behind if token.dep in ("conj", "cc"))
    return any(match.antecedent <= head <= match.close and not parse.is_verb(head) for head in joined)


def _has_rival(parse: Parse, match: Insertion) -> bool:
    number, person = "plural" if is_plural(parse, match.head) else "singular", references.is_personal(parse, match.head)
    kinds = references.described_kinds(parse, match.head)
    return references.rivals(parse, match.antecedent, match.open, number=number, personal=person, kinds=kinds)


def _names_many(parse: Parse, match: Insertion) -> bool:
    """Whether one of the conjuncts is a plural noun, or each has an article: "coins , the penny and the bill".

    "His former ally and minister" is one person, and so is "Palin , the state's governor and the first Alaskan".
    """
    conjuncts = [k for k in parse.children(match.head) if parse.tokens[k].dep == "conj"]
    if any(parse.tokens[k].tag in ("NNS", "NNPS") for k in (match.head, *conjuncts)):
        return True
    articles = any(parse.opening(k) == "the" for k in conjuncts)
    return articles and parse.tokens[match.antecedent].pos != "PROPN"


def _disagrees(parse: Parse, match: Insertion) -> bool:
    """Whether only one is plural. A plural name may take a singular verb: "The Lovers of Achilles was a play"."""
    if not is_plural(parse, match.antecedent):
        return _names_many(parse, match)
    return not is_plural(parse, match.head) and not parse.tokens[match.antecedent].entity


CHECKS: tuple[Check[Insertion], ...] = (
    Check("apposition.summary", R.CLAUSAL_ANTECEDENT, _sums_up,
          "The old clerk wore a red cloak, a mark of his rank.",
          "The farm bred a black dog, an animal that can carry small loads."),
    Check("apposition.partitive", R.WRONG_SCOPE, lambda parse, match: parse.lower[match.open + 1] in WORDS["partitive"],
          "The old miller fed two dogs, both animals from the farm.",
          "The farm bred a black dog, an animal that can carry small loads."),
    Check("apposition.cut-phrase", R.WRONG_SCOPE, insertion.is_cut,
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
    Check("apposition.goes-on", R.CLAUSE_CUT, insertion.goes_on,
          "Ada saw the miller, a quiet man from Leeds, that day.",
          "The house of the miller, a quiet man from Leeds, was sold."),
)  # fmt: skip


# Classes of words that do not end a noun phrase: "Later , the mill", "As he said , the mill".
_NO_PHRASE = frozenset(("ADV", "ADP", "SCONJ", "CCONJ", "PRON", "PART", "VERB", "AUX"))


def find(parse: Parse) -> Insertion | None:
    """Finds the apposition in a sentence with exactly two commas, as in the released data."""
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
    """Finds every apposition that the parse shows between a comma and another comma or the sentence's end."""
    if not parse.commas:
        return
    for i in [i for i, token in enumerate(parse.tokens) if token[4] == "appos" and token[5] < i]:
        head = parse.tokens[i].head
        opening = parse.left_edge(i) - (parse.opening(i) != ",")
        closing = insertion.closing_of(parse, i) if opening > head and parse.lower[opening] == "," else None
        if closing is not None and closing - opening >= 3 and _determined(parse, opening, closing):
            yield Insertion(opening, closing, i, head)


def _determined(parse: Parse, opening: int, closing: int) -> bool:
    """Whether the first word is a determiner or possessive, or the noun has a possessor: "Winter 's team mate"."""
    first = parse.tokens[opening + 1]
    determiner = first.dep in ("det", "poss", "predet") and first.tag not in ("WDT", "WP$", "WP")
    if determiner or first.tag in ("DT", "PDT", "PRP$"):
        return True
    mark = next((i for i in range(opening + 2, min(opening + 6, closing)) if parse.tokens[i].tag == "POS"), None)
    return mark is not None and parse.tokens[parse.tokens[mark].head].dep == "poss"


def _unlabelled(parse: Parse, opening: int, closing: int) -> Insertion | None:
    """Finds a noun phrase right after another one, whatever its label. It contains no clause, and no clause is joined
    to the one around it. List items count: the released data contains some, and the verdict rejects them."""
    inside = range(opening + 1, closing)
    nouns = (i for i in inside if parse.tokens[i].pos in NOUNS)
    head = next((i for i in nouns if not opening < parse.tokens[i].head < closing), None)
    if head is None or parse.tokens[opening - 1].pos in _NO_PHRASE:
        return None
    token = parse.tokens[head]
    if parse.tokens[0].pos in ("ADP", "SCONJ") and (token.dep in SUBJECTS or token.entity[2:] in TIME_ENTITIES):
        return None  # after a fronted phrase: "In May , the mill", "In 1962 , a year before his death"
    own = set(parse.subtree(head))
    if any(parse.tokens[i].tag in FINITE and i not in own for i in inside):
        return None
    joint = parse.tokens[closing + 1]
    if joint.dep == "cc" and parse.is_verb(joint.head) and not parse.is_verb(closing + 2):
        return None
    at = opening - 1  # up to the head of the noun phrase that ends here
    while (
        parse.tokens[at].head != at
        and (parse.tokens[at].pos not in NOUNS or parse.tokens[at].dep in ("compound", "appos", "punct", "nmod"))
        and parse.tokens[at].head < opening
    ):
        at = parse.tokens[at].head
    return Insertion(opening, closing, head, at)


def apply(parse: Parse, match: Insertion) -> Halves:
    """Cuts the apposition out; "be" takes its tense from the main clause, its number and person from the antecedent."""
    antecedent = insertion.antecedent_of(parse, match)
    many = is_plural(parse, match.head) or _names_many(parse, match)
    # "Azerbaijanis are a part", but "The Birches was a community", "NI Railways is a firm", "Wales is a country"
    noun = parse.tokens[match.antecedent]
    people = noun.entity[2:] not in ("GPE", "FAC") and all(w.tag in ("NNPS", "JJ") for w in antecedent)
    people = people or noun.entity.endswith("NORP")
    if noun.text.lower().removesuffix("s") in PERSON_NOUNS:  # "The Green Mountain Boys were a group"
        kinds = references.described_kinds(parse, match.head)
        people = ReferentKind.GROUP in kinds or ReferentKind.PERSON in kinds
    plural = (people and noun.tag == "NNPS") or (many and is_plural(parse, match.antecedent))
    if noun.tag == "NNPS" and noun.dep in SUBJECTS and parse.number(noun.head) == "singular":
        plural = False  # "Ada Gaines , a clerk , is"
    form = operations.be(past=_is_past(parse, match), plural=plural, person=person(parse, match.antecedent))
    return Halves(
        first=insertion.without_insertion(parse, match),
        second=join(antecedent, (form,), parse.words[match.open + 1 : match.close]),
        boundary=match.open + 1,
        problem=first_reason(CHECKS, parse, match),
    )


def _is_past(parse: Parse, match: Insertion) -> bool:
    """Whether the new sentence is in the past, like the antecedent's clause, unless the apposition contains a clause in
    the present ("a role it still holds") or states a lasting property of a named thing ("Cain , a novel by Lee")."""
    indefinite = parse.lower[match.open + 1] in ("a", "an")
    lasts = indefinite and parse.tokens[match.head].lemma.lower() in WORDS["lasting"]
    if (lasts and parse.tokens[match.antecedent].pos == "PROPN") or _is_told_in_present(parse, match.head):
        return False
    above = (match.antecedent, *parse.ancestors(match.antecedent))
    clauses = (k for k in above if parse.is_verb(k) and parse.finite(k))
    return parse.tells_of_past(next(clauses, parse.root()))


def _is_told_in_present(parse: Parse, head: int) -> bool:
    """Whether a clause in the apposition is in the present; in "part of the brain that ...", it describes the part."""
    nouns = [head]
    if parse.tokens[head].lemma in WORDS["transparent"]:
        nouns += [j for k in parse.children(head) if parse.lower[k] == "of" for j in parse.children(k)]
    clauses = [k for noun in nouns for k in parse.children(noun) if parse.tokens[k].dep == "relcl"]
    return any(parse.finite(k) and not parse.past(k) for k in clauses)
