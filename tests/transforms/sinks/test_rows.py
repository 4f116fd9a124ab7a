"""A budget of rows in the merge: the same rows in the same files, however they lay in spills."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmill.core.row_budget import RowBudget, order_key
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.shards import DuplicateIdError, plan_shards, write_shard
from tests.transforms.sinks.made import FORMATS, SCHEMA, digests, elements, run
from tests.transforms.sinks.test_merge import spills_of


def shards_of(folder, spills, *, rows, shards=None, formats=FORMATS):
    plans = plan_shards("full/train", spills, shards=shards, budget=RowBudget.of([rows], salt="s"))
    layout = WorkspaceLayout(str(folder))
    return [f for p in plans for f in write_shard(p, schema=SCHEMA, formats=formats, layout=layout)]


def contents(files):
    return [(f.format, f.index, f.of, f.rows, f.sha256, f.first_id, f.last_id) for f in files]


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.integers(0, 5), max_size=40), rows=st.integers(0, 45), shards=st.integers(1, 4))
def test_any_partition_into_spills_gives_the_files_of_the_kept_rows_alone(tmp_path, places, rows, shards):
    parts = [[i for i, p in enumerate(places) if p == place] for place in range(6)]
    found = shards_of(tmp_path, spills_of(tmp_path, parts), rows=rows, shards=shards)
    key = order_key("rows s")
    alone = sorted(range(len(places)), key=lambda i: key(f"id-{i}".encode()))[:rows]
    expected = shards_of(tmp_path, spills_of(tmp_path, [alone]), rows=len(places), shards=shards)
    assert contents(found) == contents(expected)
    assert sum(f.rows for f in found) == len(FORMATS) * min(rows, len(places))


def test_the_number_of_shards_follows_from_the_rows_that_stay(tmp_path, monkeypatch):
    spills = spills_of(tmp_path, [range(0, 200, 2), range(1, 200, 2)])
    monkeypatch.setattr("gistmill.transforms.sinks.shards.SHARD_BYTES", sum(s.raw_bytes for s in spills) // 10)
    assert [len(shards_of(tmp_path, spills, rows=n, formats=["tsv"])) for n in (200, 100, 20, 0)] == [11, 6, 2, 0]


def test_a_budget_gives_the_same_files_whatever_ranges_steps_and_bundles(tmp_path):
    budget = RowBudget.of([25, 4, 0], salt="s")
    plain = run(tmp_path / "a", list(elements(range(60))), shards=3, formats=["parquet"], budget=budget)
    stream = list(elements(range(60), ranges=15))
    options = {"formats": ["parquet"], "memory_bytes": 2000, "bundles": 2, "budget": budget}
    other = run(tmp_path / "b", stream, shards=3, fan_in=3, **options)
    assert digests(plain) == digests(other)
    sizes = Counter()
    for shard in plain.shards:
        sizes[shard.config, shard.split] += shard.rows
    for config in "full", "balanced":
        assert [sizes[config, split] for split in ("train", "validation", "test")] == [25, 4, 0]


def test_an_id_that_occurs_twice_is_named_though_rows_are_left_out(tmp_path):
    for shards, twice in itertools.product((1, 3), range(0, 10, 3)):
        spills = spills_of(tmp_path, [range(10), [twice]])
        with pytest.raises(DuplicateIdError, match=f"two rows of full/train have the id 'id-{twice}'"):
            shards_of(tmp_path, spills, rows=5, shards=shards)
