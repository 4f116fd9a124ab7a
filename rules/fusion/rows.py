"""The law of the column ``edits``: the edits of a row make its text of its two sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.rules.fusion import texts
from gistmill.rules.fusion.edits import EditsError, from_column, realise
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
        words, tokens = realise(first, second, edits), coherent.split(" ")
        # the words may have typographic marks in place of ASCII ones
        if len(words) != len(tokens) or not all(map(typography.is_folded, tokens, words)):
            return "the edits do not make the tokens of the text"
        if texts.fuse(row["inputs"], first, second, edits) != row["targets"]:
            return "the edits do not make the natural text"
    except EditsError as error:
        return str(error)
    return None
