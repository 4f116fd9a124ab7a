"""``gistmill diff`` on datasets of two months of the slice, which real jobs made."""

from __future__ import annotations

import json
import re

import pytest
import yaml

import gistmill
from gistmill.pipelines import diff
from gistmill.pipelines.errors import ConfigError
from gistmill.published.comparison.comparison import Comparison, Moved, Side
from gistmill.published.comparison.drift import drift
from tests.months import months

CHANGED, DELETED, NEW, RENAMED = 6, 2, 3, 1


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Datasets of both months, by recipe and month."""
    folder = tmp_path_factory.mktemp("diff")
    two = months(changed=CHANGED, deleted=DELETED, new=NEW, renamed=RENAMED, most_bytes=15_000)
    for number, dump in enumerate(two.write(folder), start=1):
        gistmill.build("gap-sentences", input=dump, output=folder / f"gap-sentences{number}", splits=(60, 20, 20))
        gistmill.build("articles", input=dump, output=folder / f"articles{number}")
    return folder


def compared(capsys, *arguments):
    assert diff.main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["gap-sentences", "articles"])
def test_the_pages_that_changed_are_found(made, capsys, recipe):
    found = compared(capsys, made / f"{recipe}1", made / f"{recipe}2")
    documents = found["content"]["documents"]
    assert (documents["added"], documents["removed"], documents["revised"]) == (NEW, DELETED, CHANGED)
    assert documents["remade"] == RENAMED
    same = documents["new"] - NEW - CHANGED - RENAMED
    assert documents["same"] == same == documents["old"] - DELETED - CHANGED - RENAMED
    assert documents["same"] > 0 and found["recipe"] == recipe and found["guards"] == []


def test_a_new_dump_moves_rows_and_changes_nothing_else(made, capsys):
    found = compared(capsys, made / "gap-sentences1", made / "gap-sentences2")["content"]["rows"]["default"]
    assert found["all"]["same"] == 0 and found["all"]["found_elsewhere"] > found["all"]["changed"] > 0
    assert found["columns"]["file"] == found["all"]["found_elsewhere"] + found["all"]["changed"]


def test_the_terminal_shows_the_important_first(made, capsys):
    assert diff.main([str(made / "gap-sentences1"), str(made / "gap-sentences2")]) == 0
    shown = capsys.readouterr().out
    headings = "Guards: none broken|Documents|Rows of default|Rejects|Lengths|Possible causes|Upload"
    places = [re.search(rf"^{heading}", shown, re.M).start() for heading in headings.split("|")]
    assert places == sorted(places)
    assert re.search(rf"^  new revision +{CHANGED} ", shown, re.M)
    assert max(map(len, shown.splitlines())) <= 140


def test_rows_are_counted_by_a_column_and_the_table_is_whole_if_asked_for(made, capsys):
    command = [str(made / "gap-sentences1"), str(made / "gap-sentences2"), "--by", "revision"]
    for more, cut in (((), True), (("--all",), False)):
        assert diff.main([*command, *more]) == 0
        shown = capsys.readouterr().out
        assert "\n  by revision\n" in shown and (" more: --all\n" in shown) is cut


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ({"a": 500, "b": 500}, "not significant at 0.001 (chi-square 0.0, 1 degrees of freedom, p 1)"),
        ({"a": 551, "b": 449}, "not significant at 0.001 (chi-square 5.2, 1 degrees of freedom, p 0.022)"),
        ({"a": 580, "b": 420}, "; significant at 0.001 (chi-square 12.9, 1 degrees of freedom, p 0.00033)"),
    ],
)
def test_a_test_of_significance_is_called_no_more_than_that(new, said):
    old = {"a": 500, "b": 500}
    moved = Moved(kind="types", config="full", drift=drift(old, new), values=tuple((k, old[k], new[k]) for k in old))
    side = Side(place="a", end="", code_version="", rows={}, splits={}, read=1, used=1, bytes=1)
    transfer = {"bytes": 1, "same_path": 1, "same_content": 0, "moved_files": 0}
    found = {"old": side, "new": side, "causes": (), "distributions": (moved,), "rejected": (), "transfer": transfer}
    shown = diff.text(Comparison(recipe="discofuse", **found))
    assert said in shown and "chance" not in shown


def test_broken_guards_are_shown_and_are_a_code_only_when_asked_for(made, capsys, tmp_path):
    corpus = tmp_path / "c.yaml"
    sources = {"texts": {"source": "jsonl", "input": "texts.jsonl"}}
    recipes = {"gaps": {"recipe": "gap-sentences"}}
    guards = {"min_documents": 10_000, "removed": 0.01}
    values = {"publish": "x", "sources": sources, "recipes": recipes, "guards": guards}
    corpus.write_text(yaml.safe_dump(values), encoding="utf-8")
    places = [str(made / "gap-sentences1"), str(made / "gap-sentences2")]
    assert diff.main([*places, "--check"]) == 0
    assert diff.main([*places, "--guards", str(corpus)]) == 0
    capsys.readouterr()
    assert diff.main([*places, "--guards", str(corpus), "--check"]) == 1
    shown = capsys.readouterr().out
    assert "Guards: 2 broken" in shown and "documents gone: 2 of " in shown and "guards.min_documents: 10,000" in shown


BOTH = ("{made}/gap-sentences1", "{made}/gap-sentences2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{made}/gap-sentences1", "{made}/nowhere"], "nowhere is not a dataset: no files found there"),
        ([*BOTH, "--guards", "{made}/no.yaml"], "no.yaml: No such file"),
    ],
)
def test_a_wrong_command_is_one_line(made, arguments, said):
    with pytest.raises(ConfigError, match=said):
        diff.main([argument.format(made=made) for argument in arguments])
