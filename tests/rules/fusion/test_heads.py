import numpy as np
import pytest

from gistmill.rules.fusion.codec import SHAPES, Heads, Labels, LabelsError
from gistmill.rules.fusion.edits import DELETE, KEEP
from tests.cases import by_heading
from tests.rules.fusion.tagging import blank_heads

CASES = by_heading(__file__)

LABELS = Labels(("PAIR_NONE", "SINGLE_S_COORD"), (KEEP, DELETE), ("", "and", "but"))


def random_heads(seed=0):
    draw = np.random.default_rng(seed)
    return {name: draw.normal(size=array.shape).astype(np.float32) for name, array in blank_heads(LABELS).items()}


def test_all_outputs_are_log_probabilities():
    heads = Heads(LABELS, random_heads())
    states = np.random.default_rng(1).normal(size=(7 + 2, 8)).astype(np.float32)
    operations, phrases = heads.tags(states, 1, True)
    outputs = [heads.plans(states, 4), heads.moves(states, 4, 0), operations, phrases]
    assert [o.shape for o in outputs] == [(2,), (5,), (7, 2), (8, 3)]
    for output in outputs:
        assert np.allclose(np.exp(output).sum(axis=-1), 1, atol=1e-5) and output.dtype == np.float32


def test_tags_depend_on_the_plan_and_on_whether_something_moves():
    heads = Heads(LABELS, random_heads())
    states = np.random.default_rng(1).normal(size=(6, 8)).astype(np.float32)
    first = heads.tags(states, 0, False)[0]
    assert not np.allclose(first, heads.tags(states, 1, False)[0])
    assert not np.allclose(first, heads.tags(states, 0, True)[0])
    assert not np.allclose(heads.moves(states, 2, 0), heads.moves(states, 2, 1))


def test_half_precision_is_read():
    arrays = {name: array.astype(np.float16) for name, array in random_heads().items()}
    assert Heads(LABELS, arrays).width == 8


def test_a_missing_array_is_named():
    for name in (*SHAPES,):
        arrays = random_heads()
        del arrays[name]
        with pytest.raises(LabelsError, match=f"the array {name} is missing"):
            Heads(LABELS, arrays)


def test_an_array_of_another_shape_is_named():
    for name, shape in CASES["an array of another shape is named"]:
        arrays = {**random_heads(), name: np.zeros(shape, np.float32)}
        with pytest.raises(LabelsError, match=f"the array {name} has the shape"):
            Heads(LABELS, arrays)
