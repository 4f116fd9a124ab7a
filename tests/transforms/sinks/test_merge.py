"""The external sort: the same bytes however the rows lay, in few open files, and no id twice."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmill.core.hashing import unit_interval
from gistmill.core.records import Outcome, Row
from gistmill.core.row_budget import UNLIMITED, RowBudget, order_key
from gistmill.core.statistics import ConfigSchema
from gistmill.transforms.io import read_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks import shards as shard_module
from gistmill.transforms.sinks.formats import FORMATS as FORMATS_BY_NAME
from gistmill.transforms.sinks.results import read_samples
from gistmill.transforms.sinks.shards import (
    LONGEST,
    MOST,
    SALT,
    DuplicateIdError,
    ShardError,
    ShardPlan,
    plan_shards,
    reject_sampler,
    row_sampler,
    write_shard,
)
from gistmill.transforms.sinks.sort import SpillFile, SpillWriter, merge_to_spill, merged_rows, plan_steps
from gistmill.transforms.sinks.spills import RowCodec
from tests.transforms.sinks.made import COLUMNS, FORMATS, SCHEMA, digests, elements, outcome, run, values

CODEC = RowCodec(SCHEMA["full"])


def spills_of(folder: Path, parts, bucket: str = "full/train") -> list[SpillFile]:
    made = []
    for part in parts:
        writer = SpillWriter(WorkspaceLayout(str(folder)).new_spill("r"), bucket)
        for row in sorted(CODEC.encode(Row("full", f"id-{i}", values(i))) for i in part):
            writer.add(*row)
        made.append(writer.close())
    return made


def shards_of(folder: Path, spills: list[SpillFile], *, shards=None, rows=None, formats=FORMATS) -> list[tuple]:
    budget = UNLIMITED if rows is None else RowBudget.of([rows], salt="s")
    plans = plan_shards("full/train", spills, shards=shards, budget=budget)
    layout = WorkspaceLayout(str(folder))
    files = [f for p in plans for f in write_shard(p, schema=SCHEMA, formats=formats, layout=layout)]
    return [(f.format, f.index, f.of, f.rows, f.sha256, f.first_id, f.last_id) for f in files]


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=st.lists(st.integers(0, 5), max_size=40), rows=st.none() | st.integers(0, 45), shards=st.integers(1, 7))
def test_any_partition_into_spills_gives_the_files_of_the_kept_rows_alone(tmp_path, places, rows, shards):
    parts = [[i for i, p in enumerate(places) if p == place] for place in range(6)]
    key = order_key("rows s")
    alone = sorted(range(len(places)), key=lambda i: key(f"id-{i}".encode()))[:rows]
    one = shards_of(tmp_path, spills_of(tmp_path, [alone]), shards=shards)
    assert shards_of(tmp_path, spills_of(tmp_path, parts), shards=shards, rows=rows) == one
    assert sum(shard[3] for shard in one) == len(FORMATS) * len(alone)
    assert len(one) == len(FORMATS) * min(shards, len(alone))


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


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What the sinks make of 60 documents."""
    return run(tmp_path_factory.mktemp("plain"), list(elements(range(60))), shards=3)


def test_the_same_on_a_runner_whatever_ranges_spills_and_steps(plain, tmp_path):
    other = run(tmp_path, list(elements(range(60), ranges=25)), shards=3, fan_in=3, memory_bytes=2000, bundles=2)
    assert digests(plain) == digests(other)
    assert plain.counts == other.counts
    assert len(digests(plain)) == 2 * 3 * 3 * 3 + 1


def test_rows_are_complete_and_in_order_of_their_ids_utf8(plain):
    found = {}
    for config in ("full", "balanced"):
        shards = [s for s in plain.shards if (s.config, s.split, s.format) == (config, "train", "parquet")]
        tables = [pq.read_table(s.path) for s in shards]
        ids = [i for t in tables for i in t["id"].to_pylist()]
        assert ids == sorted(ids, key=str.encode) and len(set(ids)) == len(ids)
        assert {t.num_rows for t in tables} <= {len(ids) // 3, len(ids) // 3 + 1}
        assert [(s.first_id, s.last_id) for s in shards] == [(t["id"][0].as_py(), t["id"][-1].as_py()) for t in tables]
        found |= {(config, row.pop("id")): row for table in tables for row in table.to_pylist()}
    outcomes = [o for d in range(60) if isinstance(o := outcome(d, key=""), Outcome) and o.split == "train"]
    assert found == {(r.config, r.id): r.values for o in outcomes if not o.refused for r in o.rows}


def test_rejects_are_written_once_in_order(plain):
    (shard,) = [s for s in plain.shards if s.config == "rejects"]
    lines = [json.loads(line) for line in gzip.decompress(Path(shard.path).read_bytes()).splitlines()]
    assert len(lines) == shard.rows == sum(n for k, n in plain.counts.items() if k.startswith("rejects/"))
    assert [x["id"] for x in lines] == sorted(x["id"] for x in lines)
    what = {"id": "wikipedia-0", "reason": "TOO_SHORT", "text": "too few tokens", "detail": "a < b"}
    place = {"stage": "recipe", "unit": "sentence", "index": 4, "title": "T0", "file": "dump.xml", "offset": 0}
    assert lines[0] == what | place


@pytest.mark.parametrize("most", [1, 1800, 9000])
def test_many_rejects_are_in_several_files_that_follow_each_other(tmp_path, monkeypatch, most):
    line = b'{"reason":"LIST","n":"%04d"}'
    lines = sorted([(b"id-%02d" % (n // 3), line % n) for n in range(90)] * 2)  # a key six times, a line twice
    spills = []
    for part in (lines[::2], lines[1::2]):
        writer = SpillWriter(WorkspaceLayout(str(tmp_path)).new_spill("r"), "rejects")
        for line in part:
            writer.add(*line)
        spills.append(writer.close())
    monkeypatch.setattr("gistmill.transforms.sinks.shards.SHARD_BYTES", most)
    plans = plan_shards("rejects", spills, shards=7)  # the shards that are asked for are those of rows
    assert len(plans) == {1: 30, 1800: 4, 9000: 1}[most]
    layout = WorkspaceLayout(str(tmp_path))
    files = [f for p in plans for f in write_shard(p, schema=SCHEMA, formats=FORMATS, layout=layout)]
    assert [(f.index, f.of) for f in files] == [(n, len(plans)) for n in range(len(plans))]
    written = b"".join(gzip.decompress(Path(f.path).read_bytes()) for f in files)
    assert written.splitlines() == [line for _, line in lines]


def test_nothing_at_all_gives_an_empty_rejects_file_and_results(tmp_path):
    results = run(tmp_path, [])
    assert [(s.config, s.format, s.rows, s.of) for s in results.shards] == [("rejects", "jsonl", 0, 1)]
    assert gzip.decompress(Path(results.shards[0].path).read_bytes()) == b"" and results.counts == {}
    assert [s["path"] for s in results.sources] == ["dump.xml"]  # given twice, kept once


def test_an_id_that_occurs_twice_is_named(tmp_path):
    for shards, twice, rows in itertools.product((1, 2, 5), (0, 4, 9), (None, 5)):
        spills = spills_of(tmp_path, [range(10), [twice]])
        with pytest.raises(DuplicateIdError, match=f"two rows of full/train share the id 'id-{twice}'"):
            shards_of(tmp_path, spills, shards=shards, rows=rows)


def test_an_id_that_occurs_twice_fails_the_job(tmp_path):
    stream = [*elements(range(20)), outcome(3, key="again")]
    with pytest.raises(Exception, match="two rows of balanced/train share the id|two rows of full/train share the id"):
        run(tmp_path, stream)
    assert not Path(WorkspaceLayout(str(tmp_path)).results).exists()


@settings(deadline=None)
@given(spills=st.integers(0, 300), fan_in=st.integers(2, 70))
def test_steps_keep_every_spill_and_the_cap(spills, fan_in):
    files = [SpillFile(f"{i}", "b", 1, 1, 1, f"{i:03d}", "") for i in range(spills)]
    steps = list(plan_steps(files, fan_in=fan_in))
    assert [r for s in steps for r in s] == files and max(len(s) for s in steps) <= fan_in
    assert len(steps) <= max(fan_in, -(-spills // fan_in))
    assert steps  # a bucket without spills stays alive


def test_merging_to_a_run_keeps_equal_keys(tmp_path):
    spills = spills_of(tmp_path, [[1, 2], [2, 3]])
    made = merge_to_spill("full/train", spills, str(tmp_path / "m.spill"))
    assert made.rows == 4 and [k for k, _ in merged_rows([made])] == [b"id-1", b"id-2", b"id-2", b"id-3"]


def test_a_lost_row_is_an_error(tmp_path):
    spills = spills_of(tmp_path, [range(5)])
    plan = ShardPlan("full/train", 0, 1, 6, b"", None, tuple(spills))
    with pytest.raises(ShardError, match="5 rows instead of 6"):
        write_shard(plan, schema=SCHEMA, formats=FORMATS, layout=WorkspaceLayout(str(tmp_path)))


def test_a_file_that_changed_on_the_disk_is_noticed(tmp_path):
    plan = plan_shards("full/train", spills_of(tmp_path, [range(5)]))[0]
    (shard,) = write_shard(plan, schema=SCHEMA, formats=["tsv"], layout=WorkspaceLayout(str(tmp_path)))
    data = Path(shard.path).read_bytes()
    Path(shard.path).write_bytes(data.replace(b"Row", b"Raw") if b"Row" in data else data[:-2] + b"x\n")
    with pytest.raises(ShardError, match="differs from what was written"):
        shard_module._read_back(shard, FORMATS_BY_NAME["tsv"])


FILE = "samples.json"


def sampler(tmp_path, by="targets"):
    return row_sampler(str(tmp_path / FILE), ConfigSchema(name="full", columns=COLUMNS).columns, by=by)


def add(sampler, row_id, *, kind="a", inputs="x"):
    sampler.add([row_id, inputs, kind, 1, 0.5, True, ["w"]], 9)


@settings(max_examples=30, deadline=None)
@given(ids=st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=4)), unique_by=lambda i: i[1], max_size=40))
def test_the_rows_of_the_smallest_hashes_are_kept_whatever_the_order(tmp_path_factory, ids):
    made = []
    for order in (ids, ids[::-1]):
        folder = tmp_path_factory.mktemp("s")
        chosen = sampler(folder)
        for kind, row_id in order:
            add(chosen, row_id, kind=kind)
        chosen.close()
        made.append(read_json(str(folder / FILE)))
    assert made[0] == made[1]
    for kind in "abc":
        wanted = sorted((unit_interval(SALT, i), i) for k, i in ids if k == kind)[:MOST]
        assert [item[1] for item in made[0].get(kind, [])] == [i for _, i in wanted]


def test_lists_are_left_out_and_long_texts_are_cut(tmp_path):
    chosen = sampler(tmp_path)
    add(chosen, "1", inputs="y" * (LONGEST + 1))
    chosen.close()
    ((_, _, values),) = read_json(str(tmp_path / FILE))["a"]
    assert values["inputs"] == "y" * LONGEST + "…" and "words" not in values and values["length"] == 1


def test_equal_rejects_are_shown_once(tmp_path):
    chosen = reject_sampler(str(tmp_path / FILE))
    line = json.dumps({"reason": "LIST", "detail": "<b>"}).encode()
    chosen.add(line, 9)
    chosen.add(line, 9)
    chosen.close()
    assert [v["detail"] for _, _, v in read_json(str(tmp_path / FILE))["LIST"]] == ["<b>"]


def test_a_dataset_has_the_samples_of_all_its_shards(tmp_path):
    results = run(tmp_path, list(elements(range(60))), formats=("parquet", "tsv"), shards=5, bundles=3)
    samples = read_samples(results.shards)
    ids = [f"wikipedia-{d}-{i}" for d in range(60) if d % 11 != 10 and d % 7 != 6 for i in range(3)]
    wanted = sorted(ids, key=lambda i: unit_interval(SALT, i))[:MOST]
    assert [row["id"] for row in samples.rows["full"][""]] == wanted
    assert len(samples.rejects["TOO_SHORT"]) == MOST and samples.rejects["TOO_SHORT"][0]["detail"] == "a < b"
