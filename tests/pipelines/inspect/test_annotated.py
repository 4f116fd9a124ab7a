"""``gistmill trace`` and ``gistmill why`` where documents were annotated first."""

from __future__ import annotations

import json

import pytest

from gistmill.pipelines.inspect import trace_main, why_main
from tests.commands import succeed
from tests.pipelines.inspect.test_trace import check_read_again, rows_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def annotated(dump):
    folder = dump.parent / "annotated"
    succeed("annotate", "--input", dump, "--output", folder, "--coref", "none", "--splits", "60,20,20")
    return folder


def said(capsys, command, *arguments):
    assert command([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_row_is_made_again_of_annotations(fusion, annotated, capsys):
    for kind in ("PAIR_NONE", "SINGLE_S_COORD"):
        row = next(r for r in rows_of(fusion) if r["discourse_type"] == kind)
        found = said(capsys, trace_main, fusion, row["id"], "--input", annotated)
        assert found["read_again"]["differing_columns"] == []
        assert found["lineage"]["offset"] == found["read_again"]["offset"]
    check_read_again(found, row)


def test_a_dataset_of_annotations_is_traced_and_asked(annotated, capsys):
    row = rows_of(annotated, "default")[0]
    found = said(capsys, trace_main, annotated, row["id"])
    assert found["lineage"]["revision"] == row["revision"] and found["lineage"]["offset"] == row["offset"]
    sentence = " ".join(row["text"][: row["sentence_length"][0]])
    for subject, question in (("title", row["title"]), ("text", sentence)):
        answer = said(capsys, why_main, annotated, question)
        assert answer["subject"] == subject
        assert row["id"] in [document["document_id"] for document in answer["first"]]
