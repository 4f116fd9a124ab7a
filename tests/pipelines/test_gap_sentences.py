"""``gistmill gap-sentences`` by the real command."""

import pytest

from gistmill.rules.gap_sentences import COLUMNS
from tests.commands import make, manifest, rows, write_jsonl
from tests.dumps import small_pages

JOB = "gap-sentences --config gap-sentences --splits 60,20,20"


@pytest.fixture(scope="module")
def dataset(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "gaps"
    make(f"{JOB} --input {dump} --output {folder}")
    return folder


def test_inputs_and_targets_together_are_the_document(dataset):
    counts = manifest(dataset)["counts"]
    found = rows(dataset)
    assert counts["documents"]["read"] == len(small_pages())
    assert counts["documents"]["read"] == counts["documents"]["used"] + sum(counts["documents/rejected"].values())
    assert len(found) == counts["documents"]["used"] > 3
    for row in found:
        assert list(row) == [c.name for c in COLUMNS]
        assert row["inputs"].count("[MASK1]") == len(row["masked"]) and {*row["masked"]} <= {*row["selected"]}
        assert len(row["selected"]) == max(1, int(0.45 * row["sentences"] + 1e-9))
        assert row["target_words"] == len(row["targets"].split()) and row["target_words"] <= 512
    masked, selected = (sum(len(r[k]) for r in found) for k in ("masked", "selected"))
    assert 0.65 < masked / selected < 0.95  # 0.8 on average


def test_options_reach_the_recipe(tmp_path):
    text = "One thing is here. Two things are there. A third one is away. Nobody knows it."
    source = write_jsonl(tmp_path / "in.jsonl", [{"id": f"d{i}", "text": text} for i in range(3)])
    options = "--selection lead --gap-ratio 0.5 --left-ratio 0 --mask-token <mask_1> --salt 'with space'"
    make(f"gap-sentences --source jsonl --input {source} --output {tmp_path}/out {options} --deduplicate none")
    assert [(r["inputs"], r["targets"]) for r in rows(tmp_path / "out")] == [
        ("<mask_1> <mask_1> A third one is away. Nobody knows it.", "One thing is here. Two things are there.")
    ] * 3
