"""stats.json as a typed value, counts in groups, and the schema of a dataset: columns, configurations, and what neither may be."""

from __future__ import annotations

import json

import pytest

from gistmill.core.statistics import (
    Column,
    ConfigSchema,
    DatasetSchema,
    Share,
    Statistics,
    StatisticsError,
    distribution,
    group_counts,
    item_type,
)

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


def test_what_is_wrong_is_named():
    newer = r"stats.json was written by a newer gistmill \(stats version 2; this one reads 1\)"
    share = {"value": "a", "count": 1, "share": 1}
    for changes, said in (
        ({"stats_version": 2}, newer),
        ({"types": []}, "stats.json: types must be an object"),
        ({"types": {"full": [{**share, "count": "1"}]}}, r"types.full\[0\].count must be a whole number"),
        ({"types": {"full": [{**share, "share": None}]}}, r"types.full\[0\].share must be a number"),
        ({"figures": {"paper": [{"here": []}]}}, r"figures.paper\[0\].here must be a string, a number or null"),
    ):
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


COLUMNS = (Column("inputs", "string", ""), Column("words", "list<string>", ""), Column("length", "int64", ""))


def test_the_id_comes_first_when_the_columns_have_none():
    assert [c.name for c in ConfigSchema(name="full", columns=COLUMNS).columns][:2] == ["id", "inputs"]
    own = ConfigSchema(name="x", columns=(Column("text", "string", ""), Column("id", "string", "")))
    assert [c.name for c in own.columns] == ["text", "id"]


def test_tsv_has_every_column_but_lists():
    assert ConfigSchema(name="full", columns=COLUMNS).tsv_columns == ("id", "inputs", "length")
    assert ConfigSchema(name="full", columns=COLUMNS, tsv_columns=("length",)).tsv_columns == ("length",)


def test_types_are_scalars_or_lists_of_them():
    assert [item_type(name) for name in ("int64", "list<bool>")] == [("int64", False), ("bool", True)]
    for name in "text", "list<text>", "list<list<string>>", "list<string", "":
        with pytest.raises(
            ValueError, match="unknown column type .*expected one of string, int64, float64, bool, or list<"
        ):
            item_type(name)


def test_bad_schemas_fail_at_construction():
    for arguments, message in (
        ({"name": "a/b", "columns": COLUMNS}, "is not a valid configuration name"),
        ({"name": "rejects", "columns": COLUMNS}, "is not a valid"),
        ({"name": "x", "columns": (*COLUMNS, COLUMNS[0])}, "occurs twice"),
        ({"name": "x", "columns": (Column("a", "text", ""),)}, "unknown column type 'text'"),
        ({"name": "x", "columns": (Column("id", "int64", ""),)}, "id column must be a string"),
        ({"name": "x", "columns": COLUMNS, "tsv_columns": ("nix",)}, "no column 'nix'"),
    ):
        with pytest.raises(ValueError, match=message):
            ConfigSchema(**arguments)


def test_configurations_have_different_names():
    full = ConfigSchema(name="full", columns=COLUMNS)
    assert DatasetSchema(configs=(full,))["full"] is full
    for configs in ((full, full), ()):
        with pytest.raises(ValueError, match="different names"):
            DatasetSchema(configs=configs)
