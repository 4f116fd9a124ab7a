"""What of a statement does not stand alone: words that only the text around it explains.

Nothing here decides what is meant. Each finding has a kind, so that a user may leave out those that do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import Enum
from typing import NamedTuple

from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.discofuse.words import Words

_SPEAKERS = frozenset("i we you me us my our your mine ours yours myself ourselves yourself".split())
_POINTING = frozenset("this that these those such".split())
_OTHERS = frozenset(
    "another other others former latter both either neither each one ones some many most few several all none".split()
)
_RELATIVE = frozenset(("former", "latter", "other", "another", "both"))
_PLACES = frozenset("there here therein thereof thereby elsewhere".split())
_MOMENTS = frozenset("then now today yesterday tomorrow ago meanwhile thereafter afterwards afterward".split())
# Before a noun of time these count from another time: "the following year".
_COUNTING = frozenset("following next previous same preceding subsequent last past".split())
_TIMES = frozenset("year month week day decade century season night morning evening time period summer winter".split())
_SPANS = frozenset("later earlier before after afterwards".split())
# There is one of these, or every text means the same.
_UNIQUE = frozenset(
    """
    sun moon earth world universe sky sea ocean internet web equator atmosphere climate public past future present
    media environment north south east west country's rest majority minority end beginning middle
    """.split()
)
_RESTRICTING = frozenset("prep relcl acl appos poss nummod npadvmod".split())
_DATES = frozenset(("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"))


class Kind(Enum):
    """Kinds of what does not stand alone."""

    PRONOUN = "a pronoun of the third person whose antecedent is not sure"
    SPEAKER = "a pronoun of the speaker or the reader"
    DEMONSTRATIVE = "this, that, these, those or such"
    DEFINITE = "the, with a noun that nothing in the statement tells apart"
    OTHER = "one of several that the text has named: another, the latter, both"
    TIME = "a time that counts from another one"
    PLACE = "there or here"
    EVENT = "something that happened, told without any name"


class Open(NamedTuple):
    """Tokens [start, end) of a statement that do not stand alone."""

    kind: Kind
    start: int
    end: int


def find(parse: Parse, explained: Collection[int], *, title: str = "") -> list[Open]:
    """Returns what of a statement does not stand alone, in order.

    Args:
        parse: of the statement, before mentions are replaced.
        explained: positions of what is replaced, or stands for something that the statement names.
        title: title of the document: what it names needs no more.
    """
    known = {word.lower() for word in title.replace("(", " ").replace(")", " ").split()}
    found = [
        Open(kind, start, end)
        for k in range(len(parse))
        if k not in explained
        for kind, start, end in _at(parse, k, explained, known)
    ]
    if not found and not explained and _is_nameless_event(parse):
        return [Open(Kind.EVENT, 0, len(parse))]
    return found


def is_open_phrase(words: Words) -> bool:
    """Whether a phrase that stands for a mention does not stand alone itself: "the man" does not, "the man of Kent"
    does."""
    if words[0].text.lower() != "the":
        return False
    return not any(w.pos in ("ADP", "PROPN") or w.entity and w.entity[2:] not in _DATES for w in words)


def _at(parse: Parse, k: int, explained: Collection[int], known: Collection[str]) -> Iterator[tuple[Kind, int, int]]:
    token, word = parse.tokens[k], parse.lower[k]
    if token.entity.endswith("WORK_OF_ART"):
        return
    if token.tag in ("PRP", "PRP$"):
        if word in _SPEAKERS:
            yield Kind.SPEAKER, k, k + 1
        elif not word.endswith(("self", "selves")) and not is_empty(parse, k) and word not in ("one", "'s"):
            yield Kind.PRONOUN, k, k + 1
    elif word in _POINTING and token.tag in ("DT", "PDT", "JJ") and not _is_described(parse, k):
        yield Kind.DEMONSTRATIVE, k, k + 1
    elif word in _OTHERS and token.dep not in (
        "det",
        "predet",
        "advmod",
        "cc",
        "preconj",
        "amod",
        "nummod",
        "quantmod",
    ):
        if not _is_described(parse, k):
            yield Kind.OTHER, k, k + 1
    elif word in _RELATIVE and token.dep in ("det", "amod", "predet") and _is_short(parse, token.head):
        if word != "other" or parse.lower[max(k - 1, 0)] == "the":
            yield Kind.OTHER, k, k + 1
    elif word in _PLACES and token.dep == "advmod":
        yield Kind.PLACE, k, k + 1
    elif word in _MOMENTS and token.dep in ("advmod", "npadvmod", "pobj"):
        yield Kind.TIME, k, k + 1
    elif word in _COUNTING and k + 1 < len(parse) and parse.tokens[k + 1].lemma.lower() in _TIMES:
        yield Kind.TIME, k, k + 2
    elif word in _SPANS and token.dep in ("advmod", "prep", "pcomp") and _measures(parse, k):
        yield Kind.TIME, k, k + 1
    elif word == "the" and token.dep == "det" and token.head > k and token.head not in explained:
        if _is_open_definite(parse, token.head, known):
            yield Kind.DEFINITE, k, token.head + 1


def _is_described(parse: Parse, k: int) -> bool:
    """Whether the statement says which: "those of Kent", "some of the mills", "such as"."""
    token = parse.tokens[k]
    if token.dep in ("det", "predet", "amod"):
        return parse.lower[k : k + 2] == ["such", "as"]
    return any(parse.tokens[c].dep in ("prep", "relcl", "acl") and c > k for c in parse.children(k)) or (
        k + 1 < len(parse) and parse.lower[k + 1] in ("as", "of", "that", "who", "which")
    )


def _measures(parse: Parse, k: int) -> bool:
    """Whether a span stands before it: "two years later"."""
    return (
        k > 0
        and parse.tokens[k - 1].entity[2:] in ("DATE", "TIME")
        and not any(parse.tokens[c].dep in ("pobj", "prep", "pcomp") for c in parse.children(k) if c > k)
    )


def _is_short(parse: Parse, noun: int) -> bool:
    return not any(parse.tokens[c].dep in _RESTRICTING for c in parse.children(noun) if c > noun)


def _is_open_definite(parse: Parse, noun: int, known: Collection[str]) -> bool:
    """Whether a noun behind "the" has nothing that tells it apart: no complement, clause, name or number."""
    token = parse.tokens[noun]
    if token.pos != "NOUN" or parse.lower[noun] in _UNIQUE or parse.lower[noun] in known or token.entity[2:] in _DATES:
        return False
    if token.dep in ("compound", "nmod", "poss") and token.head > noun:
        return False
    for c in parse.children(noun):
        child = parse.tokens[c]
        if child.dep in _RESTRICTING or child.entity or child.pos == "PROPN":
            return False
    behind = noun + 1
    return not (behind < len(parse) and parse.lower[behind] in ("of", "that", "who", "which", "where", "when", "("))


def _is_nameless_event(parse: Parse) -> bool:
    """Whether the statement tells of the past and names nobody and nothing: "Production began in May"."""
    if any(
        t.pos == "PROPN" and t.entity[2:] not in _DATES or t.entity and t.entity[2:] not in _DATES for t in parse.tokens
    ):
        return False
    return parse.past(parse.root()) and any(t.pos in NOUNS for t in parse.tokens)
