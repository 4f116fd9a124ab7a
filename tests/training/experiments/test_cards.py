"""Cards of models: the hub's own reader understands them, and they say what a user has to know."""

import json
import warnings
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import ModelCard, ModelCardData

from gistmill.published.dataset import Dataset
from gistmill.training.cards import Card, Result, TrainingData, card_text, manifest_sha256, write_card
from tests.hostile import HOSTILE, check_card
from tests.training.data.made import publish, rows


@pytest.fixture
def data(tmp_path):
    place = publish(tmp_path / "some where" / "corpus", {"train": rows(30), "test": rows(5, 100)})
    found = TrainingData.of(Dataset(place), config="full", split="train", weight=0.5)
    return replace(found, licence="cc-by-sa-4.0", attribution="From Wikipedia.")


def card(one, **changes):
    place = {"data": "corpus", "recipe": "discofuse", "config": "full", "split": "test", "rows": 5}
    scores = {"metrics": {"exact": 33.0, "sari": 74.25}, "intervals": {"exact": (30.0, 36.5)}}
    fields = {
        "kind": "seq2seq",
        "data": [one],
        "configuration": {"model": "t5-small", "datasets": [{"place": "/home/x/corpus", "split": "train"}], "steps": 9},
        "facts": {"updates": 1200, "parameters": 60_500_000, "loss": 1.25, "precision": "fp32"},
        "results": [Result(**place, **scores)],
        "versions": {"torch": "2.15.0", "gistmill": "0.1.0"},
    }
    return Card(**{**fields, **changes})


def read(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ModelCard(text)


def test_the_hubs_reader_finds_licence_task_and_results(data):
    found = read(card_text(card(data))).data
    assert isinstance(found, ModelCardData)
    assert (found.language, found.library_name) == (["en"], "transformers")
    assert found.license == data.licence
    assert {r.metric_name: r.metric_value for r in found.eval_results} == {"exact": 33.0, "sari": 74.25}
    first = found.eval_results[0]
    assert (first.dataset_name, first.dataset_config, first.dataset_split) == ("corpus", "full", "test")


def test_a_card_can_be_written_back(data):
    for kind in "tagger", "seq2seq":
        found = read(card_text(card(data, kind=kind)))
        again = read(str(found))
        assert again.text.strip() == found.text.strip() and again.data.to_dict() == found.data.to_dict()


def test_it_names_the_data_by_the_hash_of_the_manifest(data, tmp_path):
    text = card_text(card(data))
    assert data.manifest_sha256 == manifest_sha256(str(tmp_path / "some where" / "corpus"))
    assert f"`{data.manifest_sha256}`" in text and data.attribution in text
    assert (data.rows, data.weight, data.name) == (30, 0.5, "corpus")


def test_it_shows_no_path_of_the_machine(data, tmp_path):
    text = card_text(card(data, base="/home/x/weights/bart"))
    assert str(tmp_path) not in text
    block = text.partition("```yaml\n")[2].partition("```")[0]
    assert yaml.safe_load(block)["datasets"] == [{"place": "corpus", "split": "train"}]
    assert "/home/x" not in text and "`bart`" in text
    assert "`facebook/bart-large`" in card_text(card(data, base="facebook/bart-large"))


def test_results_have_their_intervals(data):
    text = card_text(card(data))
    assert "| exact | 33.00 | 30.00 to 36.50 |" in text and "| sari | 74.25 |  |" in text
    assert "not evaluated" in card_text(card(data, results=[]))


def test_the_licence_is_that_of_all_data(data):
    alike, mixed = ["cc-by-sa-4.0"] * 2, ["cc-by-sa-4.0", "mit"]
    for licences, found in (alike, alike[0]), (mixed, "other"), (["mit", ""], "unknown"), ([], "unknown"):
        made = card(data, data=[replace(data, licence=licence) for licence in licences])
        assert made.licence == found and read(card_text(made)).data.license == found


def test_hostile_names_stay_in_their_cells(data):
    text = card_text(card(replace(data, name="a|b\n---\nc"), base="x\n# Heading"))
    assert "a\\|b --- c" in text and "\n# Heading" not in text
    read(text)


def test_what_a_dataset_says_of_itself_is_text(data):
    bad = replace(data, name=HOSTILE, code_version=HOSTILE, licence=HOSTILE, attribution=HOSTILE)
    result = Result(data=HOSTILE, recipe="discofuse", config="full", split="test", rows=1, metrics={"sari": 1.0})
    made = card(data, data=[bad], results=[result], base=HOSTILE, base_licence=HOSTILE)
    check_card(card_text(made))


def test_the_same_card_gives_the_same_bytes(data, tmp_path):
    write_card(tmp_path, card(data))
    first = (tmp_path / "README.md").read_bytes()
    write_card(tmp_path, card(data), sections=["## More\n"])
    assert (tmp_path / "README.md").read_bytes() == first + b"\n## More\n"
    write_card(tmp_path, card(data))
    assert (tmp_path / "README.md").read_bytes() == first
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["README.md"]


def test_a_mixture_names_each_part(data):
    text = card_text(card(data, data=[data, replace(data, name="other", attribution="From elsewhere.")]))
    assert text.count("full, train") == 2 and "From elsewhere." in text and json.dumps("other")[1:-1] in text
