"""Scores on the card of a model, by the command that made them."""

import json
import shutil

import pytest
from huggingface_hub import ModelCard

from gistmill.published.dataset import Dataset
from gistmill.training.cards import TrainingData, card_text
from gistmill.training.cli import main
from tests.training.made import copies, publish


@pytest.fixture
def model(tmp_path):
    data = publish(tmp_path / "corpus", {"train": copies(9), "validation": copies(20, 50), "test": copies(30, 100)})
    described = TrainingData.of(Dataset(data), config="full", split="train")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "README.md").write_text(card_text("seq2seq", [described], configuration={}))
    for split in ("validation", "test"):
        rows = list(Dataset(data).rows(split))
        lines = [json.dumps({"id": row["id"], "prediction": row["targets"]}) for row in rows]
        (tmp_path / f"{split}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "model"


def evaluate(model, split, *more):
    folder = model.parent
    files = ["--predictions", str(folder / f"{split}.jsonl"), "--dataset", f"{folder / 'corpus'}#full/{split}"]
    return main(["evaluate", *files, "--metrics", "exact", "--card", str(model), *more])


def results(model):
    return ModelCard.load(model / "README.md").data.eval_results or []


def test_the_card_gets_the_scores(model):
    before = (model / "README.md").read_text(encoding="utf-8")
    assert "not evaluated" in before and not results(model)
    assert evaluate(model, "test") == 0
    after = (model / "README.md").read_text(encoding="utf-8")
    assert {(r.dataset_split, r.metric_name, r.metric_value) for r in results(model)} >= {("test", "exact", 100.0)}
    assert "30 rows of `corpus`, full, test:" in after and "| exact | 100.00 | 100.00 to 100.00 |" in after
    assert "not evaluated" not in after
    assert after.partition("## Data")[2] == before.partition("## Data")[2]


def test_the_same_rows_are_replaced_and_others_added(model):
    for split in ("test", "validation", "test"):
        assert evaluate(model, split) == 0
    once = (model / "README.md").read_text(encoding="utf-8")
    assert once.count("rows of `corpus`") == 2
    assert sorted({r.dataset_split for r in results(model)}) == ["test", "validation"]
    assert evaluate(model, "test", "--samples", "0") == 0
    again = (model / "README.md").read_text(encoding="utf-8")
    assert again.count("100.00 to 100.00") < once.count("100.00 to 100.00")


def test_results_on_datasets_of_one_job_stay_apart(model):
    assert evaluate(model, "test") == 0
    shutil.copytree(model.parent / "corpus", model.parent / "other")
    file = str(model.parent / "test.jsonl")
    rows = ["--predictions", file, "--dataset", f"{model.parent / 'other'}#full/test", "--metrics", "exact"]
    assert main(["evaluate", *rows, "--card", str(model)]) == 0
    found = {r.dataset_name for r in results(model) if r.metric_name == "exact"}
    assert found == {"corpus", "other"}


def test_a_section_on_an_export_stays(model):
    with (model / "README.md").open("a", encoding="utf-8") as file:
        file.write("\n## Export\n\nText.\n")
    assert evaluate(model, "test") == 0
    assert (model / "README.md").read_text(encoding="utf-8").endswith("\n## Export\n\nText.\n")


@pytest.mark.parametrize(
    ("content", "code"), [(None, 2), ("", 1), ("# Mine\n", 1), ("---\nx\n---\n## Results\n## B\n", 1)]
)
def test_another_card_is_left_alone(model, content, code, capsys):
    (model / "README.md").unlink()
    if content is not None:
        (model / "README.md").write_text(content, encoding="utf-8")
    assert evaluate(model, "test") == code
    error = capsys.readouterr().err
    assert ("has no README.md" if content is None else "is not a card that gistmill-train wrote") in error
    assert content is None or (model / "README.md").read_text(encoding="utf-8") == content


def test_two_files_have_no_card(model, capsys):
    file = str(model.parent / "test.jsonl")
    arguments = ["--predictions", f"{file},{file}", "--dataset", str(model.parent / "corpus"), "--card", str(model)]
    assert main(["evaluate", *arguments]) == 2
    assert "card: a model's card gets the scores of one file of predictions" in capsys.readouterr().err
