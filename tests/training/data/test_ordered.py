"""Rows in the order of a column: of every epoch, by any number of processes, and after a restart."""

import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.core.statistics import Column
from gistmill.training.data.config import DataConfig
from gistmill.training.data.source import Ordered, Source
from gistmill.training.errors import SettingsError
from tests.manifests import made_manifest, write_manifest
from tests.training.data.made import epoch, numbers, published_file, words

COUNT = 157
LAW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def rank_of(number):
    return number * 7919 % 53  # each rank three times, or twice


def place_of(folder, ranks, kind="int64", shards=3, group=10):
    """A dataset with the column ``rank``: rows of ten words, in row groups of ``group`` rows."""
    files: list = []
    rows = [
        {"id": f"{n:08d}", "inputs": "word " * (1 + n % 40), "number": n, "rank": rank} for n, rank in enumerate(ranks)
    ]
    types = {"int64": pa.int64(), "float64": pa.float64(), "string": pa.string()}
    schema = pa.schema([("id", pa.string()), ("inputs", pa.string()), ("number", pa.int64()), ("rank", types[kind])])
    for shard in range(shards):
        part = rows[len(rows) * shard // shards : len(rows) * (shard + 1) // shards]
        path = f"full/parquet/train-{shard:05d}-of-{shards:05d}.parquet"
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(part, schema), folder / path, row_group_size=group)
        files.append(published_file(folder, path, rows=len(part)))
    forms = {"id": "string", "inputs": "string", "number": "int64", "rank": kind}
    columns = tuple(Column(name, form, "") for name, form in forms.items())
    counts = {"rows/full": {"train": len(rows)}}
    write_manifest(folder, made_manifest(columns={"full": columns}, files=tuple(files), counts=counts))
    return str(folder)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return place_of(tmp_path_factory.mktemp("set"), [rank_of(n) for n in range(COUNT)])


IN_ORDER = sorted(range(COUNT), key=lambda n: (rank_of(n), n))


def stream(place, *, rank=0, world=1, columns=("inputs", "number"), **options):
    config = DataConfig(datasets=(place,), order_column="rank", **options)
    return config.stream(columns, words, rank=rank, world=world)


def flat(batches):
    return [number for batch in numbers(batches) for number in batch]


@pytest.mark.long
@LAW
@given(
    batch=st.integers(1, 40), world=st.integers(1, 4), block=st.sampled_from([1, 7, 50, 1000]), seed=st.integers(0, 3)
)
def test_the_rows_of_each_step_follow_each_other_in_the_order(place, monkeypatch, batch, world, block, seed):
    monkeypatch.setattr("gistmill.training.data.source.ORDERED_ROWS", block)
    streams = [stream(place, rank=rank, world=world, batch_rows=batch, seed=seed) for rank in range(world)]
    for number in range(2):
        dealt = [numbers(epoch(one, number)) for one in streams]
        found = [n for step in zip(*dealt, strict=True) for row in zip(*step, strict=True) for n in row]
        assert found == IN_ORDER[: COUNT // world * world]


@pytest.mark.slow
@LAW
@given(batch=st.integers(1, 40), world=st.integers(1, 3), skipped=st.integers(0, 60))
def test_a_restored_stream_goes_on_with_the_same_batches(place, batch, world, skipped):
    options = {"rank": world - 1, "world": world, "batch_rows": batch}
    first, again = stream(place, **options), stream(place, **options)
    iterator = iter(first)
    for _ in range(skipped):
        next(iterator)
    again.restore(json.loads(json.dumps(first.state())))
    after = iter(again)
    assert [next(iterator) for _ in range(5)] == [next(after) for _ in range(5)]


def test_neither_shuffling_nor_lengths_disturb_the_order(place):
    assert flat(epoch(stream(place, batch_rows=8, shuffle_rows=50, bucket_rows=64, seed=7))) == IN_ORDER


def test_a_checkpoint_of_another_order_is_refused(place):
    plain = DataConfig(datasets=(place,)).stream(("inputs", "number"), words)
    with pytest.raises(SettingsError, match="dataset 1 was .* by rank"):
        plain.restore(stream(place).state())


def test_rows_have_the_column_only_if_it_is_asked_for(place):
    assert set(next(iter(stream(place)))[0]) == {"inputs", "number"}
    assert set(next(iter(stream(place, columns=("inputs", "rank"))))[0]) == {"inputs", "rank"}


def test_other_numbers_are_ordered_too_and_ties_are_in_the_datasets_order(tmp_path):
    place = place_of(tmp_path, [0.5, -1.0, math.inf, 0.25, -1.0], "float64", shards=2, group=2)
    assert flat(epoch(stream(place, batch_rows=2))) == [1, 4, 3, 0, 2]


def test_a_column_without_numbers_is_told_of(tmp_path, place):
    for ranks, kind, said in (
        (["a", "b"], "string", "has values of string, not numbers"),
        ([1, None], "int64", "a row has no number in it"),
        ([1.0, math.nan], "float64", "a row has no number in it"),
    ):
        with pytest.raises(SettingsError, match=f"--order-column rank: {said}"):
            stream(place_of(tmp_path / kind, ranks, kind, shards=1))
    with pytest.raises(SettingsError, match="full has no column 'ranks'; did you mean rank"):
        Ordered(Source(place).open(), Source(place), "ranks")
    for options, said in ({"batch_tokens": 100}, "batch_rows only"), ({"datasets": ("a", "b")}, "one dataset"):
        with pytest.raises(OptionError, match=f"order_column .*{said}"):
            DataConfig(**{"datasets": ("a",), "order_column": "rank", **options})
