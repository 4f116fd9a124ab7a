"""Chunks of a text: what they say, where their sentences are, and what is told of those that do not stand alone."""

import pytest

import gistmill
from gistmill.integrations.chunks import chunks

TEXT = """Ada Lovelace was an English writer.

# Early life

She met Charles Babbage, who built engines. During that time she wrote notes. Was it run?
## Death ##
Ada Lovelace died in 1852. The man was old.
"""


def made(unit, title="Ada Lovelace", text=TEXT, **metadata):
    return chunks(text, {"title": title, **metadata}, unit=unit)


def test_statements_stand_alone_or_give_way_to_their_sentence_with_the_title():
    assert [(chunk.text, chunk.metadata["unresolved"]) for chunk in made("statements")] == [
        ("Ada Lovelace was an English writer.", ""),
        ("Ada Lovelace met Charles Babbage.", ""),
        ("Ada Lovelace met Charles Babbage, who built engines.", ""),  # of whom the second statement says too little
        ("During that time, Ada Lovelace wrote notes.", "DEMONSTRATIVE that"),
        ("Ada Lovelace: Was it run?", "STATES_A_QUESTION"),
        ("Ada Lovelace died in 1852.", ""),
        ("Ada Lovelace: The man was old.", "DEFINITE The man"),
    ]


def test_sentences_are_resolved():
    assert [chunk.text for chunk in made("sentences")][1] == "Ada Lovelace met Charles Babbage, who built engines."
    assert [chunk.text for chunk in made("sentences", "")][-1] == "The man was old."
    (alone,) = made("sentences", text="Spring is short in most years.", title="Kent")
    assert (alone.text, alone.metadata["unresolved"]) == ("Kent: Spring is short in most years.", "NAMELESS")


@pytest.mark.parametrize("unit", ["statements", "sentences"])
def test_every_sentence_is_in_a_chunk_with_its_place_and_section(unit):
    found = [chunk.metadata for chunk in made(unit, source="a.md", section="Preface")]
    assert {(TEXT[m["start"] : m["end"]], m["section"]) for m in found} == {
        ("Ada Lovelace was an English writer.", "Preface"),
        ("She met Charles Babbage, who built engines.", "Early life"),
        ("During that time she wrote notes.", "Early life"),
        ("Was it run?", "Early life"),
        ("Ada Lovelace died in 1852.", "Death"),
        ("The man was old.", "Death"),
    }
    assert {(m["source"], m["title"]) for m in found} == {("a.md", "Ada Lovelace")}


def test_the_sentences_of_a_resolved_text_are_cut_where_they_end():
    text = "Ada Lovelace left. \r\n  At  home she slept.\n\nShe wrote. Notes\twere there."
    assert [chunk.text for chunk in made("sentences", "", text)] == [
        "Ada Lovelace left.",
        "At home, Ada Lovelace slept.",
        "Ada Lovelace wrote.",
        "Notes were there.",
    ]


@pytest.mark.parametrize("text", ["", " \n", "# Title", "....", "x", "\x00"])
def test_no_prose_is_no_chunk(text):
    assert made("statements", text=text) == made("sentences", text=text) == []


def test_a_title_may_be_missing_and_a_unit_may_not():
    assert chunks("Mary knew Bath.", {})[0].metadata == {
        "title": "",
        "section": "",
        "start": 0,
        "end": 15,
        "unresolved": "",
    }
    with pytest.raises(ValueError, match="unit must be 'statements' or 'sentences', not 'words'"):
        chunks("Mary knew Bath.", {}, unit="words")


def test_chunks_that_stand_alone_are_resolved_statements():
    alone = [c.text for c in made("statements", text=TEXT.replace("#", "")) if not c.metadata["unresolved"]]
    resolved = [p.text for p in gistmill.propositions(TEXT.replace("#", ""), title="Ada Lovelace") if p.resolved]
    assert set(resolved) <= set(alone)
