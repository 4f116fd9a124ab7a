"""Keys by which titles, addresses and sentences are looked up, however they are written.

A key is a hash of the words of a text, joined. So case, quotes, dashes, white space, and whether a text is tokenised
("do n't") or not ("don't") make no difference. Texts that are nearly the same share some of their sketches: the least
hashes of their shingles.

Source: A. Z. Broder, "On the resemblance and containment of documents", SEQUENCES 1997 (sketches).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from enum import Enum

from gistmill.core.hashing import text_digest
from gistmill.rules.text.grams import words

_SKETCHES = 3  # of a text; one that differs in a word of twenty shares one with probability 0.99
_SHINGLE = 3  # words, or characters of a title
_KEYS = 1 << 64
_SPREAD = 0x9E3779B97F4A7C15  # odd: numbers of 32 bits stay different, and differ in their first bits
_URL = re.compile(r"(?:https?:)?//(?:www\.)?", re.IGNORECASE)


class Subject(Enum):
    """What a key is of."""

    TITLE = "title"
    URL = "url"
    REVISION = "revision"
    SENTENCE = "sentence"


_SALTS = {subject: text_digest(f"like {subject.value}") for subject in Subject}


def folded(text: str) -> str:
    """Returns the words of a text, normalised and joined; "" if it has none."""
    return "".join(words(text))


def key_of(subject: Subject, text: str) -> int | None:
    """Returns the key of a text, from 0 to 2**64 - 1; None if it has nothing to be known by.

    Args:
        subject: what the text is.
        text: a title, sentence, revision id or URL. Of a URL scheme, ``www.``, fragment and last slash do not matter.
    """
    plain = _plain_url(text) if subject is Subject.URL else folded(text)
    return text_digest(f"{subject.value} {plain}") % _KEYS if plain else None


def sketches_of(subject: Subject, text: str) -> list[int]:
    """Returns the keys of the sketches of a title or sentence; none of a text without words."""
    units = list(folded(text)) if subject is Subject.TITLE else words(text)
    shingles = {" ".join(units[i : i + _SHINGLE]) for i in range(max(len(units) - _SHINGLE + 1, 1 if units else 0))}
    least = sorted(zlib.crc32(s.encode("utf-8", "surrogatepass")) for s in shingles)[:_SKETCHES]
    salt = _SALTS[subject]
    return [(value * _SPREAD + salt) % _KEYS for value in least]


def same(text: str, others: Iterable[str]) -> bool:
    """Whether one of the texts has the same words."""
    plain = folded(text)
    return any(folded(other) == plain for other in others)


def _plain_url(url: str) -> str:
    return _URL.sub("", url.strip(), count=1).partition("#")[0].rstrip("/").casefold()
