"""What a clause may leave out and still be true: its optional phrases, and all but one of the items that it joins.

What is left says less than the clause, so the clause entails it, except below a negation, a condition, a quantifier or
a comparison. There nothing is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.operations import CLOSING, OPENING, TERMINAL, finite, join
from gistmill.rules.discofuse.parse import (
    AUXILIARIES,
    FINITE,
    NOMINAL_SUBJECTS,
    NOUNS,
    SUBJECTS,
    TIME_ENTITIES,
    Parse,
    Word,
    Words,
)
from gistmill.rules.languages.language import english_words

_DASHES = frozenset(("--", "---"))
_SET_OFF = frozenset((",", "--", "---"))
# Words below which less is not entailed by more.
_NEGATIVE = english_words("propositions", "negative")
_UNCERTAIN = english_words("propositions", "uncertain")
_UNIVERSAL = frozenset("all every each any no few neither most both only either whatever whichever".split())
_COMPARING = frozenset("more less most least than as same so too enough rather".split())


def is_monotone(parse: Parse, k: int) -> bool:
    """Whether a clause still holds when it says less at word ``k``: nothing above the word negates, asks, compares or
    sets a condition."""
    tokens, lower = parse.tokens, parse.lower
    for at in (k, *parse.ancestors(k)):
        for c in parse.children(at):
            if tokens[c].dep == "neg" or lower[c] in _NEGATIVE or (lower[c] in _UNCERTAIN and c < at):
                return False
            if parse.is_verb(at) and tokens[c].pos in NOUNS and any(lower[j] in _NEGATIVE for j in parse.children(c)):
                return False
            if tokens[at].pos in NOUNS and lower[c] in _UNIVERSAL and tokens[c].dep in ("det", "predet", "amod"):
                return False
        if lower[at] in _NEGATIVE:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Optional:
    """A kind of phrase that a clause may leave out.

    Attributes:
        id: its name.
        labels: dependency labels of its head.
        holds: whether the phrase of a word with one of the labels is of this kind.
        refuses: a text of which it leaves nothing out.
        passes: a like text of which it leaves something out.
    """

    id: str
    labels: frozenset[str]
    holds: Callable[[Parse, int], bool]
    refuses: str
    passes: str


_FREE = english_words("propositions", "free_prepositions")
_BOUND = english_words("propositions", "bound_verbs")
_LIVES = english_words("propositions", "placed_verbs")
_VIEW_OPENERS = frozenset("according".split())


def _is_time(parse: Parse, k: int) -> bool:
    """Whether a phrase of a verb, or of a name behind one ("in London in 1815"), is a date."""
    noun = k if parse.tokens[k].dep == "npadvmod" else parse.child(k, "pobj")
    if noun is None or parse.tokens[noun].entity[2:] not in TIME_ENTITIES:
        return False
    head = parse.tokens[k].head
    if parse.is_verb(head):
        return parse.past(head) or parse.tokens[k].dep == "prep"
    return parse.tokens[head].pos == "PROPN" and parse.tokens[head].dep in ("pobj", "dobj")


def _is_circumstance(parse: Parse, k: int) -> bool:
    """Whether a prepositional phrase of a verb is not what the verb needs."""
    token, verb = parse.tokens[k], parse.tokens[k].head
    if not parse.is_verb(verb) or parse.lower[k] not in _FREE or parse.child(k, "pobj") is None:
        return False
    if parse.tokens[verb].lemma in _BOUND or _compares(parse, verb):
        return False
    passive = parse.child(verb, "auxpass", "nsubjpass") is not None
    if parse.tokens[verb].lemma == "be" or parse.child(verb, "acomp") is not None:
        return parse.past(verb) and parse.child(verb, "attr") is not None and k > verb
    if k < verb:
        return parse.past(verb) and parse.lower[k + 1 :][:1] != ["which"]
    before = [c for c in parse.children(verb) if verb < c < k and parse.tokens[c].dep not in ("punct", "advmod", "prt")]
    if passive or parse.tokens[verb].lemma in _LIVES:
        return bool(before) or parse.tokens[verb].lemma in _LIVES or token.dep == "agent"
    return any(parse.tokens[c].dep in ("dobj", "prep", "dative", "xcomp", "oprd", "agent") for c in before)


def _compares(parse: Parse, verb: int) -> bool:
    """Whether a predicate compares or ranks, so that all of it is needed: "is the best in Kent"."""
    lowered = parse.tokens[verb].lemma in ("be", "become", "remain")
    return any(
        parse.tokens[k].tag in ("JJS", "RBS", "JJR", "RBR") or (lowered and parse.tokens[k].entity.endswith("ORDINAL"))
        for c in parse.children(verb)
        if c > verb and parse.tokens[c].dep in ("attr", "acomp", "advmod", "dobj", "oprd")
        for k in parse.subtree(c)
    )


def _is_agent(parse: Parse, k: int) -> bool:
    verb = parse.tokens[k].head
    return parse.tokens[verb].lemma not in _BOUND and any(parse.tokens[c].dep == "prep" for c in parse.children(verb))


_CLAUSES = english_words("propositions", "circumstances")


def _is_circumstantial_clause(parse: Parse, k: int) -> bool:
    """Whether a clause gives the time, the reason or the purpose of another one in the past, and no condition."""
    verb = parse.tokens[k].head
    if not parse.is_verb(verb):
        return False
    mark = next((parse.lower[c] for c in parse.children(k) if c < k and parse.tokens[c].dep in ("mark", "advmod")), "")
    if mark in _CLAUSES:
        return True
    if any(parse.lower[c] == "to" for c in parse.auxiliaries(k)):
        return parse.past(verb) and k > verb and not _compares(parse, verb)
    participle = parse.tokens[k].tag in ("VBG", "VBN") and parse.subject(k) is None
    return participle and (mark == "" and _is_set_off(parse, k))


def _is_gerund(parse: Parse, k: int) -> bool:
    """Whether a preposition with a gerund gives a time or a means: "before moving to Kent"."""
    verb = parse.tokens[k].head
    return parse.is_verb(verb) and parse.past(verb) and parse.lower[k] in ("after", "before", "by", "since", "while")


def span(parse: Parse, k: int) -> tuple[int, int]:
    """Returns where the phrase of a word begins and ends, without the marks at its edges."""
    left, right = parse.left_edge(k), parse.right_edge(k)
    while left < k and parse.lower[left] in _SET_OFF:
        left += 1
    while right > k and (parse.lower[right] in _SET_OFF or parse.lower[right] in TERMINAL):
        right -= 1
    return left, right + 1


def _is_set_off(parse: Parse, k: int) -> bool:
    """Whether commas, dashes or brackets enclose a phrase, or one opens it at the end."""
    left, end = span(parse, k)
    if left == 0:
        return parse.lower[end] in _SET_OFF
    before, after = parse.lower[left - 1], parse.lower[end] if end < len(parse) else "."
    if before in OPENING:
        return after in CLOSING
    return before in _SET_OFF and (after in _SET_OFF or after in TERMINAL)


def _is_insertion(parse: Parse, k: int) -> bool:
    """Whether an apposition, a relative clause or a participle behind a noun is set off, and no item of a list or part
    of a name: "Leeds, Kent"."""
    head, left = parse.tokens[k].head, span(parse, k)[0]
    if head > k or not _is_set_off(parse, k) or is_list_item(parse, k):
        return False
    return not (parse.tokens[k].entity.startswith("I-") or parse.tokens[left].entity.startswith("I-"))


def is_list_item(parse: Parse, k: int) -> bool:
    """Whether what is read as an apposition may be an item of a list: a conjunct hangs on it or on what it is to."""
    if parse.tokens[k].dep != "appos":
        return False
    head = parse.tokens[k].head
    joined = (c for at in (k, head) for c in parse.children(at) if c != k and parse.tokens[c].dep in ("conj", "appos"))
    return any(True for _ in joined) or parse.tokens[head].dep in ("conj", "appos")


def _is_on_new_noun(parse: Parse, k: int) -> bool:
    """Whether a modifier restricts a noun that is new in the text: "a mill that stands in Kent", "a mill in Kent"."""
    head = parse.tokens[k].head
    if parse.tokens[head].pos != "NOUN" or k < head or (parse.tokens[k].dep == "prep" and parse.lower[k] not in _FREE):
        return False
    opening = parse.opening(head)
    new = opening in ("a", "an") and parse.tokens[parse.left_edge(head)].head == head
    inside = parse.tokens[parse.left_edge(head) : k]
    return new and not any(t.tag in ("JJS", "JJR", "RBS", "RBR") or t.entity.endswith("ORDINAL") for t in inside)


OPTIONAL = (
    Optional("time", frozenset(("prep", "npadvmod")), _is_time,
             "The mill was not sold in 1990.", "The mill was sold to Ada in 1990."),
    Optional("circumstance", frozenset(("prep",)), _is_circumstance,
             "The mill stood in Kent.", "Ada built the mill in Kent."),
    Optional("agent", frozenset(("agent",)), _is_agent,
             "The mill was followed by a farm in 1990.", "The mill was built by Ada in 1990."),
    Optional("clause", frozenset(("advcl",)), _is_circumstantial_clause,
             "Ada sells the mill if it burns.", "Ada sold the mill after it burned."),
    Optional("gerund", frozenset(("prep",)), _is_gerund,
             "Ada insisted on selling the mill.", "Ada left the mill before moving to Kent."),
    Optional("insertion", frozenset(("appos", "relcl", "acl", "prep")), _is_insertion,
             "Ada sold the mill that burned.", "Ada sold the mill, which burned."),
    Optional("modifier", frozenset(("prep", "relcl", "acl")), _is_on_new_noun,
             "Ada sold the mill that stood in Kent.", "Ada sold a mill that stood in Kent."),
)  # fmt: skip


class Phrase(NamedTuple):
    """A phrase that may be left out: its head, and its positions."""

    head: int
    words: frozenset[int]


def optional(parse: Parse) -> list[Phrase]:
    """Returns the phrases of a sentence that may be left out, from left to right. One may stand inside another."""
    found = []
    for k, token in enumerate(parse.tokens):
        if any(token.dep in kind.labels and kind.holds(parse, k) for kind in OPTIONAL) and is_monotone(parse, k):
            left, end = span(parse, k)
            # in a name nothing is optional
            if not (parse.tokens[k].entity.startswith("I-") and parse.lower[left - 1] not in OPENING):
                found.append(Phrase(k, frozenset(_with_brackets(parse, left, end))))
    return found


def _with_brackets(parse: Parse, left: int, end: int) -> range:
    bracketed = left > 0 and end < len(parse) and parse.lower[left - 1] in OPENING and parse.lower[end] in CLOSING
    return range(left - 1, end + 1) if bracketed else range(left, end)


class Coordination(NamedTuple):
    """Joined items, of which a sentence may have one.

    Attributes:
        head: the first of them.
        gone: for each item the positions that a sentence with it alone lacks.
        verb: the verb of which they are the subject; -1 for none.
        plural: for each item whether it takes a plural verb.
    """

    head: int
    gone: tuple[frozenset[int], ...]
    verb: int
    plural: tuple[bool, ...]


_COLLECTIVE = english_words("propositions", "collective")


def coordinations(parse: Parse) -> Iterator[Coordination]:
    """Yields the coordinations whose items may stand alone: "and" joins them, what is said of them is said of each,
    and no name has it inside."""
    for k, token in enumerate(parse.tokens):
        if token.dep == "conj" or parse.child(k, "conj") is None:
            continue
        items = _items(parse, k)
        marks = _marks(parse, items)
        words = {parse.lower[m] for m in marks if parse.lower[m].isalpha()}
        if not words or not words <= {"and", "but", "both"} or any(parse.tokens[m].entity for m in marks):
            continue
        if len(items) > 1 and is_monotone(parse, k) and _is_distributive(parse, items):
            yield _coordination(parse, items, marks)


def _items(parse: Parse, first: int) -> list[int]:
    """The items from the first one on: each hangs on the first or on the one before."""
    items = [first]
    for item in items:
        items += [c for c in parse.children(item) if parse.tokens[c].dep == "conj"]
    return sorted(items)


def _marks(parse: Parse, items: Sequence[int]) -> list[int]:
    """The conjunctions between items, and the commas before them and before the items."""
    found = [c for item in items for c in parse.children(item) if parse.tokens[c].dep in ("cc", "preconj")]
    for at in (*items[1:], *found):
        left = at - 1 if at in found else span(parse, at)[0] - 1
        if left > 0 and parse.lower[left] in (",", ";"):
            found.append(left)
    return sorted(set(found))


def _is_distributive(parse: Parse, items: Sequence[int]) -> bool:
    first, head = parse.tokens[items[0]], parse.tokens[items[0]].head
    if any((parse.is_verb(items[0])) != parse.is_verb(i) for i in items):
        return False
    if first.pos in ("VERB", "AUX"):
        return all(parse.child(i, "neg") is None for i in items)
    if first.pos not in ("NOUN", "PROPN", "ADJ"):
        return False
    if any(t.tag == "CD" or t.lemma in _COLLECTIVE for t in (first, parse.tokens[head], *_above(parse, head))):
        return False
    counted = parse.child(items[0], "nummod") is not None and any(parse.child(i, "nummod") is None for i in items)
    if counted or not _COMPARING.isdisjoint(parse.lower[c] for i in items for c in parse.children(i)):
        return False
    clause = {parse.lower[k] for k in parse.subtree(_clause(parse, items[0]))}
    if clause & {"respectively", "together", "alike", "mutual", "mutually"}:
        return False
    subject = parse.subject(head) if parse.is_verb(head) else None
    if first.dep in NOMINAL_SUBJECTS:
        their = {"they", "their", "them", "themselves", "each", "both", "other"}
        attr = parse.child(head, "attr", "oprd")
        return not clause & their and attr is None and parse.tokens[head].lemma not in _COLLECTIVE
    if first.dep in ("attr", "oprd"):
        return subject is not None and not is_plural(parse, subject)
    if first.dep in ("amod", "nmod", "compound"):
        return first.pos == "ADJ" and parse.child(head, "nummod") is None and parse.tokens[head].dep not in SUBJECTS
    return True


def _above(parse: Parse, k: int) -> list[object]:
    """The words above up to the next verb, of which a collective one speaks of all items at once: "a pair of"."""
    found = []
    for at in parse.ancestors(k):
        found.append(parse.tokens[at])
        if parse.is_verb(at):
            break
    return found


def _clause(parse: Parse, k: int) -> int:
    return next((at for at in parse.ancestors(k) if parse.is_verb(at)), k)


def _coordination(parse: Parse, items: Sequence[int], marks: Collection[int]) -> Coordination:
    first, head = items[0], parse.tokens[items[0]].head
    below = [_own(parse, item, items, marks) for item in items]
    gone = []
    for n, item in enumerate(items):
        lost = set(marks).union(*(own for i, own in enumerate(below) if i not in (0, n)))
        if n:
            lost |= below[0] - _shared(parse, first, item, items)
        gone.append(frozenset(lost - below[n] if n else lost))
    subject = parse.tokens[first].dep in NOMINAL_SUBJECTS
    return Coordination(first, tuple(gone), head if subject else -1, tuple(_is_many(parse, i) for i in items))


def _is_many(parse: Parse, item: int) -> bool:
    return parse.tokens[item].tag in ("NNS", "NNPS")


def _own(parse: Parse, item: int, items: Sequence[int], marks: Collection[int]) -> set[int]:
    """The positions of an item without the other items."""
    own = set(parse.subtree(item))
    for other in items:
        if other != item and other in own:
            own.difference_update(parse.subtree(other))
    end = next((i for i in items if i > item), None)
    limit = len(parse) if end is None or item != items[0] else parse.right_edge(items[-1])
    return {k for k in own - set(marks) if k <= limit and parse.lower[k] not in TERMINAL}


def _shared(parse: Parse, first: int, item: int, items: Sequence[int]) -> set[int]:
    """What of the first item the other one needs: subject, auxiliaries and what opens the clause; a determiner."""
    shared: set[int] = set()
    own = parse.children(item)
    if parse.is_verb(first):
        subject = parse.subject(item) is not None
        helped = parse.tokens[item].tag in FINITE or any(parse.tokens[c].dep in AUXILIARIES for c in own)
        for c in parse.children(first):
            dep = parse.tokens[c].dep
            if (
                (dep in SUBJECTS and not subject)
                or (dep in AUXILIARIES and not helped)
                or (c < first and dep in ("mark", "prep", "npadvmod", "advcl") and not subject)
                or (c < first and dep == "punct" and not subject and c - 1 in shared)
                or (c < first and dep in ("mark",))
            ):
                shared.update(parse.subtree(c))
        return shared
    for c in parse.children(first):
        dep = parse.tokens[c].dep
        bare = not any(parse.tokens[o].dep in ("det", "poss", "nummod") for o in own)
        if dep in ("det", "poss") and c < first and bare and parse.tokens[item].tag != "NNP":
            shared.update(parse.subtree(c))
    return shared


_MOST = 6  # items together, of the coordinations of which each is taken apart


def variants(parse: Parse, kept: frozenset[int], joined: Sequence[Coordination]) -> Iterator[Words]:
    """Yields sentences of some words of a sentence, each with one item of every coordination.

    Args:
        parse: the sentence.
        kept: positions of the words.
        joined: its coordinations.
    """
    here = [c for c in joined if c.head in kept]
    seen: set[frozenset[int]] = set()
    for choice in itertools.islice(itertools.product(*(range(len(c.gone)) for c in here)), 3 * _MOST):
        left = kept.difference(*(c.gone[n] for c, n in zip(here, choice, strict=True)))
        if left in seen:
            continue
        seen.add(left)
        written: dict[int, Word] = {}
        for c, n in zip(here, choice, strict=True):
            if c.verb >= 0 and not c.plural[n]:
                carrier = next((k for k in sorted((*parse.auxiliaries(c.verb), c.verb)) if k in left), c.verb)
                written.update(_singular(parse, carrier))
        yield without(parse, left, written)


def _singular(parse: Parse, k: int) -> dict[int, Word]:
    """The verb with a singular subject, where it is another form."""
    word = parse.words[k]
    if word.tag != "VBP" and word.text.lower() != "were":
        return {}
    made = finite(word.lemma, past=word.tag == "VBD", plural=False)
    return {k: word._replace(text=made.text, tag=made.tag)} if made is not None else {}


def without(parse: Parse, kept: Collection[int], written: dict[int, Word] | None = None) -> Words:
    """Returns the words at some positions, without the commas and dashes that only the others needed, and with the
    article that the word behind asks for."""
    lower = parse.lower
    left = set(kept)
    for start, end in _gaps(parse, left):
        before, after = start - 1, end
        if start == 0:
            drop = [after] if after < len(parse) and lower[after] in _SET_OFF else []
        elif lower[before] in _SET_OFF:
            drop = [before]
            if after < len(parse) and lower[after] in _SET_OFF and not _opens_clause(parse, after + 1):
                drop.append(after)
        elif after < len(parse) and lower[after] in _SET_OFF and _ends_with(parse, after + 1, left):
            drop = [after]
        else:
            drop = []
        left.difference_update(drop)
    positions = sorted(left)
    words = [(written or {}).get(k, parse.words[k]) for k in positions]
    for n, (word, after_) in enumerate(itertools.pairwise(words)):
        if word.text.lower() in ("a", "an") and word.tag == "DT" and after_.position != word.position + 1:
            text = "an" if after_.text[0].lower() in "aeiou" else "a"
            words[n] = word._replace(text=text.capitalize() if word.text[0].isupper() else text)
    runs = itertools.groupby(enumerate(words), key=lambda place: place[1].position - place[0])
    return join(*([word for _, word in run] for _, run in runs))


def _gaps(parse: Parse, left: Collection[int]) -> list[tuple[int, int]]:
    gone = [k for k in range(len(parse)) if k not in left]
    runs = itertools.groupby(enumerate(gone), key=lambda place: place[1] - place[0])
    found = []
    for _, run in runs:
        members = [k for _, k in run]
        found.append((members[0], members[-1] + 1))
    return found


def _opens_clause(parse: Parse, k: int) -> bool:
    """Whether what opens at a word needs the comma before it: a relative clause, a participle, another clause."""
    if k >= len(parse):
        return False
    token = parse.tokens[k]
    return token.tag in ("WDT", "WP", "WP$", "WRB", "VBG", "VBN", "CC") or token.dep == "mark"


def _ends_with(parse: Parse, k: int, left: Collection[int]) -> bool:
    return not any(parse.lower[j].isalnum() for j in range(k, len(parse)) if j in left)
