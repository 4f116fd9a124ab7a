"""Rows as bytes and back, and what does not fit the columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Row
from gistmill.core.statistics import Column, ConfigSchema
from gistmill.transforms.sinks.spills import RowCodec, RowError
from tests.transforms.sinks.made import SCHEMA, values

CODEC = RowCodec(SCHEMA["full"])


def test_the_id_is_a_column_like_others_where_the_schema_puts_it():
    own = ConfigSchema(name="x", columns=(Column("text", "string", ""), Column("id", "string", "")))
    assert RowCodec(own).encode(Row("x", "7", {"text": "t", "id": "7"})) == (b"7", b'["t","7"]')


@given(
    text=st.text(st.characters(exclude_categories=["Cs"])),
    number=st.integers(-(2**63), 2**63 - 1),
    score=st.floats(allow_nan=False),
    words=st.lists(st.text(st.characters(exclude_categories=["Cs"]))),
)
def test_values_survive(text, number, score, words):
    row = {**values(1), "inputs": text, "length": number, "score": score, "words": words, "targets": None}
    key, data = CODEC.encode(Row("full", "id-1", row))
    assert key == b"id-1"
    assert CODEC.decode(data) == ["id-1", text, None, number, score, bool(row["flag"]), words]


def test_a_value_that_does_not_fit_is_named():
    for change, message in (
        ({"length": "3"}, "column length is int64, not '3'"),
        ({"length": True}, "column length is int64"),
        ({"length": 1.5}, "column length is int64"),
        ({"flag": 1}, "column flag is bool"),
        ({"score": False}, "column score is float64"),
        ({"words": "abc"}, "column words is list<string>"),
        ({"words": ["a", 1]}, "column words"),
        ({"inputs": b"x"}, "column inputs"),
        ({"inputs": "\ud800"}, "not valid Unicode"),
        ({"extra": 1}, r"unknown \['extra'\]"),
    ):
        with pytest.raises(RowError, match=message):
            CODEC.encode(Row("full", "doc-5", {**values(1), **change}))


def test_a_missing_column_and_an_empty_id_are_refused():
    less = {k: v for k, v in values(1).items() if k != "score"}
    with pytest.raises(RowError, match=r"'doc-5' of full: missing columns \['score'\]"):
        CODEC.encode(Row("full", "doc-5", less))
    with pytest.raises(RowError, match="has no id"):
        CODEC.encode(Row("full", "", values(1)))
