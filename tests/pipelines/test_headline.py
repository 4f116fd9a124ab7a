"""``gistmill headline`` by the real command, on a crawl of news, on JSON lines and on Wikipedia."""

import pytest

from gistmill.rules.headline import COLUMNS
from gistmill.rules.news.titles import Place
from tests.commands import make, manifest, rows, stats, write_jsonl
from tests.samples import CRAWLS

NEWS_JOB = "headline --config headline-news --splits 60,20,20"
JSONL_JOB = "headline --source jsonl --title-field head --splits 60,20,20"
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
OTHER_TREATY = TREATY.replace("Friday", "Sunday") + " More later."
OTHER_STORM = "Reporters saw it. " + STORM.replace("homes", "shops")
LINES = (
    {"id": "a", "head": "Storm hits coast of Maine | The Times", "url": "https://www.thetimes.co.uk/a", "text": STORM},
    {"id": "b", "head": "Twelve countries sign treaty on Arctic fishing - BBC News", "text": TREATY},
    {"id": "c", "head": "Is this the end of cod in the Arctic?", "text": OTHER_TREATY},
    {"id": "d", "head": "Maine storm kills power | Cayman Compass", "text": OTHER_STORM},
    {"id": "e", "text": f"{STORM} The article of an author who gave it no title stays untitled."},
    {"id": "f", "head": "Storm hits coast of Maine - again", "text": STORM},
)


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    return write_jsonl(tmp_path_factory.mktemp("lines") / "articles.jsonl", LINES)


@pytest.fixture(scope="module")
def dataset(lines):
    folder = lines.parent / "headlines"
    make(f"{JSONL_JOB} --input {lines} --output {folder} --deduplicate exact")
    return folder


def test_json_lines_become_headlines(dataset):
    found = {r["document_id"]: r for r in rows(dataset)}
    assert {key: r["targets"] for key, r in found.items()} == {
        "a": "Storm hits coast of Maine",
        "b": "Twelve countries sign treaty on Arctic fishing",
    }
    assert found["a"]["inputs"] == STORM.replace("\n\n", "\n") and found["a"]["title"] == LINES[0]["head"]
    assert all(list(r) == [c.name for c in COLUMNS] for r in found.values())
    reasons = ("TITLE_ASKS", "TITLE_UNSURE", "NO_TITLE", "EXACT_DUPLICATE")
    assert manifest(dataset)["counts"]["documents/rejected"] == dict.fromkeys(reasons, 1)


def test_the_figures_stand_in_the_report(dataset):
    figures = stats(dataset)["figures"]
    assert next((r["measure"], r["here"], r["paper"]) for r in figures["paper"]) == ("mean title words", 6.0, 8.3)
    assert sum(r["rows"] for r in figures["title_overlap"]) == sum(r["rows"] for r in figures["compression"]) == 2
    report = (dataset / "report.html").read_text(encoding="utf-8")
    assert "Beside Gigaword" in report and "sums/kept" not in report


@pytest.mark.slow
def test_options_reach_the_recipe_and_every_step_is_there(lines, tmp_path):
    (tmp_path / "test.txt").write_text(TREATY.split("\n")[0], encoding="utf-8")
    options = f"--input-sentences 1 --min-title-overlap 0.1 --decontaminate {tmp_path}/test.txt"
    make(f"{JSONL_JOB} --input {lines} --output {tmp_path}/out {options}")
    first = "A storm with winds of 90 miles an hour reached the coast of Maine on Monday night."
    assert [(r["inputs"], r["targets"]) for r in rows(tmp_path / "out")] == [(first, "Storm hits coast of Maine")]
    assert manifest(tmp_path / "out")["counts"]["documents/rejected"]["CONTAMINATED"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_of_news(tmp_path, crawl):
    done = make(f"{NEWS_JOB} --input {crawl.path} --output {tmp_path}/out")
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
