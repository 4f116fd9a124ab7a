"""Lineage: one Origin for a document and for all that is made of it; and verdicts."""

import dataclasses
import pickle
from collections import Counter
from typing import Any

import pytest

from gistmill.core.records import ACCEPTED, Metadata, Origin, Outcome, Reject, Verdict
from gistmill.pipelines.job import shared_reasons
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.documents import (
    AnnotatedDocument,
    CleanDocument,
    CleanReason,
    RawDocument,
    ReadReason,
    SegmentedDocument,
    meanings,
)
from gistmill.rules.recipes import RECIPES

PLACE: dict[str, Any] = {
    "file": "dump.xml",
    "offset": 3,
    "range_key": "r0",
    "metadata": Metadata(url="https://example.org/a"),
}
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


def test_accepted_and_rejected():
    assert ACCEPTED.accepted
    assert not Verdict(DiscoFuseReason.TOO_SHORT, "3 tokens").accepted


def test_a_verdict_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(ACCEPTED)


def test_every_reason_says_something_of_its_own():
    kinds = {*shared_reasons(), *(kind for recipe in RECIPES.values() for kind in recipe.REASONS)}
    names = Counter(reason.name for kind in kinds for reason in kind)
    texts = Counter(reason.value for kind in kinds for reason in kind)
    assert len(names) > 50 and set(names.values()) == set(texts.values()) == {1}


def test_what_reasons_mean():
    assert meanings(ReadReason)["REDIRECT"] == "the page is a redirect"
    assert "REDIRECT" not in meanings(DiscoFuseReason)
