"""The copies of a pair by EDA."""

import pickle

import pytest

from gistmill.rules.augmentation.config import AugmentConfig
from gistmill.rules.augmentation.eda.operations import Eda
from gistmill.rules.documents import Sentence, Token
from tests.rules.augmentation.helpers import copies, pair
from tests.rules.augmentation.test_operations import BOUGHT, PROTECTED
from tests.testing import parsed

PAIR = pair([[parsed(BOUGHT), parsed(PROTECTED)], [], [parsed(BOUGHT)]], [[parsed(BOUGHT)]])


def test_each_copy_has_one_operation_and_all_have_their_turn():
    made = copies(PAIR, copies=6)
    assert [c.number for c in made] == [1, 2, 3, 4, 5, 6]
    assert sorted(c.operation for c in made[:4]) == ["deletion", "insertion", "swap", "synonyms"]
    assert [c.operation for c in made[4:]] == [c.operation for c in made[:2]]
    assert {c.operation for c in copies(PAIR, operations=("swap",), copies=3)} == {"swap"}
    first = {copies(pair([[parsed(BOUGHT)]], [[]], id=f"p{n}"), copies=1)[0].operation for n in range(40)}
    assert len(first) == 4  # where there is one copy of each pair


def test_a_copy_depends_on_its_row_the_seed_and_its_number_alone():
    assert copies(PAIR) == copies(PAIR) == copies(PAIR, copies=9)[:4]
    texts = {c.number: c.inputs for c in copies(PAIR, operations=("synonyms",))}
    assert len(set(texts.values())) > 1
    assert texts != {c.number: c.inputs for c in copies(PAIR, operations=("synonyms",), seed=2)}


def test_only_the_fields_asked_for_change():
    part = pair([[parsed(BOUGHT)]], [[parsed(BOUGHT)]])
    only = type(part)(part.origin, part.inputs, part.targets, part.values, "train", {"targets": part.lines["targets"]})
    made = copies(only, fields="targets", alpha=0.5)
    assert {c.inputs for c in made} == {PAIR.targets} and len({c.targets for c in made}) > 2
    assert not any(name.startswith("changed_words/inputs") for c in made for name in c.counts)


def test_lines_and_white_space_that_nothing_changes_stay():
    sentence = parsed(PROTECTED)
    of = pair([[sentence]], [[]])
    texts = f"  \t{of.inputs}  \n\n \u3000"
    of = type(of)(of.origin, texts, "", of.values, "train", {"inputs": ((sentence,), (), ()), "targets": ((),)})
    made = copies(of, alpha=0.01, copies=8)
    assert all(c.inputs.startswith("  \t") and c.inputs.endswith("  \n\n \u3000") and c.targets == "" for c in made)
    assert any(c.inputs == texts for c in made)
    tokens = (Token("Stop", True, "VB", "VERB", "ROOT", 0, "stop"), Token(".", False, ".", "PUNCT", "punct", 0, "."))
    of = type(of)(of.origin, "Stop   .", "", of.values, "train", {"inputs": ((Sentence(tokens),),)})
    assert {c.inputs for c in copies(of)} == {"Stop   ."}


def test_changed_words_are_counted_by_text_and_operation():
    for copy in copies(PAIR, alpha=0.5):
        assert set(copy.counts) == {f"changed_words/{name}/{copy.operation}" for name in ("inputs", "targets")}
        assert (copy.inputs == PAIR.inputs) == (copy.counts[f"changed_words/inputs/{copy.operation}"] == 0)


def test_workers_get_no_table():
    assert len(pickle.dumps(Eda(AugmentConfig()))) < 2000
    assert list(pickle.loads(pickle.dumps(Eda(AugmentConfig(seed=3)))).copies(PAIR)) == copies(PAIR, seed=3)


@pytest.mark.slow
def test_a_sentence_of_thousands_of_words():
    for positions in ["fitting", "any"]:
        tokens = parsed(BOUGHT).tokens[:-1] * 1000  # a list of its pairs would not fit into memory
        huge = Sentence(tuple(t._replace(space=True) for t in tokens))
        made = copies(pair([[huge]], [[]]), positions=positions)
        assert len({c.inputs for c in made}) == 4, positions
