"""The codes of languages: what they mean, and what has none."""

from __future__ import annotations

import pytest

from gistmill.rules.languages.language import CODE, language_named
from tests.cases import by_heading

CASES = by_heading(__file__)


def test_a_code_has_the_language_by_its_shortest_code_without_script_and_country() -> None:
    for code, language in CASES["a code has the language by its shortest code without script and country"]:
        assert language_named(code).code == language, language


def test_what_is_not_a_code_is_a_language_of_which_nothing_is_known() -> None:
    for code in ("x" * 5000, "../en", "/etc/passwd", "a\0b", "日本"):
        assert not language_named(code).is_known, code


def test_a_region_may_be_a_number() -> None:
    assert CODE.parse("es-419") == "es-419"
    with pytest.raises(ValueError, match="expected a code"):
        CODE.parse("419")


def test_sentences_of_chinese_and_japanese_are_joined_without_a_space() -> None:
    for code, joiner in (("ja", ""), ("zh-TW", ""), ("gan", ""), ("zh-min-nan", " "), ("th", " ")):
        assert language_named(code).joiner == joiner, joiner
