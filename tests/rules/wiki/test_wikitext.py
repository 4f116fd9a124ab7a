"""Wikitext cleaning, rule by rule."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.rules.wiki.balance import check_caps
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.wikitext import CleaningConfig, clean_wikitext

RESIDUE = ("{{", "}}", "[[", "]]", "'''", "<ref", "thumb|", "|-", "()", "[]", "( )", "(;", "(,", "<!--")


def cleaned(text: str, **options: Any) -> list[str]:
    """Returns all paragraphs of the cleaned text."""
    return [p for s in clean_wikitext(text, config=CleaningConfig(**options)) for p in s.paragraphs]


def one(text: str) -> str:
    """Returns the only paragraph."""
    (paragraph,) = cleaned(text)
    return paragraph


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("'''Ada''' was a ''very'' '''''good''''' writer.", "Ada was a very good writer."),
        ("The ''Titanic'''s hull was made of steel.", "The Titanic's hull was made of steel."),
        ("He read l''''amour''' and it was fine.", "He read l'amour and it was fine."),
        ("An unclosed '''bold word ends with its line.", "An unclosed bold word ends with its line."),
        ("The [[cat]]s saw [[Paris, Texas|the town]] there.", "The cats saw the town there."),
        ("She lived in [[Boston, Massachusetts|]] for years.", "She lived in Boston for years."),
        ("A [[Pipe (computing)|]] joins the two programs.", "A pipe joins the two programs.".replace("pipe", "Pipe")),
        (
            "See the [[:Category:Cats]] and [[:fr:Chat|chat]] pages there.",
            "See the Category:Cats and chat pages there.",
        ),
        ("Its [[wikt:root|root]] is in [[wikt:earth]] somewhere.", "Its root is in wikt:earth somewhere."),
        ("He read [[7%25 Solution]] and 7%25 of it.", "He read 7% Solution and 7%25 of it."),
        ("They met [[Cat#Diet|its diet]] and [[Dog#Diet]] there.", "They met its diet and Dog#Diet there."),
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
        ("He gave a [[Media:A.ogg|famous speech]] in the town.", "He gave a famous speech in the town."),
        ("A flag[[File:x.png|20px]]of the town.", "A flag of the town."),
        ("It began in 1990<ref>x</ref>and it goes on.", "It began in 1990 and it goes on."),
        ("The [[Foundation| ]] town is an old one.", "The town is an old one."),
        ("The king&apos;s 5&hairsp;km of road&period;", "The king's 5 km of road."),
        ("The sign <nowiki>&amp;</nowiki> stands for a word.", "The sign & stands for a word."),
        ("They print &amp;apos; where a sign is missing.", "They print &apos; where a sign is missing."),
        ("He saw [[[Paris|the city]]] and went home.", "He saw [the city] and went home."),
        ("He saw [[[Paris]] and went] home.", "He saw [Paris and went] home."),
        ("__NoToc__ The bridge was built __noindex__ in July.", "The bridge was built in July."),
        ("The method __init__ is called by it.", "The method __init__ is called by it."),
        ("The mill was burnt.</table> It was built again.", "The mill was burnt. It was built again."),
        ("The ''Daily News:'' a paper, and Tel:Aviv stay.", "The Daily News: a paper, and Tel:Aviv stay."),
        ("The name -{zh-cn:Foo;zh-tw:Bar}- is -{R|old}-.", "The name Foo is old."),
        ("The word -{color}- has -{H|zh:a}-one form.", "The word color has one form."),
        ("[[Whatever:Bridge.JPG|mini|A bridge.]]The text begins.", "The text begins."),
        ("The word -{D;H|zh:a}-. The -{H;A|zh:a}-new -{A;R|old}- town.", "The new old town."),
        ("The '''bold'<nowiki/>''it'' of [[Foo|<nowiki/>]]bar stays.", "The bold'it of bar stays."),
        ("He met [[Tel:Aviv]], [[News: the Film]] and [[Geo:Graphy|it]].", "He met Tel:Aviv, News: the Film and it."),
        ("[[ FR :Chat]][[De:Katze]]The text stands alone here.", "The text stands alone here."),
        ("The [[#Section|]] and the [[#Part]] of [[Help:Foo (x)|]].", "The Section and the #Part of Foo."),
        ("He saw [[:File:A.jpg]] and [[:Image:B.png|a photo]].", "He saw File:A.jpg and a photo."),
        ("See [http://a.org/\u3000the report] and [http://a.org\tthe map].", "See the report and the map."),
        ("See [http://a.org''the report''] and [http://a.org\"the map\"].", 'See the report and "the map".'),
        ("See [http://[2001:db8::1]/x the report] there.", "See the report there."),
        ("He went home.[http://a.org Report] It was late.", "He went home. It was late."),
        ("It was <s>wrong</s> right about the thing.", "It was right about the thing."),
        ("Cafe\u0301 culture is known all over.", "Café culture is known all over."),
        ("Soft\u00adhyphens and\u200b zero\u2009width\u00a0spaces fold.", "Softhyphens and zero width spaces fold."),
    ],
)
def test_inline(markup: str, text: str) -> None:
    assert one(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
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


@pytest.mark.parametrize(
    "lost",
    [
        "The law can be found at http://law.example/5.",
        "The law (5, that is) is at https://law.example/5, and it is old.",
        "The law can be found at [http://law.example/5].",
        "The law is at http://[2001:db8::1]/x in the town.",
        "See http://www.example.com</small>the site of it.",
        "{{PAGENAME}} is a village.",
        "The club {{SITENAME}} plays well.",
        "They met at {{coord|1|2|N|3|4|W}} in the sea.",
        "{{unknown}} was a writer who met Mr. Smith of the U.S. Navy.",
        "He met Mr. Smith of the {{unknown}}.",
    ],
)
def test_a_sentence_that_lost_words_goes_alone(lost: str) -> None:
    assert cleaned(f"The first one stands. {lost} The third one stands.") == [
        "The first one stands.",
        "The third one stands.",
    ]


@pytest.mark.parametrize(
    "note",
    [
        "{{unknown note|a}}",
        " {{cn}}",
        "{{sfn|A|1990|p=5}}",
        "{{rp|5}}",
        "[http://a.b/c]",
        "<ref>x</ref>",
        "{{quite dubious|x}}{{unknown}}",
    ],
)
def test_a_note_after_a_sentence_costs_nothing(note: str) -> None:
    assert one(f"The first one stands.{note} The third one stands.") == "The first one stands. The third one stands."


@pytest.mark.parametrize("note", ["{{citation needed|date=x}}", "{{who?}}", "{{efn|a}}", "{{Better source inline}}"])
def test_a_known_note_inside_a_sentence_costs_nothing(note: str) -> None:
    assert one(f"The first{note} one{note}, as they say, stands.") == "The first one, as they say, stands."


def test_pronunciation_after_a_name_costs_nothing() -> None:
    assert (
        one("'''Angola''' {{IPAc-en|a}}, officially (see {{IPA|b}}) a state, is old.")
        == "Angola, officially a state, is old."
    )
    assert one("'''Angola''', {{IPAc-en|a}}, is old.") == "Angola, is old."
    assert cleaned("The letter stands for {{IPA|a}}. It is old here.") == ["It is old here."]


def test_a_box_at_the_beginning_of_a_line_costs_nothing() -> None:
    assert cleaned("{{unknown box|a}} '''Ada''' was a writer.\n\n{{unknown box\n| a = b\n}}Ada was a writer.") == [
        "Ada was a writer.",
        "Ada was a writer.",
    ]
    assert cleaned("{{unknown}} was a writer. She lived there.") == ["She lived there."]


def test_notes_and_boxes_cost_nothing_in_other_scripts() -> None:
    assert one("Слово є тут.{{невідоме}} Воно є там.") == "Слово є тут. Воно є там."
    assert one("{{невідоме}}Слово є тут.") == "Слово є тут."
    assert one("日本は a b c 国である。{{不明}}東京は都市である。") == "日本は a b c 国である。東京は都市である。"
    assert cleaned("Слово є тут. Він знав А. С.{{невідоме}} Пушкіна.") == ["Слово є тут."]


def test_an_address_ends_at_a_tag_and_a_new_line_begins_a_sentence() -> None:
    assert cleaned("See http://a.example<br>The church was founded here.") == ["The church was founded here."]


def test_names_of_the_page_are_its_title() -> None:
    page = Page("Little Aston")
    text = "'''{{PAGENAME}}''' is a village. The club {{FULLPAGENAME}} plays well."
    (section,) = clean_wikitext(text, page=page)
    assert section.paragraphs == ("Little Aston is a village. The club Little Aston plays well.",)
    (section,) = clean_wikitext("The {{BASEPAGENAME}} of {{SUBPAGENAME}} is here.", page=Page("A/B"))
    assert section.paragraphs == ("The A of B is here.",)
    (section,) = clean_wikitext("The {{PAGENAME}} of {{FULLPAGENAME}} is here.", page=Page("Help:A"))
    assert section.paragraphs == ("The A of Help:A is here.",)
    assert cleaned("The {{PAGENAME}} is here.") == []


@pytest.mark.parametrize(
    "hole", ["<ref>a</ref>", "<ref name=a />", "{{cn}}", "[[File:A.png]]", "[[Category:A]]", "-{H|zh:a}-"]
)
def test_digits_are_never_joined_over_a_hole(hole: str) -> None:
    assert one(f"It has 5{hole}6 people in it.") == "It has 5 6 people in it."


@pytest.mark.parametrize("hole", ["{{endash2}}", "{{CURRENTYEAR}}", "<math>x</math>", "{{{1}}}"])
def test_digits_around_what_is_not_known_go(hole: str) -> None:
    assert cleaned(f"It is old. It has 5{hole}6 people in it.") == ["It is old."]


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


@pytest.mark.parametrize(
    "block", [":<math>E=mc^2</math>", "* North\n* South", "{|\n| a\n|}", "{{unknown block|a}}", "<poem>\nA\nB\n</poem>"]
)
def test_a_block_that_goes_takes_its_other_half_along(block: str) -> None:
    assert cleaned(f"It is old. It has parts, as follows:\n{block}\nThe north is old.") == [
        "It is old.",
        "The north is old.",
    ]
    assert cleaned(f"It is old. It is given by\n{block}\nwhere the letter stands. The north is old.") == [
        "It is old.",
        "The north is old.",
    ]
    assert cleaned(f"It is old.\n{block}\niPhone is a name.") == ["It is old.", "iPhone is a name."]


def test_a_block_that_went_has_no_other_half_in_the_next_section() -> None:
    assert cleaned("It is old.\n{|\n| a\n|}\n== B ==\nthe mill was sold in that year. More prose follows.") == [
        "It is old.",
        "the mill was sold in that year. More prose follows.",
    ]


def test_an_introduction_at_the_end_of_a_section_goes() -> None:
    assert cleaned("It is old. These are the parts:\n== Next ==\nThe north is old.") == [
        "It is old.",
        "The north is old.",
    ]


def test_a_quotation_follows_its_introduction() -> None:
    text = "The judge argued that:\n:It is likely. So it was.\n{{quote|All men are mortal.}}\nThe town is old."
    assert cleaned(text) == [
        "The judge argued that: It is likely. So it was.",
        "All men are mortal.",
        "The town is old.",
    ]


def test_what_is_not_prose_continues_nothing() -> None:
    assert cleaned("It is old. Its parts include:\n\n1) The north\n\nThe south is new.") == [
        "It is old.",
        "The south is new.",
    ]


def test_a_continuation_that_holds_markup_leaves_what_it_continues() -> None:
    assert cleaned("It is old. The word is:\n\nA <x y> tag is here.\n\nThe north is old.") == [
        "It is old.",
        "The north is old.",
    ]


def test_indented_prose_stays_and_what_is_none_goes() -> None:
    assert cleaned("The town is old.\n:The town is new, he said.") == ["The town is old.", "The town is new, he said."]
    assert cleaned("The town is old.\n; Term\n: It has a meaning.") == ["The town is old.", "It has a meaning."]
    for gone in (
        ":''Main article: [[Town]] of the north.''",
        ":''For other towns, see [[Town (disambiguation)]] or so.''",
        ":{{unknown}}",
        ":Roses are red there\n:Violets are blue here\n:And so it goes.",
        "; Term\n: the meaning of it that begins in lower case.",
        "; Term : It has a meaning.",
        "* An item\n: It goes on here.",
        ":- An item by hand is here.",
    ):
        assert cleaned(f"The town is old.\n{gone}\nThe north is old.") == ["The town is old.", "The north is old."], (
            gone
        )


def test_a_picture_does_not_part_a_sentence() -> None:
    assert one("The town is\n[[File:A.jpg|thumb|x]]\nan old one.") == "The town is an old one."


def test_prose_under_any_heading_stays() -> None:
    prose = "The town has been described by several writers of the last century, who lived in it. Its library was opened then."
    for title in ("Literature", "Works", "Filmography", "Sources", "Further reading"):
        assert cleaned(f"== {title} ==\n{prose}\n* A book.") == [prose]
    assert (
        cleaned(f"== Sources ==\nSmith, J. (1990). The town and its long history in the north of the land. {prose}")
        == []
    )


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
        "It rose in the 1980scite web |url=a.b |title=A study}} and prose.",
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
    "scrap", ["", "Heading", "1234 5678.", "| a = b and some more words here.", " x = y\n z = w", "...", "See it."]
)
def test_scraps_are_not_prose(scrap: str) -> None:
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
