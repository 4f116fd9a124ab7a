"""Typographic marks of English text, and the ASCII marks that replace them: quotes, dashes, ellipses, primes, minus.

The released DiscoFuse rows have none of these marks: dashes are `` -- `` there, quotes straight. Diacritics and signs
such as degrees are not marks and stay. Spaces need no folding here, as cleaning leaves only blanks. Superscripts become
characters of their own: 10⁶ is not 106.
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
# "1914—1918" and "1914–1918" are ranges, and English writes them with a hyphen
_LONG_IN_RANGE = re.compile(rf"(?<=[0-9])[{_LONG}](?=[0-9])")
DASH = "--"
_SHORT = frozenset("‒–")
_DASHES = _SHORT | frozenset(_LONG)
_OPENING, _CLOSING = frozenset("([{“‘„‚«‹"), frozenset(")]}”’»›.,;:?!%…")


def fold(token: str) -> str:
    """Returns a token with ASCII marks for its typographic ones: a hyphen for a short dash, two for a long one."""
    return token if token.isascii() else _LONG_IN_RANGE.sub("-", token).translate(_MARKS)


def folded(tokens: Sequence[Spaced]) -> list[str]:
    """Returns the tokens of a text with ASCII marks for typographic ones, as many as they are.

    A short dash (``–``) that is a token of its own becomes ``--`` where a space sets it off. It becomes ``-`` in a
    range or compound ("the London–Paris route") and before a number ("fell to –5").
    """
    out = [fold(t[0]) for t in tokens]
    for i, token in enumerate(tokens):
        if token[0] in _SHORT and _is_set_off(tokens, i):
            out[i] = DASH
    return out


def _is_set_off(tokens: Sequence[Spaced], i: int) -> bool:
    """Whether a space precedes or follows a dash, and no number touches its other side."""
    before = i == 0 or tokens[i - 1][1]
    after = i + 1 == len(tokens) or tokens[i][1]
    if before and after:
        return True
    return (before and not tokens[i + 1][0][0].isdigit()) or (after and not tokens[i - 1][0][-1].isdigit())


def is_folded(token: str, printed: str) -> bool:
    """Whether a token may be the folded form of what was printed."""
    return token == printed or token == fold(printed) or (token == DASH and printed in _DASHES)


def unfolded(token: str, printed: str) -> str:
    """Returns a token as it would be printed, given the text printed there before it was folded.

    Letters are the token's, so that it keeps a capital that it was given; marks are the print's. A token that was
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
    """Returns for each folded token whether a space follows it in natural text: around dashes, whatever was printed.

    Args:
        texts: the folded tokens.
        printed: them as they were printed, with whether a space followed each.
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
    """Returns the text of a superscript: in superscript characters if all of it has them, else as it is."""
    text = text.strip()
    return text.translate(_SUPERSCRIPTS) if _EXPONENT.fullmatch(text) else text
