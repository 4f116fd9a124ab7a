import json

import pytest

from gistmill.rules.fusion.codec import Labels, LabelsError, fit_labels, joins, plan_of
from gistmill.rules.fusion.edits import DELETE, KEEP, LOWER, UPPER, Edits
from tests.cases import by_heading

CASES = by_heading(__file__)

LABELS = Labels(("PAIR_CONN", "PAIR_NONE"), (KEEP, DELETE, "REPLACE:he"), ("", ", but"))


def edits(operations, phrases):
    return Edits(None, tuple(operations), tuple(phrases))


def test_a_plan_is_a_type_without_what_it_says_of_anaphora():
    for discourse_type, plan in CASES["a plan is a type without what it says of anaphora"]:
        assert plan_of(discourse_type) == plan, discourse_type


def test_single_types_join_and_pairs_do_not():
    assert joins("SINGLE_RELATIVE") and not joins("PAIR_CONN")


def test_labels_survive_json():
    assert Labels.from_values(json.loads(json.dumps(LABELS.to_values()))) == LABELS


def test_bad_labels_are_refused():
    for values, message in [
        ({}, "plans: expected a list of texts"),
        ({"plans": "PAIR_NONE", "operations": [KEEP], "phrases": [""]}, "plans: expected a list of texts"),
        ({"plans": ["PAIR_NONE", 3], "operations": [KEEP], "phrases": [""]}, "plans: expected text only"),
        ({"plans": ["PAIR_CONN"], "operations": [KEEP], "phrases": [""]}, "plans: PAIR_NONE is missing"),
        ({"plans": ["PAIR_NONE"], "operations": [DELETE], "phrases": [""]}, "operations: the first is not KEEP"),
        ({"plans": ["PAIR_NONE"], "operations": [KEEP, "EAT"], "phrases": [""]}, "unknown operation 'EAT'"),
        ({"plans": ["PAIR_NONE"], "operations": [KEEP, "REPLACE:"], "phrases": [""]}, "unknown operation 'REPLACE:'"),
        ({"plans": ["PAIR_NONE"], "operations": [KEEP], "phrases": ["and"]}, "phrases: the first is not empty"),
        ({"plans": ["PAIR_NONE"], "operations": [KEEP], "phrases": ["", "a", "a"]}, "phrases: 'a' occurs twice"),
    ]:
        with pytest.raises(LabelsError, match=message):
            Labels.from_values(values)


def test_covered_edits_have_only_known_labels():
    assert LABELS.covers(edits([KEEP, "REPLACE:he"], ["", ", but", ""]))
    assert not LABELS.covers(edits([KEEP, "REPLACE:she"], ["", ", but", ""]))
    assert not LABELS.covers(edits([KEEP, KEEP], ["", ", and", ""]))


def test_fitted_phrases_are_those_that_most_rows_need():
    rows = [
        edits([KEEP, KEEP], ["so", "so", "so"]),  # three times, but in one row
        edits([KEEP, "REPLACE:it"], ["", "and", ""]),
        edits([DELETE, "REPLACE:it"], ["", "and", "but"]),
        edits([KEEP, "REPLACE:he"], ["", "", "but"]),
        edits([KEEP, KEEP], ["", "and", ""]),
    ]
    rows = [("SINGLE_S_COORD", edits) for edits in rows]
    fitted = fit_labels(iter(rows))
    assert fitted.phrases == ("", "and", "but")
    assert fitted.operations == (KEEP, DELETE, LOWER, UPPER, "REPLACE:it")
    assert fitted.plans == ("PAIR_NONE", "SINGLE_S_COORD")
    assert fit_labels(rows, most_phrases=1).phrases == ("", "and")
    assert "so" in fit_labels(rows, least_rows=1).phrases
