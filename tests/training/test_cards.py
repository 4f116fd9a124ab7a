"""Cards of models: the hub's own reader understands them, and they say what a user has to know."""

import json
import warnings
from dataclasses import replace

import pytest
import yaml
from huggingface_hub import ModelCard, ModelCardData

from gistmill.published.dataset import Dataset
from gistmill.training.cards import TrainingData, add_scores, card_text, licence_of, manifest_sha256
from gistmill.training.cli import main
from gistmill.training.errors import SettingsError, TrainingError
from tests.hostile import HOSTILE, check_card
from tests.training.data.made import publish, rows
from tests.training.made import copies
from tests.training.made import publish as publish_texts


@pytest.fixture
def data(tmp_path):
    place = publish(tmp_path / "some where" / "corpus", {"train": rows(30), "test": rows(5, 100)})
    found = TrainingData.of(Dataset(place), config="full", split="train", weight=0.5)
    return replace(found, licence="cc-by-sa-4.0", attribution="From Wikipedia.")


def card(*data, kind="seq2seq", **changes):
    fields = {
        "configuration": {"model": "t5-small", "datasets": [{"place": "/home/x/corpus", "split": "train"}], "steps": 9},
        "facts": {"updates": 1200, "parameters": 60_500_000, "loss": 1.25, "precision": "fp32"},
    }
    return card_text(kind, data, **{**fields, **changes})


def scored(folder, text, **changes):
    """The card after it got scores."""
    (folder / "README.md").write_text(text, encoding="utf-8")
    place = {"data": "corpus", "recipe": "discofuse", "config": "full", "split": "test", "rows": 5}
    systems = {"mine": {"exact": 33.0, "sari": 74.25, "exact/PAIR_NONE": 1.0}}
    bounds = {"mine": {"exact": [30.0, 36.5]}}
    add_scores(folder, {**place, "systems": systems, "intervals": bounds, **changes}, "mine")
    return (folder / "README.md").read_text(encoding="utf-8")


def read(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ModelCard(text)


def test_the_hubs_reader_finds_licence_task_and_results(data, tmp_path):
    found = read(scored(tmp_path, card(data))).data
    assert isinstance(found, ModelCardData)
    assert (found.language, found.library_name) == (["en"], "transformers")
    assert found.license == data.licence
    assert {r.metric_name: r.metric_value for r in found.eval_results} == {"exact": 33.0, "sari": 74.25}
    first = found.eval_results[0]
    assert (first.dataset_name, first.dataset_config, first.dataset_split) == ("corpus", "full", "test")


def test_a_card_can_be_written_back(data, tmp_path):
    for kind in "tagger", "seq2seq":
        for text in (card(data, kind=kind), scored(tmp_path, card(data, kind=kind))):
            found = read(text)
            again = read(str(found))
            assert again.text.strip() == found.text.strip() and again.data.to_dict() == found.data.to_dict()


def test_it_names_the_data_by_the_hash_of_the_manifest(data, tmp_path):
    text = card(data)
    assert data.manifest_sha256 == manifest_sha256(str(tmp_path / "some where" / "corpus"))
    assert f"`{data.manifest_sha256}`" in text and data.attribution in text
    assert (data.rows, data.weight, data.name) == (30, 0.5, "corpus")


def test_it_shows_no_path_of_the_machine(data, tmp_path):
    text = card(data, base="/home/x/weights/bart")
    assert str(tmp_path) not in text
    block = text.partition("```yaml\n")[2].partition("```")[0]
    assert yaml.safe_load(block)["datasets"] == [{"place": "corpus", "split": "train"}]
    assert "/home/x" not in text and "`bart`" in text
    assert "`facebook/bart-large`" in card(data, base="facebook/bart-large")


def test_results_have_their_intervals(data, tmp_path):
    assert "not evaluated" in card(data)
    text = scored(tmp_path, card(data))
    assert "| exact | 33.00 | 30.00 to 36.50 |" in text and "| sari | 74.25 |  |" in text
    assert "not evaluated" not in text and "exact/PAIR_NONE" not in text


def results(text):
    return {(r.dataset_name, r.dataset_split, r.metric_value) for r in read(text).data.eval_results}


def test_results_on_the_same_rows_are_replaced_and_others_added(data, tmp_path):
    text = scored(tmp_path, scored(tmp_path, card(data)), split="validation")
    text = scored(tmp_path, text, data="other")  # of the same job
    worse = {"systems": {"mine": {"exact": 1.0}}, "intervals": {}}
    text = scored(tmp_path, text, **worse)
    assert text.count("5 rows of `corpus`, full, ") == 2 and text.count("5 rows of `other`, full, test:") == 1
    whole = {(*rows, value) for rows in (("corpus", "validation"), ("other", "test")) for value in (33.0, 74.25)}
    assert results(text) == whole | {("corpus", "test", 1.0)}


def test_what_follows_the_results_stays(data, tmp_path):
    text = card(data) + "\n## Export\n\nText.\n"
    assert scored(tmp_path, text).partition("## Data")[2] == text.partition("## Data")[2]


@pytest.mark.parametrize(
    "text", ["", "# Mine\n", "---\nx\n---\n## Results\n## B\n", "---\n{\n---\n# T\n## Results\n## B\n"]
)
def test_another_card_is_left_alone(text, tmp_path):
    with pytest.raises(TrainingError, match="is not a model card written by gistmill-train"):
        scored(tmp_path, text)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == text
    (tmp_path / "README.md").unlink()
    with pytest.raises(SettingsError, match=r"contains no README\.md"):
        add_scores(tmp_path, {}, "mine")


def test_evaluate_brings_its_scores_onto_the_card(data, tmp_path, capsys):
    (tmp_path / "README.md").write_text(card(data), encoding="utf-8")
    place, file = publish_texts(tmp_path / "corpus", {"test": copies(5)}), tmp_path / "mine.jsonl"
    lines = [json.dumps({"id": row["id"], "prediction": row["targets"]}) for row in copies(5)]
    file.write_text("\n".join(lines), encoding="utf-8")
    options = ["--dataset", f"{place}#full/test", "--metrics", "exact", "--card", str(tmp_path)]
    assert main(["evaluate", "--predictions", str(file), *options]) == 0
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "5 rows of `corpus`, full, test:" in text and "| exact | 100.00 | 100.00 to 100.00 |" in text
    assert results(text) == {("corpus", "test", 100.0)}
    assert main(["evaluate", "--predictions", f"{file},{file}", *options]) == 2
    assert "card: exactly one predictions file is required for a model card" in capsys.readouterr().err


def test_the_licence_is_that_of_all_data(data):
    alike, mixed = ["cc-by-sa-4.0"] * 2, ["cc-by-sa-4.0", "mit"]
    for licences, found in (alike, alike[0]), (mixed, "other"), (["mit", ""], "unknown"), ([], "unknown"):
        of_all = [replace(data, licence=licence) for licence in licences]
        assert licence_of(of_all) == found == read(card(*of_all)).data.license


def test_hostile_names_stay_in_their_cells(data):
    text = card(replace(data, name="a|b\n---\nc"), base="x\n# Heading")
    assert "a\\|b --- c" in text and "\n# Heading" not in text
    read(text)


def test_what_a_dataset_says_of_itself_is_text(data, tmp_path):
    bad = replace(data, name=HOSTILE, code_version=HOSTILE, licence=HOSTILE, attribution=HOSTILE)
    text = card(bad, base=HOSTILE, base_licence=HOSTILE)
    check_card(text)
    check_card(scored(tmp_path, text, data=HOSTILE))


def test_a_mixture_names_each_part(data):
    text = card(data, replace(data, name="other", attribution="From elsewhere."))
    assert text == card(data, replace(data, name="other", attribution="From elsewhere."))
    assert text.count("full, train") == 2 and "From elsewhere." in text and "| `other` |" in text
