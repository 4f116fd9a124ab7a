"""``gistmill articles`` by the real command, on Wikipedia, a crawl of news, JSON lines, annotations, and other languages."""

import bz2
import json
import shlex
import subprocess
import sys
from importlib.metadata import version

import pytest

from gistmill.pipelines.cli import main
from gistmill.published.dataset import Dataset
from gistmill.published.tfrecord import rows as tfrecord_rows
from gistmill.rules.articles import COLUMNS, laid_out
from gistmill.rules.documents import CleanDocument
from gistmill.rules.text.words import words_for
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import read_range
from gistmill.transforms.steps.clean import Cleaner
from tests.commands import data_checksums, make, manifest, rows
from tests.dumps import export, small_pages
from tests.pipelines.rebuild.corpora import rebuilt, write_corpus, write_texts
from tests.samples import CRAWLS
from tests.transforms.sources.wikipedia.exports import ranges_of

FIRST = ["id", "url", "title", "text"]  # of wikimedia/wikipedia on the Hub
# A page of a wiki in another language, as its dump has it: names of namespaces, addresses, writing.
WIKI = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{code}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>{code}wiki</dbname>
    <base>https://{code}.wikipedia.org/wiki/{main}</base>
    <namespaces><namespace key="6" case="first-letter">{file}</namespace></namespaces>
  </siteinfo>
  <page>
    <title>{title}</title>
    <ns>0</ns>
    <id>41</id>
    <revision><id>77</id><timestamp>2026-09-02T01:02:03Z</timestamp><text>[[{file}:a.jpg|thumb|x]]
'''{title}''': {first}

== {heading} ==
{second}</text></revision>
  </page>
</mediawiki>
"""
LANGUAGES = (
    {
        "code": "de",
        "main": "Hauptseite",
        "file": "Datei",
        "title": "Fischotter",
        "first": "Der Fischotter ist ein [[Marder]], der schwimmt.",
        "heading": "Verbreitung",
        "second": "Er lebt an Flüssen in ganz Europa.",
    },
    {
        "code": "ar",
        "main": "الصفحة_الرئيسة",
        "file": "ملف",
        "title": "قضاعة",
        "first": "حيوان ثديي يعيش في [[نهر|الأنهار]] والبحيرات ويأكل السمك.",
        "heading": "الانتشار",
        "second": "تعيش القضاعة في أوروبا وآسيا وشمال أفريقيا.",
    },
    {
        "code": "ja",
        "main": "メインページ",
        "file": "ファイル",
        "title": "カワウソ",
        "first": "カワウソは[[川]]に住む動物である。魚を食べる。",
        "heading": "分布",
        "second": "ヨーロッパとアジアに広く住んでいる。",
    },
)


def cut(row):
    return [row["text"][s:e] for s, e in zip(row["section_starts"], row["section_ends"], strict=True)]


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "small.xml.bz2"
    path.write_bytes(bz2.compress(export(small_pages())))
    return path


@pytest.fixture(scope="module")
def dataset(dump):
    folder = dump.parent / "articles"
    make("articles", "--input", dump, "--output", folder)
    return folder


@pytest.fixture(scope="module")
def cleaned(dump):
    """The cleaned pages of the dump, by the ids of the pages."""
    config = WikipediaConfig()
    cleaner = Cleaner()
    read = [
        made for place in ranges_of(dump, dump.parent) for made in read_range(place, config) if hasattr(made, "markup")
    ]
    found = [document for document in map(cleaner.clean, read) if isinstance(document, CleanDocument)]
    cleaner.close()
    return {document.id.removeprefix("wikipedia-"): document for document in found}


def test_each_page_of_prose_is_a_row_with_all_its_paragraphs(dataset, cleaned):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    found = rows(dataset)
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
    assert Dataset(dataset).validate() == []


def test_the_columns_and_values_of_the_dataset_on_the_hub_come_first(dataset):
    found = rows(dataset)
    assert list(found[0]) == [column.name for column in COLUMNS] and list(found[0])[:4] == FIRST
    for row in found:
        assert row["id"].isdecimal() and row["document_id"] == f"wikipedia-{row['id']}"
        assert row["url"] == "https://en.wikipedia.org/wiki/" + row["title"].replace(" ", "_").replace("é", "%C3%A9")
        assert row["revision"].isdecimal() and "2010" < row["date"] < "2017" and row["language"] == "en"


@pytest.mark.slow
def test_all_rows_are_in_train_unless_splits_are_asked_for(dump, dataset, tmp_path):
    assert {path.name.partition("-")[0] for path in (dataset / "default").rglob("*.*")} == {"train"}
    make("articles", "--input", dump, "--output", tmp_path / "out", "--splits", "50,25,25", "--formats", "parquet")
    by_split = manifest(tmp_path / "out")["counts"]["rows/default"]
    assert sum(by_split.values()) == len(rows(dataset)) and len(by_split) > 1


@pytest.mark.slow
def test_two_workers_give_the_same_bytes_and_datasets_reads_them(dump, dataset, tmp_path):
    import datasets

    make("articles", "--input", dump, "--output", tmp_path / "two", "--workers", "2")
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)
    loaded = datasets.load_dataset(str(dataset), cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["train"] and loaded["train"].column_names[:4] == FIRST
    files = str(dataset / "default/parquet/*.parquet")
    plain = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    assert plain.to_list() == loaded["train"].to_list() == rows(dataset)
    assert all(plain.features[name].dtype == "string" for name in FIRST)


def test_tfrecord_has_the_same_rows(dataset):
    (shard,) = (dataset / "default/tfrecord").iterdir()
    with shard.open("rb") as file:
        assert list(tfrecord_rows(file, COLUMNS)) == rows(dataset)


@pytest.mark.slow
def test_headings_stand_in_the_text_by_an_option(dump, cleaned, tmp_path):
    make("articles", "--input", dump, "--output", tmp_path / "out", "--headings", "--formats", "parquet")
    for row in rows(tmp_path / "out"):
        sections = cleaned[row["id"]].sections
        assert row["text"] == laid_out(sections, headings=True).text
        assert cut(row) == ["\n".join(section.paragraphs) for section in sections]
    assert any(
        row["section_titles"][1:] and row["section_titles"][1] in row["text"].split("\n")
        for row in rows(tmp_path / "out")
    )


@pytest.mark.parametrize("crawl", CRAWLS)
def test_news_is_read_from_a_crawl(crawl, tmp_path):
    make("articles", "--source", "warc", "--input", crawl.path, "--output", tmp_path / "out", "--formats", "parquet")
    found = rows(tmp_path / "out")
    assert 0.8 * crawl.stories <= len(found) <= crawl.stories
    for row in found:
        assert row["id"] == row["document_id"] and row["id"].startswith("news-")
        assert row["url"].startswith("http") and row["language"] == "en" and row["revision"] == ""
        assert row["date"] == "" or len(row["date"]) == len("2019-01-01")
        assert cut(row) == [row["text"]] and row["paragraphs"] == len(row["text"].split("\n"))


def test_texts_are_read_from_json_lines_in_any_language_and_length(tmp_path):
    lines = [
        {
            "id": "a",
            "title": "Otter",
            "url": "https://example.org/a",
            "date": "2020-01-02T03:04:05Z",
            "text": "It swims. It eats.",
        },
        {
            "id": "b",
            "text": "Der Otter schwimmt im Fluss und frisst am liebsten Fische, die er selbst gefangen hat." * 3,
        },
        {"id": "c", "text": ""},
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    given = ("articles", "--source", "jsonl", "--input", tmp_path / "in.jsonl", "--languages", "any")
    make(*given, "--output", tmp_path / "all")
    first, second = rows(tmp_path / "all")
    assert (first["id"], first["url"], first["title"], first["text"]) == (
        "a",
        "https://example.org/a",
        "Otter",
        "It swims. It eats.",
    )
    assert (first["date"], second["date"], second["language"]) == ("2020-01-02", "", "de")
    make(*given, "--output", tmp_path / "long", "--min-characters", "100")
    assert [row["id"] for row in rows(tmp_path / "long")] == ["b"]
    assert manifest(tmp_path / "long")["counts"]["documents/rejected"] == {"EMPTY_PAGE": 1, "TEXT_TOO_SHORT": 1}


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, id=p["code"], marks=() if p["code"] == "ar" else pytest.mark.slow) for p in LANGUAGES],
)
def test_a_dump_of_another_language_gives_its_text(page, tmp_path):
    (tmp_path / "wiki.xml").write_text(WIKI.format(**page), encoding="utf-8")
    make("articles", "--input", tmp_path / "wiki.xml", "--output", tmp_path / "out", "--formats", "parquet")
    (row,) = rows(tmp_path / "out")
    assert (row["id"], row["title"], row["revision"], row["date"]) == ("41", page["title"], "77", "2026-09-02")
    assert row["language"] == page["code"] and row["url"].startswith(
        f"https://{page['code']}.wikipedia.org/wiki/%"
        if page["code"] != "de"
        else "https://de.wikipedia.org/wiki/Fischotter"
    )
    assert row["section_titles"] == ["", page["heading"]] and cut(row)[1] == page["second"]
    assert row["text"].startswith(f"{page['title']}: ") and page["file"] not in row["text"]
    assert row["words"] == words_for(page["code"]).count(row["text"])
    assert manifest(tmp_path / "out")["counts"]["words"] == {f"{page['code']}, icu4py {version('icu4py')}": 1}


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
    words = [
        sys.executable,
        "-c",
        NO_MODEL,
        job,
        "--input",
        str(dump),
        "--output",
        str(tmp_path / "out"),
        "--limit",
        "9",
    ]
    done = subprocess.run([*words, "--allow-empty"], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert code or manifest(tmp_path / "out")["models"] == []


@pytest.mark.slow
def test_annotations_give_the_same_text_without_the_levels_of_sections(dump, dataset, tmp_path):
    make("annotate", "--input", dump, "--output", tmp_path / "annotated", "--coref", "none")
    make("articles", "--source", "annotated", "--input", tmp_path / "annotated", "--output", tmp_path / "out")
    from_dump, again = rows(dataset), rows(tmp_path / "out")
    assert [{**row, "section_levels": []} for row in again] == [{**row, "section_levels": []} for row in from_dump]
    for row in again:
        assert row["section_levels"] == [0 if title else 1 for title in row["section_titles"]]
    found = make("trace", dataset, again[0]["id"], "--input", tmp_path / "annotated").stdout
    assert "the row is made with other values of section_levels" in found or len(again[0]["section_titles"]) == 1


def test_a_row_is_traced_to_its_page_and_found_by_a_sentence(dump, dataset, tmp_path):
    row = rows(dataset)[0]
    traced = make("trace", dataset, row["id"], "--input", dump).stdout
    assert f"revision   {row['revision']}" in traced and "the row is made again with the same values" in traced
    assert f"\n  {row['id']}\n" in make("trace", dataset, "--document", row["document_id"]).stdout
    sentence = row["text"].split("\n")[-1].split(". ")[0] + "."
    why = json.loads(make("why", dataset, shlex.quote(sentence), "--index", tmp_path / "index", "--json").stdout)
    assert row["document_id"] in json.dumps(why)


def test_the_report_shows_texts(dataset):
    report = (dataset / "report.html").read_text(encoding="utf-8")
    assert "<h4>text</h4>" in report and "<h4>inputs</h4>" not in report
    assert any(row["text"][:60] in report for row in rows(dataset))


@pytest.mark.slow
@pytest.mark.parametrize("annotated", [False, True])
def test_a_corpus_lists_the_recipe_and_is_not_made_again_unchanged(annotated, tmp_path):
    write_texts(tmp_path / "texts.jsonl", 4)
    write_corpus(tmp_path, recipes={"text": {"recipe": "articles", "annotated": annotated}})
    assert rebuilt(tmp_path)[0] == 0
    assert rebuilt(tmp_path)[0] == 3
    found = rows(tmp_path / "corpus/latest/text")
    assert [row["id"] for row in found] == ["o0", "o1", "o2", "o3"] and all(row["paragraphs"] == 2 for row in found)


def test_wrong_options_are_one_line(capsys, tmp_path):
    for arguments, said in [
        (("--min-characters", "0"), "--min-characters: expected a whole number of at least 1"),
        (("--min-characters", "x"), "--min-characters"),
        (("--sentences", "parser"), "--sentences"),
        (("--spacy-model", "en_core_web_sm"), "--spacy-model"),
        (("--splits", "1,0"), "--splits"),
    ]:
        assert main(["articles", "--input", "x.xml.bz2", "--output", str(tmp_path / "out"), *arguments]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
