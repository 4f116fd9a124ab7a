"""The section step of the page: an optional stage, offered by the jobs that it serves."""

import gzip
import json

import pytest

from gistmill import Dataset

pytestmark = pytest.mark.slow


def test_a_step_is_a_class_and_an_entry(tree):
    example = tree.add("step")
    assert {e.path for e in example.edits if e.line is not None} == {"transforms/steps/registry.py"}
    tree.shell(example.commands)
    dataset = Dataset(tree.root / "gaps")
    assert dataset.stats.counts["documents/rejected"] == {"REPETITION": 1, "TOO_FEW_SENTENCES": 1}
    with gzip.open(next((tree.root / "gaps/rejects").iterdir()), "rt", encoding="utf-8") as lines:
        rejects = {r["reason"]: (r["id"], r["stage"], r["detail"]) for r in map(json.loads, lines)}
    assert rejects["REPETITION"] == ("chorus", "repetition", "3 of 5 sentences")
    report = (tree.root / "gaps/report.html").read_text(encoding="utf-8")
    assert "REPETITION" in report and "too many sentences occurred before in the document" in report
    job = ["--source", "jsonl", "--input", "texts.jsonl"]
    served, unserved, refused, without, (_, page, _) = tree.several(
        ["lead-bias", "--help"],
        ["discofuse", "--help"],
        ["discofuse", *job, "--output", "fused", "--max-repetition", "0.3"],
        ["gap-sentences", *job, "--output", "without"],
        ["-m", "docs.reference"],
    )
    assert "--max-repetition RATIO" in served[1] and "repetition" not in unserved[1]
    assert refused[0] == 2 and "unknown option --max-repetition" in refused[2]
    assert without[0] == 0
    assert Dataset(tree.root / "without").stats.counts["documents/rejected"] == {"TOO_FEW_SENTENCES": 1}
    assert "- `REPETITION`\\\n  too many sentences occurred before in the document\n" in page
    lines = page.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("- `--max-repetition` ")]
    assert "*(jobs lead-bias, " in lines[at + 1] and "discofuse" not in lines[at + 1]
