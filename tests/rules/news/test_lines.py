"""The site's own lines go; sentences that begin like them stay."""

from gistmill.rules.news.lines import is_boilerplate
from gistmill.rules.news.story import is_credit, without_notes, without_tail
from tests.cases import by_heading

CASES = by_heading(__file__)


def test_lines_of_the_site_go() -> None:
    for line in (
        *CASES["the sites lines go"],
        *CASES["disclosures consent and welcomes go"],
        *CASES["prompts and notices of other languages go"],
    ):
        assert is_boilerplate(line), line


def test_sentences_stay() -> None:
    for text in CASES["sentences stay"]:
        assert not is_boilerplate(text) and not is_credit(text) and without_tail(text) == text, text
    for text in (
        *CASES["what only sounds like disclosures and welcomes stays"],
        *CASES["prose of other languages that begins like a prompt stays"],
    ):
        assert not is_boilerplate(text), text


def test_credits_go() -> None:
    for line in CASES["credits go"]:
        assert is_credit(line), line


def test_tails_go_and_ends_of_sentences_stay() -> None:
    for tail in CASES["tails go"]:
        assert without_tail("The mayor opened the bridge." + tail) == "The mayor opened the bridge.", tail
    for text in CASES["ends of sentences stay"]:
        assert without_tail(text) == text, text


def test_notes_on_the_author_go_at_the_end_only() -> None:
    story = ["Jane Roe is the mayor of the town.", "The bridge was opened by her."]
    notes = ["John Doe teaches law at Yale.", "Max Lee, KBS World Radio News."]
    assert without_notes([*story, *notes], "John Doe; A B") == story
    assert without_notes([*story, "– Augustus Welby, Writer"], "") == story
    assert without_notes(story[:1], "") == story[:1]
    long = "John Doe is a writer, and he was shot in the leg on Monday night, when the bridge was opened. " * 3
    assert without_notes([*story, long], "") == [*story, long]
    assert without_notes([], "Jane Roe") == []


def test_hostile_lines_take_linear_time() -> None:
    for piece in CASES["hostile lines take linear time"]:
        text = piece * 20_000
        for line in (text[:690], text):
            assert not is_boilerplate(line) or line != text  # what is so long is prose
            assert not is_credit(line) and without_notes([line], "Jane Roe") == [line]
            assert line.startswith(without_tail(line))
