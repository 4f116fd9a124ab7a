"""``gistmill articles`` by the real command, on Wikipedia, a crawl of news, JSON lines, annotations, and other languages."""

import shlex
import subprocess
import sys

import pytest

from gistmill.core.tf_example import rows_of
from gistmill.published.dataset import Dataset
from gistmill.rules.articles import COLUMNS, laid_out
from tests.commands import make, manifest, rows, write_jsonl
from tests.dumps import small_pages
from tests.pipelines import plain

FIRST = ["id", "url", "title", "text"]  # of wikimedia/wikipedia on the Hub


def cut(row):
    return [row["text"][s:e] for s, e in zip(row["section_starts"], row["section_ends"], strict=True)]


@pytest.fixture(scope="module")
def cleaned(dump, tmp_path_factory):
    """The cleaned pages of the dump, by the ids of the pages."""
    pages = plain.cleaned(dump, tmp_path_factory.mktemp("workspace"))
    return {document.id.removeprefix("wikipedia-"): document for document in pages}


def test_each_page_of_prose_is_a_row_with_all_its_paragraphs(articles, cleaned):
    counts = manifest(articles)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    found = rows(articles)
    assert [row["id"] for row in found] == sorted(cleaned) and len(found) > 5
    for row in found:
        sections = cleaned[row["id"]].sections
        assert row["text"].split("\n") == [text for section in sections for text in section.paragraphs]
        assert cut(row) == ["\n".join(section.paragraphs) for section in sections]
        assert row["section_titles"] == [section.title for section in sections]
        assert row["section_levels"] == [section.level for section in sections]
    totals = {name: sum(row[name] for row in found) for name in ("characters", "words", "sentences", "paragraphs")}
    assert counts["text"] == totals
    assert "words" not in counts  # of English no other splitter is named
    assert Dataset(articles).validate() == []
    assert {path.name.partition("-")[0] for path in (articles / "default").rglob("*.*")} == {"train"}


def test_the_columns_and_values_of_the_dataset_on_the_hub_come_first(articles):
    found = rows(articles)
    assert list(found[0]) == [column.name for column in COLUMNS] and list(found[0])[:4] == FIRST
    for row in found:
        assert row["id"].isdecimal() and row["document_id"] == f"wikipedia-{row['id']}"
        assert row["url"] == "https://en.wikipedia.org/wiki/" + row["title"].replace(" ", "_").replace("é", "%C3%A9")
        assert row["revision"].isdecimal() and "2010" < row["date"] < "2017" and row["language"] == "en"
    (shard,) = (articles / "default/tfrecord").iterdir()
    assert list(rows_of([shard.read_bytes()], COLUMNS)) == found
    report = (articles / "report.html").read_text(encoding="utf-8")
    assert "<h4>text</h4>" in report and "<h4>inputs</h4>" not in report
    assert any(row["text"][:60] in report for row in found)


@pytest.mark.slow
def test_headings_and_splits_are_options(dump, cleaned, tmp_path):
    make(f"articles --input {dump} --output {tmp_path}/out --headings --formats parquet --splits 50,25,25")
    found = rows(tmp_path / "out")
    for row in found:
        sections = cleaned[row["id"]].sections
        assert row["text"] == laid_out(sections, headings=True).text
        assert cut(row) == ["\n".join(section.paragraphs) for section in sections]
    assert any(r["section_titles"][1:] and r["section_titles"][1] in r["text"].split("\n") for r in found)
    assert len(manifest(tmp_path / "out")["counts"]["rows/default"]) > 1


def test_texts_are_read_from_json_lines_in_any_language_and_length(tmp_path):
    german = "Der Otter schwimmt im Fluss und frisst am liebsten Fische, die er selbst gefangen hat." * 3
    first = {"id": "a", "title": "Otter", "url": "https://example.org/a", "text": "It swims. It eats."}
    lines = [{**first, "date": "2020-01-02T03:04:05Z"}, {"id": "b", "text": german}, {"id": "c", "text": ""}]
    source = write_jsonl(tmp_path / "in.jsonl", lines)
    make(f"articles --source jsonl --input {source} --languages any --output {tmp_path}/all")
    one, other = rows(tmp_path / "all")
    assert {name: one[name] for name in first} == first
    assert (one["date"], other["date"], other["language"]) == ("2020-01-02", "", "de")
    assert manifest(tmp_path / "all")["counts"]["documents/rejected"] == {"EMPTY_PAGE": 1}


NO_MODEL = """\
import sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, *more):
        return None if name.startswith("en_core_web") else self.finder.find_spec(name, *more)
    def __getattr__(self, name):
        return getattr(self.finder, name)
sys.meta_path[:] = map(Without, sys.meta_path)
from gistmill.pipelines.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("job", "code"), [("articles", 0), pytest.param("discofuse", 2, marks=pytest.mark.long)])
@pytest.mark.slow
def test_no_model_has_to_be_installed(job, code, dump, tmp_path):
    words = shlex.split(f"{job} --input {dump} --output {tmp_path}/out --limit 9 --allow-empty")
    done = subprocess.run([sys.executable, "-c", NO_MODEL, *words], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert code or manifest(tmp_path / "out")["models"] == []


@pytest.mark.slow
def test_annotations_give_the_same_text_without_the_levels_of_sections(dump, articles, tmp_path):
    make(f"annotate --input {dump} --output {tmp_path}/annotated --coref none")
    make(f"articles --source annotated --input {tmp_path}/annotated --output {tmp_path}/out")
    from_dump, again = rows(articles), rows(tmp_path / "out")
    assert [{**row, "section_levels": []} for row in again] == [{**row, "section_levels": []} for row in from_dump]
    for row in again:
        assert row["section_levels"] == [0 if title else 1 for title in row["section_titles"]]
    found = make("trace", articles, again[0]["id"], "--input", tmp_path / "annotated").stdout
    assert "again, but with different values of section_levels" in found or len(again[0]["section_titles"]) == 1
