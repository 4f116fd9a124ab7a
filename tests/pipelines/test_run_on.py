"""Texts without full stops, and the deadline, by the real command."""

import json

import pytest

from tests.commands import manifest, succeed

CLAUSE = "The council met on Monday and talked of the bridge, and"
PROSE = "The bridge was closed in May because the river had risen. The council opened it again, but few people came."


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    """Annotations of a page without full stops, and of one with. Not to be changed."""
    folder = tmp_path_factory.mktemp("run-on")
    texts = {"run-on": f"{CLAUSE} " * 360 + ", " + "," * 3000, "prose": PROSE}
    lines = [json.dumps({"id": name, "text": text}) for name, text in texts.items()]
    (folder / "texts.jsonl").write_text("\n".join(lines))
    options = ("--source", "jsonl", "--languages", "any", "--deduplicate", "none", "--splits", "1,0,0")
    succeed("annotate", "--input", folder / "texts.jsonl", "--output", folder / "annotated", *options)
    return folder / "annotated"


def made(annotated, folder, *options):
    job = ("discofuse", "--source", "annotated", "--input", annotated, "--output", folder, "--splits", "1,0,0")
    succeed(*job, *options)
    return manifest(folder)


@pytest.mark.slow
def test_a_page_without_full_stops_costs_no_other_page(annotated, tmp_path):
    counts = made(annotated, tmp_path / "rows")["counts"]
    assert counts["documents"] == {"read": 2, "used": 1} and counts["documents/rejected"] == {"NO_EXAMPLES": 1}
    assert counts["sentences/rejected"]["RUN_ON"] >= 1 and counts["pairs/rejected"]["RUN_ON"] >= 1
    assert counts["types/full"] == {"SINGLE_CONN_INNER": 1}


def test_the_deadline_holds_for_the_rules(annotated, tmp_path):
    found = made(annotated, tmp_path / "late", "--parse-deadline", "0.000000001", "--allow-empty")
    assert found["counts"]["documents/rejected"] == {"DEADLINE": 2}
    assert found["machine_dependent"] == {"documents/rejected/DEADLINE": 2}
    assert found["counts"]["rejects/recipe"] == {"document/DEADLINE": 2}
