"""stats.json as a typed value, and counts in groups."""

from __future__ import annotations

import json

import pytest

from gistmill.core.statistics import Share, Statistics, StatisticsError, distribution, group_counts

MADE = Statistics(
    counts={"documents": {"read": 3}},
    distributions={
        "types": {"full": (Share("PAIR_CONN", 2, 0.666667), Share("PAIR_NONE", 1, 0.333333))},
        "connectives": {},
    },
    figures={"paper": ({"measure": "kept", "here": 0.5, "paper": None}, {"measure": "words", "here": 3, "paper": 2.5})},
)


def written(**changes):
    return json.loads(json.dumps(MADE.to_json())) | changes


def test_they_survive_json():
    assert Statistics.from_json(written()) == MADE
    assert written()["stats_version"] == 1
    plain = Statistics(counts={}, distributions={"types": {}, "connectives": {}})
    assert "figures" not in plain.to_json() and Statistics.from_json(plain.to_json()) == plain


def test_those_without_a_version_are_the_first():
    value = written()
    del value["stats_version"]
    assert Statistics.from_json(value) == MADE


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stats_version": 2}, r"stats.json was written by a newer gistmill \(stats version 2; this one reads 1\)"),
        ({"types": []}, "stats.json: types must be an object"),
        (
            {"types": {"full": [{"value": "a", "count": "1", "share": 1}]}},
            r"types.full\[0\].count must be a whole number",
        ),
        ({"types": {"full": [{"value": "a", "count": 1, "share": None}]}}, r"types.full\[0\].share must be a number"),
        ({"figures": {"paper": [{"here": []}]}}, r"figures.paper\[0\].here must be a string, a number or null"),
    ],
)
def test_what_is_wrong_is_named(changes, said):
    with pytest.raises(StatisticsError, match=said):
        Statistics.from_json(written(**changes))


def test_counts_are_grouped_by_all_but_the_last_part():
    counts = {"rows/full/train": 3, "documents/read": 5, "documents/rejected/EMPTY": 1, "a/b/c/d": 2, "alone": 1}
    assert group_counts(counts) == {
        "rows/full": {"train": 3},
        "documents": {"read": 5},
        "documents/rejected": {"EMPTY": 1},
        "a/b": {"c/d": 2},
        "": {"alone": 1},
    }


def test_a_distribution_has_the_largest_first_and_names_break_ties():
    assert distribution({"b": 1, "c": 2, "a": 1}) == (Share("c", 2, 0.5), Share("a", 1, 0.25), Share("b", 1, 0.25))
    assert distribution({}) == () and distribution({"a": 0}) == (Share("a", 0, 0.0),)
