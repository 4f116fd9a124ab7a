"""``gistmill lead-bias`` by the real command, on the slice of Wikipedia and on a crawl of news."""

import re

import pytest

from gistmill.rules.lead_bias import COLUMNS, LeadBias, LeadBiasConfig
from gistmill.rules.segmentation import segment_clean
from gistmill.rules.text.words import STOP_WORDS
from tests.commands import make, manifest, rows
from tests.dumps import small_pages
from tests.pipelines.plain import cleaned

WIDE = "lead-bias --min-lead-words 1 --max-rest-words 100000 --min-rest-words 20 --min-overlap 0.3 --splits 60,20,20"


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
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "leads"
    make(f"{WIDE} --input {dump} --output {folder} --formats parquet,tfrecord,tsv")
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
    made = {r.id: dict(r.values) for d in cleaned(dump, tmp_path) for r in recipe.process(segment_clean(d)).rows}
    assert made == {r["id"]: r for r in rows(dataset)}


@pytest.mark.slow
def test_annotations_are_an_input_and_their_sentences_the_parsers(dump, tmp_path):
    make(f"annotate --input {dump} --output {tmp_path}/annotated --coref none --limit 30")
    make(f"{WIDE} --source annotated --input {tmp_path}/annotated --output {tmp_path}/a")
    make(f"{WIDE} --sentences parser --limit 30 --input {dump} --output {tmp_path}/b")
    a, b = ([(r["targets"], r["inputs"]) for r in rows(tmp_path / name)] for name in "ab")
    assert a == b != []
