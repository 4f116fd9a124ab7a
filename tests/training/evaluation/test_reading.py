"""Files of predictions and rows: what is read, and the line that names what is wrong."""

from __future__ import annotations

import re

import pytest

from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.rows import read_predictions, read_rows
from tests.training.evaluation.made import lines

IDS = ["a", "b"]


def test_predictions_are_put_in_the_order_of_the_rows(tmp_path):
    file = lines(tmp_path / "mine.jsonl", [{"id": "b", "prediction": "B"}, "", {"id": "a", "prediction": "A", "x": 1}])
    found = read_predictions(file, IDS)
    assert (found.name, found.texts, found.tokens) == ("mine", ["A", "B"], None)


def test_without_ids_the_order_of_the_split_counts(tmp_path):
    assert read_predictions(lines(tmp_path / "p", [{"prediction": "A"}, {"prediction": ""}]), IDS).texts == ["A", ""]


def test_numbers_are_ids_too(tmp_path):
    file = lines(tmp_path / "p", [{"id": 1, "prediction": "B"}, {"id": 0, "prediction": "A"}])
    assert read_predictions(file, ["0", "1"]).texts == ["A", "B"]


def test_tokens_need_no_prediction(tmp_path):
    line = {"correct": [True, False], "log_likelihoods": [-1, -0.5]}
    found = read_predictions(lines(tmp_path / "p", [line, line]), IDS, texts=False)
    assert found.texts is None and found.tokens == ([[True, False]] * 2, [[-1, -0.5]] * 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (['{"id": "a", "prediction": "A"'], "line 1: invalid JSON"),
        ([{"id": "a", "prediction": "A"}, "[1]"], "line 2: expected an object, not '[1]'"),
        ([{"id": "a"}], 'line 1: expected text as "prediction", not None'),
        ([{"id": "a", "prediction": 3}], 'line 1: expected text as "prediction", not 3'),
        ([{"id": ["a"], "prediction": "A"}], "line 1: expected text as \"id\", not ['a']"),
        ([{"id": "a", "prediction": "A"}, {"prediction": "B"}], "line 2: no id is given, but other lines have one"),
        ([{"id": "a", "prediction": "A"}, {"id": "c", "prediction": "B"}], "line 2: no row has the id 'c'"),
        ([{"id": "a", "prediction": "A"}, {"id": "a", "prediction": "B"}], "line 2: the id 'a' occurs twice"),
        ([{"id": "a", "prediction": "A"}], "contains no prediction for row 'b'; use --subset to score the rest"),
        ([{"prediction": "A"}], "contains 1 predictions without ids for 2 rows; use --subset to score only the"),
        ([{"prediction": "A"}] * 3, "contains 3 predictions without ids for 2 rows"),
        ([], "contains no predictions"),
        (["[" * 100_000], "line 1: invalid JSON"),
        ([{"prediction": "A", "correct": [True]}], '"correct" and "log_likelihoods" must be given together'),
        ([{"prediction": "A", "correct": [1], "log_likelihoods": [0]}], '"correct" must be a list with a value'),
        ([{"prediction": "A", "correct": [True], "log_likelihoods": []}], "must have the same length"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, wrong, message):
    for subset in (False,) if "--subset" in message else (False, True):
        with pytest.raises(TrainingError, match=re.escape(message)):
            read_predictions(lines(tmp_path / "p.jsonl", wrong), IDS, subset=subset)


def test_a_subset_has_predictions_of_some_rows(tmp_path):
    found = read_predictions(lines(tmp_path / "p", [{"id": "b", "prediction": "B"}]), IDS, subset=True)
    assert (found.texts, found.rows) == (["B"], [1])
    found = read_predictions(lines(tmp_path / "p", [{"prediction": "A"}]), IDS, subset=True)
    assert (found.texts, found.rows) == (["A"], [0])
    found = read_predictions(lines(tmp_path / "p", [{"prediction": "A"}, {"prediction": "B"}]), IDS, subset=True)
    assert (found.texts, found.rows) == (["A", "B"], None)


def test_another_encoding_is_named(tmp_path):
    file = tmp_path / "p.jsonl"
    file.write_bytes('{"id": "a", "prediction": "naïve"}\n'.encode("latin-1"))
    with pytest.raises(TrainingError, match="line 1: invalid UTF-8"):
        read_predictions(str(file), IDS)
    file.write_bytes('{"prediction": "A"}\n'.encode("utf-8-sig") + b'{"prediction": "B"}')
    assert read_predictions(str(file), IDS).texts == ["A", "B"]  # a mark of the encoding does no harm


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SettingsError, match="No such file"):
        read_predictions(str(tmp_path / "none.jsonl"), IDS)
    with pytest.raises(SettingsError, match="Is a directory"):
        list(read_rows(tmp_path))


def test_rows_of_tab_separated_values(tmp_path):
    file = tmp_path / "rows.tsv"
    file.write_text('a\tb\n1\t"x\n2\t\n', encoding="utf-8")
    assert list(read_rows(file)) == [{"a": "1", "b": '"x'}, {"a": "2", "b": ""}]
    file.write_text("a\tb\n1\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="line 2: 1 values, but 2 column names"):
        list(read_rows(file))
