"""The section resolver of the page: a small package, installed beside Gistmill, brings a resolver for ``--coref``."""

import pytest

from gistmill import Dataset

# What the page imports of fastcoref: each pronoun "it" belongs to the first words of the document.
STAND_IN = """
class FCoref:
    def __init__(self, model, *, nlp, enable_progress_bar):
        assert model == "biu-nlp/f-coref"

    def predict(self, texts, *, is_split_into_words):
        return [Found(words) for words in texts]


class Found:
    def __init__(self, words):
        self._words = words

    def get_clusters(self, *, as_strings):
        places = [(at, at + 1) for at, word in enumerate(self._words) if word in ("It", "it", "came")]
        return [[*reversed(places), (0, 3)], [(0, len(self._words)), (1, 2)]]
"""


@pytest.fixture
def installed(tree):
    example = tree.add("resolver")
    assert all(edit.line is None and edit.path.startswith("coref/") for edit in example.edits)
    (tree.root / "fastcoref.py").write_text(STAND_IN, encoding="utf-8")
    tree.commands = example.commands
    return tree


@pytest.mark.slow
def test_a_package_brings_a_resolver(installed):
    installed.shell(installed.commands)
    dataset = Dataset(installed.root / "annotated")
    assert [model.version for model in dataset.manifest.models if model.name == "fastcoref"] == ["1.0"]
    (bridge,) = [row for row in dataset if row["title"] == "Bridge"]
    fields = ("sentence", "start", "end", "head", "kind", "confidence")
    mentions = list(zip(*(bridge[f"mention_{field}"] for field in fields), strict=True))
    assert mentions == [(0, 0, 3, 2, "nominal", 1.0), (5, 5, 6, 5, "pronoun", 1.0)]
    helped, wrong = installed.several(["discofuse", "--help"], ["discofuse", "--coref", "best"])
    assert "or fastcoref" in helped[1] and wrong[0] == 2 and "minilm, fastcoref" in wrong[2]


@pytest.mark.slow
def test_a_resolver_that_is_broken_says_so_before_any_input_is_read(installed):
    installed.shell("pip install ./coref")
    (installed.root / "fastcoref.py").unlink()
    for job in (["annotate", "--output", "x", "--input", "nowhere.xml"], ["split", "--input", "nowhere.tsv"]):
        code, out, err = installed.several([*job, "--coref", "fastcoref"])[0]
        assert (code, out) == (2, "") and err.endswith(
            ": the coreference resolver gistmill_fastcoref:FastCoref from the package gistmill-fastcoref cannot be used: "
            "No module named 'fastcoref'\n"
        )
