"""Files of experiments: what they hold, and that a mistake is named with its place."""

import pytest

from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import parse_experiment
from tests.training.experiments.helpers import SMALL, parsed, small, text


def test_a_file_becomes_an_experiment():
    found = parsed()
    assert list(found.stages) == ["pretrain", "finetune"]
    assert found.stages["pretrain"] == {"datasets": ["$pairs"], "seed": 1}
    model = found.axes["model"]
    assert model["scratch"].stages["pretrain"] is None and model["given"].model == "$weights"
    assert found.tests["low"].where == {"rate": ("low",)}
    assert [row.paper for row in found.tables[0].rows.values()] == [(10.0, None), (1.0, 2.0)]
    assert found.needs["weights"].hub == "someone/weights"


def test_keys_of_settings_may_have_hyphens():
    found = parsed(stages={"pretrain": {"learning-rate": 1}, "finetune": {}})
    assert found.stages["pretrain"] == {"learning_rate": 1}


def changed(**fields):
    return {**SMALL["tables"][0], **fields}


def test_a_mistake_is_named_with_its_place():
    for changes, said in [
        ({"title": None}, "small.yaml: title: Field required"),
        ({"titel": "x"}, "unknown field 'titel'; did you mean title?"),
        ({"title": 3}, "small.yaml: title: Input should be a valid string"),
        ({"seeds": []}, "seeds: Tuple should have at least 1 item"),
        ({"seeds": [1, 1]}, "seeds must be distinct"),
        ({"seeds": ["one"]}, "seeds[0]: Input should be a valid integer"),
        ({"axes": {}}, "axes: Dictionary should have at least 1 item"),
        ({"axes": {"seed": {"a": None}}}, "none may be named `seed`"),
        ({"axes": {"model": {}}}, "axes: each axis needs at least one value"),
        ({"axes": {"model": {"A b": None}}}, "a name may contain only lowercase letters"),
        ({"axes": {"model": {"a": {"stages": {"train": {}}}}}}, "'train' is not declared"),
        ({"axes": {"model": {"a": {"stage": {}}}}}, "unknown field 'stage'; did you mean stages?"),
        ({"needs": {"few": {"of": "pair#full"}, "pairs": {"what": "x"}}}, "'pair' is not declared"),
        ({"needs": {"few": {"of": "few"}}}, "needs.few: 'few' is an alias itself; name the original instead"),
        ({"needs": {"few": {"of": "all", "rows": 3}}}, "`rows` is not supported: use `gistmill curriculum --sample`"),
        ({"axes": {"model": {"a": {"predict": 3}}}}, "axes.model.a.predict"),
        ({"needs": {"few": {}}}, "needs.few: `what` or `of` is required"),
        ({"tests": {}, "tables": []}, "tests: Dictionary should have at least 1 item"),
        ({"tests": {"test": {"evaluate": {}}}}, "tests.test: `evaluate` requires a dataset"),
        ({"stages": {"pretrain": 3}}, "stages.pretrain: Input should be a valid dictionary"),
        ({"tables": [changed(columns={"a": {"test": "tset", "metric": "exact"}}, rows={})]}, "'tset' is not declared"),
        ({"tables": [changed(columns={"a": {"metric": "exact"}})]}, "gives 2 figures for 1 columns"),
        ({"tables": [changed(rows={"a": {"where": {"model": "tiny", "rat": "low"}}})]}, "did you mean rate?"),
        ({"tables": [changed(rows={"a": {"where": {"model": "tny"}}})]}, "'tny' is not declared; did you mean tiny?"),
        ({"tables": [changed(rows={"a": {"paper": [1, "x"]}})]}, "paper[1]: Input should be a valid number"),
        ({"seeds": ["1"]}, "seeds[0]: Input should be a valid integer"),
        ({"protocol": {"by": "exact"}}, "protocol: `best` or `interval` is required"),
        ({"protocol": {"best": 3, "off": 5}}, "unknown field 'off'"),
    ]:
        with pytest.raises(SettingsError) as caught:
            parsed(**changes)
        assert said in str(caught.value) and "\n" not in str(caught.value), changes


def test_a_table_must_say_test_and_metric():
    columns = {"low": {"where": {"rate": "low"}, "test": "test"}}
    rows = {"tiny": {"where": {"model": "tiny"}}}
    with pytest.raises(SettingsError, match="neither row 'tiny' nor all columns specify a test and a metric"):
        parsed(tables=[{"title": "t", "columns": columns, "rows": rows}])


def test_what_is_not_an_experiment_is_said_in_one_line():
    for content in [b"", b"a: [", b"\xff\xfe", b"- 1", b"3", b"title: x"]:
        with pytest.raises(SettingsError) as caught:
            parse_experiment(content, "small.yaml")
        assert str(caught.value).startswith("small.yaml") and "\n" not in str(caught.value), content


def test_the_description_itself_is_right():
    assert parse_experiment(text(small()), "small.yaml") == parsed()
