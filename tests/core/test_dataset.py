"""The schema of a dataset: columns, configurations, and what neither may be."""

from __future__ import annotations

import pytest

from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema, item_type

COLUMNS = (Column("inputs", "string", ""), Column("words", "list<string>", ""), Column("length", "int64", ""))


def test_the_id_comes_first_when_the_columns_have_none():
    assert [c.name for c in ConfigSchema(name="full", columns=COLUMNS).columns][:2] == ["id", "inputs"]
    own = ConfigSchema(name="x", columns=(Column("text", "string", ""), Column("id", "string", "")))
    assert [c.name for c in own.columns] == ["text", "id"]


def test_tsv_has_every_column_but_lists():
    assert ConfigSchema(name="full", columns=COLUMNS).tsv_columns == ("id", "inputs", "length")
    assert ConfigSchema(name="full", columns=COLUMNS, tsv_columns=("length",)).tsv_columns == ("length",)


@pytest.mark.parametrize(("name", "found"), [("int64", ("int64", False)), ("list<bool>", ("bool", True))])
def test_types_are_scalars_or_lists_of_them(name, found):
    assert item_type(name) == found


@pytest.mark.parametrize("name", ["text", "list<text>", "list<list<string>>", "list<string", ""])
def test_an_unknown_type_is_named(name):
    with pytest.raises(ValueError, match="unknown column type .*known are string, int64, float64, bool and list<"):
        item_type(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "a/b", "columns": COLUMNS}, "cannot be the name"),
        ({"name": "rejects", "columns": COLUMNS}, "cannot be"),
        ({"name": "x", "columns": (*COLUMNS, COLUMNS[0])}, "occurs twice"),
        ({"name": "x", "columns": (Column("a", "text", ""),)}, "unknown column type 'text'"),
        ({"name": "x", "columns": (Column("id", "int64", ""),)}, "id must be a string"),
        ({"name": "x", "columns": COLUMNS, "tsv_columns": ("nix",)}, "no column 'nix'"),
    ],
)
def test_bad_schemas_fail_at_construction(arguments, message):
    with pytest.raises(ValueError, match=message):
        ConfigSchema(**arguments)


def test_configurations_have_different_names():
    full = ConfigSchema(name="full", columns=COLUMNS)
    assert DatasetSchema(configs=(full,))["full"] is full
    for configs in ((full, full), ()):
        with pytest.raises(ValueError, match="different names"):
            DatasetSchema(configs=configs)
