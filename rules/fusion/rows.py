"""The law of the column ``edits``: the edits of a row make its text of its two sentences.

The edits of a row one after the other, with the text after each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gistmill.rules.fusion import texts
from gistmill.rules.fusion.edits import EditsError, from_column, realise
from gistmill.rules.lineage import Operation
from gistmill.rules.text import typography

COLUMNS = (
    "coherent_first_sentence",
    "coherent_second_sentence",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
    "inputs",
    "targets",
    "edits",
)


def fault(row: Mapping[str, Any]) -> str | None:
    """Returns in one line how a row breaks the law, for the tokens or for the natural text; None if it keeps it.

    Args:
        row: the values of COLUMNS.
    """
    for name in COLUMNS:
        value = row[name]
        values = [value] if name != "edits" else value if isinstance(value, list) else [None]
        if not all(isinstance(text, str) for text in values):
            return f"the value of {name} is not {'a list of texts' if name == 'edits' else 'a text'}"
    first, second = row["incoherent_first_sentence"].split(" "), row["incoherent_second_sentence"].split(" ")
    coherent = f"{row['coherent_first_sentence']} {row['coherent_second_sentence']}".rstrip(" ")
    try:
        edits = from_column(row["edits"], len(first), len(second))
        if not _has_tokens(realise(first, second, edits), coherent.split(" ")):
            return "the edits do not make the tokens of the text"
        if texts.fuse(row["inputs"], first, second, edits) != row["targets"]:
            return "the edits do not make the natural text"
    except EditsError as error:
        return str(error)
    return None


def _has_tokens(words: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether words are the tokens; they may have typographic marks in place of ASCII ones."""
    return len(words) == len(tokens) and all(map(typography.is_folded, tokens, words))


_OF_SPACING = ("join", "space")


def fusing(first: str, second: str, column: Sequence[str]) -> tuple[Operation, ...]:
    """Returns the edits of a row as operations, in their order: the last gives the tokens of the fusion.

    Those of spacing are left out, since they change no token.

    Args:
        first, second: the two sentences, tokens joined by spaces.
        column: their edits in the open form of ``gistmill.rules.fusion.edits``.

    Raises:
        EditsError: an edit is malformed or does not fit the sentences.
    """
    halves = first.split(" "), second.split(" ")
    n, m = map(len, halves)
    tokens = [*halves[0], *halves[1]]
    made: list[Operation] = []
    before: tuple[str, ...] = (first, second)
    edits = [edit for edit in column if edit.split(" ", 1)[0] not in _OF_SPACING]
    for number, edit in enumerate(edits, start=1):
        all_so_far = from_column(edits[:number], n, m)
        after = (" ".join(realise(*halves, all_so_far)),)
        head, _, rest = edit.partition(" ")
        name = head if head == "move" else rest.partition(" ")[0]
        made.append(Operation("WRITE" if name == "before" else name.upper(), _detail(edit, tokens), before, after))
        before = after
    return tuple(made)


def _detail(edit: str, tokens: Sequence[str]) -> str:
    head, _, rest = edit.partition(" ")
    if head == "move":
        at = int(rest)
        return "the second sentence before " + (f"{tokens[at]!r}" if at < len(tokens) else "the end")
    name, _, text = rest.partition(" ")
    place = repr(tokens[int(head)]) if int(head) < len(tokens) else "the end"
    if name == "before":
        return f"{text!r} before {place}"
    return f"{place} by {text!r}" if name == "replace" else place
