"""Cells: every combination and seed, with its own settings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.errors import SettingsError
from gistmill.training.experiments.command import dry_run
from gistmill.training.experiments.plan import cells, divided, filled, fingerprint, references, resolved
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
    needs = {**small()["needs"], "few": {"of": "pairs"}}
    experiment = parsed(needs=needs)
    shown = dry_run(experiment, cells(experiment, overrides={}), {})
    assert "few: the whole of pairs" in shown and experiment.needs["few"].rows == 0


def test_overrides_beat_the_file():
    found = cells(parsed(), overrides={"learning_rate": 7})
    assert {settings["learning_rate"] for c in found for settings in c.stages.values()} == {7}


def test_only_the_first_stage_names_a_model():
    axes = small()["axes"]
    axes["model"]["tiny"]["stages"]["finetune"] = {"model": "other"}
    with pytest.raises(
        SettingsError, match="tiny.low.seed1: finetune goes on with the model of pretrain and names another"
    ):
        made(axes=axes)


def test_a_cell_without_training_names_a_model():
    axes = small()["axes"]
    axes["model"]["given"].pop("model")
    with pytest.raises(SettingsError, match="given.low.seed1: it has no stage, and no value names the `model`"):
        made(axes=axes)


def test_what_is_named_is_declared():
    with pytest.raises(SettingsError, match=r"cell tiny.low.seed1 names \$few, which `needs` does not declare"):
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
    assert "pairs: pairs [/data/pairs]" in shown and "weights: weights [its place is not given]" in shown
    assert "few: 10 rows of pairs, chosen by the seed of the cell" in shown
    assert "\n18 cells\n" in shown


SIZES = st.one_of(st.none(), st.integers(1, 4096))


@given(SIZES, SIZES, st.one_of(st.none(), st.integers(1, 64)), st.integers(1, 64))
def test_an_update_stays_as_large_as_it_was(rows, tokens, accumulate, processes):
    given = {"batch_rows": rows, "batch_tokens": tokens, "accumulate": accumulate, "steps": 3}
    settings = {name: value for name, value in given.items() if value is not None}
    batches = accumulate or 1
    before = {"batch_rows": rows or (None if tokens else 32), "batch_tokens": tokens}
    sizes = {name: size for name, size in before.items() if size is not None}
    try:
        found = divided(settings, processes)
    except SettingsError as error:
        assert "\n" not in str(error) and str(processes) in str(error)
        ways = [a for a in range(1, batches + 1) if batches % a == 0 and processes % (batches // a) == 0]
        least = min(ways)  # batches of each process, where as many as can be are shared
        assert any(size * batches % (least * processes) for size in sizes.values())
        return
    if processes == 1:
        assert found == settings
        return
    for name, size in sizes.items():
        assert found[name] * found["accumulate"] * processes == size * batches
    assert found["steps"] == 3 and set(found) == {*settings, *sizes, "accumulate"}


def test_batches_are_shared_before_they_are_made_smaller():
    assert divided({"batch_tokens": 1024, "accumulate": 32}, 8) == {"batch_tokens": 1024, "accumulate": 4}
    assert divided({"batch_tokens": 1024, "accumulate": 8}, 32) == {"batch_tokens": 256, "accumulate": 1}
    assert divided({"batch_rows": 80}, 8) == {"batch_rows": 10, "accumulate": 1}
    assert divided({"model": "tagger"}, 4) == {"model": "tagger", "batch_rows": 8, "accumulate": 1}


def test_what_cannot_be_shared_is_refused():
    for settings, processes, said in [
        ({"batch_rows": 1}, 8, "8 processes cannot share an update of 1 x 1 rows evenly"),
        ({"batch_rows": 16, "accumulate": 3}, 5, "5 processes cannot share an update of 3 x 16 rows evenly"),
        (
            {"batch_rows": 8, "batch_tokens": 1001},
            2,
            "2 processes cannot share an update of 1 x 8 rows and 1,001 tokens evenly",
        ),
        ({"stages": [{"steps": 3}]}, 2, "--processes 1"),
    ]:
        with pytest.raises(SettingsError, match=said):
            divided(settings, processes)
        assert divided(settings, 1) == settings, settings
