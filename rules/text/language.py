"""The language of a text, by resiliparse's n-gram ranks: 0.1 milliseconds an article, and no model to load.

On 70 web pages (58 English, 8 German, 3 Spanish, 1 Italian) every answer is right. Of their English pieces of 300
characters 0.8% are taken for another language (py3langid: 0.2%, at 60 times the cost); of pieces of 1,000 characters,
none. So a text is judged by pieces of about that size, and has the language of most of them. Of the 1,019 pages in many
languages in trafilatura's evaluation, 182 are English by this rule. Ranks of the whole text call five more English:
four lines of up to 122 characters, and an appeal in four languages.

The ranks compare hashes, so that a script that none of the languages has is near to any of them. So the script of a
text's letters decides where one language has it, and a text in another script has no language (``UNKNOWN``).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from resiliparse.parse.lang import detect_fast, supported_langs

from gistmill.core.values import custom, nearest

LANGUAGES = frozenset(supported_langs())  # ISO 639-1 codes
ANY = "any"
UNKNOWN = "und"  # ISO 639-2 for a language that cannot be identified
# Scripts, as the names of Unicode's letters begin, that several of the languages have, and those that one has.
_SHARED = frozenset("LATIN CYRILLIC ARABIC HEBREW DEVANAGARI BENGALI CJK HIRAGANA KATAKANA HANGUL FULLWIDTH".split())
_OWN = dict(
    pair.split("=")
    for pair in (
        "GREEK=el ARMENIAN=hy GEORGIAN=ka GURMUKHI=pa GUJARATI=gu ORIYA=or TAMIL=ta TELUGU=te KANNADA=kn MALAYALAM=ml "
        "SINHALA=si THAI=th TIBETAN=bo MYANMAR=my KHMER=km THAANA=dv"
    ).split()
)
_SAMPLED = 100  # characters of a piece, to tell its script
_SAMPLE = 20_000  # characters
_HEAD = 400  # of these, to tell whether all is in capitals
_PIECE = 1000
# A wanted language whose rank is this close to the best is taken: short English text often comes a close second, but a
# line or two in any language may.
_MARGIN = 1.05
_SHORTEST_SECOND = 200  # characters
_MOST_FOREIGN = 0.4  # share of a text that may be in languages that are not wanted


def language_of(text: str, wanted: frozenset[str] = frozenset()) -> str:
    """Returns the ISO 639-1 code of the language that most of a text is in, "" for an empty text and UNKNOWN for one in
    a script that no language of LANGUAGES has.

    A text of which a large part is in languages that are not wanted has the most frequent of these.

    Args:
        text: the text.
        wanted: codes out of LANGUAGES: of two close ones a wanted one is taken; empty if all are wanted.
    """
    shares: Counter[str] = Counter()
    for piece in _pieces(text[:_SAMPLE]):
        shares[_nearest(piece, wanted)] += len(piece)
    if not shares:
        return ""
    foreign = Counter({code: size for code, size in shares.items() if code not in wanted}) if wanted else Counter[str]()
    return (foreign if foreign.total() > _MOST_FOREIGN * shares.total() else shares).most_common(1)[0][0]


def _pieces(text: str) -> Iterator[str]:
    """Yields the text in pieces of whole lines; a short rest is part of the last one."""
    lines = [line for line in text.split("\n") if line.strip()]
    begin = size = 0
    left = sum(map(len, lines))
    for end, line in enumerate(lines, start=1):
        size += len(line)
        left -= len(line)
        if (size >= _PIECE and left >= _PIECE // 2) or end == len(lines):
            yield "\n".join(lines[begin:end])
            begin, size = end, 0


def _nearest(text: str, wanted: frozenset[str]) -> str:
    head = text[:_HEAD]
    if sum(map(str.isupper, head)) > sum(map(str.islower, head)):  # a text in capitals would be taken for Korean
        text = text.lower()
    scripts = Counter(map(_script, filter(str.isalpha, text[:: len(text) // _SAMPLED + 1])))
    if scripts and (script := scripts.most_common(1)[0][0]) not in _SHARED:
        return _OWN.get(script, UNKNOWN)
    ranks = cast(list[tuple[str, int]], detect_fast(text, cutoff=1_000_000, n_results=4))
    best, distance = ranks[0]
    if best in wanted or len(text) < _SHORTEST_SECOND:
        return best
    close = (code for code, rank in ranks[1:] if code in wanted and rank <= _MARGIN * distance)
    return next(close, best)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """How the name of a letter begins: with its script, except signs such as those of units."""
    return unicodedata.name(letter, "").partition(" ")[0]


def check_languages(codes: tuple[str, ...]) -> tuple[str, ...]:
    """Returns ``codes``.

    Raises:
        ValueError: a code that is neither a language that can be identified nor ``any`` alone.
    """
    if codes == (ANY,):
        return codes
    for code in codes:
        if code not in LANGUAGES:
            raise ValueError(f"languages: {code!r} is not one of {', '.join(sorted(LANGUAGES))}, or `{ANY}` alone")
    if not codes:
        raise ValueError(f"languages: none given; give ISO 639-1 codes or `{ANY}`")
    return codes


def _code(value: object) -> str:
    if value not in LANGUAGES and value != ANY:
        known = [*sorted(LANGUAGES), ANY]
        raise ValueError(f"expected one of {', '.join(known)}{nearest(str(value), known)}")
    return str(value)


LANGUAGE = custom(_code, pattern=f"([a-z]{{2}}|{ANY})", metavar="CODE", allowed=f"an ISO 639-1 code, or {ANY}")
