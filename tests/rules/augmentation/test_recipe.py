"""The rows of the augment recipe."""

import dataclasses

import pytest

from gistmill.core.statistics import Column, ConfigSchema
from gistmill.rules.augmentation.config import AugmentConfig, PreparedPair
from gistmill.rules.augmentation.recipe import Augment, AugmentReason
from gistmill.rules.fusion import texts as edits
from gistmill.rules.recipe import PAIR_COLUMNS
from tests.rules.augmentation.helpers import pair
from tests.rules.augmentation.test_operations import BOUGHT, PROTECTED
from tests.testing import parsed

PAIR = pair([[parsed(BOUGHT)]], [[parsed(PROTECTED)]])
STILL = pair([[parsed(PROTECTED)]], [[]], id="still")


def process(of, **config):
    return Augment(AugmentConfig(**config)).process(of)


def test_the_pair_comes_first_and_its_copies_name_it():
    original, *copies = process(PAIR, alpha=0.5, seed=7).rows
    assert original.values == {**PAIR.values, "parent_id": "", "operation": "", "seed": 0, "copy": 0}
    assert len(copies) > 1
    for row in copies:
        assert row.id == row.values["id"] == f"p-eda-{row.values['copy']}"
        assert (row.values["parent_id"], row.values["seed"], row.values["document_id"]) == ("p", 7, "p")
        assert row.values["operation"] in ("synonyms", "insertion", "swap", "deletion")
        assert (row.values["inputs"], row.values["targets"]) != (PAIR.inputs, PAIR.targets)


def test_copies_that_were_asked_for_are_made_or_dropped():
    outcome = process(PAIR, copies=40, alpha=0.5)
    reasons = [reject.reason for reject in outcome.rejects]
    assert outcome.counts["copies/read"] == 40 == len(outcome.rows) - 1 + len(reasons)
    assert outcome.counts["copies/used"] == len(outcome.rows) - 1
    texts = [(row.values["inputs"], row.values["targets"]) for row in outcome.rows]
    assert len(set(texts)) == len(texts) and AugmentReason.REPEATED in reasons
    for reason in AugmentReason:
        assert outcome.counts.get(f"copies/rejected/{reason.name}", 0) == reasons.count(reason)


def test_a_copy_that_is_its_original_is_dropped():
    outcome = process(STILL, operations=("insertion",), copies=2)
    assert [r.reason for r in outcome.rejects] == [AugmentReason.UNCHANGED] * 2
    assert outcome.rejects[0].unit == "copy" and outcome.rejects[0].detail == "copy 1, insertion"
    assert [row.id for row in outcome.rows] == ["still"] and outcome.refused is None


def test_a_pair_of_another_split_passes_as_it_is():
    other = PreparedPair(PAIR.origin, PAIR.inputs, PAIR.targets, PAIR.values, "test")
    outcome = process(other)
    assert [row.values["parent_id"] for row in outcome.rows] == [""] and not outcome.counts


def test_columns_under_a_law_that_copies_would_break_are_left_out():
    recipe = Augment(AugmentConfig())
    more = {name: Column(name, "string", "-") for name in ("topic", *edits.COLUMNS)}
    recipe.take_schema(ConfigSchema(name="full", columns=(*PAIR_COLUMNS[::3], *more.values())))
    names = [c.name for c in recipe.schema["full"].columns]
    assert names == ["id", "document_id", "topic", "inputs", "targets", "parent_id", "operation", "seed", "copy"]
    values = {**PAIR.values, **dict.fromkeys(edits.COLUMNS, ""), "topic": "t", "inputs": "i", "targets": "t"}
    (row,) = recipe.process(PreparedPair(PAIR.origin, "i", "t", values, "train")).rows
    assert set(row.values) == set(names) and row.config == "full"


def test_pairs_that_are_copies_already_are_refused():
    recipe = Augment(AugmentConfig())
    again = dataclasses.replace(recipe.schema["default"], columns=(*PAIR_COLUMNS, *Augment.COLUMNS))
    with pytest.raises(ValueError, match="already been augmented"):
        recipe.take_schema(again)
