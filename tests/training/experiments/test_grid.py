"""Cells: every combination and seed, with its own settings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.errors import SettingsError
from gistmill.training.experiments.command import dry_run
from gistmill.training.experiments.plan import cells, filled, fingerprint, references, resolved
from tests.training.experiments.helpers import parsed, small


def made(**changes):
    return {cell.name: cell for cell in cells(parsed(**changes), overrides={})}


def test_there_is_a_cell_for_each_combination_and_seed():
    found = list(made())
    assert len(found) == 3 * 2 * 3 == len(set(found))
    assert found[:2] == ["tiny.low.seed1", "tiny.high.seed1"] and found[-1] == "given.high.seed3"


def test_a_cell_has_its_settings():
    cell = made()["tiny.low.seed2"]
    assert list(cell.stages) == ["pretrain", "finetune"] and list(cell.tests) == ["test", "low"]
    assert cell.stages["pretrain"] == {"seed": 1, "datasets": ["$pairs"], "model": "tiny"}  # the file's own seed
    assert cell.stages["finetune"] == {"seed": 2, "datasets": ["$few"], "learning_rate": 0.1}
    assert cell.tests["low"].evaluate == {"dataset": "$pairs#default/low"}
    assert cell.needs() == ("pairs", "few")


def test_stages_may_be_left_out():
    found = made()
    (settings,) = found["scratch.high.seed1"].stages.values()
    assert settings["model"] == "tiny"
    given_one = found["given.high.seed1"]
    assert given_one.stages == {} and given_one.model == "$weights" and list(given_one.tests) == ["test"]


def test_a_value_says_how_its_weights_are_read_in_all_tests():
    described = small()
    described["axes"]["model"]["given"]["predict"] = {"max-source": 1024, "beams": 2}
    described["tests"]["test"]["predict"] = {"beams": 8}
    found = made(axes=described["axes"], tests=described["tests"])
    assert [test.predict for test in found["given.low.seed1"].tests.values()] == [{"beams": 2, "max_source": 1024}] * 2
    assert [test.predict for test in found["tiny.low.seed1"].tests.values()] == [{"beams": 8}, {}]


def test_a_dataset_may_have_two_names():
    for of in "pairs", "pairs#full":
        cell = made(needs={**small()["needs"], "few": {"of": of}})["tiny.low.seed1"]
        assert cell.stages["finetune"]["datasets"] == [f"${of}"] and cell.needs() == ("pairs",)


def test_overrides_beat_the_file():
    found = cells(parsed(), overrides={"learning_rate": 7})
    assert {settings["learning_rate"] for c in found for settings in c.stages.values()} == {7}


def test_only_the_first_stage_names_a_model():
    axes = small()["axes"]
    axes["model"]["tiny"]["stages"]["finetune"] = {"model": "other"}
    with pytest.raises(
        SettingsError, match="tiny.low.seed1: finetune uses the model of pretrain, so it must not set `model`"
    ):
        made(axes=axes)


def test_a_cell_without_training_names_a_model():
    axes = small()["axes"]
    axes["model"]["given"].pop("model")
    with pytest.raises(SettingsError, match="given.low.seed1: there is nothing to test: add a stage, or a value"):
        made(axes=axes)


def test_what_is_named_is_declared():
    with pytest.raises(SettingsError, match=r"cell tiny.low.seed1 refers to \$few, which is not declared in `needs`"):
        made(needs={"pairs": {"what": "x"}, "weights": {"what": "y"}})


@given(st.text(), st.text())
def test_other_text_is_left_as_it_is(before, after):
    text = f"{before.replace('{', '').replace('$', '')} {{axis}} {{other}} {after.replace('{', '').replace('$', '')}"
    assert filled(text, {"axis": "value"}) == text.replace("{axis}", "value")
    assert resolved(text, {}) == text


def test_references_end_before_the_configuration_and_the_weight():
    value = {"datasets": ["$a-b#c/d@0.5", {"place": "$e"}], "n": 3, "t": "$f+g, $f."}
    assert references(value) == ["a-b", "e", "f+g", "f"]
    places = {"a-b": "/x", "e": "gs://y", "f+g": "z", "f": "w"}
    assert resolved(value, places) == {"datasets": ["/x#c/d@0.5", {"place": "gs://y"}], "n": 3, "t": "z, w."}


def test_a_fingerprint_is_that_of_the_content():
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1, "b": 3})
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_a_dry_run_lists_the_cells_and_what_they_need():
    experiment = parsed()
    shown = dry_run(experiment, cells(experiment, overrides={}), {"pairs": "/data/pairs"})
    assert "tiny.low.seed1: pretrain -> finetune; tests test, low\n    needs pairs, few\n" in shown
    assert "given.high.seed3: no training; tests test\n    needs weights, pairs\n" in shown
    assert "pairs: pairs [/data/pairs]" in shown and "weights: weights [no place given]" in shown
    assert "few: few pairs [no place given]" in shown
    assert "\n18 cells\n" in shown
