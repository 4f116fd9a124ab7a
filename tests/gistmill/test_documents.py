"""Recipes, rules, cleaning and ROUGE on single texts."""

import json

import pytest

import gistmill
from gistmill.core.records import Metadata, Origin
from gistmill.pipelines.splitting import as_json
from gistmill.rules.documents import RawDocument
from gistmill.transforms.steps.clean import CleanConfig, Cleaner
from tests.commands import COMMAND

TEXT = (
    "The company opened a new office in Oslo on Monday. It employs forty people there, the company said. "
    "The office is the first of the company in Norway.\n\n"
    "More offices are planned, but none of them will open this year. "
    "The company was founded in 1999, and it has grown every year since then."
)
SENTENCE = "The Sharks started slowly, yet they recovered to claim sixth spot."


def test_a_text_becomes_a_document_and_a_row():
    document = gistmill.recipes.segment(TEXT, title="Office", id="mine")
    assert document.id == "mine" and [s.paragraph for s in document.sentences] == [0, 0, 0, 1, 1]
    recipe = gistmill.recipes.GapSentences(gistmill.recipes.GapSentencesConfig(gap_ratio=0.3))
    (row,) = recipe.process(document).rows
    assert row.id == "mine-gaps" and row.values["inputs"].count("[MASK1]") <= len(row.values["selected"]) == 1
    assert recipe.process(document).rows == (row,)


WIKITEXT = """{{Infobox writer|name=Ada}}
'''Ada Lovelace''' was a [[writer|writer of letters]].<ref>A book.</ref> {{PAGENAME}} lived in London.
* A list is not prose.

== Work ==
She wrote a [[program]] in 1843.
== Einzelnachweise ==
A book of letters is named here again.
"""
PAGE = """<html lang="{language}"><head><title>Council repairs the bridge | The Daily</title>
<meta name="author" content="Ann Lee"><meta property="og:site_name" content="The Daily">
<meta property="article:published_time" content="2020-01-02"></head><body><nav><a href="/">Home</a></nav>
<article><h1>Council repairs the bridge</h1><p>{text}</p><h2>What it costs</h2><ul><li>stone</li><li>steel</li></ul>
<p>{text}!</p></article></body></html>"""
ENGLISH = (
    "LONDON (AP) - The council met in the school, because the hall stood under water. Some members wanted a bridge of "
    "steel, but most of them wanted to repair the arches with stone. The work will take three years, the mayor said."
)
GERMAN = (
    "Der Rat tagte in der Schule, weil das Rathaus unter Wasser stand. Einige wollten eine Brücke aus Stahl, die "
    "meisten aber wollten die Bögen mit Stein ausbessern. Die Arbeit wird drei Jahre dauern, sagte der Bürgermeister."
)


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("Dr. Lee left.\nShe met J. S. Bach at 3 p.m. on Monday.", "en", ["Dr. Lee left.", "She met J. S. Bach at 3 p.m. on Monday."]),
        ("A heading\n \t\nIt was\nlate.  They left.\n", "en", ["A heading", "It was\nlate.", "They left."]),
        ("Er kam am 3. Mai. Sie blieb z. B. hier.", "de", ["Er kam am 3. Mai.", "Sie blieb z. B. hier."]),
        ("雨が降った。彼らは帰った。", "ja", ["雨が降った。", "彼らは帰った。"]),
        ("it rained . they left .", "en", ["it rained .", "they left ."]),
        (" \n\n ", "en", []),
    ],
)  # fmt: skip
def test_a_text_is_split_into_sentences_by_the_rules_of_its_language(text, language, found):
    assert gistmill.sentences(text, language) == found


def test_a_language_is_a_code():
    with pytest.raises(ValueError, match="expected a code such as de, pt or zh"):
        gistmill.sentences(TEXT, "German")
    with pytest.raises(ValueError, match="expected a code"):
        gistmill.clean_wikitext(WIKITEXT, language="German")


def test_wikitext_becomes_prose():
    document = gistmill.clean_wikitext(WIKITEXT, "Ada Lovelace")
    lead = "Ada Lovelace was a writer of letters. Ada Lovelace lived in London."
    assert [(s.title, s.level) for s in document.sections] == [("", 1), ("Work", 2), ("Einzelnachweise", 2)]
    assert document.text.split("\n\n")[:2] == [lead, "She wrote a program in 1843."]
    assert document.origin.title == "Ada Lovelace"
    german = gistmill.clean_wikitext(WIKITEXT, language="de")
    assert [s.title for s in german.sections] == ["", "Work"] and german.origin.metadata.language == "de"
    assert gistmill.clean_wikitext("{{Infobox}}").text == gistmill.clean_wikitext("").text == ""
    with pytest.raises(ValueError, match="100000 unclosed"):
        gistmill.clean_wikitext("{{" * 100_000)


@pytest.mark.parametrize("view", ["prose", "whole"])
@pytest.mark.parametrize(("language", "text"), [("en", ENGLISH), ("de", GERMAN)])
def test_a_web_page_becomes_the_article_that_a_job_takes(view, language, text):
    page, url = PAGE.format(language=language, text=text), "https://daily.example.org/2020/bridge"
    cleaner = Cleaner(CleanConfig(languages=("any",), page_text=view))
    try:
        wanted = cleaner.clean(RawDocument(Origin("text-1", "text", metadata=Metadata(url=url)), page, "html"))
    finally:
        cleaner.close()
    found = gistmill.clean_html(page, url, view)
    assert found == wanted and found.text.startswith(text.removeprefix("LONDON (AP) - "))
    assert ("stone" in found.text.split("\n\n")) is (view == "whole")
    assert found.origin.metadata.language == language


def test_a_page_without_an_article_and_one_that_no_job_reads():
    assert gistmill.clean_html("").sections == gistmill.clean_html("<html><body><nav>Home</nav>").sections == ()
    with pytest.raises(ValueError, match="more than 2000 deep"):
        gistmill.clean_html("<div>" * 3000)
    with pytest.raises(ValueError, match="view must be 'prose' or 'whole', not 'all'"):
        gistmill.clean_html("", view="all")


def test_a_text_becomes_paragraphs_for_the_recipe_that_takes_them():
    document = gistmill.recipes.clean(f"Heading\n\n{TEXT}", title="Office", id="mine")
    (row,) = gistmill.recipes.Articles(gistmill.recipes.ArticlesConfig()).process(document).rows
    assert (row.id, row.values["title"], row.values["paragraphs"]) == ("mine", "Office", 2)
    assert row.values["text"] == TEXT.replace("\n\n", "\n")
    nothing = gistmill.recipes.Articles(gistmill.recipes.ArticlesConfig()).process(gistmill.recipes.clean(" "))
    assert nothing.refused.reason.name == "TEXT_TOO_SHORT"


def test_a_recipe_says_why_it_rejects():
    outcome = gistmill.recipes.LeadBias(gistmill.recipes.LeadBiasConfig()).process(gistmill.recipes.segment(TEXT))
    assert outcome.rows == () and outcome.refused.reason.name == "TOO_FEW_SENTENCES"


def test_a_parsed_text_gives_fusion_examples():
    document = gistmill.recipes.annotate(TEXT, title="Office")
    rows = gistmill.recipes.DiscoFuse(gistmill.recipes.DiscoFuseConfig()).process(document).rows
    assert {r.values["discourse_type"] for r in rows} & {"SINGLE_S_COORD", "SINGLE_S_COORD_ANAPHORA"}


@pytest.mark.slow
def test_split_says_what_the_command_says():
    import subprocess

    found = gistmill.split(SENTENCE)
    assert found and all(c.discourse_type in gistmill.fusion.DiscourseType for c in found)
    done = subprocess.run([*COMMAND, "split"], input=SENTENCE, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["examples"] == [as_json(c) for c in found]


def test_nothing_to_split():
    with pytest.raises(ValueError, match="the first sentence is empty"):
        gistmill.split(" ")
