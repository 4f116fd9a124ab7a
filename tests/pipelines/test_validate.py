import shutil

import pytest

from gistmill.pipelines import validate
from gistmill.pipelines.errors import ConfigError
from tests.commands import gistmill, succeed
from tests.dumps import export, small_pages


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    folder = tmp_path_factory.mktemp("validate")
    (folder / "small.xml").write_bytes(export(small_pages()))
    succeed(
        "discofuse",
        "--input",
        folder / "small.xml",
        "--output",
        folder / "data",
        "--coref",
        "none",
        "--splits",
        "60,20,20",
        "--formats",
        "parquet,tfrecord,tsv",
    )
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "manifest.json is not JSON"), ('{"manifest_version": 3}', "was written by a newer gistmill")],
)
def test_a_manifest_that_cannot_be_read_is_an_error(dataset, content, said):
    (dataset / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"{dataset}: .*{said}"):
        validate.main([str(dataset)])


def test_a_folder_without_a_manifest_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="not a dataset"):
        validate.main([str(tmp_path)])
    done = gistmill("validate", tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
