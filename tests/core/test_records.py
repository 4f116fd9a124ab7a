"""Lineage: one Origin for a document and for all that is made of it."""

import dataclasses
import pickle

import pytest

from gistmill.core.records import Metadata, Origin, Outcome, Reject
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, RawDocument, SegmentedDocument

PLACE = {"file": "dump.xml", "offset": 3, "range_key": "r0", "metadata": Metadata(url="https://example.org/a")}
ORIGIN = Origin("wikipedia-12", "wikipedia", "Title", "7", "2020-01-01T00:00:00Z", **PLACE)


def test_a_document_is_refused_as_a_whole_unless_said_otherwise():
    assert ORIGIN.reject(CleanReason.NO_PROSE, "clean") == Reject(
        ORIGIN, CleanReason.NO_PROSE, "clean", "", "document", -1
    )
    assert ORIGIN.reject(DiscoFuseReason.TOO_SHORT, "recipe", "2 words", unit="pair", index=4) == Reject(
        ORIGIN, DiscoFuseReason.TOO_SHORT, "recipe", detail="2 words", unit="pair", index=4
    )


@pytest.mark.parametrize(
    "made",
    [
        RawDocument(ORIGIN, "text", "plain"),
        CleanDocument(ORIGIN, ()),
        AnnotatedDocument(ORIGIN, ()),
        SegmentedDocument(ORIGIN, ()),
        ORIGIN.reject(CleanReason.NO_PROSE, "clean"),
        Outcome(ORIGIN),
    ],
)
def test_all_that_is_made_of_a_document_has_its_id_and_stays_as_it_is(made):
    assert made.id == "wikipedia-12"
    assert not hasattr(made, "__dict__")
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.origin = Origin("other", "wikipedia")
    assert dataclasses.replace(made, origin=dataclasses.replace(ORIGIN, title="Better")) != made


def test_an_outcome_takes_its_origin_to_another_process_once():
    refused = [ORIGIN.reject(DiscoFuseReason.TOO_SHORT, "recipe", unit="sentence", index=i) for i in range(3)]
    again = pickle.loads(pickle.dumps(Outcome(ORIGIN, rejects=tuple(refused))))
    assert again.origin == ORIGIN and all(r.origin is again.origin for r in again.rejects)
