"""``gistmill trace`` by the real command's function."""

from __future__ import annotations

import json

import pytest

from gistmill.pipelines import inspect as command
from gistmill.pipelines.errors import ConfigError
from gistmill.published.dataset import Dataset
from tests.cases import by_heading
from tests.dumps import small_pages

CASES = by_heading(__file__)


def trace(capsys, *arguments):
    code = command.trace_main([*map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def traced(capsys, *arguments):
    code, out, err = trace(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def rows_of(place, config="full"):
    dataset = Dataset(place)
    return [row for split in dataset.splits(config) for row in dataset.rows(split, config)]


@pytest.fixture(scope="module")
def coordinated(fusion):
    """A row of which the rules deleted, split and copied something."""
    return next(r for r in rows_of(fusion) if r["discourse_type"] in ("SINGLE_VP_COORD", "SINGLE_S_COORD"))


@pytest.mark.slow
def test_a_row_is_traced_to_its_page(fusion, dump, coordinated, capsys):
    found = traced(capsys, fusion, coordinated["id"])
    lineage = found["lineage"]
    assert found["found"][0]["config"] == "full" and found["recipe"] == "discofuse"
    assert lineage["document_id"] == coordinated["document_id"] and lineage["title"] == coordinated["title"]
    title = coordinated["title"].replace(" ", "_")
    assert lineage["address"] == f"https://en.wikipedia.org/wiki/{title}?oldid={coordinated['revision']}"
    assert lineage["url"] == coordinated["url"] == lineage["address"]
    assert lineage["file"] == dump.name and lineage["source_file"]["size"] == dump.stat().st_size
    assert found["columns"]["discourse_type"] == coordinated["discourse_type"]
    edited = found["edits"][-1]["after"]
    assert edited == [coordinated["coherent_first_sentence"]]
    code, out, _ = trace(capsys, fusion, coordinated["id"])
    assert code == 0 and coordinated["inputs"] in " ".join(out.split()) and "edits that fuse" in out
    marked = next(line for line in out.splitlines() if "{+" in line and "edits that" not in line)
    assert "[-. " in marked and out.count(edited[0]) == 1  # in its column, and not once more after each edit
    assert f"edits{' ' * 23}[{', '.join(json.dumps(e) for e in coordinated['edits'])}]" in out


def check_read_again(found, row):
    again = found["read_again"]
    assert again["differing_columns"] == [] and row["id"] in again["rows"]
    assert again["operations"][0]["before"] == [row["coherent_first_sentence"]]
    halves = [row["incoherent_first_sentence"], row["incoherent_second_sentence"]]
    assert again["operations"][-1]["after"] == halves


@pytest.mark.slow
def test_the_page_is_read_again_and_gives_the_row(fusion, dump, coordinated, capsys):
    found = traced(capsys, fusion, coordinated["id"], "--input", dump)
    check_read_again(found, coordinated)
    offset = found["lineage"]["offset"]
    page = dump.read_bytes()[offset : offset + 200].decode("utf-8", "replace")
    assert page.startswith("<page>") and f"<title>{coordinated['title']}<" in page
    code, out, _ = trace(capsys, fusion, coordinated["id"], "--input", dump)
    assert code == 0 and "made again with the same values" in out and "operations of the rules" in out


def test_of_many_rows_of_a_document_the_first_are_shown(fusion, coordinated, capsys, monkeypatch):
    monkeypatch.setattr(command, "_MOST_SHOWN", 1)
    _, some, _ = trace(capsys, fusion, "--document", coordinated["document_id"])
    _, whole, _ = trace(capsys, fusion, "--document", coordinated["document_id"], "--all")
    assert " more (--all)" in some and " more (--all)" not in whole and len(some) < len(whole)


def test_a_document_without_rows_has_rejects(fusion, capsys):
    redirect = next(p for p in small_pages() if b"<redirect" in p)
    page_id = redirect.partition(b"<id>")[2].partition(b"<")[0].decode()
    found = traced(capsys, fusion, "--document", f"wikipedia-{page_id}")
    assert found["rows"] == [] and [r["reason"] for r in found["rejects"]] == ["REDIRECT"]


def test_a_row_of_another_recipe_and_source(gaps, articles, capsys):
    (row,) = rows_of(gaps, "default")
    found = traced(capsys, gaps, row["id"], "--input", articles)
    assert found["lineage"]["address"] == "https://example.org/otters" and found["lineage"]["offset"] == 0
    assert found["columns"]["selected"] == row["selected"] and found["edits"] == []
    assert found["read_again"]["differing_columns"] == [] and found["read_again"]["operations"] == []


def test_another_input_is_said(gaps, articles, tmp_path, capsys):
    (row,) = rows_of(gaps, "default")
    other = tmp_path / articles.name
    other.write_text(articles.read_text(encoding="utf-8").replace("otters", "beavers"), encoding="utf-8")
    found = traced(capsys, gaps, row["id"], "--input", other)
    assert "inputs" in found["read_again"]["differing_columns"]
    other.write_text('{"id": "x", "text": "Nothing."}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="does not contain the document 'jsonl-articles.jsonl-1'"):
        trace(capsys, gaps, row["id"], "--input", other)


@pytest.mark.parametrize(
    ("arguments", "said"),
    CASES["wrong command lines"],
)
def test_a_wrong_command_line_is_one_line(arguments, said, fusion, coordinated):
    with pytest.raises(ConfigError, match=said) as caught:
        command.trace_main([a.format(data=fusion, id=coordinated["id"]) for a in arguments])
    assert "\n" not in str(caught.value)
