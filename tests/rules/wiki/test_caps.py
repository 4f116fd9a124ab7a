"""Caps decide at once on hostile pages."""

from __future__ import annotations

import time

import pytest

from gistmill.rules.reasons import CleanReason, ReadReason
from gistmill.rules.wiki.caps import Caps, check_caps

OPENERS = ["{{a|", "<ref name=", "[http://a ", "{|", "[[a|", "<b>", "<!--", "{{a|[[b|<b>", "{{{"]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("times", [8_000, 100_000])
def test_openers_without_end_are_rejected_in_linear_time(opener: str, times: int) -> None:
    started = time.process_time()
    verdict = check_caps(opener * times)
    assert verdict.reason is CleanReason.TOO_MANY_OPENERS
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "opener, closer",
    [
        ("{{a|", "}}"),
        ("[[a|", "]]"),
        ("<b>", "</b>"),
        ("{|", "|}"),
        ("{{a|[[b|", "]]}}"),
    ],
)
def test_deep_nests_are_rejected(opener: str, closer: str) -> None:
    for times in (8_000, 100_000):
        text = opener * times + closer * times
        assert check_caps(text, Caps(characters=len(text))).reason is CleanReason.TOO_DEEP
    assert check_caps(opener * 20 + closer * 20).accepted


def test_a_text_of_too_many_characters_is_rejected() -> None:
    assert check_caps("x" * 11, Caps(characters=10)).reason is ReadReason.TOO_LARGE
    assert check_caps("x" * 10, Caps(characters=10)).accepted
    assert "11" in check_caps("x" * 11, Caps(characters=10)).detail


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{{a}}" * 5000,
        "[[a|b]]" * 5000,
        "<ref name=x /><ref>y</ref>" * 3000,
        "<br>" * 5000,
        "a < b and c > d " * 2000,
        "{|\n|}\n" * 2000,
        "[http://a b]" * 3000,
        "}}" * 5000,
        "]]" * 5000,
        "* [not a link] {single}\n" * 3000,
    ],
)
def test_honest_markup_passes(text: str) -> None:
    assert check_caps(text).accepted


def test_caps_must_be_positive() -> None:
    with pytest.raises(ValueError, match="openers"):
        Caps(openers=0)
