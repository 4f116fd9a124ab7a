"""A sentence goes when a part of it vanished, and stays when a note did."""

from __future__ import annotations

import time

import pytest

from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.wikitext import clean_wikitext

PICTURE = "[[File:A.png|20px]]"


def cleaned(text: str, language: str = "") -> str:
    """Returns the paragraphs of the cleaned text, joined by spaces."""
    page = Page.of("", (), language)
    return " ".join(p for section in clean_wikitext(text, page=page) for p in section.paragraphs)


@pytest.mark.parametrize(
    "gap",
    [
        "Trains run from {} to {} every hour.",
        "The mill was built by {} in the north.",
        "It lies between {} and the river.",
        "It stands in the {} of the town.",
        "It stands in the{} of the town.",
        "The {} was built there again.",
        "He worked for a {}.",
        "He went to {}, and stayed there.",
        "He went to {} (the old one) again.",
        "He was sent to {}'s mill there.",
        "{} was the king of the land.",
        "{}'s mill was in the north.",
        "{}, the king of the land, was old.",
        "The town was built during{}.",
        "Trains run from{} to{} every hour.",
    ],
)
def test_a_hole_that_is_a_part_of_the_sentence_costs_it(gap: str) -> None:
    text = f"The first one stands. {gap.replace('{}', PICTURE)} The third one stands."
    assert cleaned(text) == "The first one stands. The third one stands."


@pytest.mark.parametrize(
    "sentence",
    [
        "The house that they lived in{} was old.",
        "The house that they lived in{}.",
        "He carried on{} by night and day.",
        "He went to{} and from the town.",
        "He went to {} and from the town.",
        "He went on to {} the old mill.",
        "The town has Vitamin A{} in it.",
        "The town{} was in the north{} of the land{}.",
        "The old{}, green and{} very big mill burnt.",
        "It is larger than{} was said of it.",
        "The sort of which{} he spoke was rare.",
        "He lives in {} the old mill there.",
        "He said that {} was a king of it.",
        "The place from which{} is seen the sea burnt.",
        "The by-law of the {} by-election stands.",
    ],
)
def test_a_hole_that_is_a_note_costs_nothing(sentence: str) -> None:
    bare = " ".join(sentence.replace("{}", "").split())
    for note in ("{{cn}}", "{{when|date=May 2020}}", PICTURE):
        assert cleaned(f"The first one stands. {sentence.replace('{}', note)}") == f"The first one stands. {bare}"


@pytest.mark.parametrize("language", ["", "de", "ja"])
def test_a_source_inside_a_sentence_costs_it(language: str) -> None:
    name = {"de": "Literatur|Titel=Mühle"}.get(language, "cite book|title=The Mill|author=Lee")
    text = f"Der Rat hat gesprochen. Er nennt {{{{{name}}}}} die beste von allen. Das Haus steht hier."
    assert cleaned(text, language) == "Der Rat hat gesprochen. Das Haus steht hier."


@pytest.mark.parametrize("before", ["", " "])
def test_a_source_after_a_sentence_is_a_note(before: str) -> None:
    source = f"{before}{{{{cite book|title=The Mill}}}}{before}{{{{doi|10.1000/1}}}}"
    assert cleaned(f"The first one stands.{source} The third one stands.{source}") == (
        "The first one stands. The third one stands."
    )
    assert cleaned("The first one stands. {{cite book|title=x}} is a book on it.") == "The first one stands."


@pytest.mark.parametrize(
    "sentence",
    [
        "The mass is 5 {}.",
        "The mass is 5×10<sup>3</sup> {}.",
        "The mass is about two million {}.",
        "The mass (of 5 {}) is known there.",
    ],
)
def test_a_unit_follows_its_number(sentence: str) -> None:
    assert "M☉" in cleaned(sentence.replace("{}", "{{solar mass}}"))


def test_a_unit_without_a_number_costs_its_sentence() -> None:
    for unit in ("{{M☉}}", "{{m s.l.m.}}", "{{deg}}", "{{US$}}"):
        assert cleaned(f"It is old. It has a mass of {unit} and more.") == "It is old."


def test_a_gap_in_brackets_costs_the_brackets() -> None:
    assert cleaned(f"He saw the town (now the {PICTURE}) again.") == "He saw the town again."


@pytest.mark.parametrize("unit", ["{{cn}} ", "the {{cn}} of ", "{{cite}} ", "{{M☉}} ", "{{US$}} ", "A {{cn}}"])
def test_many_holes_take_linear_time(unit: str) -> None:
    started = time.process_time()
    cleaned(unit * 20_000)
    assert time.process_time() - started < 10
