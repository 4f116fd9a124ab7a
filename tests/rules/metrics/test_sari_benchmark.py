"""The benchmark of SARI compares the metric's results with ours before it times them."""

import pytest

from benchmarks.sari import measure
from tests.rules.metrics import reference_sari as plain

TEXTS = (
    ["the cat sat . it was red .", "she left . he stayed ."],
    ["the cat sat , but it was red .", "she left , but he stayed ."],
    [["the cat that sat was red ."], ["she left and he stayed ."]],
)


class Metric:
    """What evaluate loads, by the plain definition."""

    def __init__(self, factor=1):
        self.factor = factor

    def compute(self, *, sources, predictions, references):
        scores = [sum(plain.huggingface(*row)) / 3 for row in zip(sources, predictions, references)]
        return {"sari": 100 * self.factor * sum(scores) / len(scores)}


def test_every_kind_is_timed():
    rows = measure("natural", TEXTS, Metric(), 1)
    assert {(row["texts"], row["sari"]) for row in rows} == {
        ("natural", kind) for kind in ("huggingface", "easse", "discofuse")
    }


def test_other_results_end_it():
    with pytest.raises(SystemExit, match="natural: the results differ"):
        measure("natural", TEXTS, Metric(factor=1.001), 1)
