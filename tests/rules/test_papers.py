"""The papers of recipes, as CITATION.cff and BibTeX have them."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from gistmill.rules.recipes import PAPERS, RECIPES, citation

_CITED = yaml.safe_load((Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8"))["references"]


def test_papers_are_those_of_the_citation_file():
    cited = {
        found[1]: (
            r["title"],
            " and ".join(f"{a['family-names']}, {a['given-names']}" for a in r["authors"]),
            r["conference"]["name"],
            r["year"],
            r["url"].rpartition("/")[2],
        )
        for r in _CITED
        if (found := re.fullmatch(r"The recipe of `gistmill (.+)`\.", r["notes"]))
    }
    assert cited == {name: (p.title, p.authors, p.venue, p.year, p.arxiv) for name, p in PAPERS.items()}
    assert set(PAPERS) <= set(RECIPES)


def test_a_citation_names_the_paper_where_there_is_one_and_gistmill():
    both, alone = citation("discofuse", "1.2"), citation("articles", "1.2")
    assert re.findall(r"^@\w+\{(\w+)", both, re.M) == ["geva2019discofuse", "gistmill"]
    assert "title = {{DiscoFuse: A Large-Scale" in both and "version = {1.2}" in both
    assert re.findall(r"^@\w+\{(\w+)", alone, re.M) == ["gistmill"]
    assert both.count("{") == both.count("}")
