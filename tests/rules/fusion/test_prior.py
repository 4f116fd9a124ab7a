import math

import numpy as np
import pytest

from gistmill.rules.fusion.codec import Heads, Labels, LabelsError
from gistmill.rules.fusion.decode import fit_prior, prior_of
from gistmill.rules.fusion.edits import KEEP
from tests.rules.fusion.tagging import blank_heads

PLANS = ("PAIR_CONN", "PAIR_NONE")


def test_the_prior_is_the_log_of_the_share_there_over_the_share_here():
    prior = fit_prior(PLANS, ["PAIR_NONE"] * 79 + ["PAIR_CONN"] * 19, ["PAIR_NONE"] * 9 + ["PAIR_CONN"] * 29)
    assert prior == {"PAIR_CONN": round(math.log(0.75 / 0.2), 4), "PAIR_NONE": round(math.log(0.25 / 0.8), 4)}


def test_the_same_shares_change_nothing():
    assert fit_prior(PLANS, ["PAIR_NONE"] * 3, ["PAIR_NONE"] * 3) == {"PAIR_CONN": 0.0, "PAIR_NONE": 0.0}


def test_a_plan_that_never_occurs_stays_possible_and_one_that_is_not_known_does_not_count():
    prior = fit_prior(PLANS, ["PAIR_NONE"], ["PAIR_CONN", "SINGLE_CATAPHORA"])
    assert prior == {"PAIR_CONN": round(math.log(2), 4), "PAIR_NONE": round(-math.log(2), 4)}


def test_a_prior_is_read_again_and_is_nothing_where_there_is_none():
    prior = fit_prior(PLANS, ["PAIR_NONE"], ["PAIR_CONN"])
    assert prior_of(prior, PLANS) == prior
    assert prior_of(None, PLANS) == {"PAIR_CONN": 0.0, "PAIR_NONE": 0.0}


def test_what_is_not_a_number_for_each_plan_is_refused():
    for prior in [
        {},
        [0, 0],
        {"PAIR_NONE": 0.0},
        {"PAIR_CONN": "1", "PAIR_NONE": 0},
        {"PAIR_CONN": math.nan, "PAIR_NONE": 0},
    ]:
        with pytest.raises(LabelsError, match="prior: expected"):
            prior_of(prior, PLANS)


def test_the_heads_give_the_probabilities_of_a_corpus_with_these_shares():
    labels = Labels(PLANS, (KEEP,), ("",))
    states = np.zeros((4, 8), np.float32)
    arrays = {**blank_heads(labels), "plan.score.bias": np.log([0.2, 0.8]).astype(np.float32)}
    here = np.exp(Heads(labels, arrays).plans(states, 1))
    there = np.exp(Heads(labels, arrays, {"PAIR_CONN": math.log(3), "PAIR_NONE": 0.0}).plans(states, 1))
    assert here == pytest.approx([0.2, 0.8], abs=1e-6)
    assert there == pytest.approx([0.6 / 1.4, 0.8 / 1.4], abs=1e-6)
