"""Figures from counts: sums become means, bins medians and tables, and nothing is made where nothing was counted."""

from gistmill.core.statistics import as_rows, group_counts
from gistmill.pipelines.reporting.manifest import statistics
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.lead_bias import FILTERS, LeadBias
from tests.cases import by_heading

CASES = by_heading(__file__)

COUNTS = CASES["counts"]


def figure(key, counts=COUNTS):
    return {f.key: as_rows(f) for f in LeadBias.figures(group_counts(counts))}[key]


def test_beside_the_paper():
    here = {r["measure"]: (r["here"], r["paper"]) for r in figure("paper")}
    assert here["share of articles below the overlap threshold"] == (0.6, 0.832)
    assert here["the same, of those that pass the other filters"] == (0.5, None)
    assert here["share of articles kept"] == (0.4, 0.05)
    assert here["mean words of the lead"] == (60.0, 60.0)
    assert here["mean words of the rest"] == (602.5, 602.5)
    assert here["median overlap of those kept"] == (
        0.66,
        0.734,
    )  # half of four lie below the upper edge of the first bin


def test_filters_are_in_their_order():
    rows = figure("filters")
    assert [r["filter"] for r in rows] == [r.name for r in FILTERS]
    assert rows[-1] == {
        "filter": "LOW_OVERLAP",
        "fail it": 6,
        "share alone": 0.6,
        "reach it": 8,
        "fall at it": 4,
        "share of those": 0.5,
    }
    assert rows[0]["share of those"] is None  # nobody came that far


def test_overlap_in_bins_of_a_twentieth():
    rows = figure("overlap")
    assert [r["from"] for r in rows] == [f"{i / 20:.2f}" for i in range(20)]
    assert {r["from"]: (r["before"], r["after"]) for r in rows if r["before"]} == {"0.20": (6, 0), "0.65": (4, 4)}
    assert rows[13]["share before"] == 0.4 and rows[13]["share after"] == 1.0


def test_every_fine_bin_lies_in_one_coarse_bin():
    for edge in range(100):
        rows = figure("overlap", {**COUNTS, f"overlap/all/{edge / 100:.2f}": 1000})
        assert [i for i, r in enumerate(rows) if r["before"] >= 1000] == [edge // 5], edge


def test_positions_are_means_of_ratios():
    rows = figure("position")
    assert rows[0] == {"from": "0.00", "sentences": 4, "mean share": 0.25}
    assert rows[1]["mean share"] is None and rows[19]["mean share"] == 0.0


def test_without_a_kept_document():
    counts = {k: n for k, n in COUNTS.items() if "/kept/" not in k}
    here = {r["measure"]: r["here"] for r in figure("paper", counts)}
    assert here["share of articles kept"] == 0.0 and here["mean words of the lead"] is None
    assert here["median overlap of those kept"] is None


def test_other_recipes_have_none():
    assert not LeadBias.figures(group_counts({"documents/read": 3, "types/full/PAIR_CONN": 4}))
    assert not statistics({"documents/read": 3}, recipe=DiscoFuse).figures
    assert set(statistics(COUNTS, recipe=LeadBias).figures) == {"paper", "filters", "overlap", "position"}
