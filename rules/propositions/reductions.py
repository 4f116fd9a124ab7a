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
    ABILITY,
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
from gistmill.rules.documents import Token
from gistmill.rules.languages.language import english_words

_DASHES = frozenset(("--", "---"))
_SET_OFF = frozenset((",", "--", "---"))
# Words below which less is not entailed by more.
_NEGATIVE = english_words("propositions", "negative")
_UNCERTAIN = english_words("propositions", "uncertain")
_UNIVERSAL = frozenset("all every each any no few neither most both only either whatever whichever".split())
_COMPARING = frozenset("more less most least than as same so too enough rather".split())


def is_monotone(parse: Parse, k: int) -> bool:
    """Whether a clause still holds when it says less at word ``k``: nothing above or next to the word negates, asks,
    compares or sets a condition."""
    below = k
    for at in parse.ancestors(k):
        if parse.lower[at] in _NEGATIVE or any(_blocks(parse, at, c) for c in parse.children(at) if c != below):
            return False
        below = at
    return True


def _blocks(parse: Parse, at: int, k: int) -> bool:
    """Whether a word below another one changes what the rest of its phrase has to say in full."""
    token, text = parse.tokens[k], parse.lower[k]
    if token.dep == "neg" or text in _NEGATIVE:
        return True
    if text in _UNCERTAIN and k < at:
        return parse.tokens[at].dep != "relcl" or token.tag not in ("WP", "WP$", "WRB")
    if parse.is_verb(at):
        return token.pos in NOUNS and any(parse.lower[j] in _NEGATIVE for j in parse.children(k))
    return text in _UNIVERSAL and token.dep in ("det", "predet", "amod")


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
_PLAIN_ADVERBS = english_words("propositions", "plain_adverbs")


def _is_event(parse: Parse, verb: int) -> bool:
    """Whether a clause tells what has happened, or of somebody in particular, and not what is so in general."""
    subject = parse.shared_subject(verb)
    named = subject is not None and (parse.tokens[subject].entity != "" or parse.lower[subject] in ("he", "she"))
    return named or parse.past(verb) or parse.perfect(verb)


def _is_plain_adverb(parse: Parse, k: int) -> bool:
    head = parse.tokens[k].head
    alone = parse.left_edge(k) == k == parse.right_edge(k) and parse.tokens[k - 1].dep != "cc"
    return alone and parse.lower[k] in _PLAIN_ADVERBS and parse.is_verb(head) and parse.finite(head)


def _is_origin(parse: Parse, k: int) -> bool:
    """Whether an adjective says where somebody or something is from: "an American actress"."""
    token, head = parse.tokens[k], parse.tokens[k].head
    return token.entity.endswith("NORP") and parse.tokens[head].dep == "attr" and parse.opening(head) in ("a", "an")


def _is_time(parse: Parse, k: int) -> bool:
    """Whether a phrase of a verb, or of a name behind one ("in London in 1815"), is a date."""
    noun = k if parse.tokens[k].dep == "npadvmod" else parse.child(k, "pobj")
    if noun is None or parse.tokens[noun].entity[2:] not in TIME_ENTITIES:
        return False
    head = parse.tokens[k].head
    if parse.tokens[head].dep in ("acl", "advcl") and parse.right_edge(head) == parse.right_edge(k):
        others = (c for c in parse.children(head) if c > head and c != k)  # not "scheduled for May"
        return any(parse.tokens[c].dep in ("dobj", "prep", "agent", "oprd") for c in others)
    if parse.is_verb(head):
        return _is_event(parse, head) or parse.tokens[k].dep == "prep"
    return parse.tokens[head].pos == "PROPN" and parse.tokens[head].dep in ("pobj", "dobj")


def _is_circumstance(parse: Parse, k: int) -> bool:
    """Whether a prepositional phrase of a verb is not what the verb needs."""
    verb = parse.tokens[k].head
    following = parse.lower[k + 1] if k + 1 < len(parse) else ""
    if not parse.is_verb(verb) or parse.lower[k] not in _FREE or following in _OF_CONDITIONS:
        return False
    if parse.child(k, "pobj") is None:
        return False
    if (k > verb and parse.tokens[verb].lemma in _BOUND) or _compares(parse, verb):
        return False
    passive = parse.child(verb, "auxpass") is not None
    if parse.tokens[verb].lemma == "be" or parse.child(verb, "acomp") is not None:
        return parse.past(verb) and parse.child(verb, "attr") is not None and k > verb
    if k < verb:
        return _is_event(parse, verb)
    before = [c for c in parse.children(verb) if verb < c < k and parse.tokens[c].dep not in ("punct", "advmod", "prt")]
    if parse.lower[k] not in _COMPLETING and (passive or parse.tokens[verb].lemma in _LIVES):
        return _is_event(parse, verb)
    if parse.lower[k] in _COMPLETING and any(parse.tokens[c].dep == "dobj" and parse.opening(c) == "the" for c in before):
        return False  # "set the record for"
    return any(parse.tokens[c].dep in ("dobj", "prep", "dative", "xcomp", "oprd", "agent") for c in before)


_COMPLETING = frozenset(("as", "for", "with", "between"))
_OF_CONDITIONS = frozenset(("case", "order", "which", "whom"))


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


_CONTRASTS = frozenset("although though whereas because".split())
_CLAUSES = english_words("propositions", "circumstances")


def _is_circumstantial_clause(parse: Parse, k: int) -> bool:
    """Whether a clause gives the time, the reason or the purpose of another one in the past, and no condition."""
    verb = parse.tokens[k].head
    complete = parse.tokens[verb].lemma != "be" or parse.child(verb, "attr", "acomp", "prep") is not None
    if not parse.is_verb(verb) or not complete:
        return False
    mark = next((parse.lower[c] for c in parse.children(k) if c < k and parse.tokens[c].dep in ("mark", "advmod")), "")
    if mark in _CLAUSES:
        return mark in _CONTRASTS or _is_event(parse, verb)
    if any(parse.lower[c] == "to" for c in parse.auxiliaries(k)):
        return parse.past(verb) and k > verb and not _compares(parse, verb)
    participle = parse.tokens[k].tag in ("VBG", "VBN") and parse.subject(k) is None
    return participle and (mark == "" and _is_set_off(parse, k))


def _is_gerund(parse: Parse, k: int) -> bool:
    """Whether a preposition with a gerund gives a time or a means: "before moving to Kent"."""
    verb = parse.tokens[k].head
    told = parse.lower[k] in ("after", "before", "by", "since", "while") and parse.child(k, "pcomp") is not None
    return told and parse.is_verb(verb) and parse.past(verb)


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


def _is_tight(parse: Parse, k: int) -> bool:
    """Whether a name is right behind what it names: "the series Old Roads"."""
    head = parse.tokens[k].head
    return (
        parse.tokens[k].pos == "PROPN"
        and parse.tokens[head].tag == "NN"
        and parse.left_edge(k) == head + 1
        and parse.lower[parse.left_edge(head)] == "the"
        and parse.tokens[k].entity != ""
    )


def _is_modifier(parse: Parse, k: int) -> bool:
    """Whether a modifier restricts a noun that the text has not named before, "a mill in Kent", or one of a clause in
    the past: "sold the mill that burned". A name needs none."""
    token, head = parse.tokens[k], parse.tokens[k].head
    noun, left = parse.tokens[head], parse.left_edge(head)
    if k < head or noun.pos not in (*NOUNS, "NUM") or (token.dep == "prep" and parse.lower[k] not in _FREE):
        return False
    if noun.pos == "PROPN":
        return token.dep == "prep" and noun.entity != "" and parse.tokens[span(parse, k)[1] - 1].entity[2:] in _PLACES
    inside = parse.tokens[left:k]
    if any(t.tag in ("JJS", "JJR", "RBS", "RBR", "JJ") and _ranks(t) for t in inside):
        return False
    if parse.lower[left] in ("a", "an"):
        return parse.tokens[left].head == head
    verb = next((at for at in parse.ancestors(k) if parse.is_verb(at)), None)
    if token.dep == "relcl" and noun.entity[2:] in TIME_ENTITIES:
        return parse.lower[span(parse, k)[0]] == "when"
    told = parse.tokens[left].dep in ("det", "poss") or noun.tag == "NNS"
    old = told and noun.dep in ("dobj", "pobj") and parse.lower[parse.tokens[noun.head].head] != "of"
    return old and verb is not None and _is_event(parse, verb)


_PLACES = frozenset(("GPE", "LOC", "FAC"))
_RANKS = frozenset("only first last second third same next main other".split())


def _ranks(token: Token) -> bool:
    return token.tag != "JJ" or token.lemma in _RANKS or token.entity.endswith("ORDINAL")


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
    Optional("adverb", frozenset(("advmod",)), _is_plain_adverb,
             "Ada nearly sold the mill.", "Ada also sold the mill."),
    Optional("origin", frozenset(("amod",)), _is_origin,
             "Ada is a former clerk.", "Ada is an English clerk."),
    Optional("insertion", frozenset(("appos", "relcl", "acl", "prep")), _is_insertion,
             "Ada sold the mill that burned.", "Ada sold the mill, which burned."),
    Optional("modifier", frozenset(("prep", "relcl", "acl")), _is_modifier,
             "Ada is the clerk that sold the mill.", "Ada sold a mill that stood in Kent."),
)  # fmt: skip


_LABELS = frozenset().union(*(kind.labels for kind in OPTIONAL))


class Phrase(NamedTuple):
    """A phrase that may be left out: its head, and its positions."""

    head: int
    words: frozenset[int]


def optional(parse: Parse) -> list[Phrase]:
    """Returns the phrases of a sentence that may be left out, from left to right. One may be inside another."""
    found = list(_bracketed(parse))
    for k, token in enumerate(parse.tokens):
        if token.dep not in _LABELS or parse.in_quotation(k):
            continue
        if any(token.dep in kind.labels and kind.holds(parse, k) for kind in OPTIONAL) and is_monotone(parse, k):
            words = frozenset(range(*span(parse, k)))
            crosses = any(words & p.words and not (words <= p.words or p.words <= words) for p in found)
            # of a name nothing is left out
            if not crosses and not _is_referred_to(parse, words) and not token.entity.startswith("I-"):
                found.append(Phrase(k, words))
    return sorted(found, key=lambda p: (min(p.words), -len(p.words)))


def _is_referred_to(parse: Parse, words: Collection[int]) -> bool:
    """Whether what follows a phrase and its comma may be about it, but hangs elsewhere: "in Kent, a county"."""
    after = max(words) + 1
    if after + 2 >= len(parse) or parse.lower[after] not in _SET_OFF:
        return after < len(parse) and parse.lower[after] == "to" and parse.lower[min(words)] == "for"
    follows = [parse.tokens[k] for k in (after + 1, after + 2)]
    if any(t.tag in ("WDT", "WP", "WP$", "WRB") for t in follows):
        return True
    return _head_of(parse, after + 1, ("appos", "relcl", "acl", "conj", "dep", "attr", "dobj", "pobj")) is not None


def _head_of(parse: Parse, k: int, labels: Collection[str]) -> int | None:
    """The head with one of the labels of the phrase that opens at a word."""
    return next((at for at in (k, *parse.ancestors(k)) if parse.left_edge(at) == k and parse.tokens[at].dep in labels), None)


def _bracketed(parse: Parse) -> Iterator[Phrase]:
    """What brackets enclose, with them."""
    opened: list[int] = []
    for k, text in enumerate(parse.lower):
        if text in ("(", "["):
            opened.append(k)
        elif text in (")", "]") and opened:
            start = opened.pop()
            if not opened and 0 < start < k - 1:
                yield Phrase(start + 1, frozenset(range(start, k + 1)))


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


def coordinations(parse: Parse, phrases: Sequence[Phrase]) -> Iterator[Coordination]:
    """Yields the coordinations whose items may stand alone: "and" joins them, what is said of them is said of each,
    and no name has it inside.

    Args:
        parse: the sentence.
        phrases: what it may leave out.
    """
    loose = frozenset(k for p in phrases for k in (min(p.words) - 1, *p.words, max(p.words) + 1))
    for k, token in enumerate(parse.tokens):
        if token.dep == "conj" or parse.child(k, "conj", "appos") is None:
            continue
        items = _items(parse, k)
        if len(items) < 2 or items[0] != k or any(k in parse.children(j) and _is_like_item(parse, j, k) for j in (token.head,)):
            continue
        marks = _marks(parse, items)
        words = {parse.lower[m] for m in marks if parse.lower[m].isalpha()}
        if not words or not words <= _joining(parse, k) or any(parse.tokens[m].entity for m in marks) or parse.in_quotation(k):
            continue
        if is_monotone(parse, k) and not any(_blocks(parse, k, c) for c in parse.children(k) if c not in items) and _is_distributive(parse, items, marks, loose):
            yield _coordination(parse, items, marks)


def _joining(parse: Parse, k: int) -> frozenset[str]:
    """The conjunctions that join what is each the case: also "or" of what can be, and of names: "known as A or B"."""
    clause = next((at for at in (k, *parse.ancestors(k)) if parse.is_verb(at)), k)
    able = any(parse.lower[c] in ABILITY for c in parse.auxiliaries(clause))
    free = able or (parse.tokens[clause].lemma in _NAMING and not parse.is_verb(k))
    return frozenset(("and", "but", "both", "or")) if free else frozenset(("and", "but", "both"))


_NAMING = frozenset(("know", "call", "name", "term"))


def _items(parse: Parse, first: int) -> list[int]:
    """The items from the first one on: each hangs on the first or on the one before."""
    items = [first]
    for item in items:
        below = parse.children(item)
        items += [c for c in below if parse.tokens[c].dep == "conj" or (c > item and _is_like_item(parse, item, c))]
    return sorted(items)


def _is_like_item(parse: Parse, item: int, k: int) -> bool:
    """Whether what is read as an apposition is the next item of a list: one is joined to it, and both are names, or
    have the same article or number before them."""
    if parse.tokens[k].dep != "appos" or parse.lower[span(parse, k)[0] - 1] != ",":
        return False
    if not any(parse.tokens[c].dep in ("conj", "appos") for c in parse.children(k)):
        return False
    names = parse.tokens[item].pos == parse.tokens[k].pos == "PROPN"
    opening = parse.opening(item)
    return names or (opening == parse.opening(k) and parse.tokens[parse.left_edge(k)].tag in ("DT", "CD"))


def _marks(parse: Parse, items: Sequence[int]) -> list[int]:
    """The conjunctions between items, and the commas before them and before the items."""
    found = [c for item in items for c in parse.children(item) if parse.tokens[c].dep in ("cc", "preconj")]
    for at in (*items[1:], *found):
        left = at - 1 if at in found else span(parse, at)[0] - 1
        if left > 0 and parse.lower[left] in (",", ";"):
            found.append(left)
    return sorted(set(found))


def _is_distributive(parse: Parse, items: Sequence[int], marks: Collection[int], loose: Collection[int]) -> bool:
    """Whether what is said of items is said of each of them."""
    first = parse.tokens[items[0]]
    if any(parse.is_verb(items[0]) != parse.is_verb(i) for i in items) or first.dep == "appos":
        return False
    if parse.is_verb(items[0]):
        return _are_alike(parse, items)
    below = {parse.lower[c] for i in items for c in parse.children(i)}
    if first.pos not in ("NOUN", "PROPN", "ADJ") or first.tag == "CD" or not _COMPARING.isdisjoint(below):
        return False
    owns = [_own(parse, i, items, marks) - set(loose) for i in items]
    if any(parse.lower[k] in _PARTING for own in owns for k in own) or _is_collective(parse, items):
        return False
    after = parse.right_edge(items[-1]) + 1
    if after < len(parse) - 1 and parse.lower[after] == "," and parse.tokens[after + 1].tag not in ("CC", "VBG", "WDT"):
        return False  # what follows may belong to the last alone
    if len({parse.tokens[i].pos for i in items}) > 1:
        return False  # "Pagan , Christian and Jewish alchemists"
    counted = [parse.child(i, "nummod", "det", "poss") is not None for i in items]
    if any(counted) and not all(counted) and (parse.child(items[0], "nummod") is not None or (first.dep == "pobj" and not counted[0])):
        return False
    return _has_place(parse, items)


def _are_alike(parse: Parse, items: Sequence[int]) -> bool:
    """Whether verbs are all finite, or none is, and none is negated."""
    forms = {parse.finite(i) or parse.tokens[i].tag in FINITE for i in items}
    plain = {parse.tokens[i].tag for i in items}
    shared = parse.auxiliaries(items[0]) and not any(parse.auxiliaries(i) for i in items[1:])
    negated = any(parse.child(i, "neg") is not None for i in items)
    return not negated and (len(forms) == 1 or (bool(shared) and len(plain) == 1))


def _has_place(parse: Parse, items: Sequence[int]) -> bool:
    """Whether one item fits where all stand: as a subject, a predicate, an adjective."""
    first, head = parse.tokens[items[0]], parse.tokens[items[0]].head
    clause = {parse.lower[k] for k in parse.subtree(_clause(parse, items[0]))}
    if clause & _JOINTLY:
        return False
    if first.dep in NOMINAL_SUBJECTS:
        said = parse.child(head, "attr", "oprd")
        single = said is None or parse.number(head) == "singular" or (parse.tokens[said].tag == "NNS" and parse.child(said, "det", "nummod", "poss", "conj") is None)
        return single and not clause & _PLURALS
    if first.dep in ("attr", "oprd"):
        subject = parse.subject(head)
        return subject is not None and not is_plural(parse, subject)
    if first.dep in ("amod", "nmod", "compound"):
        alone = parse.child(head, "nummod", "conj", "cc") is None and parse.tokens[head].dep not in (*SUBJECTS, "conj")
        many = parse.tokens[head].tag in ("NNS", "NNPS") and parse.opening(head) == "the"
        return first.pos == "ADJ" and alone and not many and "other" not in (parse.lower[i] for i in items)
    return True


_PARTING = frozenset((",", ";", ":", "--", "---", "/"))
_JOINTLY = frozenset("respectively together alike mutual mutually".split())
_PLURALS = frozenset("they their them themselves each both other".split())


def _is_collective(parse: Parse, items: Sequence[int]) -> bool:
    """Whether what is said of several items is said of them as one: "between", "a pair of", "met"."""
    phrase = itertools.takewhile(lambda k: not parse.is_verb(k), parse.ancestors(items[0]))
    above = parse.tokens[items[0]].head
    if parse.lower[above] == "of":
        above = parse.tokens[above].head
    return parse.tokens[above].lemma in _COLLECTIVE or any(parse.lower[k] in _BETWEEN for k in phrase)


_BETWEEN = frozenset(("between", "among", "amongst"))


def _clause(parse: Parse, k: int) -> int:
    return next((at for at in parse.ancestors(k) if parse.is_verb(at)), k)


def _coordination(parse: Parse, items: Sequence[int], marks: Collection[int]) -> Coordination:
    first, head = items[0], parse.tokens[items[0]].head
    below = [_own(parse, item, items, marks) for item in items]
    tail = _tail(parse, items)
    gone = []
    for n, item in enumerate(items):
        lost = set(marks).union(*(own for i, own in enumerate(below) if i not in (0, n)))
        if n < len(items) - 1:
            lost -= tail
        if n:
            lost |= below[0] - _shared(parse, first, item, items)
        gone.append(frozenset(lost - below[n] if n else lost))
    subject = parse.tokens[first].dep in NOMINAL_SUBJECTS
    return Coordination(first, tuple(gone), head if subject else -1, tuple(_is_many(parse, i) for i in items))


def _tail(parse: Parse, items: Sequence[int]) -> set[int]:
    """What follows the last of several verbs, and belongs to those too behind which nothing stands: "wrote and sold
    plays"."""
    last = items[-1]
    alone = all(not any(c > i and parse.tokens[c].dep not in ("conj", "cc", "punct") for c in parse.children(i)) for i in items[:-1])
    if not parse.is_verb(last) or not alone or parse.tokens[last].tag != parse.tokens[items[0]].tag:
        return set()
    return {j for c in parse.children(last) if c > last and (parse.tokens[c].dep == "dobj" or parse.lower[c] in _TAILS) for j in parse.subtree(c)}


_TAILS = frozenset(("in", "at", "on", "by", "during"))


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
                or (c < first and dep in ("prep", "npadvmod", "advcl") and not subject)
                or (c < first and dep == "advmod" and not helped and not subject)
                or (c < first and dep == "punct" and not subject and c - 1 in shared)
                or (dep == "mark" and not any(parse.tokens[o].dep == "mark" for o in own))
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
        written: dict[int, Words] = {}
        for c, n in zip(here, choice, strict=True):
            if c.verb >= 0 and not c.plural[n]:
                written.update(_singular(parse, c.verb))
        yield without(parse, left, written)


def _singular(parse: Parse, verb: int) -> dict[int, Words]:
    """The verb with a singular subject, and the noun that the subject is said to be, where they have other forms."""
    written: dict[int, Words] = {}
    k = min((*parse.auxiliaries(verb), verb))
    word, said = parse.words[k], parse.child(verb, "attr")
    made = finite(word.lemma, past=word.tag == "VBD", plural=False) if word.tag == "VBP" or word.text == "were" else None
    if made is not None:
        written[k] = (word._replace(text=made.text, tag=made.tag),)
    if said is not None and parse.tokens[said].tag == "NNS":
        noun = parse.words[said]
        written[said] = (noun._replace(text=noun.lemma, tag="NN"),)
        first = parse.left_edge(said)
        written[first] = (_ARTICLE._replace(head=said), *written.get(first, (parse.words[first],)))
    return written


_ARTICLE = Word("a", True, "DT", "DET", "det", "a")


def without(parse: Parse, kept: Collection[int], written: dict[int, Words] | None = None) -> Words:
    """Returns the words at some positions, without the commas and dashes that only the others needed, and with the
    article that the word behind asks for."""
    lower = parse.lower
    left = set(kept)
    for start, end in _gaps(parse, left):
        before, after = start - 1, end
        if start == 0:
            drop = [after] if after < len(parse) and lower[after] in _SET_OFF else []
        elif lower[before] in _SET_OFF:
            drop = [] if after < len(parse) and parse.tokens[after].tag in ("VBG", "WDT", "WP") else [before]
            if after < len(parse) and lower[after] in _SET_OFF and not _opens_clause(parse, after + 1):
                drop.append(after)
        elif after < len(parse) and lower[after] in _SET_OFF and _ends_with(parse, after + 1, left):
            drop = [after]
        else:
            drop = []
        left.difference_update(drop)
    words = [word for k in sorted(left) for word in (written or {}).get(k, (parse.words[k],))]
    for n, (word, after_) in enumerate(itertools.pairwise(words)):
        if word.text.lower() in ("a", "an") and word.tag == "DT" and after_.position != word.position + 1:
            text = "an" if after_.text[0].lower() in "aeiou" else "a"
            words[n] = word._replace(text=text.capitalize() if word.text[0].isupper() else text)
    cuts = [n + 1 for n, (word, after_) in enumerate(itertools.pairwise(words)) if after_.position != word.position + 1]
    return join(*(words[start:end] for start, end in itertools.pairwise((0, *cuts, len(words)))))


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
    clause = token.tag in ("WDT", "WP", "WP$", "WRB", "VBG", "VBN", "CC")
    return clause or _head_of(parse, k, ("appos", "relcl", "acl", "advcl")) is not None


def _ends_with(parse: Parse, k: int, left: Collection[int]) -> bool:
    return not any(parse.lower[j].isalnum() for j in range(k, len(parse)) if j in left)
