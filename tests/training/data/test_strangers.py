"""Datasets of strangers, opened for training: nothing outside of them is read or written."""

import shutil
import subprocess
import sys

import pytest

from gistmill.training.data.source import Source
from gistmill.training.errors import SettingsError, TrainingError
from tests import hostile
from tests.pipelines.publishing.made import build


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "set"
    build(folder, formats=("parquet",))
    return folder


@pytest.fixture
def world(made, tmp_path):
    shutil.copytree(made, tmp_path / "place" / "set")
    hostile.plant(tmp_path)
    (tmp_path / "work").mkdir()
    return tmp_path


def opened(world):
    """What opening the dataset and reading its rows says, after a look at everything."""
    before = hostile.seen(world, but=world / "work")
    with pytest.raises((SettingsError, TrainingError)) as error:
        list(Source(str(world / "place" / "set")).open().in_order())
    assert hostile.seen(world, but=world / "work") == before
    assert not any(hostile.tells(path.read_bytes()) for path in (world / "work").rglob("*") if path.is_file())
    said = str(error.value)
    assert hostile.SECRET not in said and "\n" not in said
    return said


# tests/pipelines/test_strangers.py has all of them, against the reader that both use
@pytest.mark.parametrize("forged", ["configuration '../../../evil'", "path '/etc/hostname'", "split", "no id"])
def test_a_forged_manifest_is_refused(world, forged):
    forge, words = hostile.FORGED[forged]
    hostile.write(world / "place" / "set", forge(hostile.read(world / "place" / "set")))
    assert words in opened(world)


def test_shards_that_are_links_out_of_the_folder_are_refused(world):
    hostile.link_out(world / "place" / "set", world / hostile.OUTSIDE, ".parquet")
    assert "links to a file outside the dataset's folder" in opened(world)


@pytest.mark.parametrize("name", ["rows without id", "ids that are numbers", "ids that are not there", "no Parquet"])
def test_shards_that_lie_are_refused(world, name):
    hostile.lie(world / "place" / "set", name)
    assert "set/full/parquet/train-00000-of-00002.parquet" in opened(world)


def test_the_command_says_it_in_a_line(world):
    folder = world / "place" / "set"
    forge, words = hostile.FORGED["path '/etc/hostname'"]
    hostile.write(folder, forge(hostile.read(folder)))
    (world / "work" / "predictions.jsonl").write_text('{"id": "a", "prediction": "b"}\n')
    command = [sys.executable, *"-m gistmill.training.cli evaluate --predictions predictions.jsonl --dataset".split()]
    paths = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([*command, str(folder)], cwd=world / "work", capture_output=True, text=True, env=paths)
    assert done.returncode in (1, 2) and words in done.stderr and done.stderr.count("\n") == 1, done.stderr
