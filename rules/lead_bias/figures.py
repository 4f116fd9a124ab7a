"""The figures of the lead-bias paper (Zhu et al., 2021), made anew from the counts of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gistmill.core.figure import Cell, Figure, Groups, ratio
from gistmill.rules.lead_bias.reasons import LeadBiasReason
from gistmill.rules.reasons import DocumentReason

OVERLAP_BINS, POSITION_BINS = 100, 20
RATIO_UNIT = 10_000  # ratios are counted in this part, so that their sums are whole numbers
# In the order in which they are applied; a document falls at the first that it fails.
FILTERS = (
    DocumentReason.TOO_FEW_SENTENCES,
    LeadBiasReason.LEAD_TOO_SHORT,
    LeadBiasReason.LEAD_TOO_LONG,
    LeadBiasReason.REST_TOO_SHORT,
    LeadBiasReason.REST_TOO_LONG,
    LeadBiasReason.LEAD_REPEATED,
    LeadBiasReason.LOW_OVERLAP,
)
_SHOWN_BINS = 20


def figures(groups: Groups) -> Sequence[Figure]:
    """Returns the figures that the grouped counts give; none where no document reached the filters."""
    if "sums/all" not in groups:
        return ()
    return tuple(make(groups) for make in (_beside_paper, _filters, _overlap, _position))


def _beside_paper(groups: Groups) -> Figure:
    before, after = groups["sums/all"], groups.get("sums/kept", {})
    low = groups.get(f"filter/{LeadBiasReason.LOW_OVERLAP.name}", {})
    rows = (
        ("share of articles below the overlap threshold", ratio(low.get("alone", 0), before["documents"]), 0.832),
        ("the same, of those that pass the other filters", ratio(low.get("fell", 0), low.get("reached", 0)), None),
        ("share of articles kept", ratio(after.get("documents", 0), before["documents"]), 0.05),
        ("median overlap of those kept", _median(groups.get("overlap/kept", {})), 0.734),
        ("mean words of the lead", ratio(after.get("lead_words", 0), after.get("documents", 0)), 60.0),
        ("mean words of the rest", ratio(after.get("rest_words", 0), after.get("documents", 0)), 602.5),
        ("mean words of the lead before filtering", ratio(before["lead_words"], before["documents"]), None),
        ("mean words of the rest before filtering", ratio(before["rest_words"], before["documents"]), None),
        ("median overlap before filtering", _median(groups.get("overlap/all", {})), None),
    )
    return Figure(
        key="paper",
        title="Beside the paper",
        head=("measure", "here", "paper"),
        rows=rows,
        note="The paper's numbers are of news articles of three years from the index of a search engine.",
        in_card=True,
    )


def _filters(groups: Groups) -> Figure:
    total = groups["sums/all"]["documents"]
    rows = []
    for reason in FILTERS:
        here = groups.get(f"filter/{reason.name}", {})
        alone, reached, fell = (here.get(name, 0) for name in ("alone", "reached", "fell"))
        rows.append((reason.name, alone, ratio(alone, total), reached, fell, ratio(fell, reached)))
    return Figure(
        key="filters",
        title="Filters",
        rows=rows,
        bars=("share alone",),
        head=("filter", "fail it", "share alone", "reach it", "fall at it", "share of those"),
        note="In the order in which they are applied: how many documents fail a filter on its own, how many reach "
        "it, and how many fall there.",
    )


def _overlap(groups: Groups) -> Figure:
    before, after = (_wider(groups.get(f"overlap/{name}", {})) for name in ("all", "kept"))
    rows = [
        (f"{i / _SHOWN_BINS:.2f}", before[i], ratio(before[i], sum(before)), after[i], ratio(after[i], sum(after)))
        for i in range(_SHOWN_BINS)
    ]
    return Figure(
        key="overlap",
        title="Overlap ratio",
        rows=rows,
        bars=("share before", "share after"),
        head=("from", "before", "share before", "after", "share after"),
        note="Share of the lead's words, not counting stop words, that occur in the rest: documents by its value, "
        "before filtering and after (the paper's Figure 2, blue).",
    )


def _position(groups: Groups) -> Figure:
    rows: list[tuple[Cell, ...]] = []
    for i in range(_SHOWN_BINS):
        here = groups.get(f"position/{i / _SHOWN_BINS:.2f}", {})
        sentences = here.get("sentences", 0)
        mean = round(here.get("ratios", 0) / RATIO_UNIT / sentences, 6) if sentences else None
        rows.append((f"{i / _SHOWN_BINS:.2f}", sentences, mean))
    return Figure(
        key="position",
        title="Overlap by position",
        rows=rows,
        bars=("mean share",),
        head=("from", "sentences", "mean share"),
        note="Mean share of a sentence's words that occur in the lead, by the place of the sentence in the rest "
        "(after the paper's Figure 1, with the lead in place of a reference).",
    )


def _wider(histogram: Mapping[str, int]) -> list[int]:
    bins = [0] * _SHOWN_BINS
    for edge, number in histogram.items():
        bins[round(float(edge) * OVERLAP_BINS) * _SHOWN_BINS // OVERLAP_BINS] += number
    return bins


def _median(histogram: Mapping[str, int]) -> float | None:
    """The median, spread evenly inside its bin; None without values."""
    half, below = sum(histogram.values()) / 2, 0
    for edge, number in sorted(histogram.items(), key=lambda item: float(item[0])):
        if below + number >= half > 0:
            return round(float(edge) + (half - below) / number / OVERLAP_BINS, 4)
        below += number
    return None
