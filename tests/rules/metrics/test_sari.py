"""SARI by its three names against plain definitions, and against what other packages gave."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.metrics import sari as module
from gistmill.rules.metrics.sari import NAMES, per_row, sari, tokens_13a, total
from tests.cases import by_heading
from tests.rules.metrics import reference_sari as plain
from tests.samples import OWN

CASES = by_heading(__file__)

TEXTS = st.one_of(
    st.lists(st.sampled_from(plain.WORDS), max_size=12).map(" ".join),
    st.lists(st.sampled_from("a a b B . 1".split()), max_size=9).map(" ".join),  # of which many n-grams are equal
    st.text("ab1.,- \n&;", max_size=25),
    st.text(max_size=15),
)
ROWS = st.lists(st.tuples(TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), min_size=1, max_size=4)


def columns(rows):
    return tuple(map(list, zip(*rows, strict=True)))


def check_scores(rows):
    sources, predictions, references = columns(rows)
    found = {name: per_row(name, sources, predictions, references) for name in NAMES}
    for i, row in enumerate(rows):
        assert found["discofuse"][i, :3] == pytest.approx(plain.discofuse(*row), abs=1e-12), row
        assert found["huggingface"][i, :3] == pytest.approx(plain.huggingface(*row), abs=1e-12), row
        assert total("easse", found["easse"][i]) == pytest.approx(plain.easse([row]), abs=1e-12), row
    assert total("easse", found["easse"].sum(axis=0)) == pytest.approx(plain.easse(rows), abs=1e-12)


@given(ROWS)
def test_the_scores_are_those_of_the_definitions(rows):
    check_scores(rows)


@given(ROWS)
def test_small_batches_change_nothing(rows):
    whole = {name: per_row(name, *columns(rows)) for name in NAMES}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHARACTERS", 5)
        for name in NAMES:
            assert per_row(name, *columns(rows)) == pytest.approx(whole[name], abs=1e-12)


def test_where_the_three_differ():
    source, target = "the cat sat . it was black .", "the cat sat , and it was black ."
    found = {name: sari(name, [source], [target], [[target]]) for name in NAMES}
    assert found["discofuse"] == found["easse"] == (1, 1, 1, 1)
    # of the two full stops one is deleted; its metric takes the one that the reference keeps from the deleted one
    assert found["huggingface"] == pytest.approx((11 / 12, 1, 1, 3 / 4))
    # a copy deletes nothing: 0/0 is 1 for Hugging Face's precision; the paper's sets see no word go, a full stop being left
    found = {name: sari(name, [source], [source], [[target]]) for name in NAMES}
    assert [(found[n].delete, found[n].add) for n in NAMES] == [(0.25, 0), (0, 0), (1, 0)]
    assert [sari(name, ["a b ."], ["a b ."], [["a b ."]]).sari for name in NAMES] == pytest.approx([1, 1 / 4, 1])


def test_the_example_of_the_documentation_of_hugging_faces_metric():
    predictions, *references = CASES["hugging face"]
    found = sari("huggingface", ["About 95 species are currently accepted ."], [predictions], [references])
    assert 100 * found.sari == pytest.approx(26.953601953601954, abs=1e-9)


def test_no_rows_and_no_tokens():
    for name in NAMES:
        assert per_row(name, [], [], []).shape[0] == 0
    assert sari("discofuse", [""], [""], [[""]]).sari == 1
    assert sari("huggingface", ["", " "], ["", "\n"], [[""], ["", " "]]).sari == 1
    assert sari("easse", [""], [""], [[""]]).sari == 0
    assert np.isnan(sari("discofuse", [], [], []).sari)


def test_long_rows_and_long_words():
    long = " ".join(f"w{i % 3000}" for i in range(9000))
    rows = [(long, long + " end", [long]), ("x" * 100_000, "x" * 99_999, ["x" * 100_000])]
    assert per_row("discofuse", *columns(rows))[:, :3] == pytest.approx(np.array([plain.discofuse(*r) for r in rows]))


def test_what_cannot_be_scored_is_said():
    for change, message in CASES["what cannot be scored is said"]:
        given = {"name": "easse", "sources": ["a"], "predictions": ["a"], "references": [["a"]], **change}
        with pytest.raises(ValueError, match=re.escape(message)):
            per_row(**given)


@given(st.one_of(TEXTS, st.text("a1.,- \n", max_size=30)))
def test_the_tokens_are_those_of_the_rules(text):
    assert tokens_13a(text) == plain.tokens_13a(text)


def test_the_tokens_are_those_of_sacrebleu():
    for text, tokens in recorded("sacrebleu 13a"):
        assert tokens_13a(text) == tokens


def test_discofuse_is_that_of_tensor2tensor():
    for source, prediction, references, parts in recorded("tensor2tensor"):
        ((*found, _),) = per_row("discofuse", [source], [prediction], [references])
        assert found[:3] == pytest.approx(parts, abs=1e-12)


def recorded(package):
    """What sacrebleu 2.6.0 gave for texts in small letters, and the sari_hook of tensor2tensor 1.15.7 for tokens in
    small letters, with beta_for_deletion=1: its keep, add and delete."""
    rows = json.loads((OWN / "sari_references.json").read_text(encoding="utf-8"))[package]
    assert len(rows) == 60
    return rows
