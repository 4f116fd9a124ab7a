"""Documents become sentences of plain text, by the rules or by the parser, and keep all else."""
import dataclasses

import apache_beam as beam
import pytest
from apache_beam.testing import test_pipeline
from apache_beam.testing.util import assert_that, equal_to

from rules.records import (
    AnnotatedDocument, CleanDocument, Metadata, Outcome, RangeEnd, RawDocument, Reject, Section, SegmentedDocument, TextSentence,
)
from rules.verdict import Reason
from tests.testing import document as annotated
from tests.testing import parsed
from transforms.segment import SegmentationConfig, SegmentDocuments, segment_annotated, segment_clean

LINEAGE = {"revision": "9", "timestamp": "2020-01-01T00:00:00Z", "file": "a.warc.gz", "offset": 7, "range_key": "r0",
           "metadata": Metadata(url="https://a.example/1")}
CLEAN = CleanDocument("news-1", "warc", "Title", (
    Section("", 1, ("Dr. Roe came. She left.", "A headline")), Section("Empty", 2, ()), Section("More", 2, ("End.", ""))), **LINEAGE)
CAME = parsed("Roe|NNP|nsubj|2 came|VBD|ROOT|0 .|.|punct|2", section=1, paragraph=3)


def test_clean_documents_by_the_rules():
    made = segment_clean(CLEAN)
    assert made.sentences == (TextSentence("Dr. Roe came.", 0, 0), TextSentence("She left.", 0, 0),
                              TextSentence("A headline", 0, 1), TextSentence("End.", 2, 2))
    assert made.section_titles == ("", "Empty", "More")


def test_annotated_documents_keep_their_sentences():
    made = segment_annotated(annotated([CAME]))
    assert made.sentences == (TextSentence("Roe came.", 1, 3),)


@pytest.mark.parametrize(("segment", "source"), [
    (segment_clean, CLEAN),
    (segment_annotated, AnnotatedDocument("news-1", "warc", "Title", (CAME,), section_titles=("", "a"), **LINEAGE)),
])
def test_nothing_of_the_document_gets_lost(segment, source):
    made = segment(source)
    assert made.id == "news-1" and made.source == "warc" and made.title == "Title"
    assert {k: getattr(made, k) for k in LINEAGE} == LINEAGE
    own = {f.name for f in dataclasses.fields(SegmentedDocument)}
    assert own - {"sentences", "section_titles", "id", "source", "title"} == set(LINEAGE)


def test_other_elements_pass():
    others = [RawDocument("d", "s", "t", "x", "plain"), Reject("d", Reason.NO_PROSE, "clean"), RangeEnd("r0", 2),
              Outcome("d", "r0"), segment_clean(CLEAN)]
    with test_pipeline.TestPipeline() as pipeline:
        made = pipeline | beam.Create([*others, CLEAN, annotated([CAME])]) | SegmentDocuments(SegmentationConfig())
        assert_that(made, equal_to([*others, segment_clean(CLEAN), segment_annotated(annotated([CAME]))]))


def test_with_the_parsers_sentences_documents_come_annotated():
    stage = SegmentDocuments(SegmentationConfig(method="parser"))
    assert list(stage._segment(annotated([CAME]))) == [segment_annotated(annotated([CAME]))]
    with pytest.raises(TypeError, match="news-1 was not annotated"):
        list(stage._segment(CLEAN))


def test_unknown_methods():
    with pytest.raises(ValueError, match="'slow' is not one of fast, parser"):
        SegmentationConfig(method="slow")
