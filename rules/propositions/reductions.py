"""Words that can be left out of a clause while it stays true: optional phrases, and all but one of coordinated items.

The shorter clause says less, so the full clause entails it. This does not hold below a negation, condition, quantifier
or comparison, where nothing is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.operations import TERMINAL
from gistmill.rules.discofuse.parse import (
    AUXILIARIES,
    FINITE,
    NOMINAL_SUBJECTS,
    NOUNS,
    SUBJECTS,
    TIME_ENTITIES,
    Parse,
)
from gistmill.rules.languages.language import english_table
from gistmill.rules.propositions.splitting import blocks, is_monotone

T_co = TypeVar("T_co", covariant=True)
_COMPARATIVE = frozenset(("JJS", "RBS", "JJR", "RBR"))
_PLACES = frozenset(("GPE", "LOC", "FAC"))
SET_OFF = frozenset((",", "--", "---"))


@dataclass(frozen=True, slots=True)
class Rule(Generic[T_co]):
    """A construction from which facts are derived.

    Attributes:
        id: its name.
        labels: dependency labels of its head.
        find: the result of the rule for a word with one of the labels; a false value if it does not match.
        refuses: a text that it does not match.
        passes: a similar text that it matches. The tests run both.
    """

    id: str
    labels: frozenset[str]
    find: Callable[[Parse, int], T_co]
    refuses: str
    passes: str


def span(parse: Parse, k: int) -> tuple[int, int]:
    """Returns the start and end of a word's phrase, without marks at its edges."""
    left, right = parse.left_edge(k), parse.right_edge(k)
    while left < k and parse.lower[left] in SET_OFF:
        left += 1
    while right > k and (parse.lower[right] in SET_OFF or parse.lower[right] in TERMINAL):
        right -= 1
    return left, right + 1


_WORDS = english_table("propositions")
_FREE, _SCOPES = _WORDS["free_prepositions"], _WORDS["scopes"]
# Prepositions that complete a noun or verb rather than say where or when: "set the record for".
_COMPLETING = frozenset(("as", "for", "with", "between"))
_PREDICATES = frozenset("attr acomp advmod dobj oprd".split())
_COMPLEMENTS = frozenset("dobj prep dative xcomp oprd agent".split())


def _is_event(parse: Parse, verb: int) -> bool:
    """Whether a clause is about an event or a particular person, rather than about things in general."""
    subject = parse.shared_subject(verb)
    named = subject is not None and (parse.tokens[subject].entity != "" or parse.lower[subject] in ("he", "she"))
    return named or parse.past(verb) or parse.perfect(verb)


def _is_time(parse: Parse, k: int) -> bool:
    """Whether a phrase that depends on a verb, or on an earlier name ("in London in 1815"), is a date."""
    noun, head = k if parse.tokens[k].dep == "npadvmod" else parse.child(k, "pobj"), parse.tokens[k].head
    if noun is None or parse.tokens[noun].entity[2:] not in TIME_ENTITIES or _is_all_of_modifier(parse, k):
        return False
    if parse.is_verb(head):
        return _is_event(parse, head) or (noun != k and parse.lower[k] in _FREE)
    return parse.tokens[head].pos == "PROPN" and parse.tokens[head].dep in ("pobj", "dobj")


def _is_all_of_modifier(parse: Parse, k: int) -> bool:
    """Whether a modifier's verb has no other complement: "scheduled for May", "that lived in Kent"."""
    head = parse.tokens[k].head
    others = (parse.tokens[c].dep for c in parse.children(head) if c > head and c != k)
    return parse.tokens[head].dep in ("acl", "advcl", "relcl") and _COMPLEMENTS.isdisjoint(others)


def _is_circumstance(parse: Parse, k: int) -> bool:
    """Whether a prepositional phrase is optional for its verb."""
    verb, text = parse.tokens[k].head, parse.lower[k]
    if not parse.is_verb(verb) or text not in _FREE or _compares(parse, verb) or _is_all_of_modifier(parse, k):
        return False
    if parse.child(k, "pobj") is None:  # "before moving to Kent"
        return text in ("after", "before", "by", "since") and parse.past(verb) and parse.child(k, "pcomp") is not None
    if (k > verb and _is_bound(parse, verb, k)) or not _SCOPES.isdisjoint(parse.lower[k : parse.right_edge(k) + 1]):
        return False
    if parse.tokens[verb].lemma == "be" or parse.child(verb, "acomp") is not None:
        return parse.past(verb) and parse.child(verb, "attr") is not None and k > verb
    passive = parse.child(verb, "auxpass") is not None
    others = {parse.tokens[c].dep for c in parse.children(verb) if verb < c != k}
    if parse.tokens[k].dep == "agent":
        return passive and "prep" in others
    if k < verb or (text not in _COMPLETING and (passive or parse.tokens[verb].lemma in _WORDS["placed_verbs"])):
        return _is_event(parse, verb)
    known = any(parse.tokens[c].dep == "dobj" and parse.opening(c) == "the" for c in parse.children(verb))
    before = {parse.tokens[c].dep for c in parse.children(verb) if verb < c < k}
    return not (text in _COMPLETING and known) and not before.isdisjoint(_COMPLEMENTS)


def _is_bound(parse: Parse, verb: int, k: int) -> bool:
    """Whether a preposition introduces a verb's complement: "asked him for", "chose him as", "mixed it up with"."""
    lemma, text, particle = parse.tokens[verb].lemma, parse.lower[k], parse.child(verb, "prt")
    listed = lemma in _WORDS["bound_verbs"] or f"{lemma} {text}" in _WORDS["complements"]
    listed = listed or (text == "as" and lemma in _WORDS["as_verbs"])
    return listed or (particle is not None and particle < k and text not in ("in", "on", "at", "during", "after"))


def _compares(parse: Parse, verb: int) -> bool:
    """Whether a predicate compares or ranks, so that no part of it is optional: "is the best in Kent"."""
    ranks = parse.tokens[verb].lemma in ("be", "become", "remain")
    behind = (c for c in parse.children(verb) if c > verb and parse.tokens[c].dep in _PREDICATES)
    below = (parse.tokens[k] for c in behind for k in parse.subtree(c))
    return any(t.tag in _COMPARATIVE or (ranks and t.entity.endswith("ORDINAL")) for t in below)


def _is_clause(parse: Parse, k: int) -> bool:
    """Whether a clause gives the time, reason or purpose of another one, rather than a condition."""
    verb = parse.tokens[k].head
    whole = parse.tokens[verb].lemma != "be" or parse.child(verb, "attr", "acomp", "prep") is not None
    if not parse.is_verb(verb) or not whole:
        return False
    mark = next((parse.lower[c] for c in parse.children(k) if c < k and parse.tokens[c].dep in ("mark", "advmod")), "")
    if mark in _WORDS["circumstances"]:
        return mark in ("although", "though", "whereas", "because") or _is_event(parse, verb)
    if any(parse.lower[c] == "to" for c in parse.auxiliaries(k)):
        said = parse.tokens[verb].lemma in _WORDS["infinitive_verbs"]
        return parse.past(verb) and k > verb and not said and not _compares(parse, verb)
    return not mark and parse.tokens[k].tag in ("VBG", "VBN") and parse.subject(k) is None and _is_set_off(parse, k)


def _is_set_off(parse: Parse, k: int) -> bool:
    left, end = span(parse, k)
    after = parse.lower[end] if end < len(parse) else "."
    return (not left or parse.lower[left - 1] in SET_OFF) and (after in SET_OFF or (left > 0 and after in TERMINAL))


def _is_insertion(parse: Parse, k: int) -> bool:
    """Whether a part after a noun is set off, and is neither a list item nor part of a name: "Leeds, Kent"."""
    if parse.lower[k] in ("according", "except"):
        return False
    if parse.tokens[k].dep == "prep" and parse.is_verb(parse.tokens[k].head) and parse.lower[k] not in _FREE:
        return False  # "passed, through marriage, to Ada"
    named = any(parse.tokens[j].entity.startswith("I-") for j in (k, span(parse, k)[0]))
    if not _SCOPES.isdisjoint(parse.lower[k : parse.right_edge(k) + 1]):
        return False
    return parse.tokens[k].head < k and _is_set_off(parse, k) and not is_list_item(parse, k) and not named


def is_list_item(parse: Parse, k: int) -> bool:
    """Whether an apposition may be a list item, because something else is joined to it or to its antecedent."""
    head = parse.tokens[k].head
    joined = (c for at in (k, head) for c in parse.children(at) if c != k and parse.tokens[c].dep in ("conj", "appos"))
    return parse.tokens[k].dep == "appos" and (any(joined) or parse.tokens[head].dep in ("conj", "appos"))


def _is_modifier(parse: Parse, k: int) -> bool:
    """Whether a modifier of a new noun ("a mill in Kent"), of a noun in an event ("sold the mill that burned") or of a
    name is optional."""
    token, head = parse.tokens[k], parse.tokens[k].head
    noun, left = parse.tokens[head], parse.left_edge(head)
    purpose = any(parse.lower[c] == "to" for c in parse.auxiliaries(k))  # "a right to vote"
    if k < head or purpose or noun.pos not in (*NOUNS, "NUM") or (token.dep == "prep" and parse.lower[k] not in _FREE):
        return False
    if noun.pos == "PROPN":
        article = parse.tokens[left].text if parse.tokens[left].tag == "DT" else "the"  # not "An American in Paris"
        there = token.dep == "prep" and parse.tokens[span(parse, k)[1] - 1].entity[2:] in _PLACES
        return there and noun.entity != "" and (article == "the" or (article == "The" and not left))
    if token.tag == "VBN" and parse.tokens[noun.head].lemma in ("have", "get") and noun.dep == "dobj":
        return False  # "had letters published"
    if noun.lemma == "time" or (noun.dep == "attr" and parse.lower[noun.head - 1] == "it"):
        return False  # "during her time in Kent", "it was a mill that burned"
    above = [head, *itertools.takewhile(lambda at: not parse.is_verb(at), parse.ancestors(head))]
    ranked = parse.tokens[parse.left_edge(above[-1]) : k]
    if any(t.tag in _COMPARATIVE or t.lemma in _WORDS["ranks"] or t.entity.endswith("ORDINAL") for t in ranked):
        return False
    verb = next((at for at in parse.ancestors(k) if parse.is_verb(at)), None)
    event = verb is not None and _is_event(parse, verb)
    if parse.lower[left] in ("a", "an"):
        return parse.tokens[left].head == head and (event or noun.dep not in NOMINAL_SUBJECTS)
    if token.dep == "relcl" and noun.entity[2:] in TIME_ENTITIES:
        return parse.lower[span(parse, k)[0]] == "when"
    if parse.lower[k] in ("as", "between") or parse.lower[left] == "the":
        return False  # the referent is not identifiable without it
    told = parse.tokens[left].dep in ("det", "poss") or (noun.tag == "NNS" and noun.dep not in SUBJECTS)
    placed = noun.dep in ("dobj", *NOMINAL_SUBJECTS) or (noun.dep == "pobj" and parse.lower[noun.head] != "of")
    return told and placed and event


OPTIONAL: tuple[Rule[bool], ...] = (
    Rule("time", frozenset(("prep", "npadvmod")), _is_time,
         "The mill was not sold in 1990.", "The mill was sold to Ada in 1990."),
    Rule("circumstance", frozenset(("prep", "agent")), _is_circumstance,
         "The mill stood in Kent.", "Ada built the mill in Kent."),
    Rule("clause", frozenset(("advcl",)), _is_clause,
         "Ada sells the mill if it burns.", "Ada sold the mill after it burned."),
    Rule("insertion", frozenset(("appos", "relcl", "acl", "prep")), _is_insertion,
         "Every mill that burned was old.", "The mill, which burned, was old."),
    Rule("modifier", frozenset(("prep", "relcl", "acl")), _is_modifier,
         "Ada is the clerk that sold the mill.", "Ada sold a mill that stood in Kent."),
)  # fmt: skip
_LABELS = frozenset(label for rule in OPTIONAL for label in rule.labels)


_ACTING = frozenset(("dobj", "pobj", *NOMINAL_SUBJECTS))


def is_doubtful(parse: Parse, k: int) -> bool:
    """Whether a word's label contradicts its tag or other labels, which indicates a parsing error."""
    token, head = parse.tokens[k], parse.tokens[k].head
    if token.dep == "advcl":
        opened = any(parse.tokens[c].dep in ("mark", "advmod") for c in parse.children(k))
        return token.pos in NOUNS or (token.tag in FINITE and not opened)
    if token.dep == "conj" and token.tag == "VBG" and parse.tokens[head].tag in (*FINITE, "VBN"):
        return not parse.auxiliaries(k)
    if token.dep in _ACTING and token.tag in FINITE:
        return True
    if token.dep == "dobj":
        second = any(parse.tokens[c].dep == "dobj" for c in parse.children(head) if c < k)
        return second or parse.tokens[head].pos not in ("VERB", "AUX")
    if token.dep == "nmod" and token.pos == "NOUN":
        return parse.lower[k + 1] == ","
    spliced = token.dep == "ccomp" and k < head and (parse.subject(head) or 0) > k
    return spliced or (token.dep == "npadvmod" and token.entity.endswith("PERSON"))


class Phrase(NamedTuple):
    """An optional phrase: the rule that found it, its head, and its positions."""

    rule: str
    head: int
    words: frozenset[int]


def optional(parse: Parse) -> list[Phrase]:
    """Returns the optional phrases in a sentence, from left to right. Phrases may be nested."""
    found = list(_bracketed(parse))
    for k, token in enumerate(parse.tokens):
        if token.dep not in _LABELS or token.entity.startswith("I-") or parse.in_quotation(k):
            continue
        rule = next((rule.id for rule in OPTIONAL if token.dep in rule.labels and rule.find(parse, k)), None)
        if rule is not None and is_monotone(parse, k):
            words = frozenset(range(*span(parse, k)))
            crosses = any(words & p.words and not (words <= p.words or p.words <= words) for p in found)
            if not crosses and not _is_needed(parse, words):
                found.append(Phrase(rule, k, words))
    return sorted(found, key=lambda p: (min(p.words), -len(p.words)))


def _bracketed(parse: Parse) -> Iterator[Phrase]:
    opened: list[int] = []
    for k, text in enumerate(parse.lower):
        if text in ("(", "["):
            opened.append(k)
        elif text in (")", "]") and opened:
            start = opened.pop()
            adverb = k == start + 2 and parse.tokens[start + 1].tag == "RB"  # "(almost)"
            if not opened and 0 < start < k - 1 and not adverb:
                yield Phrase("bracket", start + 1, frozenset(range(start, k + 1)))


def _is_needed(parse: Parse, words: Collection[int]) -> bool:
    """Whether the part after a phrase may be about it despite its label: "in Kent, a county", "for Ada to sing"."""
    after = max(words) + 1
    joined = after < len(parse) and not parse.tokens[after - 1].space and parse.lower[after][0] in "-/"
    if joined or (after < len(parse) and parse.tokens[after].entity.startswith("I-")):
        return True  # "during 1945" in "1945--46", "on 31" in "31 May"
    if after < len(parse) and parse.lower[after] == "--" != parse.lower[min(words) - 1]:
        return True
    tags = [t.tag for t in parse.tokens[after : after + 3] if t.tag != ","]
    if tags[:1] == ["CC"] and tags[1:2] == [parse.tokens[min(words)].tag] and tags[1] in ("IN", "TO"):
        return True  # "at the school, and at an academy"
    if after + 2 >= len(parse) or parse.lower[after] not in SET_OFF:
        return after < len(parse) and (parse.lower[min(words)], parse.lower[after]) == ("for", "to")
    if parse.tokens[after + 1].dep == "cc" and parse.tokens[after + 1].head in words:
        return True
    relative = any(parse.tokens[k].tag in ("WDT", "WP", "WP$", "WRB") for k in (after + 1, after + 2))
    return relative or opens(parse, after + 1, ("appos", "relcl", "acl", "conj", "dep", "attr", "dobj", "pobj"))


def opens(parse: Parse, k: int, labels: Collection[str]) -> bool:
    """Whether a word opens a phrase whose head has one of the labels."""
    heads = itertools.takewhile(lambda at: parse.left_edge(at) == k, (k, *parse.ancestors(k)))
    return any(parse.tokens[at].dep in labels for at in heads)


class Coordination(NamedTuple):
    """Coordinated items, any one of which can replace all of them.

    Attributes:
        head: the first item.
        gone: for each item, the positions missing from a sentence with that item alone.
        singular: the verb whose subject they are, if it is plural; -1 otherwise.
    """

    head: int
    gone: tuple[frozenset[int], ...]
    singular: int


_PARTING = frozenset((",", ";", ":", "--", "---", "/"))


def coordinations(parse: Parse, phrases: Sequence[Phrase]) -> Iterator[Coordination]:
    """Yields the coordinations in which any item can replace all: they are joined by "and", the statement is true of
    each item, and they are not part of a name.

    Args:
        parse: the sentence.
        phrases: its optional phrases.
    """
    loose = {k for p in phrases for k in range(min(p.words) - 1, max(p.words) + 2)}
    for k, token in enumerate(parse.tokens):
        items = _items(parse, k)
        if len(items) < 2 or items[0] != k or token.dep in ("conj", "appos") or parse.in_quotation(k):
            continue
        marks = _marks(parse, items)
        words = {parse.lower[m] for m in marks if parse.lower[m].isalpha()}
        joining = {"and", "but"} if parse.is_verb(k) else {"and"}
        if not words or not words <= joining or any(parse.tokens[m].entity for m in marks):
            continue
        blocked = any(blocks(parse, k, c) for c in parse.children(k) if c not in items)
        if is_monotone(parse, k) and not blocked and _is_distributive(parse, items, marks, loose):
            verb = token.head if token.dep in NOMINAL_SUBJECTS and parse.number(token.head) == "plural" else -1
            yield Coordination(k, tuple(_gone(parse, item, items, marks) for item in items), verb)


def _items(parse: Parse, first: int) -> list[int]:
    """Returns the items from the first one on, each depending on the first or the previous one. A name parsed as an
    apposition to a name is an item if something else is joined to it."""
    items = [first]
    for item in items:
        for c in parse.children(item):
            names = c > item and parse.tokens[item].pos == parse.tokens[c].pos == "PROPN"
            if parse.tokens[c].dep == "conj" or (names and is_list_item(parse, c) and parse.child(c, "conj", "appos")):
                items.append(c)
    return sorted(items)


def _marks(parse: Parse, items: Sequence[int]) -> list[int]:
    """Returns the conjunctions between items, and the commas before conjunctions and items."""
    found = [c for item in items for c in parse.children(item) if parse.tokens[c].dep in ("cc", "preconj")]
    before = [*(span(parse, item)[0] - 1 for item in items[1:]), *(c - 1 for c in found)]
    return sorted({*found, *(k for k in before if k > 0 and parse.lower[k] in (",", ";"))})


def _is_distributive(parse: Parse, items: Sequence[int], marks: Collection[int], loose: Collection[int]) -> bool:
    """Whether a statement about all items is true of each of them."""
    first = parse.tokens[items[0]]
    if any(parse.is_verb(items[0]) != parse.is_verb(i) for i in items):
        return False
    if parse.is_verb(items[0]):
        return _are_like_clauses(parse, items, loose)
    before = max(parse.left_edge(items[0]) - 1, 0)
    below = {parse.lower[c] for i in items for c in (i, before, *parse.children(i))}
    if first.pos not in ("NOUN", "PROPN", "ADJ") or first.tag == "CD" or not _WORDS["comparing"].isdisjoint(below):
        return False
    after = parse.right_edge(items[-1]) + 1
    behind = [t.tag for t in parse.tokens[after : after + 2]]
    goes_on = behind[:1] == [","] and behind[-1] not in ("CC", "VBG", "WDT")
    goes_on |= any(  # "two sons and three daughters, including Ada"
        parse.tokens[c].dep == "prep" and parse.lower[c - 1] == "," for i in items for c in parse.children(i)
    )
    goes_on |= parse.lower[after : after + 1] == ["as"]  # "starred Ada and Leo as clerks"
    parted = any(parse.lower[k] in _PARTING for i in items for k in _own(parse, i, items, marks) - set(loose))
    if goes_on or parted or len({parse.tokens[i].pos for i in items}) > 1 or _is_collective(parse, items[0]):
        return False
    if first.dep == "pobj" and all(parse.child(i, "prep") is not None for i in items):
        return False  # "because of lack of rain and loss of trade"
    counted = [parse.child(i, "nummod", "det", "poss") is not None for i in items]
    several = any(parse.tokens[i].tag in ("NNS", "NNPS") for i in items[1:]) and parse.opening(items[0]) in ("a", "an")
    numbered = parse.child(items[0], "nummod") is not None
    mixed = any(counted) and not all(counted) and (numbered or (first.dep == "pobj" and not counted[0]))
    return not (several or mixed or _may_be_one(parse, items)) and _has_place(parse, items)


def _may_be_one(parse: Parse, items: Sequence[int]) -> bool:
    """Whether items may be parts of one name ("the Board of Martyrs and Heroes", "Star Wars and Raiders"), share a
    title ("actors Ada and Leo"), or differ in kind ("at Kent and fifteenth")."""
    first, names = items[0], [i for i in items if parse.tokens[i].pos == "PROPN"]
    below = [parse.tokens[c] for c in parse.children(first)]
    titled = any(token.tag == "NNS" and token.dep in ("compound", "nmod") for token in below)
    shared = bool(names) and parse.opening(first) == "the" and any(parse.opening(i) != "the" for i in items[1:])
    behind = any(c > items[-1] and parse.lower[c] == "of" for c in parse.children(first))
    kinds = {parse.tokens[i].entity[2:] for i in items}
    unlike = len(kinds) > 1 and not kinds.isdisjoint(("ORDINAL", "CARDINAL", "DATE"))
    unlike |= "PERSON" in kinds and not _PLACES.isdisjoint(kinds)
    return titled or shared or unlike or (behind and bool(names))


def _are_like_clauses(parse: Parse, items: Sequence[int], loose: Collection[int]) -> bool:
    """Whether one of several verbs can replace all of them: they have similar forms, none is negated, and none shares
    an opening frame ("If it rains , he stays and she leaves") or the last verb's object."""
    first, others = items[0], items[1:]
    alike = len({parse.finite(i) or parse.tokens[i].tag in FINITE for i in items}) == 1
    if parse.auxiliaries(first) and not any(parse.auxiliaries(i) for i in others):
        passive = parse.child(first, "auxpass") is not None and any(
            parse.child(i, "dobj") or (parse.tokens[i].tag == "VBD" and not parse.subject(i)) for i in others
        )  # "was bought and put on a cart": ambiguous forms
        alike = not passive and (alike or len({parse.tokens[i].tag for i in items}) == 1)
    opening = (c for c in parse.children(first) if c < first and c not in loose)
    framed = any(parse.tokens[c].dep in ("prep", "advcl", "advmod") for c in opening)
    bare = all(parse.tokens[c].dep in ("conj", "cc", "punct") for c in parse.children(first) if c > first)
    label = parse.tokens[first].dep
    if label == "ccomp" and not all(parse.child(i, "mark", *SUBJECTS) for i in others):
        return False  # "found that it rained and left"
    framed = framed or label in ("advcl", "relcl", "acl")
    if (framed and any(map(parse.subject, others))) or (bare and any(parse.child(i, "dobj", "agent") for i in others)):
        return False
    return alike and all(parse.child(i, "neg") is None for i in items)


def _is_collective(parse: Parse, k: int) -> bool:
    """Whether a statement is about several items together: "between", "a pair of", "met"."""
    phrase = itertools.takewhile(lambda at: not parse.is_verb(at), parse.ancestors(k))
    between, above = any(parse.lower[at] in ("between", "among") for at in phrase), parse.tokens[k].head
    if parse.lower[above] in ("of", "for"):
        above = parse.tokens[above].head
        if parse.tokens[above].pos == "PROPN" or parse.child(above, "nummod") is not None:
            return True  # "the Ministry of Food and Farms", "two layers of wool and silk"
    return between or parse.tokens[above].lemma in _WORDS["collective"]


def _has_place(parse: Parse, items: Sequence[int]) -> bool:
    """Whether one item fits in place of all, as a subject, predicate or adjective."""
    first, head = parse.tokens[items[0]], parse.tokens[items[0]].head
    verb = next((at for at in parse.ancestors(items[0]) if parse.is_verb(at)), items[0])
    clause = {parse.lower[k] for k in parse.subtree(verb)}
    if first.dep in NOMINAL_SUBJECTS:
        one = parse.child(head, "attr", "oprd") is None or parse.number(head) == "singular"
        single = all(parse.tokens[i].tag not in ("NNS", "NNPS") for i in items)
        return one and single and clause.isdisjoint(_WORDS["plurals"] | _WORDS["jointly"])
    if first.dep in ("attr", "oprd"):
        subject = parse.subject(head)
        return subject is not None and not is_plural(parse, subject)
    if first.dep in ("amod", "nmod", "compound"):
        several = parse.tokens[head].tag in ("NNS", "NNPS") and parse.opening(head) == "the"
        alone = parse.child(head, "nummod", "conj", "cc") is None and parse.tokens[head].dep not in (*SUBJECTS, "conj")
        return first.pos == "ADJ" and alone and not several and all(parse.lower[i + 1] != "-" for i in items)
    return clause.isdisjoint(_WORDS["jointly"])


def _gone(parse: Parse, item: int, items: Sequence[int], marks: Collection[int]) -> frozenset[int]:
    """Returns the positions missing from a sentence with one item alone."""
    lost = set(marks).union(*(_own(parse, i, items, marks) for i in items if i != item))
    return frozenset(lost - _shared(parse, items[0], item) if item != items[0] else lost)


def _own(parse: Parse, item: int, items: Sequence[int], marks: Collection[int]) -> set[int]:
    """Returns the positions of an item without the other items."""
    own = set(parse.subtree(item)).difference(marks)
    own = own.difference(*(parse.subtree(other) for other in items if other != item and other in own))
    limit = parse.right_edge(items[-1]) if item == items[0] else len(parse)
    return {k for k in own if k <= limit and parse.lower[k] not in TERMINAL}


def _shared(parse: Parse, first: int, item: int) -> set[int]:
    """Returns words of the first item that another needs: subject, auxiliaries, the clause's opening, determiner."""
    own = {parse.tokens[c].dep for c in parse.children(item)}
    shared: set[int] = set()
    for c in parse.children(first):
        dep = parse.tokens[c].dep
        if not parse.is_verb(first):
            bare = own.isdisjoint(("det", "poss", "nummod")) and parse.tokens[item].tag != "NNP"
            needed = dep in ("det", "poss") and bare
        elif dep in AUXILIARIES:
            needed = parse.tokens[item].tag not in FINITE and own.isdisjoint(AUXILIARIES)
        elif dep == "mark":
            needed = "mark" not in own
        else:
            opening = dep in ("prep", "npadvmod", "advcl") or (dep == "punct" and c - 1 in shared)
            opening = opening or (dep == "advmod" and own.isdisjoint(AUXILIARIES))
            needed = own.isdisjoint(SUBJECTS) and c < first and (dep in SUBJECTS or opening)
        if needed:
            shared.update(parse.subtree(c))
    return shared
