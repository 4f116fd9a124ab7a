"""Wikitext cleaning, rule by rule."""

import time
import unicodedata
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.rules.wiki.balance import check_caps
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.wikitext import CleaningConfig, clean_wikitext
from tests.cases import by_heading

CASES = by_heading(__file__)

RESIDUE = ("{{", "}}", "[[", "]]", "'''", "<ref", "thumb|", "|-", "()", "[]", "( )", "(;", "(,", "<!--")


def cleaned(text: str, **options: Any) -> list[str]:
    """Returns all paragraphs of the cleaned text."""
    return [p for s in clean_wikitext(text, config=CleaningConfig(**options)) for p in s.paragraphs]


def one(text: str) -> str:
    """Returns the only paragraph."""
    (paragraph,) = cleaned(text)
    return paragraph


def test_inline() -> None:
    for markup, text in (*CASES["inline"], *CASES["brackets around what vanished"]):
        assert one(markup) == text, markup


def test_a_sentence_that_lost_words_goes_alone() -> None:
    for lost in CASES["a sentence that lost words goes alone"]:
        found = cleaned(f"The first one stands. {lost} The third one stands.")
        assert found == ["The first one stands.", "The third one stands."], lost


def test_a_note_costs_nothing() -> None:
    for note in CASES["a note after a sentence costs nothing"]:
        text = f"The first one stands.{note} The third one stands."
        assert one(text) == "The first one stands. The third one stands.", note
    for note in ("{{citation needed|date=x}}", "{{who?}}", "{{efn|a}}", "{{Better source inline}}"):
        assert one(f"The first{note} one{note}, as they say, stands.") == "The first one, as they say, stands.", note


def test_names_of_the_page_are_its_title() -> None:
    for title, text, expected in (
        ("Little Aston", "{{PAGENAME}} has a {{FULLPAGENAME}} club.", "Little Aston has a Little Aston club."),
        ("A/B", "The {{BASEPAGENAME}} of {{SUBPAGENAME}} is here.", "The A of B is here."),
        ("Help:A", "The {{PAGENAME}} of {{FULLPAGENAME}} is here.", "The A of Help:A is here."),
    ):
        (section,) = clean_wikitext(text, page=Page(title))
        assert section.paragraphs == (expected,), title
    assert cleaned("The {{PAGENAME}} is here.") == []


def test_digits_are_never_joined_over_a_hole() -> None:
    for hole in ("<ref>a</ref>", "<ref name=a />", "{{cn}}", "[[File:A.png]]", "[[Category:A]]", "-{H|zh:a}-"):
        assert one(f"It has 5{hole}6 people in it.") == "It has 5 6 people in it.", hole
    for unknown in ("{{endash2}}", "{{CURRENTYEAR}}", "<math>x</math>", "{{{1}}}"):
        assert cleaned(f"It is old. It has 5{unknown}6 people in it.") == ["It is old."], unknown


def test_names_of_namespaces_are_those_of_the_wiki() -> None:
    text = "[[Datei:A.pdf|mini|The [[old]]\n\nbridge.]]\nThe town is old.[[Kategorie:Town]] It has [[Haus:A|a house]]."
    page = Page.of("Bredon", ((6, "Datei"), (14, "Kategorie")))
    (section,) = clean_wikitext(text, page=page)
    assert section.paragraphs == ("The town is old. It has a house.",)
    assert cleaned(text) != ["The town is old. It has a house."]


def test_a_link_to_a_file_is_text_by_the_wiki_s_own_name_of_media() -> None:
    text = "It has [[Medium:A.jpg|a photo]] and [[media:B.jpg|a map]] of the town."
    (section,) = clean_wikitext(text, page=Page.of("Bredon", ((-2, "Medium"),)))
    assert section.paragraphs == ("It has a photo and a map of the town.",)
    assert one(text) == "It has and a map of the town."


def test_what_is_left_of_wikitext() -> None:
    for rule, cases in CASES["cleaned"].items():
        for text, *paragraphs in cases:
            assert cleaned(text) == paragraphs, (rule, text)


def test_a_block_that_goes_takes_its_other_half_along() -> None:
    for block in CASES["blocks"]:
        for sentence in ("It has parts, as follows:\n{}\n", "It is given by\n{}\nwhere the letter stands. "):
            text = f"It is old. {sentence.replace('{}', block)}The north is old."
            assert cleaned(text) == ["It is old.", "The north is old."], text
        assert cleaned(f"It is old.\n{block}\niPhone is a name.") == ["It is old.", "iPhone is a name."]


def test_indented_prose_stays_and_what_is_none_goes() -> None:
    assert cleaned("The town is old.\n:The town is new, he said.") == ["The town is old.", "The town is new, he said."]
    assert cleaned("The town is old.\n; Term\n: It has a meaning.") == ["The town is old.", "It has a meaning."]
    for gone in CASES["indented prose stays and what is none goes"]:
        found = cleaned(f"The town is old.\n{gone}\nThe north is old.")
        assert found == ["The town is old.", "The north is old."], gone


def test_prose_under_any_heading_stays() -> None:
    prose = "The town has been described by several writers of the last century, who lived in it. Its library was opened then."
    for title in ("Literature", "Works", "Filmography", "Sources", "Further reading"):
        assert cleaned(f"== {title} ==\n{prose}\n* A book.") == [prose]
    citation = "Smith, J. (1990). The town and its long history in the north of the land."
    assert cleaned(f"== Sources ==\n{citation} {prose}") == []


def test_sections() -> None:
    text = """The lead is a sentence.
== History ==
It has a long history.
=== Old ===
The old part is here.
== See also ==
* [[x]]
Some words of prose here.
=== Below ===
Below is prose as well.
== ''Later'' times<ref>x</ref> ==
The later part is here.
== Notes: ==
A note is prose too.
"""
    sections = clean_wikitext(text)
    assert [(s.level, s.title, s.paragraphs) for s in sections] == [
        (1, "", ("The lead is a sentence.",)),
        (2, "History", ("It has a long history.",)),
        (3, "Old", ("The old part is here.",)),
        (2, "Later times", ("The later part is here.",)),
    ]


def test_dropped_sections_are_an_option() -> None:
    text = "== Notes ==\nA note is prose too."
    assert cleaned(text) == []
    assert cleaned(text, dropped_sections=frozenset()) == ["A note is prose too."]


def test_lists_go_unless_wanted() -> None:
    text = (
        "A paragraph of prose.\n* An item is a sentence.\n:# Another item is one.\n; Term : It has a meaning.\n"
        "The text goes on here."
    )
    assert cleaned(text) == ["A paragraph of prose.", "The text goes on here."]
    assert "An item is a sentence." in cleaned(text, keep_lists=True)
    assert cleaned("<ul><li>An item of a list.</li></ul>\nThe text goes on here.") == ["The text goes on here."]


def test_unbalanced_markup_costs_its_paragraph_only_and_a_closer_too_many_nothing() -> None:
    for broken in CASES["unbalanced markup costs its paragraph only"]:
        found = cleaned(f"The first one is fine.\n\n{broken}\n\nThe last one is fine.")
        assert found == ["The first one is fine.", "The last one is fine."], broken
    for extra in ("]]", "}}", "</small>", "</ref>"):
        assert one(f"The sentence {extra} is otherwise fine.") == "The sentence is otherwise fine.", extra


def test_scraps_are_not_prose() -> None:
    for scrap in ("", "Heading", "1234 5678.", "| a = b and some more words here.", " x = y\n z = w", "...", "See it."):
        assert cleaned(scrap) == [], scrap


@given(st.lists(st.sampled_from(CASES["fragments"]), max_size=40).map("".join))
@example("{{" * 1000 + "x" + "}}" * 1000)
@example("&#123;&#123;a b c d e f. ")
@example("<ref10|km#if:")
def test_never_raises_and_leaves_no_residue(text: str) -> None:
    assert check_caps(text).accepted or len(text) > 3000
    for section in clean_wikitext(text, config=CleaningConfig(keep_lists=True, dropped_sections=frozenset())):
        assert section.paragraphs
        for paragraph in section.paragraphs:
            assert not [r for r in RESIDUE if r in paragraph], paragraph
            assert unicodedata.normalize("NFC", paragraph) == paragraph
            assert " ".join(paragraph.split()) == paragraph
            assert not any(unicodedata.category(c) == "Cc" for c in paragraph)


# A sentence goes when a part of it vanished, and stays when a note did.


PICTURE = "[[File:A.png|20px]]"


def joined(text: str, language: str = "") -> str:
    """Returns the paragraphs of the joined text, joined by spaces."""
    page = Page.of("", (), language)
    return " ".join(p for section in clean_wikitext(text, page=page) for p in section.paragraphs)


def test_a_hole_that_is_a_part_of_the_sentence_costs_it_and_a_note_costs_nothing() -> None:
    for gap in CASES["a hole that is a part of the sentence costs it"]:
        text = f"The first one stands. {gap.replace('{}', PICTURE)} The third one stands."
        assert joined(text) == "The first one stands. The third one stands.", gap
    for sentence in CASES["a hole that is a note costs nothing"]:
        bare = " ".join(sentence.replace("{}", "").split())
        for note in ("{{cn}}", "{{when|date=May 2020}}", PICTURE):
            assert joined(f"It stands. {sentence.replace('{}', note)}") == f"It stands. {bare}", (sentence, note)
    assert joined(f"He saw the town (now the {PICTURE}) again.") == "He saw the town again."


def test_a_source_inside_a_sentence_costs_it_and_after_it_is_a_note() -> None:
    for language in ("", "de", "ja"):
        name = {"de": "Literatur|Titel=Mühle"}.get(language, "cite book|title=The Mill|author=Lee")
        text = f"Der Rat hat gesprochen. Er nennt {{{{{name}}}}} die beste von allen. Das Haus steht hier."
        assert joined(text, language) == "Der Rat hat gesprochen. Das Haus steht hier.", language
    for before in ("", " "):
        source = f"{before}{{{{cite book|title=The Mill}}}}{before}{{{{doi|10.1000/1}}}}"
        assert (
            joined(f"The first one stands.{source} The third stands.{source}")
            == "The first one stands. The third stands."
        )
    assert joined("The first one stands. {{cite book|title=x}} is a book on it.") == "The first one stands."


def test_a_unit_follows_its_number_and_costs_its_sentence_without_one() -> None:
    for sentence in CASES["a unit follows its number"]:
        assert "M☉" in joined(sentence.replace("{}", "{{solar mass}}")), sentence
    for unit in ("{{M☉}}", "{{m s.l.m.}}", "{{deg}}", "{{US$}}"):
        assert joined(f"It is old. It has a mass of {unit} and more.") == "It is old.", unit


def test_many_holes_take_linear_time() -> None:
    for unit in ("{{cn}} ", "the {{cn}} of ", "{{cite}} ", "{{M☉}} ", "{{US$}} ", "A {{cn}}"):
        started = time.process_time()
        joined(unit * 20_000)
        assert time.process_time() - started < 10, unit
