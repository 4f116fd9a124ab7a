"""The codes of languages: what they mean, and what has none."""

from __future__ import annotations

import pytest

from gistmill.rules.languages.language import CODE, language_named


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("de", "de"),
        ("pt_BR", "pt"),
        ("es-419", "es"),
        ("zh-Hant-TW", "zh"),
        ("zh-yue", "zh-yue"),
        ("nb-NO", "no"),
        ("iw_IL", "he"),
        ("simple", "en"),
        ("be-x-old", "be"),
        ("xx", "xx"),
        ("eng", "en"),
        ("deu", "de"),
        ("ger", "de"),
        ("cmn", "zh"),
        ("nob", "no"),
        ("arz", "arz"),
        ("als", "als"),
        ("nds-nl", "nds-nl"),
    ],
)
def test_a_code_has_the_language_by_its_shortest_code_without_script_and_country(code: str, language: str) -> None:
    assert language_named(code).code == language


@pytest.mark.parametrize("code", ["x" * 5000, "../en", "/etc/passwd", "a\0b", "日本"])
def test_what_is_not_a_code_is_a_language_of_which_nothing_is_known(code: str) -> None:
    assert not language_named(code).is_known


def test_a_region_may_be_a_number() -> None:
    assert CODE.parse("es-419") == "es-419"
    with pytest.raises(ValueError, match="expected a code"):
        CODE.parse("419")


@pytest.mark.parametrize(("code", "joiner"), [("ja", ""), ("zh-TW", ""), ("gan", ""), ("zh-min-nan", " "), ("th", " ")])
def test_sentences_of_chinese_and_japanese_are_joined_without_a_space(code: str, joiner: str) -> None:
    assert language_named(code).joiner == joiner
