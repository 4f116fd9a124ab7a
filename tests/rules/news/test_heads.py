"""Bylines and datelines go; prose that looks like them stays."""

from __future__ import annotations

from gistmill.rules.news.heads import is_byline, repeats, without_dateline
from tests.cases import by_heading

CASES = by_heading(__file__)

STORY = "The mayor opened the bridge on Tuesday."


def test_heads_go() -> None:
    for head in CASES["heads go"]:
        assert without_dateline(head + STORY) == STORY, head


def test_the_name_of_the_site_goes() -> None:
    for head in ("PanARMENIAN.Net - ", "panarmenian.net – ", "LONDON — PanARMENIAN.Net — "):
        assert without_dateline(head + STORY, site="PanARMENIAN.Net") == STORY, head


def test_the_site_in_a_sentence_stays() -> None:
    for text in CASES["the site in a sentence stays"]:
        assert without_dateline(text, site="Town Crier") == text, text


def test_a_word_without_end_is_left() -> None:
    for text in ("A" * 10_000_000, "Aa-" * 3_000_000, "LONDON — " + "A" * 10_000_000):
        assert without_dateline(text, site="Aa").endswith(text[-1000:])


def test_a_sure_dateline_needs_no_second_look() -> None:
    story = "Musicians often show off —but rarely so."
    assert without_dateline("ANAHEIM, Calif. — " + story) == story


def test_prose_stays() -> None:
    for text in CASES["prose stays"]:
        assert without_dateline(text) == text, text
        assert not is_byline(text), text


def test_bylines_are_told() -> None:
    for line in CASES["bylines are told"]:
        assert is_byline(line), line


def test_sentences_are_no_bylines() -> None:
    for text in CASES["sentences are no bylines"]:
        assert not is_byline(text), text


def test_the_headline_repeated() -> None:
    assert repeats("Mayor opens ‘new’ bridge.", "Mayor Opens 'New' Bridge")
    assert not repeats("Mayor opens new bridge and leaves.", "Mayor opens new bridge")
    assert not repeats("", "") and not repeats("...", "")


def test_hostile_text_takes_linear_time() -> None:
    for piece in ("A ", "LONDON, ", "(", "By ", "A-", "May 3 ", "J. R. ", "BREAKING: "):
        text = piece * 30_000
        assert text.endswith(without_dateline(text))
        assert not is_byline(text[:224] + " said the mayor.")
