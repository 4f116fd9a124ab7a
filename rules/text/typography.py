"""Replacement of typographic marks in English text with ASCII: quotes, dashes, ellipses, primes and minus signs.

The released DiscoFuse rows contain none of these marks: dashes are `` -- `` and quotes are straight. Diacritics and
signs such as degrees are not marks, and are kept. Spaces need no folding, since cleaning leaves only blanks.
Superscripts become superscript characters: 10⁶ is not 106.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gistmill.rules.documents import Spaced

_DOUBLE, _SINGLE, _HYPHENS, _LONG = "“”„‟«»″", "‘’‚‛‹›′´", "‐‑‒–−", "—―⸺⸻"
_MARKS = str.maketrans(
    {
        **dict.fromkeys(_DOUBLE, '"'),
        **dict.fromkeys(_SINGLE, "'"),
        **dict.fromkeys(_HYPHENS, "-"),
        **dict.fromkeys(_LONG, "--"),
        "…": "...",
    }
)
# dashes in ranges such as "1914—1918" and "1914–1918", which become hyphens
_LONG_IN_RANGE = re.compile(rf"(?<=[0-9])[{_LONG}](?=[0-9])")
DASH = "--"
_SHORT = frozenset("‒–")
_DASHES = _SHORT | frozenset(_LONG)
_OPENING, _CLOSING = frozenset("([{“‘„‚«‹"), frozenset(")]}”’»›.,;:?!%…")


def fold(token: str) -> str:
    """Returns a token with typographic marks replaced by ASCII: a short dash by one hyphen, a long dash by two."""
    return token if token.isascii() else _LONG_IN_RANGE.sub("-", token).translate(_MARKS)


def folded(tokens: Sequence[Spaced]) -> list[str]:
    """Returns the tokens of a text, unchanged in number, with typographic marks replaced by ASCII.

    A short dash (``–``) that is a separate token becomes ``--`` if set off by a space. It becomes ``-`` in a range or
    compound ("the London–Paris route") and before a number ("fell to –5").
    """
    out = [fold(t[0]) for t in tokens]
    for i, token in enumerate(tokens):
        if token[0] in _SHORT and _is_set_off(tokens, i):
            out[i] = DASH
    return out


def _is_set_off(tokens: Sequence[Spaced], i: int) -> bool:
    """Whether a dash has spaces on both sides, or on one side with no number directly on the other."""
    before = i == 0 or tokens[i - 1][1]
    after = i + 1 == len(tokens) or tokens[i][1]
    if before and after:
        return True
    return (before and not tokens[i + 1][0][0].isdigit()) or (after and not tokens[i - 1][0][-1].isdigit())


def is_folded(token: str, printed: str) -> bool:
    """Whether a token may be the folded form of the printed text."""
    return token == printed or token == fold(printed) or (token == DASH and printed in _DASHES)


def unfolded(token: str, printed: str) -> str:
    """Returns a token as it would be printed, given the text that was printed before folding.

    Letters are taken from the token, which preserves changes of case, and marks from the printed text. A token that was
    changed in any other way is returned as it is.
    """
    if token == printed or is_folded(token, printed):
        return printed
    if len(token) == len(printed) and fold(printed).lower() == token.lower():
        return "".join([new if new.isalpha() else old for new, old in zip(token, printed, strict=True)])
    return token


def length_of_print(text: str, at: int, token: str) -> int:
    """Returns the length of the printed form of a token at character ``at`` of a text; -1 if it is not there."""
    if text.startswith(token, at):
        return len(token)
    for end in range(min(at + len(token), len(text)), at, -1):
        if is_folded(token, text[at:end]):
            return end - at
    return -1


def spaced(texts: Sequence[str], printed: Sequence[Spaced]) -> list[bool]:
    """Returns for each folded token whether a space follows it; dashes always have spaces around them.

    Args:
        texts: the folded tokens.
        printed: the tokens as printed, each with whether a space followed.
    """
    space = [t[1] for t in printed]
    for i, text in enumerate(texts):
        if text == DASH and printed[i][0] in _DASHES:
            if i and printed[i - 1][0] not in _OPENING:
                space[i - 1] = True
            if i + 1 < len(texts) and printed[i + 1][0] not in _CLOSING:
                space[i] = True
    return space


_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_EXPONENT = re.compile(r"[0-9+\-−=()n]+")


def raised(text: str) -> str:
    """Returns the text of a superscript, in superscript characters if these exist for all of it."""
    text = text.strip()
    return text.translate(_SUPERSCRIPTS) if _EXPONENT.fullmatch(text) else text
