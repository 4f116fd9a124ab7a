"""Documents become sentences of plain text, by the rules or by the parser, and keep all else."""

from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing import test_pipeline
from apache_beam.testing.util import assert_that, equal_to

from gistmill.core.records import Metadata, Origin, Outcome, RangeEnd
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, RawDocument, Section, TextSentence
from gistmill.rules.segmentation import segment_annotated, segment_clean, segmented
from gistmill.transforms.beam.transforms import ForTypes
from gistmill.transforms.steps.base import TEXTS
from gistmill.transforms.steps.segment import SegmentationConfig
from tests.testing import document as annotated
from tests.testing import parsed

PLACE: dict[str, Any] = {
    "file": "a.warc.gz",
    "offset": 7,
    "range_key": "r0",
    "metadata": Metadata(url="https://a.example/1"),
}
ORIGIN = Origin("news-1", "warc", "Title", "9", "2020-01-01T00:00:00Z", **PLACE)
FIRST = Section("", 1, ("Dr. Roe came. She left.", "A headline"))
CLEAN = CleanDocument(ORIGIN, (FIRST, Section("Empty", 2, ()), Section("More", 2, ("End.", ""))))
CAME = parsed("Roe|NNP|nsubj|2 came|VBD|ROOT|0 .|.|punct|2", section=1, paragraph=3)


def test_clean_documents_by_the_rules():
    made = segment_clean(CLEAN)
    assert made.sentences == (
        TextSentence("Dr. Roe came.", 0, 0),
        TextSentence("She left.", 0, 0),
        TextSentence("A headline", 0, 1),
        TextSentence("End.", 2, 2),
    )
    assert made.section_titles == ("", "Empty", "More")


def test_a_tokenised_document_is_split_at_its_marks_as_a_whole():
    texts = ("`` is it ? '' he asked , and left .", "the u.s. won . they did .", "this paragraph is attached. too.")
    made = segment_clean(CleanDocument(ORIGIN, (Section("", 1, texts[:2]), Section("b", 2, texts[2:]))))
    assert made.sentences == (
        TextSentence("`` is it ? ''", 0, 0),
        TextSentence("he asked , and left .", 0, 0),
        TextSentence("the u.s. won .", 0, 1),
        TextSentence("they did .", 0, 1),
        TextSentence("this paragraph is attached. too.", 1, 2),
    )


def test_annotated_documents_keep_their_sentences():
    made = segment_annotated(annotated([CAME]))
    assert made.sentences == (TextSentence("Roe came.", 1, 3),)


def test_lineage_stays():
    assert segment_clean(CLEAN).origin == ORIGIN
    assert segment_annotated(AnnotatedDocument(ORIGIN, (CAME,), section_titles=("", "a"))).origin == ORIGIN


def test_other_elements_pass():
    others = [
        RawDocument(ORIGIN, "x", "plain"),
        ORIGIN.reject(CleanReason.NO_PROSE, "clean"),
        RangeEnd("r0", 2),
        Outcome(ORIGIN),
        segment_clean(CLEAN),
    ]
    with test_pipeline.TestPipeline() as pipeline:
        made = pipeline | beam.Create([*others, CLEAN, annotated([CAME])]) | beam.ParDo(ForTypes(TEXTS, segmented))
        assert_that(made, equal_to([*others, segment_clean(CLEAN), segment_annotated(annotated([CAME]))]))


def test_unknown_methods():
    with pytest.raises(ValueError, match="expected one of fast, parser"):
        SegmentationConfig(sentences="slow")
