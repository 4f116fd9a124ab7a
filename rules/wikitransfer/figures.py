"""Figures of WikiTransfer (Fabbri et al., 2021): a column for each profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gistmill.core.figure import Cell, Figure, Groups, ratio
from gistmill.rules.wikitransfer.example import NOVEL_SIZES, ORACLE_STEP, STEPS, UNIT
from gistmill.rules.wikitransfer.profile import BINS

# of the counts that the figures show
_MOST_ROWS = 40
_HISTOGRAMS = {
    "document_words": ("Document words", "words of the inputs"),
    "summary_words": ("Summary words", "words of the targets"),
    "compression": ("Compression", "words of the inputs for a word of the targets"),
    "coverage": ("Extractive fragment coverage", "share of the summary's words that are in a shared fragment"),
    "density": ("Extractive fragment density", "mean length of the fragment that a word of the summary is in"),
}


def figures(groups: Groups) -> Sequence[Figure]:
    """Returns the figures that the grouped counts of a dataset give."""
    names = [name.removeprefix("profiles/") for name in sorted(groups) if name.startswith("profiles/")]
    if not names:
        return []
    makers: tuple[Callable[[Groups, Sequence[str]], Figure], ...] = (_profiles, _measures, _bins, _oracle)
    return [*(make(groups, names) for make in makers), *(_histogram(groups, names, measure) for measure in STEPS)]


def _profiles(groups: Groups, names: Sequence[str]) -> Figure:
    columns = [groups[f"profiles/{name}"] for name in names]
    keys = ("read", "used", *sorted({k for c in columns for k in c if k.startswith("rejected/")}))
    rows: list[tuple[Cell, ...]] = [(key.replace("/", ": "), *(c.get(key, 0) for c in columns)) for key in keys]
    return Figure(
        key="profiles",
        title="Profiles",
        head=("documents", *names),
        rows=rows,
        note="Documents that each profile used, and why it rejected the others.",
    )


def _measures(groups: Groups, names: Sequence[str]) -> Figure:
    def means(measure: str, whole: str = "used", unit: int = UNIT) -> list[Cell]:
        cells: list[Cell] = []
        for name in names:
            sums = {**groups.get(f"measures/{name}", {}), "used": groups[f"profiles/{name}"].get("used", 0)}
            share = ratio(sums.get(measure, 0), unit * sums.get(whole, 0))
            cells.append(share)
        return cells

    rows = [
        ("oracle ROUGE", *means("oracle")),
        *((m.replace("_", " "), *means(m)) for m in STEPS),
        *((f"novel {n}-grams", *means(f"novel_{n}grams", f"{n}grams", 1)) for n in NOVEL_SIZES),
        ("share with sentences removed", *means("changed", unit=1)),
        ("sentences removed", *means("removed", unit=1)),
    ]
    return Figure(
        key="measures",
        title="Means of the examples",
        head=("measure", *names),
        rows=rows,
        note="Coverage, density and compression are those of Grusky et al. (2018), on the words of ROUGE; of "
        "n-grams the share of all summaries' n-grams that do not occur in the inputs.",
    )


def _bins(groups: Groups, names: Sequence[str]) -> Figure:
    rows = []
    for label, (low, high) in BINS.items():
        cells: list[Cell] = []
        for name in names:
            for group in ("all", "kept"):
                inside = range(low // ORACLE_STEP, high // ORACLE_STEP)
                cells.append(sum(n for at, n in _of(groups, name, group).items() if at in inside))
        rows.append((f"{label}, {low} to {high}", *cells))
    return Figure(
        key="bins",
        title="Kept by bin",
        head=("bin", *_pairs(names)),
        rows=rows,
        note="Documents whose oracle is in each of the paper's bins (which overlap), before and after filtering; "
        "the upper bound belongs to the next bin here.",
    )


def _oracle(groups: Groups, names: Sequence[str]) -> Figure:
    columns = [_of(groups, name, group) for name in names for group in ("all", "kept")]
    last = max((at for c in columns for at in c), default=-1)
    return Figure(
        key="oracle",
        title="Oracle ROUGE",
        head=("from", *_pairs(names)),
        bars=tuple(_pairs(names)),
        rows=[(str(ORACLE_STEP * at), *(c.get(at, 0) for c in columns)) for at in range(last + 1)],
        note="Documents by the ROUGE of their extractive oracle: all that have one, before any sentence is "
        "removed, and those kept.",
    )


def _histogram(groups: Groups, names: Sequence[str], measure: str) -> Figure:
    title, meaning = _HISTOGRAMS[measure]
    step = STEPS[measure]
    columns = [{int(at): n for at, n in groups.get(f"{measure}/{name}", {}).items()} for name in names]
    last = max((at for c in columns for at in c), default=-1)
    rows: list[tuple[Cell, ...]] = []
    for at in range(min(last + 1, _MOST_ROWS)):
        inside = range(at, last + 1) if at == _MOST_ROWS - 1 else range(at, at + 1)
        rows.append((f"{at * step:g}", *(sum(c.get(i, 0) for i in inside) for c in columns)))
    more = "; the last row has all above, too" if last >= _MOST_ROWS else ""
    return Figure(
        key=measure,
        title=title,
        head=("from", *names),
        rows=rows,
        bars=tuple(names),
        note=f"Examples by {meaning}{more}.",
    )


def _of(groups: Groups, name: str, group: str) -> dict[int, int]:
    counts = groups.get(f"oracle/{name}", {})
    return {int(key.removeprefix(f"{group}/")): n for key, n in counts.items() if key.startswith(f"{group}/")}


def _pairs(names: Sequence[str]) -> list[str]:
    return [f"{name}{suffix}" for name in names for suffix in ("", " kept")]
