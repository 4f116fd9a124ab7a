"""What decides a part of an annotation, and how two are compared."""

import dataclasses
import json

import pytest

from gistmill.core.annotation_parts import Part, difference
from gistmill.core.json_value import JsonError, JsonValue

PART = Part(
    code="c0de",
    packages={"python": "3.11", "spacy": "3.8.18"},
    options={"keep_lists": False},
    models={"en_core_web_sm": "1a" * 32},
)


def changed(**fields):
    return dataclasses.replace(PART, **fields)


def test_equal_parts_do_not_differ():
    assert difference(changed(), PART) == ""


@pytest.mark.parametrize(
    ("old", "words"),
    [
        (None, "it does not say what made it"),
        (changed(code="beef"), "the code differs"),
        (changed(options={"keep_lists": True}), "the option keep_lists differs: false, and there true"),
        (changed(options={}), "the option keep_lists differs: false, and there nothing"),
        (changed(packages={"python": "3.11"}), "the package spacy differs: 3.8.18, and there nothing"),
        (changed(models={}), "the model differs: en_core_web_sm (SHA-256 1a1a1a1a1a1a...), and there none"),
    ],
)
def test_the_first_difference_is_named(old, words):
    assert difference(old, PART) == words


def test_a_part_comes_back_from_json():
    assert Part.from_json(JsonValue(json.loads(json.dumps(PART.to_json())), "manifest.json")) == PART


def test_a_part_without_code_is_refused():
    with pytest.raises(JsonError, match="no field 'code'"):
        Part.from_json(JsonValue({"packages": {}, "options": {}, "models": {}}, "manifest.json"))
