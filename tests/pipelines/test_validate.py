import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines import validate
from pipelines.options import UsageError
from tests.commands import gistmill, succeed
from tests.dumps import export, small_pages


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    folder = tmp_path_factory.mktemp("validate")
    (folder / "small.xml").write_bytes(export(small_pages()))
    succeed("discofuse", "--input", folder / "small.xml", "--output", folder / "data", "--coref", "none",
            "--splits", "60,20,20", "--formats", "parquet,tfrecord,tsv")
    return folder / "data"


@pytest.fixture
def dataset(published, tmp_path):
    return shutil.copytree(published, tmp_path / "data")


def a_shard(dataset, format="parquet"):
    return sorted((dataset / "full" / format).iterdir())[0]


def faults(dataset, capsys):
    code = validate.main([str(dataset)])
    shown = capsys.readouterr()
    return code, shown.err.splitlines()


def test_what_was_published_is_valid(dataset, capsys):
    assert faults(dataset, capsys) == (0, [])


@pytest.mark.parametrize("format", ["parquet", "tfrecord", "tsv"])
def test_one_changed_byte_is_seen(dataset, capsys, format):
    shard = a_shard(dataset, format)
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    code, lines = faults(dataset, capsys)
    assert code == 1 and len(lines) == 1 and f"{shard.name} has changed" in lines[0]


def test_missing_and_foreign_files_are_seen(dataset, capsys):
    shard = a_shard(dataset)
    shard.rename(dataset / "elsewhere.parquet")
    code, lines = faults(dataset, capsys)
    assert code == 1
    assert [shard.name in lines[0] and "missing" in lines[0], "elsewhere.parquet is not in" in lines[1]] == [True, True]


def rewrite(dataset, change):
    """Changes a shard's table and makes the manifest agree with its bytes."""
    shard = a_shard(dataset)
    table = change(pq.read_table(shard))
    pq.write_table(table, shard)
    path = dataset / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for file in manifest["files"]:
        if file["path"].endswith(f"full/parquet/{shard.name}"):
            file.update(bytes=shard.stat().st_size, sha256=validate.sha256_of(str(shard)))
    path.write_text(json.dumps(manifest), encoding="utf-8")


def test_ids_out_of_order_are_seen(dataset, capsys):
    rewrite(dataset, lambda t: t.take(pa.array([1, 0, *range(2, t.num_rows)])))
    code, lines = faults(dataset, capsys)
    assert code == 1 and len(lines) == 1 and "out of order" in lines[0]


def test_lost_rows_are_seen(dataset, capsys):
    rewrite(dataset, lambda t: t.slice(1))
    code, lines = faults(dataset, capsys)
    assert code == 1 and "does not hold" in lines[0]


def test_a_document_in_two_splits_is_seen(dataset, capsys):
    other = sorted((dataset / "full" / "parquet").glob("train-*"))[0]
    document = pq.read_table(other)["document_id"][0].as_py()

    def change(table):
        assert "train" not in a_shard(dataset).name
        column = pa.array([document] * table.num_rows)
        return table.set_column(table.schema.get_field_index("document_id"), "document_id", column)

    rewrite(dataset, change)
    code, lines = faults(dataset, capsys)
    assert code == 1 and any(f"document {document!r} is in" in line for line in lines)


def test_a_folder_without_a_manifest_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="not a dataset"):
        validate.main([str(tmp_path)])
    done = gistmill("validate", tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
