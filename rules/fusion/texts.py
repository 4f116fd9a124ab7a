"""Conversion of fusions to natural text, with suitable spaces and punctuation, and a check for rows with edits.

Words that are adjacent in a source sentence keep their spacing; elsewhere it follows from the punctuation. Tokens
contain ASCII punctuation, but natural text may contain the corresponding typographic marks, which source words keep.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from gistmill.rules.fusion.edits import (
    DELETE,
    REPLACE,
    VERBATIM,
    Edits,
    EditsError,
    from_column,
    lowered,
    order,
    realise,
    trace,
)
from gistmill.rules.text import typography

_NO_SPACE_BEFORE = frozenset(
    (".", "?", "!", "...", "…", ",", ";", ":", ")", "]", "}", "''", "”", "’", "'", "'s", "’s", "n't", "n’t", "%")
)
_NO_SPACE_BEHIND = frozenset(("(", "[", "{", "``", "“", "‘", "$", "£", "€"))
_QUOTE = '"'


def printed(text: str, tokens: Sequence[str]) -> list[tuple[str, bool]]:
    """Returns each token as it appears in the text, and whether a space follows it.

    Raises:
        EditsError: the text does not consist of the tokens, each followed by at most one space.
    """
    found, at = [], 0
    for token in tokens:
        length = typography.length_of_print(text, at, token)
        if length < 0:
            raise EditsError(f"the text does not continue with {token!r} at character {at}: {text[at : at + 20]!r}")
        space = text.startswith(" ", at + length)
        found.append((text[at : at + length], space))
        at += length + space
    if at < len(text):
        raise EditsError(f"the text continues after its last token: {text[at : at + 20]!r}")
    return found


def fuse(text: str, first: Sequence[str], second: Sequence[str], edits: Edits) -> str:
    """Returns the fusion as natural text.

    Args:
        text: the two sentences as consecutive natural text (the column ``inputs``).
        first, second: their tokens.
        edits: their edits.

    Raises:
        EditsError: the text does not consist of the tokens, or the edits do not fit them.
    """
    return natural(first, second, edits, printed(text, [*first, *second]))


def natural(first: Sequence[str], second: Sequence[str], edits: Edits, source: Sequence[tuple[str, bool]]) -> str:
    """Returns the fusion as natural text.

    Args:
        first, second: tokens of the two sentences.
        edits: their edits.
        source: each of these tokens as it appears in natural text, and whether a space follows it.

    Raises:
        EditsError: the edits do not fit the sentences.
    """
    written = trace(first, second, edits)
    gaps = gaps_by_rule(written, [space for _, space in source], len(first))
    for number, spaced in edits.spacing:
        if number >= len(gaps):
            raise EditsError(f"the fusion has no word {number}, so the space before it cannot be changed")
        gaps[number] = spaced
    words = [word if at < 0 else typography.unfolded(word, source[at][0]) for word, at in written]
    return "".join([f" {word}" if gap else word for word, gap in zip(words, gaps, strict=True)])


def spacing(by_rule: Sequence[bool], wanted: Sequence[bool]) -> tuple[tuple[int, bool], ...]:
    """Returns the differences between two outputs of ``gaps_by_rule``, as stored in ``Edits.spacing``."""
    return tuple([(k, space) for k, (rule, space) in enumerate(zip(by_rule, wanted, strict=True)) if rule != space])


def gaps_by_rule(written: Sequence[tuple[str, int]], space: Sequence[bool], n: int) -> list[bool]:
    """Returns, for each word of a fusion, whether a space precedes it.

    Args:
        written: output of ``trace``: the words with the indices of their source tokens.
        space: for each source token, whether white space follows it.
        n: number of tokens in the first sentence.
    """
    gaps: list[bool] = []
    quotes = 0
    for (before, came), (word, at) in zip([("", -1), *written], written, strict=False):
        quotes += before == _QUOTE
        near = 0 <= came < at and (came < n) == (at < n)
        if near and at == came + 1:
            gaps.append(space[came])
        else:
            word = word if at not in (0, n) else ""  # a quote that starts a source sentence is not a closing one
            closed = not before or word in _NO_SPACE_BEFORE or before in _NO_SPACE_BEHIND
            usual = not closed and (_QUOTE not in (word, before) or quotes % 2 == 0)
            gaps.append(space[at - 1] if usual and near else usual)
    return gaps


def respelled(first: Sequence[str], second: Sequence[str], edits: Edits, words: Sequence[str]) -> Edits:
    """Returns the edits with new words spelled as in the given fusion.

    Args:
        first, second: tokens of the two sentences.
        edits: their edits.
        words: the words of the fusion, as many as the edits write. A new word that differs only in case is kept.
    """
    n, m = len(first), len(second)
    operations, phrases = list(edits.operations), list(edits.phrases)
    at = 0
    for i in (*order(n, m, edits.move), n + m):
        if phrases[i]:
            parts = phrases[i].split(" ")
            phrases[i] = " ".join(
                [_spelled(part, word) for part, word in zip(parts, words[at : at + len(parts)], strict=True)]
            )
            at += len(parts)
        if i == n + m or operations[i] == DELETE:
            continue
        if operations[i].startswith(REPLACE):
            operations[i] = REPLACE + _spelled(operations[i][len(REPLACE) :], words[at])
        at += 1
    return dataclasses.replace(edits, operations=tuple(operations), phrases=tuple(phrases))


def _spelled(part: str, word: str) -> str:
    """Returns a word of a phrase spelled as ``word``, but keeps its VERBATIM sign and the case of its first letter."""
    sign, bare = (VERBATIM, part[len(VERBATIM) :]) if part.startswith(VERBATIM) else ("", part)
    if bare.lower() == word.lower():
        return part
    return sign + (lowered(word) if bare[:1].islower() else word)


COLUMNS = (
    "coherent_first_sentence",
    "coherent_second_sentence",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
    "inputs",
    "targets",
    "edits",
)


def problem(row: Mapping[str, Any]) -> str | None:
    """Returns a one-line message if a row's edits do not produce its tokens and natural text; otherwise None.

    Args:
        row: values for COLUMNS.
    """
    for name in COLUMNS:
        value = row[name]
        values = [value] if name != "edits" else value if isinstance(value, list) else [None]
        if not all(isinstance(text, str) for text in values):
            return f"the value of {name} is not {'a list of strings' if name == 'edits' else 'a string'}"
    first, second = row["incoherent_first_sentence"].split(" "), row["incoherent_second_sentence"].split(" ")
    coherent = f"{row['coherent_first_sentence']} {row['coherent_second_sentence']}".rstrip(" ")
    try:
        edits = from_column(row["edits"], len(first), len(second))
        words, tokens = realise(first, second, edits), coherent.split(" ")
        # the words may contain typographic marks instead of ASCII ones
        if len(words) != len(tokens) or not all(map(typography.is_folded, tokens, words)):
            return "the edits do not produce the tokens of the text"
        if fuse(row["inputs"], first, second, edits) != row["targets"]:
            return "the edits do not produce the natural text"
    except EditsError as error:
        return str(error)
    return None
