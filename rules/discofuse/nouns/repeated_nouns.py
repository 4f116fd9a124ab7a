"""A noun that comes back with "the" or "this", and what the fuller phrase before it need not say of it."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.discofuse.nouns.naming import UNIQUE
from gistmill.rules.discofuse.nouns.noun_phrases import INDEFINITE
from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

_EXAMPLES = (["such", "as"], ["for", "example"], ["for", "instance"])
_DETERMINERS = frozenset(("DT", "PRP$", "CD"))
# These say where or when something is done as often as which noun is meant.
_OF_CLAUSES = frozenset("at by during for in into on through to until with".split())
_RESTRICTING = frozenset(("relcl", "acl", "prep"))
_POINTING = frozenset(("this", "these", "that", "those"))
_NUMBERS = {w: n for n, w in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}
_PARTICIPLE_ENDS = ("ed", "en", "t")


def may_be_another(first: Parse, antecedent: Mention, words: Words, second: Parse, mention: Mention) -> bool:
    """Whether "the mill" behind "an old mill" may be another one, or more or less than that.

    The antecedent is not a single thing where it is an example or a mass ("such as the flight of arrows", "high tide").
    The noun is another where a place or distance tells it apart ("the area 30 miles north"), is all that was named
    ("all of these mills"), or is time ("during this period").
    """
    return (
        _is_mass(words, antecedent.head)
        or _is_example(first, antecedent)
        or _is_told_apart(second, mention)
        or _is_all(second, mention)
        or _is_time(second, mention)
        or _is_more(words, second, mention)
        or _is_what_is_made(words, second, mention)
    )


def has_namesake(second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether another noun of the same name stands before it, which it may rather mean: "The town council met . The
    ward council failed , and the council"."""
    known = {m.head for m in cluster if m.sentence == mention.sentence}
    lemma = second.tokens[mention.head].lemma.lower()
    return any(k not in known and second.tokens[k].lemma.lower() == lemma for k in range(mention.start))


def says_more(first: Parse, antecedent: Mention, pointing: str) -> bool:
    """Whether "the mill" still points as "this mill" did: behind a new one ("a mill , which", "two mills"), and behind
    one that has lost nothing ("the regions they ruled" would be any regions, as bare "teeth" are). What ``pointing``
    tells from others is lost: "Some mills fell . Those mills"."""
    head = antecedent.head
    opening = first.tokens[min(antecedent.start, first.left_edge(head))]
    if opening.lemma.lower() in ("a", "an") or opening.tag == "CD":
        return True
    if opening.text.lower() in _POINTING or opening.tag == "NNS":
        return False
    if pointing == "those" and opening.text.lower() in INDEFINITE:
        return False
    return not any(k > head and first.tokens[k].dep in _RESTRICTING for k in first.children(head))


def is_unique(second: Parse, mention: Mention) -> bool:
    """Whether there is only one, whatever was named before: "the world" behind "the world of toys"."""
    return second.lower[mention.start] == "the" and second.tokens[mention.head].lemma.lower() in UNIQUE


def _is_mass(words: Words, head: int) -> bool:
    """Whether a singular has no determiner, and so is not a single thing: "high tide"; a name may single it out."""
    bare = words[0].tag not in _DETERMINERS and not any(w.tag in ("POS", "NNP", "NNPS") for w in words)
    return bare and any(w.position == head and w.tag == "NN" for w in words)


def _is_example(first: Parse, antecedent: Mention) -> bool:
    start = min(antecedent.start, first.left_edge(antecedent.head))
    return first.lower[max(start - 2, 0) : start] in _EXAMPLES


def _is_told_apart(second: Parse, mention: Mention) -> bool:
    """Whether a preposition or a distance right behind it says which one: "the mills from the 19th century", "topped
    the chart in Norway"."""
    at = mention.end + (second.lower[mention.end : mention.end + 1] in (["about"], ["some"], ["around"]))
    if second.tokens[min(at, len(second) - 1)].entity.endswith("QUANTITY"):
        return True
    behind_at = min(mention.end, len(second) - 1)
    behind = second.tokens[behind_at]
    if behind.dep != "prep" or behind.head != mention.head and not _is_in_place(second, behind_at):
        return False
    subject = second.tokens[mention.head].dep in SUBJECTS and second.tokens[mention.head].head > mention.end
    return subject or behind.text.lower() not in _OF_CLAUSES or _is_in_place(second, behind_at)


def _is_in_place(second: Parse, preposition: int) -> bool:
    """Whether a place that has a name follows, whatever the parser hangs it on."""
    place = second.child(preposition, "pobj")
    return place is not None and second.tokens[place].entity.endswith("GPE") and second.lower[preposition] == "in"


def _is_all(second: Parse, mention: Mention) -> bool:
    """Whether they are all that was named, and not in this phrase alone: "all of these mills"."""
    before = second.lower[max(mention.start - 2, 0) : mention.start]
    pointing = second.lower[mention.start] in ("these", "those")
    return pointing and (before[-1:] == ["all"] or before == ["all", "of"])


def _is_time(second: Parse, mention: Mention) -> bool:
    """Whether it is the time that the text tells of: "during this period"."""
    token = second.tokens[mention.head]
    pointing = second.lower[mention.start] in _POINTING and token.dep == "pobj"
    return pointing and main_kind(token.lemma.lower()) is Kind.MEASURE


def _is_more(words: Words, second: Parse, mention: Mention) -> bool:
    """Whether a part of them is more than they were: "100 of the mills" behind "70 mills"."""
    preposition = mention.start - 1
    if preposition < 1 or second.lower[preposition] != "of" or second.tokens[preposition - 1].tag != "CD":
        return False
    part = _number(second.lower[preposition - 1])
    whole = next((_number(w.text.lower()) for w in words if w.tag == "CD"), None)
    return part is not None and whole is not None and part >= whole


def _number(text: str) -> float | None:
    """The number that a word or its digits write: "twelve", "1,200"."""
    digits = text.replace(",", "")
    return float(digits) if digits.isdecimal() else _NUMBERS.get(text)


def _is_what_is_made(words: Words, second: Parse, mention: Mention) -> bool:
    """Whether the phrase says that what is done to it has been done: "infecting the infected host"."""
    token = second.tokens[mention.head]
    if token.dep not in ("dobj", "nsubjpass"):
        return False
    stem = second.tokens[token.head].lemma.lower().removesuffix("e")
    return any(
        w.text.lower().startswith(stem) and w.text.lower().endswith(_PARTICIPLE_ENDS) for w in words if w.dep == "amod"
    )
