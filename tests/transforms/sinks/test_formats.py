"""Each format against the library that people read it with."""

from __future__ import annotations

import ast
import csv
import gzip
import math
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gistmill.core.framing import tfrecords
from gistmill.core.records import Row
from gistmill.core.statistics import Column, ConfigSchema
from gistmill.core.tf_example import Example, records_of
from gistmill.pipelines.reporting.manifest import tsv_readers
from gistmill.transforms.io import sha256_of
from gistmill.transforms.sinks import formats
from gistmill.transforms.sinks.formats import (
    FORMATS,
    REJECTS_FORMAT,
    HashingFile,
    TsvWriter,
    cell,
    count_tfrecords,
    count_tsv,
)
from gistmill.transforms.sinks.shards import published_name
from gistmill.transforms.sinks.spills import RowCodec
from tests.transforms.sinks.made import SCHEMA, values

CODEC = RowCodec(SCHEMA["full"])
ODD = {**values(3), "inputs": "naïve\r\nx\u2028y\tz", "targets": None, "words": [], "score": 0.1}


def write(path: Path, name: str, rows: list[Row]) -> HashingFile:
    file = HashingFile(str(path))
    writer = FORMATS[name].open(file, SCHEMA["full"])
    for row in rows:
        value = CODEC.encode(row)[1]
        writer.add(CODEC.decode(value), len(value))
    writer.close()
    return file


def records(path: Path) -> Iterator[bytes]:
    return tfrecords([gzip.decompress(path.read_bytes())])


def made_rows(count: int) -> list[Row]:
    return [Row("full", f"id-{i:05d}", values(i)) for i in range(count)] + [Row("full", "odd", ODD)]


@pytest.mark.parametrize("name", FORMATS)
def test_counts_hashes_and_repeats_and_a_torn_file_cannot_be_counted(tmp_path, name):
    rows = made_rows(50)
    first, second = write(tmp_path / "a", name, rows), write(tmp_path / "b", name, rows)
    data = (tmp_path / "a").read_bytes()
    assert data == (tmp_path / "b").read_bytes() and first.size == len(data)
    assert first.sha256 == second.sha256 == sha256_of(str(tmp_path / "a"))
    assert FORMATS[name].count(str(tmp_path / "a")) == 51
    (tmp_path / "b").write_bytes(data[:-1])
    with pytest.raises(ValueError):
        FORMATS[name].count(str(tmp_path / "b"))
    write(tmp_path / "none", name, [])
    assert FORMATS[name].count(str(tmp_path / "none")) == 0


def test_a_torn_file_of_rejects_cannot_be_counted(tmp_path):
    path = tmp_path / "a"
    writer = REJECTS_FORMAT.open(HashingFile(str(path)), SCHEMA["full"])
    writer.add(b"{}", 2)
    writer.close()
    assert REJECTS_FORMAT.count(str(path)) == 1
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError):
        REJECTS_FORMAT.count(str(path))


def group_sizes(path):
    metadata = pq.ParquetFile(path).metadata
    return [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]


def test_parquet_columns_values_and_row_groups(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "ROW_GROUP_ROWS", 20)
    rows = made_rows(50)
    write(tmp_path / "a.parquet", "parquet", rows)
    table = pq.read_table(tmp_path / "a.parquet")
    texts = [(name, pa.string()) for name in ("id", "inputs", "targets")]
    numbers = [("length", pa.int64()), ("score", pa.float64()), ("flag", pa.bool_())]
    wanted = pa.schema([*texts, *numbers, ("words", pa.list_(pa.field("element", pa.string())))])
    assert table.schema.equals(wanted, check_metadata=True)
    assert table.to_pylist() == [{"id": r.id, **r.values} for r in rows]
    sizes = group_sizes(tmp_path / "a.parquet")
    assert sum(sizes) == 51 and max(sizes) <= 20 and min(sizes[:-1]) >= 5


def test_parquet_row_groups_of_large_rows_are_bounded_by_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "ROW_GROUP_BYTES", 4000)
    write(tmp_path / "a", "parquet", [Row("full", f"{i}", {**values(i), "inputs": "x" * 1500}) for i in range(7)])
    sizes = group_sizes(tmp_path / "a")
    assert sum(sizes) == 7 and max(sizes) <= 3


@pytest.mark.slow
def test_tfrecord_as_tensorflow_reads_it(tmp_path):
    import tensorflow as tf

    rows = made_rows(30)
    path = tmp_path / "a.tfrecord.gz"
    write(path, "tfrecord", rows)
    dataset = tf.data.TFRecordDataset(str(path), compression_type="GZIP")
    found = [tf.train.Example.FromString(r.numpy()) for r in dataset]
    assert len(found) == len(rows)
    for row, example in zip(rows, found, strict=True):
        feature = example.features.feature
        assert set(feature) == {"id", *row.values}
        assert feature["id"].bytes_list.value == [row.id.encode()]
        text = row.values["targets"]
        assert feature["targets"].bytes_list.value == ([] if text is None else [text.encode()])
        assert feature["length"].int64_list.value == [row.values["length"]]
        assert feature["flag"].int64_list.value == [int(row.values["flag"])]
        assert math.isclose(feature["score"].float_list.value[0], row.values["score"], rel_tol=1e-6)
        assert [w.decode() for w in feature["words"].bytes_list.value] == row.values["words"]
        assert {k: f.WhichOneof("kind") for k, f in feature.items()}["words"] == "bytes_list"
    # the same message by the class of ours, with both libraries loaded
    ours = [Example.FromString(r).features.feature for r in records(path)]
    assert [o["id"].bytes_list.value for o in ours] == [[r.id.encode()] for r in rows]
    spec = {"inputs": tf.io.FixedLenFeature([], tf.string), "words": tf.io.VarLenFeature(tf.string)}
    parsed = tf.io.parse_single_example(next(records(path)), spec)
    assert parsed["inputs"].numpy().decode() == rows[0].values["inputs"]


def test_examples_do_not_depend_on_the_order_of_making():
    records = records_of(SCHEMA["full"].columns)
    values_of = CODEC.decode(CODEC.encode(Row("full", "a", ODD))[1])
    assert len({records([values_of]) for _ in range(20)}) == 1


def test_a_damaged_record_is_noticed(tmp_path):
    write(tmp_path / "a", "tfrecord", made_rows(3))
    data = bytearray(gzip.decompress((tmp_path / "a").read_bytes()))
    data[40] ^= 1
    (tmp_path / "b").write_bytes(gzip.compress(bytes(data)))
    with pytest.raises(ValueError, match="damaged"):
        count_tfrecords(str(tmp_path / "b"))
    (tmp_path / "c").write_bytes(gzip.compress(bytes(data[:20])))
    with pytest.raises(ValueError):
        count_tfrecords(str(tmp_path / "c"))


def test_gzip_has_neither_time_nor_name(tmp_path):
    write(tmp_path / "a.tfrecord.gz", "tfrecord", made_rows(3))
    head = (tmp_path / "a.tfrecord.gz").read_bytes()[:10]
    assert head[:8] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00"  # flags 0 (no name), time 0


def test_tsv_has_the_asked_columns_and_no_break_inside_a_cell(tmp_path):
    write(tmp_path / "a.tsv", "tsv", made_rows(2))
    text = (tmp_path / "a.tsv").read_text(encoding="utf-8")
    assert text.splitlines() == [
        "targets\tinputs\tflag",
        "naïve “0” line\tA first one . 0\t1",
        "naïve “1” line\tA first one . 1\t0",
        "\tnaïve x y z\t0",
    ]


@given(st.text())
def test_a_cell_is_never_broken(text):
    made = cell(text)
    assert "\t" not in made and len(made.splitlines()) <= 1 and "\n" not in made and "\r" not in made


def test_cells_of_other_types():
    assert [cell(v) for v in (None, True, False, 3, 0.5, ["a", "ü"])] == ["", "1", "0", "3", "0.5", '["a", "ü"]']


def test_names_in_the_dataset():
    assert published_name("full", "train", "parquet", 0, 8) == "full/parquet/train-00000-of-00008.parquet"
    assert published_name("full", "test", "tfrecord", 3, 8) == "full/tfrecord/test-00003-of-00008.tfrecord.gz"
    assert published_name("rejects", "rejects", "jsonl", 0, 1) == "rejects/part-00000-of-00001.jsonl.gz"


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=20))
def test_any_text_survives_in_parquet_and_tfrecord(tmp_path, texts):
    rows = [Row("full", f"{i}", {**values(i), "inputs": t}) for i, t in enumerate(texts)]
    for name in ("parquet", "tfrecord"):
        write(tmp_path / name, name, rows)
    assert pq.read_table(tmp_path / "parquet")["inputs"].to_pylist() == texts
    found = [
        Example.FromString(r).features.feature["inputs"].bytes_list.value[0].decode()
        for r in records(tmp_path / "tfrecord")
    ]
    assert found == texts


TEXTS = [
    '"An open quotation mark .',
    '" Quoted , " he said .',
    '"',
    "NA",
    "null",
    "It 's \\N , \\t and \\ .",
    "# no comment",
    "Être ou ne pas être , 日本 .",
]
LIBRARIES = {"csv": csv, "pandas": pandas, "polars": polars, "duckdb": duckdb}
DOCS = Path(__file__).parents[3] / "docs" / "dataset.md"


@pytest.fixture
def written(tmp_path):
    columns = (Column("text", "string", "."), Column("other", "string", "."), Column("flag", "bool", "."))
    path = tmp_path / "train-00000-of-00001.tsv"
    writer = TsvWriter(path.open("wb", buffering=0), ConfigSchema(name="full", columns=columns))
    for text in TEXTS:
        writer.add(["x", text, "", True], 0)
    writer.close()
    return path


def rows(table, name):
    if name == "duckdb":
        return [tuple(row) for row in table.fetchall()]
    return list(table.itertuples(index=False, name=None)) if name == "pandas" else table.rows()


@pytest.mark.parametrize("name", ["pandas", "polars", "duckdb"])
def test_the_line_of_the_card_reads_every_text_as_it_is(written, name):
    empty = "" if name == "pandas" else None
    table = eval(tsv_readers(str(written))[name], LIBRARIES)
    assert rows(table, name) == [("x", text, empty, 1) for text in TEXTS]
    assert count_tsv(str(written)) == len(TEXTS)


def test_a_reader_that_expects_quoting_does_not_find_the_end(written):
    with pytest.raises(pandas.errors.ParserError, match="EOF inside string"):
        pandas.read_csv(written, sep="\t")


def test_the_documentation_has_the_lines_of_the_card():
    (block,) = re.findall(r"```python\n(import csv\n.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    shown = [ast.unparse(line) for line in ast.parse(block).body if isinstance(line, ast.Expr)]
    lines = tsv_readers("discofuse-en/full/tsv/train-00000-of-00001.tsv").values()
    assert shown == [ast.unparse(ast.parse(line)) for line in lines]
