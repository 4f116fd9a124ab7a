"""The sentences of rows and of rejects, by which they are looked up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from gistmill.rules.text.tokenised import splitter_of

_TOKENISED = (
    "coherent_first_sentence",
    "coherent_second_sentence",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
)
_NATURAL = ("inputs", "targets")
_STATED = ("proposition", "sentence")
_SENTENCE = ("sentence",)
_ANNOTATED = ("sentence_length", "text")
_WHOLE = ("text",)
TEXTS = (*_TOKENISED, *_ANNOTATED, *_NATURAL, *_STATED)  # every column that may hold sentences
_MASK = re.compile(r"\[MASK\d*\]")


def text_columns(names: Collection[str]) -> tuple[str, ...]:
    """Returns the columns that hold sentences, of those that there are."""
    for columns in (_TOKENISED, _ANNOTATED, _NATURAL, _STATED, _SENTENCE, _WHOLE):
        if set(columns) <= set(names):
            return columns
    return ()


def sentences_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields the sentences of a row: those of its columns, or of its texts as the rules split them."""
    columns = text_columns(row.keys())
    if columns == _ANNOTATED:
        tokens = iter(row["text"])
        for length in row["sentence_length"]:
            yield " ".join(islice(tokens, length))
    elif columns in (_TOKENISED, _STATED, _SENTENCE):
        yield from (row[column] for column in columns if row[column])
    else:
        texts = [_MASK.sub("\n", row[column] or "") for column in columns]
        split = splitter_of(texts)
        for text in texts:
            for line in text.splitlines():
                yield from split(line)


def place_of(row: Mapping[str, Any], matches: Sequence[bool]) -> int | None:
    """Returns the place in its document of the sentence of a row that matches, if the row tells.

    Args:
        row: a row, of which ``sentence_index`` is the place of its sentence, or of the first coherent one.
        matches: for each of its sentences whether it is the one.
    """
    columns = text_columns(row.keys())
    if "sentence_index" in row and columns in (_STATED, _SENTENCE):
        return int(row["sentence_index"]) if any(matches) else None
    if "sentence_index" not in row or columns != _TOKENISED:
        return None
    present = [column for column in _TOKENISED if row[column]]
    matching = {column for column, match in zip(present, matches, strict=True) if match}
    if _TOKENISED[0] in matching:
        return int(row["sentence_index"])
    return int(row["sentence_index"]) + 1 if _TOKENISED[1] in matching else None


def sentences_of_reject(reject: Mapping[str, Any]) -> list[str]:
    """Returns the sentences that the detail of a rejected sentence or pair quotes."""
    if reject["unit"] == "document":
        return []
    return [part for part in str(reject["detail"]).partition(": ")[2].split(" | ") if part]
