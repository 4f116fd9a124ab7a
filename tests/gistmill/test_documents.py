"""Recipes, rules and ROUGE on single texts."""

import json

import pytest

import gistmill
from gistmill.pipelines.splitting import as_json
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

    found = gistmill.fusion.split(SENTENCE)
    assert found and all(c.discourse_type in gistmill.fusion.DiscourseType for c in found)
    done = subprocess.run([*COMMAND, "split"], input=SENTENCE, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["examples"] == [as_json(c) for c in found]


def test_nothing_to_split():
    with pytest.raises(ValueError, match="the first sentence is empty"):
        gistmill.fusion.split(" ")
