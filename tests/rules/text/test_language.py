"""Which language a text is in."""

import re
from importlib.resources import files

import pytest

from gistmill.rules.languages.language import CODE, language_named
from gistmill.rules.text.language import UNKNOWN, check_languages, language_of
from tests.cases import by_heading

CASES = by_heading(__file__)

TEXTS = CASES["texts"]


def test_languages_are_told() -> None:
    for code in TEXTS:
        assert language_of(TEXTS[code] * 3) == code, code
        assert language_of(TEXTS[code] * 3, frozenset({"en"})) == code, code


SCRIPTS = CASES["scripts"]


def test_a_script_decides_where_one_language_has_it() -> None:
    for wanted in (frozenset(), frozenset({"en"}), frozenset({"zh", "ko"})):
        for times in (1, 5, 100):
            for code, text in SCRIPTS.items():
                assert language_of(f"{text} (BBC, 2020) " * times, wanted) == code, (wanted, times)


def test_a_script_that_no_language_has_is_unknown() -> None:
    for wanted in (frozenset(), frozenset({"en"}), frozenset({"zh", "ko"})):
        for text in CASES["a script that no language has is unknown, text"]:
            for times in 1, 5, 100:
                assert language_of(f"{text} (BBC) " * times, wanted) == UNKNOWN, (wanted, text)


def test_capitals_are_read_as_small_letters() -> None:
    for code in ("en", "es", "it"):
        assert language_of(TEXTS[code].upper()) == language_of(TEXTS[code].lower()) != "ko", code
        assert language_of(TEXTS["en"].upper(), frozenset({"en"})) == "en", code


def test_a_wanted_language_wins_a_close_second_place() -> None:
    line = TEXTS["it"].split(".")[0]
    assert language_of(line, frozenset({"en", "it"})) == "pt"  # a single line may be close to anything
    text = " ".join([line] * 3)
    assert language_of(text) == "pt"
    assert language_of(text, frozenset({"en", "it"})) == "it"
    assert language_of(text, frozenset({"ru"})) == "pt"


def test_most_of_a_text_decides() -> None:
    english, german = (" ".join([TEXTS[code]] * 12) for code in ("en", "de"))
    assert (
        language_of("\n".join([english, german, german])) == language_of("\n".join([german, english, german])) == "de"
    )
    assert language_of("\n".join([german, english, english]), frozenset({"en"})) == "en"
    # none of four languages is more than a guest
    appeal = "\n".join(" ".join([TEXTS[code]] * 12) for code in ("de", "es", "fr", "en", "fr"))
    assert language_of(appeal, frozenset({"en"})) == "fr"


def test_a_line_in_another_language_is_not_wanted() -> None:
    for line in CASES["a line in another language is not wanted"]:
        assert language_of(line, frozenset({"en"})) != "en", line


def test_a_half_foreign_text_has_the_foreign_language() -> None:
    english, german, french = (TEXTS[code] * (1200 // len(TEXTS[code]) + 1) for code in ("en", "de", "fr"))
    wanted = frozenset({"en"})
    for text in ([english, german], [german, english], [english, english, german, german]):
        assert language_of("\n".join(text), wanted) == "de"
    assert language_of("\n".join([english, english, german, french]), wanted) in ("de", "fr")
    assert language_of("\n".join([english, english, german]), wanted) == "en"
    assert language_of("\n".join([english, german]), frozenset({"en", "de"})) in ("en", "de")


def test_long_lines_are_one_piece() -> None:
    assert language_of(TEXTS["en"] * 300, frozenset({"en"})) == "en"
    assert language_of("\n" * 5000 + TEXTS["en"]) == "en"


def test_nothing_to_tell() -> None:
    assert language_of("") == language_of(" \n") == ""
    assert language_of("123 456")


def test_codes_are_checked() -> None:
    assert check_languages(("en", "de")) == ("en", "de")
    assert check_languages(("any",)) == ("any",)
    for codes in ((), ("english",), ("en", "any"), ("EN",)):
        with pytest.raises(ValueError, match="languages"):
            check_languages(codes)


# The codes of languages: what they mean, and what has none.


def test_a_code_has_the_language_by_its_shortest_code_without_script_and_country() -> None:
    for code, language in CASES["a code has the language by its shortest code without script and country"]:
        assert language_named(code).code == language, language


def test_the_file_of_english_begins_with_a_map_of_its_tables() -> None:
    text = files("gistmill.rules.languages").joinpath("data/en.toml").read_text(encoding="utf-8")
    mapped = re.findall(r"^#   (\w+) .* rules/", text.partition("\nname =")[0], re.M)
    assert mapped == list(language_named("en").tables)


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
