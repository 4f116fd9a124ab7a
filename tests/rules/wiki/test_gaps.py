"""A sentence goes when a part of it vanished, and stays when a note did."""

from __future__ import annotations

import time

from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.wikitext import clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)

PICTURE = "[[File:A.png|20px]]"


def cleaned(text: str, language: str = "") -> str:
    """Returns the paragraphs of the cleaned text, joined by spaces."""
    page = Page.of("", (), language)
    return " ".join(p for section in clean_wikitext(text, page=page) for p in section.paragraphs)


def test_a_hole_that_is_a_part_of_the_sentence_costs_it() -> None:
    for gap in CASES["a hole that is a part of the sentence costs it"]:
        text = f"The first one stands. {gap.replace('{}', PICTURE)} The third one stands."
        assert cleaned(text) == "The first one stands. The third one stands.", gap


def test_a_hole_that_is_a_note_costs_nothing() -> None:
    for sentence in CASES["a hole that is a note costs nothing"]:
        bare = " ".join(sentence.replace("{}", "").split())
        for note in ("{{cn}}", "{{when|date=May 2020}}", PICTURE):
            assert (
                cleaned(f"The first one stands. {sentence.replace('{}', note)}") == f"The first one stands. {bare}"
            ), sentence


def test_a_source_inside_a_sentence_costs_it() -> None:
    for language in ("", "de", "ja"):
        name = {"de": "Literatur|Titel=Mühle"}.get(language, "cite book|title=The Mill|author=Lee")
        text = f"Der Rat hat gesprochen. Er nennt {{{{{name}}}}} die beste von allen. Das Haus steht hier."
        assert cleaned(text, language) == "Der Rat hat gesprochen. Das Haus steht hier.", language


def test_a_source_after_a_sentence_is_a_note() -> None:
    for before in ("", " "):
        source = f"{before}{{{{cite book|title=The Mill}}}}{before}{{{{doi|10.1000/1}}}}"
        assert cleaned(f"The first one stands.{source} The third one stands.{source}") == (
            "The first one stands. The third one stands."
        ), before
        assert cleaned("The first one stands. {{cite book|title=x}} is a book on it.") == "The first one stands.", (
            before
        )


def test_a_unit_follows_its_number() -> None:
    for sentence in CASES["a unit follows its number"]:
        assert "M☉" in cleaned(sentence.replace("{}", "{{solar mass}}")), sentence


def test_a_unit_without_a_number_costs_its_sentence() -> None:
    for unit in ("{{M☉}}", "{{m s.l.m.}}", "{{deg}}", "{{US$}}"):
        assert cleaned(f"It is old. It has a mass of {unit} and more.") == "It is old."


def test_a_gap_in_brackets_costs_the_brackets() -> None:
    assert cleaned(f"He saw the town (now the {PICTURE}) again.") == "He saw the town again."


def test_many_holes_take_linear_time() -> None:
    for unit in ("{{cn}} ", "the {{cn}} of ", "{{cite}} ", "{{M☉}} ", "{{US$}} ", "A {{cn}}"):
        started = time.process_time()
        cleaned(unit * 20_000)
        assert time.process_time() - started < 10, unit
