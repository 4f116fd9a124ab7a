"""Wikitext cleaning, rule by rule."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.wiki.caps import check_caps
from rules.wiki.wikitext import CleaningConfig, clean_wikitext

RESIDUE = ("{{", "}}", "[[", "]]", "'''", "<ref", "thumb|", "|-", "()", "[]", "( )", "(;", "(,", "<!--")


def cleaned(text: str, **options: Any) -> list[str]:
    """Returns all paragraphs of the cleaned text."""
    return [p for s in clean_wikitext(text, config=CleaningConfig(**options)) for p in s.paragraphs]


def one(text: str) -> str:
    """Returns the only paragraph."""
    (paragraph,) = cleaned(text)
    return paragraph


@pytest.mark.parametrize(
    "markup, text",
    [
        ("'''Ada''' was a ''very'' '''''good''''' writer.", "Ada was a very good writer."),
        ("The ''Titanic'''s hull was made of steel.", "The Titanic's hull was made of steel."),
        ("He read l''''amour''' and it was fine.", "He read l'amour and it was fine."),
        ("An unclosed '''bold word ends with its line.", "An unclosed bold word ends with its line."),
        ("The [[cat]]s saw [[Paris, Texas|the town]] there.", "The cats saw the town there."),
        ("She lived in [[Boston, Massachusetts|]] for years.", "She lived in Boston for years."),
        ("A [[Pipe (computing)|]] joins the two programs.", "A pipe joins the two programs.".replace("pipe", "Pipe")),
        ("See the [[:Category:Cats]] and [[:fr:Chat|chat]] pages there.", "See the Cats and chat pages there."),
        ("Its [[wikt:root|root]] is in [[wikt:earth]] somewhere.", "Its root is in earth somewhere."),
        ("They met [[Cat#Diet|its diet]] and [[Dog#Diet]] there.", "They met its diet and Dog there."),
        ("The [[Some_title]] has an underscore in it.", "The Some title has an underscore in it."),
        ("They sold the [[Black &amp; White]] game there.", "They sold the Black & White game there."),
        ("Read [http://a.org the report] here [https://b.org] and now.", "Read the report here and now."),
        ("Fish &amp; chips cost 5&nbsp;pounds &ndash; or&thinsp;more.", "Fish & chips cost 5 pounds – or more."),
        ("Water is H<sub>2</sub>O and takes 10<sup>6</sup> m<sup>2</sup> here.", "Water is H2O and takes 10⁶ m² here."),
        ("On the 4<sup>th</sup> of July they came.", "On the 4th of July they came."),
        ("A <span style='x'>red</span> <small>little</small> <u>house</u> stood.", "A red little house stood."),
        ("First line<br />second line of the text.", "First line second line of the text."),
        ("Two lines of\none paragraph are joined here.", "Two lines of one paragraph are joined here."),
        (
            'Text<ref>{{cite web|url=x}}</ref> with notes<ref name=a /> goes on.<ref name="b">B [[x]]</ref>',
            "Text with notes goes on.",
        ),
        ("Before <!-- hidden [[x]] {{y --> and after the comment.", "Before and after the comment."),
        ("One line here\n<!-- a line of its own -->\nand it goes on.", "One line here and it goes on."),
        ("The <nowiki>*</nowiki> sign stays as it is here.", "The * sign stays as it is here."),
        (
            "[[File:A.jpg|thumb|A [[cat]] with [http://x.y a link] and {{convert|3|km}}]]Then the text begins.",
            "Then the text begins.",
        ),
        ("[[fr:Chat]][[Category:Cats]]The text stands alone here.", "The text stands alone here."),
        (
            "The text is here.{{citation needed|date=May 2010}} It goes on.{{sfn|A|1990}}",
            "The text is here. It goes on.",
        ),
        ("__NOTOC__The text stands alone here.", "The text stands alone here."),
        ("{{Infobox person\n| name = Ada {{nowrap|x}}\n| born = 1815\n}}\nAda was a writer.", "Ada was a writer."),
        ("{| class=x\n|-\n| a || b\n{|\n| nested\n|}\n|}\nAfter the table comes text.", "After the table comes text."),
        ("<table><tr><td>x</td></tr>\n</table>\nAfter the table comes text.", "After the table comes text."),
        ("<gallery>\nFile:A.jpg|x\n</gallery>\nAfter the gallery comes text.", "After the gallery comes text."),
        ("It was <s>wrong</s> right about the thing.", "It was right about the thing."),
        ("Cafe\u0301 culture is known all over.", "Café culture is known all over."),
        ("Soft\u00adhyphens and\u200b zero\u2009width\u00a0spaces fold.", "Softhyphens and zero width spaces fold."),
    ],
)
def test_inline(markup: str, text: str) -> None:
    assert one(markup) == text


@pytest.mark.parametrize(
    "markup, text",
    [
        ("'''Achilles''' ({{IPAc-en|x}}; {{lang-grc|Ἀχ}}, ''Akh'') was a hero.", "Achilles (Ἀχ, Akh) was a hero."),
        (
            "'''Ayn''' ({{IPAc-en|x}}; born Alisa ([[ru]] x), 1905) was a writer.",
            "Ayn (born Alisa (ru x), 1905) was a writer.",
        ),
        ("'''Adobe''' ({{IPA-es|x|lang}}) is a material.", "Adobe is a material."),
        ("'''Adobe''' (pronounced {{IPA|x}}; from Spanish) is a material.", "Adobe (from Spanish) is a material."),
        ("'''Oslo''' ({{audio|x.ogg|listen}}, {{coord|1|2}}) is a city.", "Oslo is a city."),
        ("It landed ({{age|1969|7|20}} years ago) on the Moon.", "It landed on the Moon."),
        ("It cost $5 (${{inflation|US|5|1990}} in {{CURRENTYEAR}} dollars) at the time.", "It cost $5 at the time."),
        ("The call (see main) is honest prose here.", "The call (see main) is honest prose here."),
        ("He left (1905, 1910; later) the town.", "He left (1905, 1910; later) the town."),
    ],
)
def test_brackets_around_what_vanished(markup: str, text: str) -> None:
    assert one(markup) == text


def test_formulas_take_their_sentence_and_part_the_neighbours() -> None:
    text = "The first one stands. Let <math>x</math> be a number. The third one stands. So does the fourth."
    assert cleaned(text) == ["The first one stands.", "The third one stands. So does the fourth."]
    assert one("The constant (<math>c</math>) is well known.") == "The constant is well known."


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


def test_block_quotes_are_paragraphs_of_their_own() -> None:
    text = "He wrote as follows.\n{{quote|All men are [[mortal]].|Author|Book}}\nThen he stopped writing."
    assert cleaned(text) == ["He wrote as follows.", "All men are mortal.", "Then he stopped writing."]
    text = "He wrote. <blockquote>All men are mortal.</blockquote> Then he stopped."
    assert cleaned(text) == ["All men are mortal.", "Then he stopped."]
    assert cleaned("<poem>\nRoses are red,\nViolets are blue.\n</poem>") == []


@pytest.mark.parametrize(
    "broken",
    [
        "Broken {{template | with = no end and prose.",
        "Broken [[link|with no end and prose.",
        "A bare <ref name= tag and prose.",
        "The &lt;b&gt; tag is written about here.",
        "A broken <ref>note without an end here.",
        "An [http://a.b link without end here.",
        "<nowiki>The [[link]] is written about here.</nowiki>",
    ],
)
def test_unbalanced_markup_costs_its_paragraph_only(broken: str) -> None:
    assert cleaned(f"The first one is fine.\n\n{broken}\n\nThe last one is fine.") == [
        "The first one is fine.",
        "The last one is fine.",
    ]


@pytest.mark.parametrize("extra", ["]]", "}}", "</small>", "</ref>"])
def test_a_closer_too_many_just_goes(extra: str) -> None:
    assert one(f"The sentence {extra} is otherwise fine.") == "The sentence is otherwise fine."


def test_an_unclosed_table_ends_at_the_next_heading() -> None:
    assert cleaned("The lead is fine.\n{|\n| cell of prose it is.\n== Next ==\nThe rest is fine.") == [
        "The lead is fine.",
        "The rest is fine.",
    ]


@pytest.mark.parametrize(
    "scrap",
    [
        "",
        "Heading",
        "1234 5678.",
        "| a = b and some more words here.",
        " x = y\n z = w",
        "...",
        "See it.",
    ],
)
def test_scraps_are_no_prose(scrap: str) -> None:
    assert cleaned(scrap) == []


FRAGMENTS = st.sampled_from(
    [
        "{{",
        "}}",
        "{{{",
        "}}}",
        "[[",
        "]]",
        "[",
        "]",
        "{|",
        "|}",
        "|-",
        "|",
        "'''",
        "''",
        "'",
        "<ref>",
        "</ref>",
        "<ref name=x/>",
        "<ref",
        "<!--",
        "-->",
        "<nowiki>",
        "</nowiki>",
        "<math>",
        "</math>",
        "<b>",
        "</b>",
        "<sup>",
        "</sup>",
        "<br>",
        "<div",
        "\n",
        "\n\n",
        " ",
        "==",
        "\n== H ==\n",
        "\n* ",
        "\n: ",
        "File:",
        "Category:",
        "thumb|",
        "http://a.b ",
        "&amp;",
        "&lt;",
        "&#91;",
        "&#0;",
        "__NOTOC__",
        "(",
        ")",
        ";",
        ",",
        ".",
        "convert|",
        "10|km",
        "lang|fr|",
        "IPA|",
        "quote|",
        "birth date|1990|5|4",
        "frac|1|2",
        "=",
        "A word or two. ",
        "Prose is here",
        "\u00a0",
        "\u0301",
        "é",
        "\x01",
        "\x04",
        "#if:",
        "formatnum:123456",
        "ill|",
        "ship|",
        "val|1|2|e=3",
        "<table>",
        "</table>",
        "currency|",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(FRAGMENTS, max_size=40).map("".join))
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
