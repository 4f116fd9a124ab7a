"""The calibration of the sieve's confidence: what it promises, the one that ships, and the figures on folds."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.coref_gap import Answer, GapRow, Parsed, parse, read_gap
from gistmill.rules.coreference.scorer import Scorer
from gistmill.transforms.models import load_model
from research.calibrate_coreference import calibrate, calibrated, count, deal, interval, judge, nested, report
from research.fit_coreference import FOLDS, TARGET, Corpora, Training, label
from tests.samples import GAP_ROWS

RIGHT, WRONG = (True, False), (False, True)


def row(article: int) -> GapRow:
    return GapRow(str(article), f"Article {article}", "Ann met Eve", "she", 0, ((0, 3, True), (8, 11, False)))


def judged(precision, size=2000, seed=3):
    """Answers that are right with a probability that depends on what the copy says."""
    random = np.random.default_rng(seed)
    sure = random.uniform(0.3, 1.0, size)
    right = random.random(size) < precision(sure)
    return [(row(k), k % FOLDS, Answer(RIGHT if r else WRONG, float(p))) for k, (p, r) in enumerate(zip(sure, right))]


def test_an_interval_is_that_of_wilson():
    assert interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert interval(0, 10)[0] == pytest.approx(0) and interval(10, 10)[1] == pytest.approx(1)


@pytest.mark.parametrize("precision", [lambda p: p - 0.15, lambda p: p, lambda p: 0 * p + 0.95, lambda p: 1.3 - p])
def test_a_calibration_never_falls_and_promises_no_more_than_the_score(precision):
    knots, confidences = calibrate([judged(precision)])
    assert (knots[0], confidences[0], knots[-1]) == (0, 0, 1)
    assert (np.diff(knots) > 0).all() and (np.diff(confidences) >= 0).all()
    assert (confidences <= knots).all() and confidences[-1] <= 1


@pytest.mark.slow
def test_links_above_a_cut_are_as_precise_as_it_says():
    seen, unseen = judged(lambda p: p - 0.15), judged(lambda p: p - 0.15, size=40_000, seed=4)
    assert count(unseen, cut=0.85).precision_of_answered < 0.8
    after = calibrated(unseen, calibrate([seen]))
    for cut in (0.5, 0.6, 0.7, 0.75):
        found = count(after, cut=cut)
        assert found.answered and found.precision_of_answered >= cut


def test_scores_that_are_right_often_enough_stay():
    given = judged(lambda p: 0 * p + 0.99)
    assert [a.confidence for _, _, a in calibrated(given, calibrate([given]))] == pytest.approx(
        [min(a.confidence, 0.96) for _, _, a in given], abs=0.04
    )


@pytest.mark.slow
def test_a_fold_is_judged_by_a_calibration_that_has_not_seen_it():
    # the rows of one fold are all wrong: their own confidences are those of the others
    given = [(r, k, Answer(WRONG, 0.9) if k == 0 else a) for r, k, a in judged(lambda p: 0 * p + 0.99)]
    (after,) = nested([given])
    assert {a.confidence for _, k, a in after if k == 0} == {
        float(np.interp(0.9, *calibrate([[j for j in given if j[1] != 0]])))
    }


def test_what_ships_is_a_calibration_and_what_the_scorer_says():
    with np.load(TARGET) as stored:
        knots, confidences = stored["calibration"]
    assert (np.diff(knots) > 0).all() and (np.diff(confidences) >= 0).all() and (confidences <= knots).all()
    scorer, tried = Scorer(), np.linspace(0, 1, 1001)
    said = [scorer.confidence(p) for p in tried]
    assert said == sorted(said) and said[0] == 0 and said[-1] == confidences[-1] < 1
    assert said == [float(c) for c in np.interp(tried, knots, confidences)]
    # the cuts of `balanced` and `generous` mean the same links as before
    assert [scorer.confidence(p) for p in (0.6, 0.7, 0.84)] == pytest.approx([0.6, 0.7, 0.84])
    assert scorer.confidence(0.9) < 0.9


@pytest.fixture(scope="module")
def corpora():
    rows = read_gap(GAP_ROWS)
    return Corpora(gap=list(parse(load_model(), rows)), gum=[], litbank=[], read=[], pages=[])


def test_no_article_is_in_two_folds(corpora):
    twice = Corpora([*corpora.gap, *corpora.gap], [], [], [], [])
    folds = deal(twice, 1)
    assert folds[: len(corpora.gap)] == folds[len(corpora.gap) :] and set(folds) == set(range(FOLDS))
    assert deal(twice, 2) != folds == deal(twice, 1)
    page = Parsed(row(0), (), ())
    assert deal(Corpora([], [], [], [], [page]), 1) == [-1]


def test_the_figures_of_small_data(corpora, capsys):
    documents, settings = label(corpora, {}, {}), Training(members=1, epochs=2)
    seeds = [judge(corpora, documents, seed, settings) for seed in (1, 2)]
    assert all(len(s) == len(corpora.gap) and {k for _, k, _ in s} == set(range(FOLDS)) for s in seeds)
    figures = report(seeds)
    assert 0 <= figures["f1"] <= 1 and figures["confidence_0.5_low"] <= figures["confidence_0.5_precision"]
    assert len(capsys.readouterr().out.splitlines()) == 4 + 2 * 7
    assert judge(corpora, documents, 1, settings) == seeds[0]
