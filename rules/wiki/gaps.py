"""Holes that leave a gap: what vanished there was a part of the sentence, so its words are lost.

A template that shows words and is not known as one would otherwise leave "from to" of "from {{x}} to {{y}}", and a unit
its number. A note follows its word without a space; a mark after a space is in the place of words.
"""

from __future__ import annotations

import re

from gistmill.rules.text.prose import CAPITALS, HOLE, LOST, SOURCE, SUP_END
from gistmill.rules.wiki.local import Local
from gistmill.rules.wiki.templates.numbers import SPELLED

_RUN_OF_HOLES = re.compile(rf"{HOLE}(?<!{LOST}{HOLE})(?:[ \t]*+{HOLE})*+(?!{LOST})")
# A source after the end of a sentence, and before another one, is a note, even after a space.
_SOURCE_NOTE = re.compile(
    rf"{SOURCE}(?:(?<=[.!?\"”’)\u3002\uff01\uff1f]{SOURCE})|(?<=[.!?\"”’)][ \t]{SOURCE}))"
    rf"(?:[ \t]*+{SOURCE})*+(?=\s*+(?:[\"“‘({CAPITALS}]|$))"
)
_WORD_BEFORE_HOLE = re.compile(
    r"(?:(?P<start>^|[.!?][\"”’)]?[ \t\n]+)|[^\w-])(?P<word>[A-Za-z][a-z]*)(?P<space>[ \t\n]*)$"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"”’)]?[ \t\n]+)$")
_AFTER = re.compile(
    r"[ \t\n]?(?:(?P<word>[a-z]++)(?![\w-])(?:[ \t\n](?P<next>[a-z]++)\b)?|(?P<stop>[,;:.!?()\]]|[’']s\b)|(?P<end>$))"
)
_FARTHEST = 40  # characters that are looked at before a hole
# Words that need a noun after them: always, or unless they end a clause ("the house they lived in").
_ARTICLES = frozenset("a an the its their our my your every".split())
_TRANSITIVE = frozenset("among between during including into per than via whose without".split())
_PREPOSITIONS = frozenset(
    "against among at between by during for from in into of on per to toward towards upon via with within "
    "without".split()
)
_CONJUNCTIONS, _VERBS = frozenset("and but or".split()), frozenset("are had has is was were".split())
_AFTER_NOUNS = _CONJUNCTIONS | _VERBS | frozenset("as by for from have in of on to which who with".split())
_PAIRS = frozenset((("from", "to"), ("between", "and")))
_PARTICLES = frozenset(("in to", "on to", "in for", "on by", "in on", "by as", "from within"))  # "went on to"
_GENITIVES = ("’s", "'s")
_IN_WORDS = (",", *_GENITIVES)
_UNIT = re.compile(r"[ \t]?(?:[MRL]☉|m s\.l\.m\.|°(?!\w))")
_NUMBER = re.compile(
    rf"(?:[\d%½¼¾{SUP_END}]|\b(?:[mbtr]+illion|thousand|hundred|{'|'.join(SPELLED.values())}))[ \t)-]?$"
)
_CURRENCY = re.compile(r"(?:[$£€¥₩₱₽₪₹৳]|\b(?:CHF|SEK|NOK|DKK|Rs))$")


def without_gaps(text: str, local: Local) -> str:
    """Returns half-cleaned text with LOST for each hole that is a gap in its sentence; sources become either.

    In other languages than English only units and sources are looked at.
    """
    if HOLE not in text:
        return text
    if SOURCE in text:
        text = _SOURCE_NOTE.sub(HOLE, text).replace(SOURCE, LOST)
    out: list[str] = []
    position = 0
    for hole in _RUN_OF_HOLES.finditer(text):
        before = text[max(0, hole.start() - _FARTHEST) : hole.start()]
        if _is_half(text, before, hole.end()) or (local.is_english and _is_gap(text, before, hole.end())):
            out += (text[position : hole.start()], LOST)
            position = hole.end()
    return "".join([*out, text[position:]]) if out else text


def _is_half(text: str, before: str, end: int) -> bool:
    """Whether a unit has no number before it, or a currency none after it."""
    if _UNIT.match(text, end):
        return _NUMBER.search(before) is None
    return _CURRENCY.search(before) is not None and not text[end : end + 2].strip()[:1].isdigit()


def _is_gap(text: str, before: str, end: int) -> bool:
    after = _AFTER.match(text, end)
    if after is None:
        return False
    following, stop = after["word"] or "", after["stop"]
    if _SENTENCE_START.search(before):
        return following in _VERBS or stop in _IN_WORDS
    last = _WORD_BEFORE_HOLE.search(before)
    if last is None or (last["word"] == "A" and last["start"] is None):  # as of "Vitamin A"
        return False
    word = last["word"].lower()
    if word in _ARTICLES:
        return following in ("", *_AFTER_NOUNS)
    if stop in _GENITIVES:
        return bool(last["space"])
    ends_clause = not following and stop not in (",", "(")
    if last["space"]:
        return _needs_noun(word, following, after["next"], ends_clause)
    return (word, following) in _PAIRS or (word in _TRANSITIVE - {"than"} and (ends_clause or following in _VERBS))


def _needs_noun(word: str, following: str, then: str | None, ends_clause: bool) -> bool:
    """Whether a noun is missing after a word and a space, before another word or a stop."""
    if word not in _PREPOSITIONS:
        return ends_clause and (word in _CONJUNCTIONS or word in _TRANSITIVE)
    if f"{word} {following}" in _PARTICLES:
        return False
    if following in _CONJUNCTIONS:
        return then not in _PREPOSITIONS
    return not following or (following in _AFTER_NOUNS and following not in ("have", "which", "who"))
