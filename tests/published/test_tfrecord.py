"""TFRecord shards, read back beside the Parquet shards of the same dataset."""

from __future__ import annotations

import gzip
import struct
import subprocess
import sys

import pytest

from gistmill.core.framing import FramingError, tfrecord
from gistmill.core.statistics import Column
from gistmill.core.tf_example import Example, rows_of
from gistmill.published.dataset import Dataset
from gistmill.published.files import read_chunks

SHARDS = ("full/tfrecord/train-00000-of-00002.tfrecord.gz", "full/tfrecord/train-00001-of-00002.tfrecord.gz")


def read(path, columns):
    with open(path, "rb") as file:
        return list(rows_of(read_chunks(file), columns))


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def test_rows_are_those_of_parquet_and_have_the_columns_that_are_asked_for(published):
    dataset = Dataset(published)
    few = [c for c in dataset.columns("full") if c.name in ("words", "flag")]
    assert set(read(published / SHARDS[0], few)[0]) == {"words", "flag"}
    found = [row for shard in SHARDS for row in read(published / shard, dataset.columns("full"))]
    expected = [row | {"score": single(row["score"])} for row in dataset.rows("train", "full")]
    assert found == expected and len(found) == dataset.num_rows("train", "full") > 0


COLUMNS = (
    Column("text", "string", ""),
    Column("count", "int64", ""),
    Column("right", "bool", ""),
    Column("share", "float64", ""),
    Column("list", "list<string>", ""),
)


def written(path, *examples):
    path.write_bytes(gzip.compress(b"".join(tfrecord(e.SerializeToString()) for e in examples)))
    return path


def example(**features):
    made = Example()
    for name, (kind, values) in features.items():
        target = getattr(made.features.feature[name], kind)
        target.SetInParent()
        target.value.extend(values)
    return made


WHOLE = {
    "text": ("bytes_list", ["naïve".encode()]),
    "count": ("int64_list", [-3]),
    "right": ("int64_list", [1]),
    "share": ("float_list", [0.5]),
    "list": ("bytes_list", [b"a", b""]),
}


def test_every_type_and_what_is_not_there_is_none_or_an_empty_list(tmp_path):
    path = written(tmp_path / "x", example(**WHOLE))
    assert read(path, COLUMNS) == [{"text": "naïve", "count": -3, "right": True, "share": 0.5, "list": ["a", ""]}]
    path = written(tmp_path / "x", example(**{name: (kind, []) for name, (kind, _) in WHOLE.items()}))
    assert read(path, COLUMNS) == [{"text": None, "count": None, "right": None, "share": None, "list": []}]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"count": ("float_list", [1.0])}, "contains a row whose column 'count' is not int64"),
        ({"text": ("bytes_list", [b"a", b"b"])}, "contains a row with several values in the column 'text'"),
        ({"text": ("bytes_list", [b"\xff"])}, "does not contain rows: 'utf-8' codec"),
        ({"right": None}, "contains a row without the column 'right'"),
    ],
)
def test_a_row_that_does_not_fit(tmp_path, changed, said):
    features = {name: given for name, given in {**WHOLE, **changed}.items() if given is not None}
    with pytest.raises(FramingError, match=said):
        read(written(tmp_path / "x", example(**features)), COLUMNS)


def test_a_file_that_is_torn_or_damaged(published, tmp_path):
    data, path = (published / SHARDS[0]).read_bytes(), tmp_path / "x"
    columns = Dataset(published).columns("full")
    content = gzip.decompress(data)
    for broken, said in (
        (data[:-20], "is not a single complete gzip stream"),
        (b"", "is not a single complete gzip stream"),
        (b"plain" + data, "is not gzip or is damaged"),
        (gzip.compress(content[:-3]), "ends within a record"),
        (gzip.compress(content[:30] + bytes([content[30] ^ 1]) + content[31:]), "is damaged"),
        (gzip.compress(tfrecord(b"\xff\xff")), "does not contain rows"),
    ):
        path.write_bytes(broken)
        with pytest.raises(FramingError, match=said) as error:
            read(path, columns)
        assert "\n" not in str(error.value)


@pytest.mark.slow
def test_it_lives_beside_tensorflow(published):
    """Both define tf.train.Example; a process may hold both."""
    pytest.importorskip("tensorflow")
    code = (
        "import sys, tensorflow as tf\nfrom gistmill.core.tf_example import rows_of\nfrom gistmill.published.dataset import Dataset\n"
        "columns = Dataset(sys.argv[1]).columns('full')\n"
        "mine = [row['inputs'] for row in rows_of([open(sys.argv[2], 'rb').read()], columns)]\n"
        "records = tf.data.TFRecordDataset(sys.argv[2], compression_type='GZIP')\n"
        "theirs = [tf.train.Example.FromString(r.numpy()).features.feature['inputs'].bytes_list.value[0].decode()\n"
        "          for r in records]\n"
        "assert mine == theirs and mine\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(published), str(published / SHARDS[0])], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
