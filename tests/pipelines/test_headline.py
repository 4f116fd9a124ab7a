"""``gistmill headline`` by the real command, on a crawl of news, on JSON lines and on Wikipedia."""

import bz2
import json
from pathlib import Path

import pytest

from gistmill.pipelines.cli import main
from gistmill.rules.headline import COLUMNS
from gistmill.rules.news.titles import Place
from tests.commands import call, data_checksums, make, manifest, rows
from tests.dumps import export, small_pages
from tests.samples import CRAWLS

CORPORA = Path(__file__).parents[2] / "corpora"
PRESET = ("--config", CORPORA / "headline-news.yaml")
SPLITS = ("--splits", "60,20,20")
STORM = (
    "A storm with winds of 90 miles an hour reached the coast of Maine on Monday night. Thousands of homes lost power, "
    "and officials told residents to stay away from the harbour.\n\nSchools in the county will stay closed until "
    "Wednesday, the governor said. Nobody was hurt, and crews are clearing the roads."
)
TREATY = (
    "Ministers of twelve countries signed a treaty on fishing in the Arctic in Oslo on Friday. It bans trawlers from an "
    "area the size of the Mediterranean.\n\nScientists had warned for years that stocks of cod were about to fall. The "
    "treaty takes effect in spring, and its members meet again in two years to see what it has changed."
)
LINES = (
    {"id": "a", "head": "Storm hits coast of Maine | The Times", "url": "https://www.thetimes.co.uk/a", "text": STORM},
    {"id": "b", "head": "Twelve countries sign treaty on Arctic fishing - BBC News", "text": TREATY},
    {
        "id": "c",
        "head": "Is this the end of cod in the Arctic?",
        "text": TREATY.replace("Friday", "Sunday") + " More later.",
    },
    {
        "id": "d",
        "head": "Maine storm kills power | Cayman Compass",
        "text": "Reporters saw it. " + STORM.replace("homes", "shops"),
    },
    {"id": "e", "text": f"{STORM} The article of an author who gave it no title stays untitled."},
    {"id": "f", "head": "Storm hits coast of Maine - again", "text": STORM},
)


def headline(source, output, *more):
    return make("headline", "--input", source, "--output", output, *SPLITS, *more)


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "articles.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def dataset(lines, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "headlines"
    headline(lines, folder, "--source", "jsonl", "--title-field", "head", "--deduplicate", "exact")
    return folder


def test_json_lines_become_headlines(dataset):
    found = {r["document_id"]: r for r in rows(dataset)}
    assert {key: r["targets"] for key, r in found.items()} == {
        "a": "Storm hits coast of Maine",
        "b": "Twelve countries sign treaty on Arctic fishing",
    }
    assert found["a"]["inputs"] == STORM.replace("\n\n", "\n") and found["a"]["title"] == LINES[0]["head"]
    assert all(list(r) == [c.name for c in COLUMNS] for r in found.values())
    assert manifest(dataset)["counts"]["documents/rejected"] == {
        "TITLE_ASKS": 1,
        "TITLE_UNSURE": 1,
        "NO_TITLE": 1,
        "EXACT_DUPLICATE": 1,
    }


def test_the_figures_stand_in_the_report(dataset):
    figures = json.loads((dataset / "stats.json").read_text(encoding="utf-8"))["figures"]
    assert next((r["measure"], r["here"], r["paper"]) for r in figures["paper"]) == ("mean title words", 6.0, 8.3)
    assert sum(r["rows"] for r in figures["title_overlap"]) == sum(r["rows"] for r in figures["compression"]) == 2
    report = (dataset / "report.html").read_text(encoding="utf-8")
    assert "Beside Gigaword" in report and "sums/kept" not in report


def test_datasets_reads_it_back(dataset, tmp_path):
    import datasets

    loaded = datasets.load_dataset(str(dataset), cache_dir=str(tmp_path / "cache"))
    read = {r["id"]: (r["inputs"], r["targets"]) for split in loaded.values() for r in split}
    assert read == {r["id"]: (r["inputs"], r["targets"]) for r in rows(dataset)}


@pytest.mark.slow
def test_options_reach_the_recipe_and_every_step_is_there(lines, tmp_path):
    (tmp_path / "test.txt").write_text(TREATY.split("\n")[0], encoding="utf-8")
    headline(
        lines,
        tmp_path / "out",
        *("--source", "jsonl", "--title-field", "head", "--input-sentences", "1", "--min-title-overlap", "0.1"),
        *("--decontaminate", tmp_path / "test.txt", "--workers", "2"),
    )
    assert [(r["inputs"], r["targets"]) for r in rows(tmp_path / "out")] == [
        (
            "A storm with winds of 90 miles an hour reached the coast of Maine on Monday night.",
            "Storm hits coast of Maine",
        )
    ]
    assert manifest(tmp_path / "out")["counts"]["documents/rejected"]["CONTAMINATED"] >= 1


@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_of_news(tmp_path, crawl):
    done = headline(crawl.path, tmp_path / "out", *PRESET)
    assert f"{crawl.pages} documents read" in done.stdout
    counts, found = manifest(tmp_path / "out")["counts"], rows(tmp_path / "out")
    read, used = counts["documents"]["read"], counts["documents"]["used"]
    assert read == crawl.pages == used + sum(counts["documents/rejected"].values())
    assert len(found) == used > crawl.stories * 0.6
    for row in found:
        assert 4 <= row["title_words"] == len(row["targets"].split()) <= 49
        assert row["title_words"] < row["input_words"] == len(row["inputs"].split()) <= 512
        assert row["title_overlap"] >= 0.3 and "?" not in row["targets"]
        assert len(row["targets"]) <= len(row["title"])
        assert not Place(row["site"], row["url"]).leaves_doubt(row["targets"])
        assert row["url"].startswith("http") and row["record"] and row["file"] == crawl.path.name


@pytest.mark.long
@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_by_two_workers(tmp_path, crawl):
    for workers in ("1", "2"):
        headline(crawl.path, tmp_path / workers, *PRESET, "--workers", workers)
    assert data_checksums(tmp_path / "1") == data_checksums(tmp_path / "2") != {}


@pytest.mark.slow
def test_names_of_wikipedia_pages_are_titles_too(tmp_path):
    (tmp_path / "small.xml.bz2").write_bytes(bz2.compress(export(small_pages())))
    headline(tmp_path / "small.xml.bz2", tmp_path / "out", "--min-title-words", "1", "--min-article-words", "1")
    assert rows(tmp_path / "out")


def test_wrong_options_are_one_line(capsys, tmp_path):
    for arguments, said in [
        (("--min-title-overlap", "30"), "--min-title-overlap: expected a number from 0 to 1"),
        (("--min-title-words", "60"), "min_title_words: 60 is above max_title_words, 49"),
        (("--input-sentences", "-1"), "--input-sentences"),
        (("--question-headline",), "--question-headlines"),
    ]:
        assert (
            main(["headline", "--input", "x.jsonl", "--source", "jsonl", "--output", str(tmp_path / "o"), *arguments])
            == 2
        )
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line


def test_the_configuration_reads_back(tmp_path):
    printed = call("headline", *PRESET, "--input", "x.gz", "--output", "o", "--list-headlines", "--print-config").stdout
    (tmp_path / "c.yaml").write_text(printed, encoding="utf-8")
    assert call("headline", "--config", tmp_path / "c.yaml", "--print-config").stdout == printed
    assert "list_headlines: true" in printed and "question_headlines: false" in printed
