"""The section option of the page: one declaration, and every place that shows or takes an option has it."""

import filecmp
import json

import pytest
import yaml

from gistmill import Dataset
from tests.contributing.page import PACKAGES, ROOT

HELP = "most gap sentences of a document (default: any)"
_IN_PYTHON = """
import json, gistmill, gistmill.core.options
assert gistmill.__file__.startswith(ROOT), gistmill.__file__
Config = gistmill.recipes.GapSentencesConfig
try:
    Config(max_gaps=0)
except gistmill.core.options.OptionError as error:
    said = str(error)
built = gistmill.build("gap-sentences", source="jsonl", input="texts.jsonl", output="built", splits=(1, 0, 0), max_gaps=2)
gaps = [len(row["selected"]) for row in built.rows("train", columns=["selected"])]
print(json.dumps([Config(max_gaps="3").max_gaps, Config().max_gaps, said, gaps]))
"""


def changed(tree) -> list[str]:
    """The source files in which the copy differs from the tree."""
    files = [p.relative_to(ROOT) for package in PACKAGES for p in (ROOT / package).rglob("*.py")]
    return [str(p) for p in files if not filecmp.cmp(ROOT / p, tree.root / p, shallow=False)]


@pytest.mark.long
def test_an_option_is_declared_once(tree):
    example = tree.add("option")
    declarations = [e for e in example.edits if "option(" in e.text]
    assert len(declarations) == 1 and changed(tree) == ["rules/gap_sentences.py"]
    (tree.root / "job.yaml").write_text("max-gaps: 2\n", encoding="utf-8")
    (tree.root / "bad.yaml").write_text("max_gaps: none\n", encoding="utf-8")

    tree.shell(example.commands)
    rows = [*Dataset(tree.root / "gaps").rows("train")]
    assert rows and {len(row["selected"]) for row in rows} == {1}
    assert json.loads((tree.root / "gaps/manifest.json").read_text(encoding="utf-8"))["configuration"]["max_gaps"] == 1
    page = (tree.root / "docs/options.md").read_text(encoding="utf-8")
    assert page.count(f"- `--max-gaps` (N sentences)\\\n  {HELP}\n") == 1

    job = ["gap-sentences"]
    shown, printed, flag, key, misspelt, elsewhere, template = tree.several(
        [*job, "--help"],
        [*job, "--config", "job.yaml", "--print-config"],
        [*job, "--max-gaps", "0"],
        [*job, "--config", "bad.yaml"],
        [*job, "--max-gap", "1"],
        ["lead-bias", "--help"],
        ["-m", "gistmill.deploy.dataflow.template"],
    )
    assert shown[0] == 0 and "--max-gaps N" in shown[1] and HELP in " ".join(shown[1].split())
    assert "max-gaps" not in elsewhere[1]
    assert yaml.safe_load(printed[1])["max_gaps"] == 2
    assert (flag[0], key[0], misspelt[0]) == (2, 2, 2)
    assert "--max-gaps: expected a whole number of at least 1, not '0'" in flag[2]
    assert "max_gaps in bad.yaml: expected a whole number of at least 1, not 'none'" in key[2]
    assert "did you mean --max-gaps?" in misspelt[2]

    (parameter,) = [p for p in json.loads(template[1])["parameters"] if p["name"] == "max_gaps"]
    assert parameter["helpText"] == f"Gap-sentences only: {HELP}" and parameter["regexes"] == ["^[1-9][0-9]*$"]

    asked, default, said, gaps = json.loads(tree.python(f"ROOT = {str(tree.root)!r}\n{_IN_PYTHON}"))
    assert (asked, default) == (3, None) and max(gaps) == 2
    assert said == "max_gaps: expected a whole number of at least 1, not 0"
