"""``gistmill lead-bias`` by the real command, on the slice of Wikipedia and on a crawl of news."""

import itertools
import json
import re
from pathlib import Path

import pytest

from benchmarks.slice import slice_path
from gistmill.pipelines.cli import main
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.rules.lead_bias import COLUMNS, LeadBias, LeadBiasConfig
from gistmill.rules.text.content_words import STOP_WORDS
from gistmill.transforms.sources.files.ranges import FileRange, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import plan_files, read_range
from gistmill.transforms.steps.clean import Cleaner
from gistmill.transforms.steps.segment import segment_clean
from tests.commands import call, data_checksums, make, manifest, rows
from tests.dumps import small_pages, write_small
from tests.samples import CRAWLS

CORPORA = Path(__file__).parents[2] / "corpora"
WIDE = (
    "--min-lead-words",
    "1",
    "--max-rest-words",
    "100000",
    "--min-rest-words",
    "20",
    "--min-overlap",
    "0.3",
    "--splits",
    "60,20,20",
)


def lead_bias(source, output, *more):
    return make("lead-bias", "--input", source, "--output", output, *more)


def stats(folder):
    return json.loads((folder / "stats.json").read_text(encoding="utf-8"))


def fails_naively(row, *, lead, rest, bounds):
    """The filters of the paper in plain words, on a row's own text; the number of sentences is the row's."""
    content = [w for w in re.findall(r"[^\W_]+", lead.lower()) if w not in STOP_WORDS]
    present = set(re.findall(r"[^\W_]+", rest.lower()))
    ratio = sum(w in present for w in content) / len(content)
    assert row["overlap_ratio"] == ratio
    assert (row["lead_words"], row["rest_words"]) == (len(lead.split()), len(rest.split()))
    least_lead, most_lead, least_rest, most_rest, sentences, overlap = bounds
    return not (
        least_lead <= len(lead.split()) <= most_lead
        and least_rest <= len(rest.split()) <= most_rest
        and row["lead_sentences"] + row["rest_sentences"] >= sentences
        and ratio >= overlap
    )


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return write_small(tmp_path_factory.mktemp("dump") / "small.xml.bz2")


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "leads"
    lead_bias(dump, folder, *WIDE, "--formats", "parquet,tfrecord,tsv")
    return folder


def test_every_page_is_accounted_for_and_every_kept_row_passes_the_filters(dataset):
    counts = manifest(dataset)["counts"]
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    found = rows(dataset)
    assert len(found) == counts["documents"]["used"] > 3
    for row in found:
        assert list(row) == [c.name for c in COLUMNS]
        assert not fails_naively(row, lead=row["targets"], rest=row["inputs"], bounds=(1, 150, 20, 100_000, 6, 0.3))
        assert "\n" not in row["targets"] and row["lead_sentences"] == 3
        assert row["title"] and row["revision"] and row["file"] == "small.xml.bz2"


def test_the_pipeline_is_the_plain_functions(dump, dataset, tmp_path):
    recipe = LeadBias(LeadBiasConfig(min_lead_words=1, min_rest_words=20, max_rest_words=100_000, min_overlap=0.3))
    cleaner, config, made = Cleaner(), WikipediaConfig(), {}
    for piece in plan_files(expand_inputs(str(dump)), workspace=str(tmp_path), config=config):
        for element in read_range(piece, config) if isinstance(piece, FileRange) else ():
            clean = cleaner.clean(element) if isinstance(element, RawDocument) else element
            if isinstance(clean, CleanDocument):
                made |= {r.id: dict(r.values) for r in recipe.process(segment_clean(clean)).rows}
    cleaner.close()
    assert made == {r["id"]: r for r in rows(dataset)}


def test_the_figures_are_those_of_the_rows(dataset):
    found, figures = rows(dataset), stats(dataset)["figures"]
    here = {r["measure"]: r["here"] for r in figures["paper"]}
    assert here["mean words of the lead"] == pytest.approx(sum(r["lead_words"] for r in found) / len(found), abs=1e-5)
    assert here["mean words of the rest"] == pytest.approx(sum(r["rest_words"] for r in found) / len(found), abs=1e-5)
    assert sum(r["after"] for r in figures["overlap"]) == len(found)
    for row in figures["overlap"]:
        inside = [r for r in found if float(row["from"]) <= r["overlap_ratio"] < float(row["from"]) + 0.05]
        assert row["after"] == len(inside) or row["from"] == "0.95"
    filters = figures["filters"]
    assert filters[0]["reach it"] == sum(f["fall at it"] for f in filters) + len(found)
    for one, following in itertools.pairwise(filters):
        assert one["reach it"] - one["fall at it"] == following["reach it"]
        assert one["fail it"] >= one["fall at it"]
    rejected = manifest(dataset)["counts"]["documents/rejected"]
    assert {f["filter"]: f["fall at it"] for f in filters if f["fall at it"]} == {
        k: n for k, n in rejected.items() if k in {f["filter"] for f in filters}
    }
    report = (dataset / "report.html").read_text(encoding="utf-8")
    assert "Beside the paper" in report and "Overlap by position" in report and "sums/all" not in report


@pytest.mark.slow
def test_other_recipes_have_no_figures(dump, tmp_path):
    make("annotate", "--input", dump, "--output", tmp_path / "annotated", "--coref", "none", "--limit", "30")
    assert "figures" not in stats(tmp_path / "annotated")
    # and what it wrote is an input like any other: its sentences are the parser's
    lead_bias(tmp_path / "annotated", tmp_path / "a", "--source", "annotated", *WIDE)
    lead_bias(dump, tmp_path / "b", "--sentences", "parser", "--limit", "30", *WIDE)
    assert rows(tmp_path / "a")
    assert [(r["targets"], r["inputs"]) for r in rows(tmp_path / "a")] == [
        (r["targets"], r["inputs"]) for r in rows(tmp_path / "b")
    ]


@pytest.mark.slow
def test_the_same_bytes_with_two_workers_and_datasets_reads_them(dump, dataset, tmp_path):
    import datasets

    lead_bias(dump, tmp_path / "two", *WIDE, "--formats", "parquet,tfrecord,tsv", "--workers", "2")
    assert data_checksums(tmp_path / "two") == data_checksums(dataset)
    loaded = datasets.load_dataset(str(dataset), cache_dir=str(tmp_path / "cache"))
    assert sum(len(split) for split in loaded.values()) == len(rows(dataset))


@pytest.mark.slow
def test_lead_sections_of_wikipedia(tmp_path):
    done = lead_bias(slice_path(), tmp_path / "out", "--config", CORPORA / "lead-bias-wikipedia.yaml", "--limit", "80")
    assert "80 documents read" in done.stdout
    for row in rows(tmp_path / "out"):
        assert not fails_naively(row, lead=row["targets"], rest=row["inputs"], bounds=(50, 400, 400, 10_000, 6, 0.65))


@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_of_news(tmp_path, crawl):
    done = lead_bias(crawl.path, tmp_path / "out", "--config", CORPORA / "lead-bias-news.yaml", "--splits", "80,10,10")
    assert f"{crawl.pages} documents read" in done.stdout
    counts = manifest(tmp_path / "out")["counts"]
    read, used = counts["documents"]["read"], counts["documents"]["used"]
    assert read == crawl.pages == used + sum(counts["documents/rejected"].values())
    found = rows(tmp_path / "out")
    assert found
    for row in found:
        assert not fails_naively(row, lead=row["targets"], rest=row["inputs"], bounds=(10, 150, 150, 1200, 6, 0.65))
        assert row["url"].startswith("http") and row["record"] and row["fetched"] and row["file"] == crawl.path.name


@pytest.mark.slow
@pytest.mark.parametrize("crawl", CRAWLS)
def test_a_crawl_by_two_workers(tmp_path, crawl):
    for workers in ("1", "2"):
        lead_bias(crawl.path, tmp_path / workers, "--config", CORPORA / "lead-bias-news.yaml", "--workers", workers)
    assert data_checksums(tmp_path / "1") == data_checksums(tmp_path / "2") != {}


def test_wrong_options_are_one_line(capsys, tmp_path):
    for arguments, said in [
        (("--lead", "sentence:3"), "--lead: expected sentences:N, paragraphs:N, lead-section or section:TITLE"),
        (("--min-overlap", "65"), "--min-overlap: expected a number from 0 to 1"),
        (("--min-lead-words", "200"), "min_lead_words: 200 is above max_lead_words, 150"),
        (("--sentences", "spacy"), "--sentences"),
        (("--min-overlp", "0.5"), "--min-overlap"),
    ]:
        assert main(["lead-bias", "--input", "x.xml.bz2", "--output", str(tmp_path / "out"), *arguments]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line


def test_help_has_the_options_of_the_job(capsys):
    with pytest.raises(SystemExit) as left:
        main(["lead-bias", "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert "--lead LEAD" in said and "--sentences METHOD" in said and "--coref" not in said


def test_the_configuration_reads_back(tmp_path):
    printed = call(
        "lead-bias --config", CORPORA / "lead-bias-wikipedia.yaml", "--input x.bz2 --output o --print-config"
    ).stdout
    (tmp_path / "c.yaml").write_text(printed, encoding="utf-8")
    assert call("lead-bias", "--config", tmp_path / "c.yaml", "--print-config").stdout == printed
    assert "lead: lead-section" in printed
