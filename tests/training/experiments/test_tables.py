"""Tables: means over seeds, the protocol of the best runs, the paper's figures beside them."""

import json
import statistics

import pytest

from gistmill.training.errors import SettingsError
from gistmill.training.experiments.plan import cells
from gistmill.training.experiments.tables import check_tables, figures, tables_json, tables_markdown
from tests.training.experiments.helpers import parsed, small


def made(scores, **changes):
    """The experiment, its cells and a score that looks into ``scores``: cell -> value, or (cell, metric) -> value."""
    experiment = parsed(**changes)

    def score(cell, test, system, metric):
        if system == "copy":
            return 1.5
        return scores.get((cell.name, metric), scores.get(cell.name))

    return experiment, cells(experiment, overrides={}), score


def markdown(experiment, found, score, overrides=None):
    return tables_markdown(experiment, tables_json(experiment, found, score, overrides or {}))


SCORES = {"tiny.low.seed1": 10.0, "tiny.low.seed2": 20.0, "tiny.low.seed3": 60.0, "tiny.high.seed1": 5.0}


def test_a_figure_is_the_mean_of_the_seeds():
    experiment, found, score = made(SCORES)
    check_tables(experiment, found)
    (low, high), (copy, _) = figures(experiment, experiment.tables[0], found, score)
    deviation = round(statistics.stdev([10, 20, 60]), 4)
    whole = {"runs": 3, "expected": 3, "counted": 3, "paper": 10.0, "difference": 20.0}
    assert low == {"mean": 30.0, "deviation": deviation, **whole}
    alone = {"runs": 1, "expected": 3, "counted": 1, "paper": None, "difference": None}
    assert high == {"mean": 5.0, "deviation": None, **alone}
    assert (copy["mean"], copy["runs"], copy["expected"]) == (1.5, 1, 1)


def test_the_protocol_takes_the_best_runs_by_its_score():
    scores = {("tiny.low.seed1", "exact"): 10.0, ("tiny.low.seed2", "exact"): 20.0, ("tiny.low.seed3", "exact"): 60.0}
    by = {(f"tiny.low.seed{n}", "rouge1"): value for n, value in ((1, 9.0), (2, 8.0), (3, 1.0))}
    experiment, found, score = made(scores | by, protocol={"best": 2, "by": "rouge1"})
    ((low, high), _) = figures(experiment, experiment.tables[0], found, score)
    assert (low["mean"], low["counted"], low["runs"]) == (15.0, 2, 3)
    assert (high["mean"], high["counted"]) == (None, 0)
    experiment, found, score = made(scores, protocol={"best": 2})
    assert figures(experiment, experiment.tables[0], found, score)[0][0]["mean"] == 40.0


def test_an_interval_of_the_mean_stands_in_the_place_of_the_deviation():
    experiment, found, score = made(SCORES, protocol={"interval": 95})
    ((low, high), _) = figures(experiment, experiment.tables[0], found, score)
    assert low["interval"] == pytest.approx(4.303 * 26.4575 / 3**0.5, abs=1e-3) and "interval" not in high
    shown = markdown(experiment, found, score)
    assert "| tiny | 30.00 ± 65.73 (10.00) | 5.00* |" in shown and "± half the width of its 95% interval" in shown


@pytest.mark.parametrize("protocol", [{"interval": 90}, {"interval": 95, "best": 2}, {"interval": True}])
def test_other_intervals_are_told_of(protocol):
    with pytest.raises(SettingsError, match=r"protocol(\.interval)?: (Input should be 95|`interval` and `best`)"):
        parsed(protocol=protocol)


def test_markdown_shows_ours_and_the_papers():
    experiment, found, score = made(SCORES)
    shown = markdown(experiment, found, score)
    assert "| tiny | 30.00 ± 26.46 (10.00) | 5.00* |" in shown
    assert "| COPY | 1.50 (1.00) | 1.50 (2.00) |" in shown
    assert "the mean of 3 runs" in shown and "Settings changed" not in shown
    assert "Settings changed from the file: `steps: 3`" in markdown(experiment, found, score, {"steps": 3})


def test_what_is_not_there_yet_is_a_dash():
    experiment, found, _ = made({})
    shown = markdown(experiment, found, lambda *_: None)
    assert "| tiny | – (10.00) | – |" in shown


def test_json_has_the_figures():
    experiment, found, score = made(SCORES)
    content = json.loads(json.dumps(tables_json(experiment, found, score, {})))
    table = experiment.tables[0]
    assert [row["figures"] for row in content["tables"][0]["rows"]] == figures(experiment, table, found, score)


def test_a_figure_of_different_models_is_refused():
    tables = small()["tables"]
    tables[0]["rows"]["tiny"]["where"] = {}
    experiment, found, _ = made({}, tables=tables)
    with pytest.raises(
        SettingsError, match="'tiny', 'low': the cells tiny.low.seed1 and given.low.seed3 differ in more"
    ):
        check_tables(experiment, found)


def test_a_figure_without_a_cell_is_refused():
    tables = small()["tables"]
    tables[0]["columns"]["high"]["test"] = "low"
    experiment, found, _ = made({}, tables=tables)
    with pytest.raises(SettingsError, match="'tiny', 'high': no cell matches this test and these values"):
        check_tables(experiment, found)


def test_a_metric_may_be_put_together():
    tables = small()["tables"]
    tables[0]["rows"] = {"A": {"where": {"model": "tiny"}, "metric": "PAIR_NONE"}}
    for column in tables[0]["columns"].values():
        column["metric"] = "exact of {}"
    experiment, found, score = made({("tiny.low.seed1", "exact of PAIR_NONE"): 3.0}, tables=tables)
    assert figures(experiment, experiment.tables[0], found, score)[0][0]["mean"] == 3.0
