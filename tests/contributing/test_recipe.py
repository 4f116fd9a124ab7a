"""The section recipe of the page: one file and one entry in the table make a job."""

import pytest

from gistmill import Dataset


@pytest.mark.slow
def test_a_recipe_is_a_class_and_an_entry(tree):
    example = tree.add("recipe")
    assert {e.path for e in example.edits if e.line is not None} == {"rules/recipes.py"}
    tree.shell(example.commands)
    dataset = Dataset(tree.root / "shuffled")
    rows = {row["document_id"]: row for row in dataset.rows("train")}
    assert sorted(rows) == ["bridge", "otters"] and dataset.manifest.recipe == "shuffled-sentences"
    for row in rows.values():
        assert row["inputs"] != row["targets"] and sorted(row["inputs"]) == sorted(row["targets"])
    rejected = {"REPEATED_SENTENCE": 1, "TOO_FEW_SENTENCES": 1}
    assert dataset.stats.counts["documents/rejected"] == rejected
    report = (tree.root / "shuffled/report.html").read_text(encoding="utf-8")
    assert "REPEATED_SENTENCE" in report and "a sentence occurs twice, so the order is ambiguous" in report
    overview, shown, bad, (_, page, _) = tree.several(
        ["--help"],
        ["shuffled-sentences", "--help"],
        ["shuffled-sentences", "--min-sentences", "1"],
        ["-m", "docs.reference"],
    )
    assert "  shuffled-sentences  build a corpus of shuffled sentences (BART)" in overview[1]
    assert "--min-sentences N" in shown[1] and "--workers" in shown[1]
    assert bad[0] == 2 and "--min-sentences: expected a whole number of at least 2, not '1'" in bad[2]
    assert "## `gistmill shuffled-sentences`" in page and "- `REPEATED_SENTENCE`\\\n" in page
    code = "import gistmill.recipes as r; r.ShuffledSentences(r.ShuffledSentencesConfig(min_sentences=2))"
    tree.python(code)
