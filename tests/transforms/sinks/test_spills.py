"""The writer of spill files: rows as bytes and back, tallies, markers, spills, counts."""

from __future__ import annotations

import dataclasses
import json
import os
import random
from collections import Counter
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, Origin, Outcome, RangeEnd, Row
from gistmill.core.statistics import Column, ConfigSchema
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.documents import CleanReason, RawDocument
from gistmill.transforms.io import list_files
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import SetAside
from gistmill.transforms.sinks.results import combine
from gistmill.transforms.sinks.sort import merged_rows
from gistmill.transforms.sinks.spills import (
    RangeResult,
    RowCodec,
    RowError,
    WriteSpills,
    finished_ranges,
)
from tests.transforms.sinks.made import SCHEMA, elements, outcome, values


def tally(folder: Path, stream, **options) -> tuple[list[RangeResult], list[RangeResult]]:
    """Results that came when a range was complete, and at the end of the bundle."""
    folder.mkdir(exist_ok=True)
    writer = WriteSpills(str(folder), SCHEMA, **options)
    writer.setup()
    writer.start_bundle()
    return [r for e in stream for r in writer.process(e)], [w.value for w in writer.finish_bundle()]


def contents(results) -> dict[str, list]:
    spills = [spill for r in results for spill in r.spills]
    return {b: list(merged_rows([r for r in spills if r.bucket == b])) for b in sorted({r.bucket for r in spills})}


def total(results) -> Counter:
    return sum((Counter(r.counts) for r in results), Counter())


def test_a_complete_range_is_closed_and_marked(tmp_path):
    stream = list(elements(range(30), ranges=2, damage=(Damage("dump.xml", 7, "cut"),)))
    closed, left = tally(tmp_path, stream)
    assert [r.range_key for r in closed] == ["dump.xml-0", "dump.xml-1"] and not left
    assert closed[0].damage == (Damage("dump.xml", 7, "cut"),) and closed[1].damage == ()
    assert finished_ranges(str(tmp_path)) == {r.range_key: r for r in closed}
    counts = total(closed)
    rejected = sum(n for k, n in counts.items() if k.startswith("documents/rejected/"))
    assert counts["documents/read"] == 30 == counts["documents/used"] + rejected
    assert counts["rows/full/train"] == len(contents(closed)["full/train"])
    assert counts["sentences/rejected/TOO_SHORT"] > counts["rejects/recipe/sentence/TOO_SHORT"]  # the refused too


def test_what_computed_a_range_is_in_its_result_and_in_its_marker(tmp_path):
    *stream, end = elements(range(5), ranges=1)
    computed = (Arithmetic("NumPy", "2.4.6", "X86_V2", 1), Arithmetic("OpenBLAS", "0.3.31", "Sandybridge", 1))
    ((result,), _) = tally(tmp_path, [*stream, dataclasses.replace(end, arithmetic=computed)])
    assert result.arithmetic == computed == finished_ranges(str(tmp_path))["dump.xml-0"].arithmetic
    assert combine([result, dataclasses.replace(result, arithmetic=computed[:1])]).arithmetic == computed


def test_order_does_not_matter(tmp_path):
    stream = list(elements(range(40), ranges=3))
    ordered, _ = tally(tmp_path / "a", stream)
    random.Random(5).shuffle(stream)
    shuffled, left = tally(tmp_path / "b", stream)
    assert not left and total(ordered) == total(shuffled) and contents(ordered) == contents(shuffled)


def test_documents_that_the_reader_only_counted_are_read_and_rejected_and_make_no_line(tmp_path):
    counted = {"documents/read": 5, "documents/rejected/NAMESPACE": 5}
    stream = [outcome(1, key="k"), RangeEnd("k", 1, counts=counted), RangeEnd("none", 0, counts=counted)]
    (first, second), left = tally(tmp_path, stream)
    assert not left and finished_ranges(str(tmp_path)) == {"k": first, "none": second}
    counts = total([first, second])
    assert (counts["documents/read"], counts["documents/used"], counts["documents/rejected/NAMESPACE"]) == (11, 1, 10)
    assert second.spills == () and not any(key.startswith("rejects/read/") for key in counts)


def test_a_small_memory_budget_makes_more_runs_of_the_same_rows(tmp_path):
    stream = list(elements(range(40), ranges=2, rows=9))
    few, _ = tally(tmp_path / "a", stream)
    many, _ = tally(tmp_path / "b", stream, memory_bytes=3000)
    assert len(many[0].spills) > 2 * len(few[0].spills)
    assert contents(few) == contents(many) and total(few) == total(many)
    assert len(few[0].spills) == len({r.bucket for r in few[0].spills})


def test_an_unfinished_range_has_no_marker(tmp_path):
    stream = list(elements(range(12), ranges=1))
    closed, left = tally(tmp_path, stream[:-1])  # no end of the range
    assert not closed and len(left) == 1 and left[0].counts.get("documents/read") is None
    lost, rest = tally(tmp_path, stream[3:])  # an end that announces more documents than came
    assert not lost and rest[0].counts["documents/read"] == 12
    assert finished_ranges(str(tmp_path)) == {}


def test_an_empty_range_is_finished_at_once(tmp_path):
    closed, left = tally(tmp_path, [RangeEnd("r", 0)])
    assert closed == [RangeResult("r", (), {"documents/read": 0}, ())] and not left
    assert "r" in finished_ranges(str(tmp_path))


def test_a_marker_without_its_run_files_does_not_count(tmp_path):
    closed, _ = tally(tmp_path, elements(range(30), ranges=3))
    os.unlink(closed[0].spills[0].path)
    with open(closed[1].spills[0].path, "ab") as file:
        file.write(b"x")
    Path(WorkspaceLayout(str(tmp_path)).marker("other")).write_text('{"range_key": "other", "ru')
    Path(WorkspaceLayout(str(tmp_path)).marker("another")).write_text('{"range_key": "another"}')
    assert list(finished_ranges(str(tmp_path))) == ["dump.xml-2"]


def test_no_workspace_has_no_finished_ranges(tmp_path):
    assert finished_ranges(str(tmp_path / "none")) == {}


ORIGIN = Origin("d", "wikipedia", range_key="r")


def test_faults_of_a_recipe_are_named(tmp_path):
    row = Row("full", "d-1", values(1))
    deep = ORIGIN.reject(CleanReason.TOO_DEEP, "x")
    for element, message in (
        (Outcome(ORIGIN, rows=(row,)), "'d' contains rows but has no split"),
        (Outcome(ORIGIN, rows=(Row("none", "d-1", values(1)),), split="train"), "unknown configuration 'none'"),
        (Outcome(ORIGIN, rows=(Row("full", "d-1", {}),), split="train"), "missing columns"),
        (Outcome(ORIGIN, rows=(row,), split="train", refused=deep), "is rejected .TOO_DEEP. but contains rows"),
        (ORIGIN.reject(DiscoFuseReason.TOO_SHORT, "recipe", unit="pair"), "a pair reject of 'd' must be inside"),
    ):
        with pytest.raises(ValueError, match=message):
            tally(tmp_path, [element])


def test_the_transform_refuses_what_no_stage_handled(tmp_path):
    with pytest.raises(TypeError, match="RawDocument reached the writer"):
        WriteSpills(str(tmp_path), SCHEMA).process(RawDocument(ORIGIN, "x", "wikitext"))


def test_bundles_on_a_runner_and_the_heartbeat(tmp_path):
    counted = RangeEnd("counted", 0, counts={"documents/read": 5, "documents/rejected/NAMESPACE": 5})
    stream = [*elements(range(30), ranges=2), outcome(500, key="open"), counted]
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        keys = (
            pipeline
            | beam.Create([stream])
            | beam.FlatMap(lambda s: s)
            | beam.ParDo(WriteSpills(str(tmp_path), SCHEMA))
            | beam.Map(lambda r: r.range_key)
        )
        assert_that(keys, equal_to(["counted", "dump.xml-0", "dump.xml-1", "open"]))
    beats = [json.loads(Path(p).read_text()) for p in list_files(WorkspaceLayout(str(tmp_path)).progress, ".json")]
    assert sum(b["documents"] for b in beats) == 36
    rows = [row.config for e in stream if isinstance(e, Outcome) for row in e.rows]
    assert len(set(rows)) > 1 and sum(b["rows"] for b in beats) == len(rows)  # those of each configuration
    assert sum(b["rejects"] for b in beats) == 5 + 30 // 11 + len([d for d in range(30) if d % 7 == 6 and d % 11 != 10])


class Range:
    """Anything with a key."""

    def __init__(self, key: str) -> None:
        self.key = key


def test_finished_ranges_are_set_aside(tmp_path):
    closed, _ = tally(tmp_path, elements(range(30), ranges=3))
    os.unlink(closed[0].spills[0].path)
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        both = (
            pipeline
            | beam.Create([f"dump.xml-{i}" for i in range(5)])
            | beam.Map(Range)
            | beam.ParDo(SetAside(str(tmp_path), finished_ranges, counted=True)).with_outputs(
                SetAside.KNOWN, main="pending"
            )
        )
        pending = both.pending | "Keys" >> beam.Map(lambda r: r.key)
        assert_that(pending, equal_to(["dump.xml-0", "dump.xml-3", "dump.xml-4"]), label="pending")
        assert_that(both[SetAside.KNOWN], equal_to(closed[1:]), label="finished")


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
        ({"length": "3"}, "column length must be int64, not '3'"),
        ({"length": True}, "column length must be int64"),
        ({"length": 1.5}, "column length must be int64"),
        ({"flag": 1}, "column flag must be bool"),
        ({"score": False}, "column score must be float64"),
        ({"words": "abc"}, "column words must be list<string>"),
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
