"""Cuts that ids choose: how large parts are, and that they stay where they were."""

import random
import re
from itertools import pairwise

import pytest

from gistmill.core.records import Row
from gistmill.transforms.sinks.formats import Cutter, HashingFile, formats_named
from gistmill.transforms.sinks.spills import RowCodec
from tests.transforms.sinks.made import SCHEMA, values

IDS = [f"wikipedia-{n:06d}" for n in range(20_000)]


def starts(ids, *, weight=0.01, least=0.25, more=0.375):
    cutter = Cutter(least=least, more=more)
    return [id_ for id_ in ids if cutter.begins(id_, weight)]


def sizes_of(ids, **weights):
    places = {id_: place for place, id_ in enumerate(ids)}
    return [b - a for a, b in pairwise([0, *(places[i] for i in starts(ids, **weights))])]


def test_parts_are_neither_small_nor_larger_than_the_largest():
    sizes = sizes_of(IDS)
    assert min(sizes) >= 25 and max(sizes) == 100
    assert 55 < sum(sizes) / len(sizes) < 65  # five eighths of 100, less what is cut at 100


def test_equal_weights_fill_a_part_exactly():
    assert sizes_of([f"a{n}" for n in range(20_500)], weight=1e-4, least=1.0) == [10_000, 10_000]


def test_a_row_that_is_heavier_than_a_part_is_a_part():
    assert starts(["a", "b", "c"], weight=3.0) == ["b", "c"]


def test_cuts_stay_where_rows_come_and_go():
    rng = random.Random(3)
    after = sorted([*rng.sample(IDS, len(IDS) - 5), *(f"{i}-new" for i in rng.sample(IDS, 5))])
    before = set(starts(IDS))
    assert len(before - set(starts(after))) <= 0.1 * len(before)


def written(name, rows, path):
    codec = RowCodec(SCHEMA["full"])
    writer = formats_named([name], row_group_bytes=100_000)[name].open(HashingFile(str(path)), SCHEMA["full"])
    for row in rows:
        encoded = codec.encode(row)[1]
        writer.add(RowCodec.decode(encoded), len(encoded))
    writer.close()
    return path.read_bytes()


def chunks(data):
    """Parts of some 64 kB that end where the content says, as tools that synchronise cut files."""
    return set(re.findall(rb".{8192,131072}?\0[\0-\x01]|.+\Z", data, re.DOTALL))


@pytest.mark.parametrize("name", ["parquet", "tfrecord"])
def test_a_row_that_comes_in_moves_little(name, tmp_path):
    rng = random.Random(5)
    rows = [Row("full", i, {**values(n), "inputs": rng.randbytes(500).hex()}) for n, i in enumerate(IDS[:3000])]
    before = written(name, rows, tmp_path / "before")
    after = written(name, [Row("full", "a", {**values(0), "inputs": "new"}), *rows], tmp_path / "after")
    moved = sum(map(len, chunks(after) - chunks(before)))
    assert 0 < moved < 0.35 * len(after)
