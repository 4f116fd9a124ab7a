"""Kinds of values: what each reads, and that its pattern says the same as its parser."""

import re

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core import values as v
from gistmill.rules.lead_bias import LEAD
from gistmill.rules.text.language import LANGUAGE

KINDS = {
    "text": v.TEXT,
    "token": v.TOKEN,
    "share": v.SHARE,
    "between": v.BETWEEN,
    "positive": v.POSITIVE,
    "not negative": v.NOT_NEGATIVE,
    "one of": v.one_of("near", "exact"),
    "list": v.list_of(v.whole(0)),
    "texts": v.list_of(v.TEXT),
    "three": v.list_of(v.NOT_NEGATIVE, length=3),
    "languages": v.list_of(LANGUAGE),
    "lead": LEAD,
    **{f"from {n}": v.whole(n) for n in (0, 1, 2, 7, 10, 4096)},
}
STRINGS = (
    " 0 1 2 00 007 10 99 100 4095 4096 9999 10000 -1 0.5 0.0 .5 1.0 1.5 1e3 true near exact neat en,de en any a,b 1,2 "
    "98,1,1 0,1 sentences:3 sentences:0 section:x section: lead-section nan inf 1, ,"
).split(" ")
# Legal, but nobody writes numbers so; a template may ask for the usual form.
ODD = re.compile(r"^(0\d+|.*\d?e\d+|\.\d+|\d+\.)$")


@pytest.mark.parametrize("name", KINDS)
def test_the_pattern_accepts_what_the_parser_accepts(name):
    kind = KINDS[name]
    for string in STRINGS:
        matches = re.fullmatch(kind.pattern, string) is not None
        try:
            kind.parse(string)
        except ValueError:
            assert not matches, string
        else:
            assert matches or any(ODD.match(part) for part in string.split(",")) or name == "texts", string


@given(st.integers(0, 20_000), st.integers(0, 20_000))
def test_the_pattern_of_whole_numbers_knows_their_bound(minimum, number):
    assert (re.fullmatch(v.whole(minimum).pattern, str(number)) is not None) == (number >= minimum)


READ = [
    (v.whole(1), "3", 3),
    (v.whole(1), 3, 3),
    (v.SHARE, 1, 1.0),
    (v.list_of(v.whole(0)), "0, 4", (0, 4)),
    (v.list_of(v.whole(0)), [0, 4], (0, 4)),
    (v.PATHS, "a,b", ("a,b",)),
    (v.PATHS, ["a", "b"], ("a", "b")),
    (v.PATHS, ("a", "b"), ("a", "b")),
    (v.mapping_of(v.SHARE), "{PAIR_NONE: 0.2}", {"PAIR_NONE": 0.2}),
    (v.mapping_of(v.SHARE), {"x": 1}, {"x": 1.0}),
]


def test_strings_yaml_and_python_values_are_read():
    for kind, value, expected in READ:
        assert kind.parse(value) == kind.parse(kind.parse(value)) == expected, value


UNREADABLE: list[tuple[v.Kind, object, str]] = [
    (v.whole(1), True, "a whole number of at least 1"),
    (v.whole(1), 1.0, "whole number"),
    (v.whole(1), None, "whole number"),
    (v.whole(1, 64), 65, "from 1 to 64"),
    (v.SHARE, True, "from 0 to 1"),
    (v.SHARE, float("nan"), "from 0 to 1"),
    (v.POSITIVE, float("inf"), "above 0"),
    (v.BETWEEN, 1, "between 0 and 1"),
    (v.SWITCH, "true", "true or false"),
    (v.TEXT, " ", "expected text"),
    (v.TEXT, True, "expected text"),
    (v.TOKEN, "a b", "without white space"),
    (v.one_of("near", "exact"), "neer", "did you mean near"),
    (v.list_of(v.whole(1)), "", "whole number"),
    (v.list_of(v.whole(1)), [], "at least one"),
    (v.list_of(v.SHARE, length=3), "1,1", "3 values"),
    (v.mapping_of(v.SHARE), "PAIR_NONE", "a mapping"),
    (v.mapping_of(v.SHARE), "{a: [", "a mapping"),
    (v.mapping_of(v.SHARE), {"a": 2}, "from 0 to 1"),
    (LEAD, "sentences:0", "sentences:N"),
    (LANGUAGE, "english", "expected one of af, ar"),
]


def test_what_is_expected_is_said():
    for kind, value, message in UNREADABLE:
        with pytest.raises(ValueError, match=message):
            kind.parse(value)


@pytest.mark.parametrize("name", KINDS)
def test_the_schema_accepts_what_yaml_writes_of_a_value_and_no_other_type(name):
    kind = KINDS[name]
    accepts = jsonschema.Draft202012Validator(dict(kind.schema)).is_valid
    for string in STRINGS:
        try:
            parsed = kind.parse(yaml.safe_load(string))
        except (ValueError, yaml.YAMLError):
            continue
        assert accepts(v.plain(parsed)), string
    if name not in ("lead", "languages"):  # kinds of their own, which a schema need not describe
        assert not accepts({"a": 1}) and not accepts(None)


REFUSED = [
    (v.SWITCH, "true"),
    (v.whole(1), 0),
    (v.whole(1, 64), 65),
    (v.SHARE, 1.5),
    (v.BETWEEN, 1),
    (v.POSITIVE, 0),
    (v.one_of("near", "exact"), "neer"),
    (v.TEXT, " "),
    (v.TOKEN, "a b"),
    (v.PATHS, []),
    (v.list_of(v.whole(1)), [0]),
    (v.list_of(v.SHARE, length=3), [1, 1]),
    (v.mapping_of(v.SHARE), {"a": 2}),
]


def test_the_schema_refuses_what_the_parser_refuses():
    for kind, value in REFUSED:
        assert not jsonschema.Draft202012Validator(dict(kind.schema)).is_valid(value), value
        with pytest.raises(ValueError):
            kind.parse(value)
