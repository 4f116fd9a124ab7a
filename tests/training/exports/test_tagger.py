"""A tagger through the export command: with its encoder and compared, or without."""

import json

import pytest

from gistmill.training.kinds import save_task
from tests.training.made import publish, ran
from tests.training.tagger.making import make_bert, make_rows
from tests.training.tagger.test_task import create, train


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagger")
    (folder / "bert").mkdir()
    task = create(make_bert(folder / "bert"), rank=None)
    train(task, make_rows(), 60)
    (folder / "model").mkdir()
    save_task(task, folder / "model")
    rows = [{key: value for key, value in row.items() if key != "edits"} for row in make_rows()]
    return folder / "model", publish(folder / "data", {"test": sorted(rows, key=lambda row: row["id"])})


def export(model, output, *more):
    return ran(["export", "--model", str(model), "--output", str(output), *more])


def test_it_is_compared_on_the_rows_of_a_dataset(model, tmp_path):
    folder, data = model
    done = export(folder, tmp_path / "out", "--dataset", data, "--min-equal", "0.95")
    assert done.returncode == 0, done.stderr
    compared = json.loads((tmp_path / "out" / "comparison.json").read_text())
    assert compared["rows"] == 20 and compared["equal"] >= 19
    assert "for onnxruntime, with weights as int8" in (tmp_path / "out" / "README.md").read_text()
    assert (tmp_path / "out" / "encoder.onnx").is_file()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--quantization", "float16"], "--quantization: a tagger is exported as int8"),
        (["--no-with-encoder", "--dataset", "x"], "only a tagger with its encoder can be run"),
    ],
)
def test_what_a_tagger_cannot_have_is_said(model, tmp_path, more, said):
    done = export(model[0], tmp_path / "out", *more)
    assert done.returncode == 2 and said in done.stderr and list(tmp_path.iterdir()) == []
