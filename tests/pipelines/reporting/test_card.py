"""The card of a dataset, as huggingface_hub reads cards. The check of the hub itself needs the network."""

from __future__ import annotations

import pytest
from huggingface_hub import DatasetCard, DatasetCardData, InferenceClient

from gistmill.pipelines.reporting.manifest import size_category
from gistmill.rules.recipes import RECIPES
from tests.cases import by_heading
from tests.commands import make
from tests.pipelines.publishing.made import build

CASES = by_heading(__file__)


def read(folder) -> DatasetCardData:
    """The YAML of a card; it is the same when it is written again."""
    card = DatasetCard.load(folder / "README.md", ignore_metadata_errors=False)
    assert DatasetCardData(**card.data.to_dict()).to_dict() == card.data.to_dict()
    return card.data


def test_huggingface_hub_finds_task_size_language_licence_and_configurations(tmp_path):
    folder = build(tmp_path / "demo").folder
    data = read(folder)
    assert (data.task_categories, data.size_categories) == (["text-generation"], ["n<1K"])
    assert (data.language, data.license, data.pretty_name) == (["en"], "cc-by-sa-4.0", "A <small> fusion corpus")
    assert [c["config_name"] for c in data.to_dict()["configs"]] == ["full", "balanced"]
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Citation\n\n```bibtex\n@inproceedings{geva2019discofuse,\n" in text and "@software{gistmill,\n" in text


def test_a_dataset_without_a_row_has_a_card_too(tmp_path):
    data = read(build(tmp_path / "demo", stream=[], allow_empty=True).folder)
    assert data.size_categories == ["n<1K"] and "configs" not in data.to_dict()


@pytest.mark.slow
def test_documents_of_no_language_have_its_code_and_no_licence(tmp_path):
    make(f"synthetic --tasks nsg --documents 20 --splits 80,10,10 --workers 1 --output {tmp_path}/out")
    data = read(tmp_path / "out")
    assert (data.language, data.license, data.task_categories) == (["zxx"], None, ["summarization"])


def test_sizes_are_those_of_the_hub():
    for rows, category in CASES["sizes are those of the hub"]:
        assert size_category(rows) == category


def test_tasks_have_the_names_of_the_hub():
    for task in {task for recipe in RECIPES.values() for task in recipe.TASKS}:
        assert hasattr(InferenceClient, task.replace("-", "_"))
