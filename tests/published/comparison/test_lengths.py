"""Lengths of texts, against Python's own way to split them."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.statistics import Column
from gistmill.published.comparison import compare
from gistmill.published.comparison.compare import LengthCounts, lengths_of, text_columns

texts = st.text(alphabet="ab é\t\n\x0b.", max_size=12)


@given(st.lists(texts | st.none()))
def test_words_are_counted_as_python_splits_them(values):
    column = pa.chunked_array([pa.array(values, pa.string())])
    assert [*lengths_of(column)] == [len(value.split()) for value in values if value is not None]


@given(st.lists(st.lists(st.integers(0, 9)) | st.none()))
def test_lists_have_their_items(values):
    column = (
        pa.chunked_array([pa.array(values, pa.list_(pa.int64()))])
        if values
        else pa.chunked_array([], pa.list_(pa.int64()))
    )
    assert [*lengths_of(column)] == [len(value) for value in values if value is not None]


@given(st.lists(st.lists(st.integers(0, 30))))
def test_counts_add_up(batches):
    counts = LengthCounts()
    for batch in batches:
        counts.add(lengths_of(pa.chunked_array([pa.array([["x"] * n for n in batch], pa.list_(pa.string()))])))
    everything = [n for batch in batches for n in batch]
    assert [(n, c) for n, c in enumerate(counts.counts()) if c] == sorted(
        {n: everything.count(n) for n in everything}.items()
    )


def test_very_long_texts_are_counted_as_the_longest(monkeypatch):
    monkeypatch.setattr(compare, "_MOST", 3)
    assert [*lengths_of(pa.chunked_array([["a b", "a b c d e"]]))] == [2, 3]


def test_columns_with_texts():
    columns = [
        Column("inputs", "string", ""),
        Column("text", "list<string>", ""),
        Column("targets", "list<int64>", ""),
        Column("title", "string", ""),
    ]
    assert text_columns(columns) == ["inputs", "text"]
