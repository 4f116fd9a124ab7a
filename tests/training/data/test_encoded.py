"""Rows that are turned into numbers once: the same rows in the same order, made by one process or several, and kept."""

from __future__ import annotations

import os

import pyarrow as pa
import pytest

from gistmill.training.data import encoded as module
from gistmill.training.data.config import DataConfig
from gistmill.training.data.encoded import encoded
from gistmill.training.data.source import Source
from gistmill.training.errors import TrainingError
from tests.training.data import made

COLUMNS = ("inputs", "number")


class Lengths:
    """A word's length stands for the word. It counts how often it is called in this process."""

    lists, numbers = ("_words",), ("_number",)
    calls = 0

    def __init__(self, key="lengths"):
        self.key = key

    def __call__(self, row):
        Lengths.calls += 1
        if row["inputs"] == "broken":
            raise TrainingError(f"row {row['number']} is broken")
        return {"_words": [len(word) for word in row["inputs"].split()], "_number": row["number"]}


@pytest.fixture
def place(tmp_path):
    return made.publish(tmp_path / "set", {"train": made.rows(230)}, shards=3)


def opened(place):
    return Source(place, columns=COLUMNS).open()


def numbers(table):
    return [(row["_number"], len(row["_words"])) for row in table.to_pylist()]


def test_each_row_is_encoded_once_and_kept(place, tmp_path):
    Lengths.calls = 0
    first = encoded(opened(place), Lengths(), cache=tmp_path / "cache")
    assert Lengths.calls == 230
    again = encoded(opened(place), Lengths(), cache=tmp_path / "cache")
    assert Lengths.calls == 230
    texts = opened(place)
    expected = [(r["number"], r["inputs"].count(" ") + 1) for r in texts.read(texts.blocks).to_pylist()]
    assert numbers(first.read(first.blocks)) == numbers(again.read(again.blocks)) == expected
    assert (first.blocks, first.rows, first.fingerprint) == (texts.blocks, 230, texts.fingerprint)


def test_another_encoding_and_another_dataset_have_numbers_of_their_own(place, tmp_path):
    cache = tmp_path / "cache"
    encoded(opened(place), Lengths(), cache=cache)
    encoded(opened(place), Lengths("other"), cache=cache)
    encoded(opened(made.publish(tmp_path / "b", {"train": made.rows(9, start=5)})), Lengths(), cache=cache)
    assert len(list(cache.glob("*/*"))) == 3


@pytest.mark.slow
def test_several_processes_make_the_same_bytes(place, tmp_path, monkeypatch):
    encoded(opened(place), Lengths(), cache=tmp_path / "one")
    monkeypatch.setattr(module, "_ROWS", 10)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    Lengths.calls = 0
    encoded(opened(place), Lengths(), cache=tmp_path / "two")
    assert Lengths.calls == 0, "no processes were started"
    one, two = (
        {f.relative_to(tmp_path / name): f.read_bytes() for f in (tmp_path / name).rglob("*.arrow")}
        for name in ("one", "two")
    )
    assert one == two and len(one) == 3


def length(row):
    return len(row["_words"]) if "_words" in row else made.words(row)


def test_a_stream_of_numbers_has_the_rows_of_the_stream_of_texts(place, tmp_path):
    for options in {"batch_rows": 8}, {"batch_tokens": 64}:
        found = []
        for cached in (True, False):
            kept = {"cache": str(tmp_path), "token_cache": cached}
            config = DataConfig(datasets=f"{place}#full", shuffle_rows=50, **kept, **options)
            batches = made.epoch(config.stream(COLUMNS, length, rank=1, world=2, encode=Lengths()))
            found.append([[row.get("_number", row.get("number")) for row in batch] for batch in batches])
            assert all(("inputs" in row) != cached for batch in batches for row in batch)
        assert found[0] == found[1], options


def test_a_row_that_cannot_be_encoded_leaves_nothing_behind(tmp_path):
    rows = [*made.rows(20), made.row(20, "broken")]
    place = made.publish(tmp_path / "set", {"train": rows})
    with pytest.raises(TrainingError, match="row 20 is broken"):
        encoded(opened(place), Lengths(), cache=tmp_path / "cache")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_damaged_file_is_named(place, tmp_path):
    found = encoded(opened(place), Lengths(), cache=tmp_path / "cache")
    file = sorted((tmp_path / "cache").rglob("*.arrow"))[1]
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(TrainingError, match=rf"{file.name} cannot be read: .*; delete it and try again"):
        found.read(found.blocks)


def test_a_folder_that_anyone_may_write_to_is_refused(place, tmp_path):
    folder = tmp_path / "cache" / "tokens-1"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(TrainingError, match="world-writable.* --cache"):
        encoded(opened(place), Lengths(), cache=tmp_path / "cache")


def test_lists_of_numbers_become_arrays_and_all_else_stays():
    table = pa.table({"_a": pa.array([[1, 2], [], [3]], pa.list_(pa.int32())), "b": ["x", None, "z"]}).slice(1)
    rows = module.rows_of(table)
    assert [(row["_a"].tolist(), row["b"]) for row in rows] == [([], None), ([3], "z")]
    assert module.rows_of(pa.table({"a": [["x"]]})) == [{"a": ["x"]}]
