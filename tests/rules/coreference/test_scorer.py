"""The scorer's sums are those of the formula, for rows of any length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.coreference.features import SIZE
from gistmill.rules.coreference.scorer import Scorer

WIDTH = 5
_RANDOM = np.random.default_rng(11)
WEIGHTS = {f"embedding{stage}": _RANDOM.standard_normal((SIZE, WIDTH + 1)) for stage in (1, 2)} | {
    f"output{stage}": _RANDOM.standard_normal(WIDTH) for stage in (1, 2)
}
ROWS = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=12)


def by_the_formula(question, stage):
    embedding, output = WEIGHTS[f"embedding{stage}"], WEIGHTS[f"output{stage}"]
    scores = []
    for row in question:
        total = sum(embedding[feature] for feature in row)
        scores.append(np.maximum(total[:-1], 0) @ output + total[-1])
    odds = np.exp(np.array(scores) - max(scores))
    return odds / odds.sum()


@pytest.mark.slow
@given(st.lists(st.lists(ROWS, min_size=1, max_size=6), max_size=40), st.sampled_from([1, 2]))
def test_probabilities_follow_the_formula(questions, stage):
    found = Scorer(WEIGHTS).probabilities(questions, stage=stage)
    assert len(found) == len(questions)
    for question, answer in zip(questions, found, strict=True):
        assert np.allclose(answer, by_the_formula(question, stage), atol=1e-4)


def test_a_row_does_not_depend_on_the_length_of_the_others():
    short, long = [3, 8], list(range(40, 70))
    scorer = Scorer(WEIGHTS)
    (alone,), (beside, _) = (scorer.probabilities(q, stage=1) for q in ([[short, [5]]], [[short, [5]], [long, [1]]]))
    assert np.allclose(alone, beside, atol=1e-6)
