"""The section own-recipe of the page: a small package, installed beside Gistmill, makes a job without a change of the tree."""

import json

import pytest

from gistmill import Dataset


@pytest.fixture
def installed(tree):
    """A tree beside which the package of the page is installed."""
    example = tree.add("own-recipe")
    assert all(edit.line is None and edit.path.startswith("titles/") for edit in example.edits)
    tree.commands = example.commands
    return tree


@pytest.mark.slow
def test_a_package_makes_a_job_and_the_class_builds_from_python(installed):
    installed.shell(installed.commands)
    dataset = Dataset(installed.root / "titles-en")
    rows = {row["document_id"]: row for row in dataset}
    assert rows["otters"]["targets"] == "Otters" and rows["otters"]["inputs"].startswith("Otters live along the rivers")
    assert dataset.manifest.recipe == "titles" and dataset.stats.counts["documents/rejected"] == {
        "TEXT_OF_FEW_WORDS": 1
    }
    assert len(dataset.manifest.versions["recipe_sha256"]) == 64
    assert "the text has too few words" in (installed.root / "titles-en/report.html").read_text(encoding="utf-8")
    overview, shown, bad = installed.several(["--help"], ["titles", "--help"], ["titles", "--min-text-words", "0"])
    assert "  titles " in overview[1] and "build a corpus of texts and their titles" in overview[1]
    assert "--min-text-words N" in shown[1] and "--workers" in shown[1]
    assert bad[0] == 2 and "--min-text-words: expected a whole number of at least 1, not '0'" in bad[2]
    code = (
        "import gistmill, json\nfrom gistmill_titles import Titles\n"
        "made = gistmill.build(Titles, source='jsonl', input='texts.jsonl', output='two', workers=2, splits=(1, 0, 0))\n"
        "print(json.dumps([gistmill.recipes.Titles is Titles, list(made)]))"
    )
    same, again = json.loads(installed.python(code))
    assert same and again == list(dataset)


@pytest.mark.long
def test_a_package_that_is_broken_says_so_and_stops_no_other_job(installed):
    module = installed.root / "titles/gistmill_titles.py"
    module.write_text("import nothing_of_this_name\n")
    installed.shell("pip install ./titles")
    code, out, err = installed.several(["titles", "--output", "x"])[0]
    assert (code, out) == (2, "") and err == (
        "gistmill: the recipe gistmill_titles:Titles of the package gistmill-titles cannot be used: No module named "
        "'nothing_of_this_name'\n"
    )
    said = installed.python(
        "import gistmill\ntry: gistmill.build('titles')\nexcept gistmill.ConfigError as error: print(error)"
    )
    assert "of the package gistmill-titles cannot be used" in said
    installed.shell("gistmill articles --source jsonl --input texts.jsonl --output other")
