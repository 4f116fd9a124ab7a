import numpy as np

from rules.fusion.codec import target
from rules.fusion.edits import DELETE, KEEP, Edits
from rules.fusion.labels import Labels
from rules.fusion.transitions import fit_transitions

LABELS = Labels(("PAIR_NONE", "SINGLE_VP_COORD"), (KEEP, DELETE), ("",))
ROW = Edits(None, (KEEP, DELETE, DELETE, DELETE, KEEP, KEEP, KEEP, KEEP), ("",) * 9)


def test_what_follows_often_is_favoured():
    rows = [(4, target(LABELS, "SINGLE_VP_COORD", ROW))] * 50
    found = fit_transitions(LABELS, rows, weight=1.0)[1]
    assert found.shape == (3, 2)
    assert found[1, 1] > 0 > found[1, 0]  # DELETE is followed by DELETE
    assert found[0, 0] > 0 > found[0, 1]
    assert found[2, 0] > 0 > found[2, 1]  # a sentence begins with KEEP


def test_what_was_never_seen_says_nothing():
    assert np.allclose(fit_transitions(LABELS, []), 0)


def test_the_weight_is_a_factor():
    rows = [(4, target(LABELS, "SINGLE_VP_COORD", ROW))]
    assert np.allclose(fit_transitions(LABELS, rows, weight=0.5) * 2, fit_transitions(LABELS, rows, weight=1.0))
