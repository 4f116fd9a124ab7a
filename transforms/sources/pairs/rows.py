"""Conversion of one row to a pair or a reject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmill.core.records import Origin, Pair, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.reasons import PairReason, ReadReason
from gistmill.rules.text.marks import without_controls
from gistmill.transforms.sources.jsonl.document import own_id
from gistmill.transforms.sources.jsonl.objects import no_field
from gistmill.transforms.sources.pairs.config import FLAGS, ID, INPUTS, TARGETS
from gistmill.transforms.sources.pairs.ranges import PARQUET, PairRange

SOURCE = "pairs"
DOCUMENT = "document_id"
_MOST_DETAIL = 320  # characters


class Rows:
    """Makes pairs of the rows of a range.

    Args:
        place: the range.
        label: the file's name, unique among the inputs, for ids.
        cap: bytes that the texts of a pair may have.
    """

    def __init__(self, place: PairRange, *, label: str, cap: int) -> None:
        self._place, self._label, self._cap = place, label, cap
        self._what = "row" if place.of.form == PARQUET else "line"
        self._fields = {name: own for own, name in place.of.columns}

    def pair(self, row: Mapping[str, Any], *, number: int, offset: int) -> Pair | Reject:
        """Returns the pair of a row, or a Reject of stage ``read`` whose detail names the row.

        Args:
            row: values by the names that the file has for them.
            number: of the row or line in its file, from 1.
            offset: of the line in bytes, or of the row in rows.
        """
        values = {name: row.get(own) for name, own in self._fields.items()}
        row_id = ""
        try:
            row_id = self._id(values.get(ID), number)
            if not row_id:
                return self.reject(PairReason.NO_ID, "", number=number, offset=offset)
            texts = {name: self._text(values.get(name), self._fields[name]) for name in (INPUTS, TARGETS)}
        except ValueError as error:
            return self.reject(PairReason.BAD_ROW, str(error), number=number, offset=offset, row_id=row_id)
        for name, text in texts.items():
            if not text.strip():
                return self.reject(PairReason.NO_TEXT, self._missing(name, row), number, offset, row_id)
        if (size := self._size(texts)) > self._cap:
            return self.reject(ReadReason.TOO_LARGE, f"{size} bytes of text", number, offset, row_id)
        values |= {ID: row_id, **texts}
        if not self._place.of.published:
            values[DOCUMENT] = _short(values.get(DOCUMENT)) or row_id
        return Pair(self._origin(number, offset, row_id), texts[INPUTS], texts[TARGETS], values, self._place.of.split)

    def reject(self, reason: Reason, detail: str, number: int, offset: int, row_id: str = "") -> Reject:
        """Returns the Reject of a row, under its id if it is known."""
        shown = " ".join(detail.split())[:_MOST_DETAIL]
        text = f"{self._what} {number}: {shown}" if shown else f"{self._what} {number}"
        return self._origin(number, offset, row_id).reject(reason, "read", text)

    def _origin(self, number: int, offset: int, row_id: str) -> Origin:
        file = self._place.file
        return Origin(row_id or f"{file}#{offset}", SOURCE, file=file, offset=offset, range_key=self._place.key)

    def _id(self, value: Any, number: int) -> str:
        """Returns the id of a row; "" if a row of a dataset has none."""
        if self._place.of.published:
            return value if isinstance(value, str) else ""
        return own_id(value, self._fields.get(ID, ID)) or f"{SOURCE}-{self._label}-{number}"

    def _text(self, value: Any, field: str) -> str:
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = "\n".join(value)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise ValueError(f"{field!r} is neither a string nor a list of strings")
        return value if self._place.of.published else without_controls(value)

    def _missing(self, name: str, row: Mapping[str, Any]) -> str:
        field = self._fields[name]
        if field in row:
            return f"{field!r} is empty"
        return no_field(field, row, flag=FLAGS[name])

    def _size(self, texts: Mapping[str, str]) -> int:
        if 4 * sum(map(len, texts.values())) <= self._cap:  # a character has four bytes at most
            return 0
        return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts.values())


def _short(value: Any) -> str:
    """Returns the id of a document as text, "" where a file of pairs has none that can be used."""
    try:
        return own_id(value, DOCUMENT)
    except ValueError:
        return ""
