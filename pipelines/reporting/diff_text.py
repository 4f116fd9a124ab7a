"""A comparison of two datasets for a person: tables, what matters most first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gistmill.published.comparison.comparison import Change, Comparison, ConfigChange, Lengths, Moved, Rejected
from gistmill.published.comparison.drift import SIGNIFICANT


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns the lines of a table. The first column stands to the left, the others to the right; a last column without
    a heading stands to the left too.
    """
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]

    def aligned(line: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if column == 0 or not head[column] else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return ("  " + "  ".join(cells)).rstrip()

    return [aligned(line) for line in lines]


def count(number: int) -> str:
    """Returns a number with commas; a dot for 0, so that what is there is seen."""
    return f"{number:,}" if number else "."


def signed(number: int) -> str:
    """Returns a difference with its sign, and a dot for none."""
    return f"{number:+,}" if number else "."


def per_cent(share: float) -> str:
    """Returns a share from 0 to 1 in per cent, with two digits behind the point."""
    return f"{100 * share:.2f}%"


def points(difference: float) -> str:
    """Returns a difference of shares in percentage points."""
    return f"{100 * difference:+.2f}" if abs(difference) >= 0.00005 else "."


def duration(seconds: float) -> str:
    """Returns a time in the unit that fits, with three digits at most below 100 hours."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    if seconds < 3600:
        return f"{seconds / 60:.3g} min"
    hours = seconds / 3600
    return f"{hours:.3g} h" if hours < 100 else f"{hours:,.0f} h"


def size(number: int) -> str:
    """Returns a number of bytes in the unit that fits."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:,.0f} {unit}" if unit == "bytes" else f"{value:,.1f} {unit}"
        value /= 1000
    return f"{value:,.1f} TB"


_WIDTH = 110  # of a line
_ROWS = 8  # of a table, unless everything is asked for
_CHANGES = ("added", "removed", "changed", "found_elsewhere", "same")


def text(comparison: Comparison, *, everything: bool = False) -> str:
    """Returns the lines for a terminal; ``everything``: no table is cut."""
    most = None if everything else _ROWS
    old, new = comparison.old, comparison.new
    parts = [
        [f"gistmill diff: {comparison.recipe}", f"  old  {old.place}, {old.end}", f"  new  {new.place}, {new.end}"],
        [f"Guards: {len(comparison.guards) or 'none is'} broken", *(f"  {line}" for line in comparison.guards)],
        _documents(comparison),
        *(
            _config(name, change, most)
            for name, change in (comparison.content.rows if comparison.content else {}).items()
        ),
        _rows(comparison) if comparison.content is None else [],
        _rejected(comparison.rejected, most),
        _distributions(comparison.distributions, most),
        *([_lengths(comparison.content.lengths)] if comparison.content and comparison.content.lengths else []),
        _causes(comparison, most),
        _transfer(comparison),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _documents(comparison: Comparison) -> list[str]:
    old, new = comparison.old, comparison.new
    counted = [("read", old.read, new.read), ("used", old.used, new.used)]
    rows = [(name, count(a), count(b), signed(b - a)) for name, a, b in counted]
    lines = ["Documents", *table(("", "old", "new", "difference"), rows)]
    found = comparison.content.documents if comparison.content else None
    if found is not None:
        said = [
            ("added", found.added),
            ("removed", found.removed),
            ("new revision", found.revised),
            ("same revision, other rows", found.remade),
            ("same", found.same),
        ]
        head = ("with rows", "documents", "of the old ones")
        whole = found.old or 1
        lines += ["", *table(head, [(name, count(n), per_cent(n / whole)) for name, n in said])]
    return lines


def _rows(comparison: Comparison) -> list[str]:
    old, new = comparison.old.splits, comparison.new.splits
    rows = [
        (name, count(old.get(name, 0)), count(new.get(name, 0)), signed(new.get(name, 0) - old.get(name, 0)))
        for name in sorted({*old, *new})
    ]
    return [f"Rows ({comparison.unread})", *table(("", "old", "new", "difference"), rows)]


def _config(name: str, change: ConfigChange, most: int | None) -> list[str]:
    head = ("", "old", "new", *(what.replace("_", " ") for what in _CHANGES), "other group")
    lines = [f"Rows of {name}", *table(head, [("all", *_cells(change.all)), *_groups(change.splits)])]
    if change.types:
        shown = dict(list(change.types.items())[:most])
        lines += ["", f"  by {change.by}", *table(head, _groups(shown)), *_more(len(change.types) - len(shown))]
    if change.columns:
        columns = list(change.columns.items())[:most]
        lines += ["", *_wrapped("  columns that differ: ", [f"{column} {n:,}" for column, n in columns])]
    for what, names in (("new columns", change.new_columns), ("lost columns", change.lost_columns)):
        if names:
            lines.append(f"  {what}: {', '.join(names)}")
    return lines


def _groups(groups: Mapping[str, Change]) -> list[tuple[str, ...]]:
    return [(name or "(empty)", *_cells(change)) for name, change in groups.items()]


def _cells(change: Change) -> tuple[str, ...]:
    numbers = [getattr(change, what) for what in _CHANGES]
    moved = f"{change.came:+,}/-{change.left:,}" if change.came or change.left else "."
    return (count(change.old), count(change.new), *map(count, numbers), moved)


def _rejected(entries: Sequence[Rejected], most: int | None) -> list[str]:
    if not entries:
        return []
    rows = [
        (
            f"{e.unit} {e.reason}",
            count(e.old),
            count(e.new),
            per_cent(e.old_share),
            per_cent(e.new_share),
            points(e.new_share - e.old_share),
        )
        for e in entries[:most]
    ]
    head = ("", "old", "new", "of old read", "of new read", "points")
    return ["Rejects, by the change of their share", *table(head, rows), *_more(len(entries) - len(rows))]


def _distributions(entries: Sequence[Moved], most: int | None) -> list[str]:
    lines: list[str] = []
    for moved in entries:
        pairs = list(zip(moved.values, moved.shares(), strict=True))[:most]
        rows = [
            (value or "(empty)", count(old), count(new), per_cent(before), per_cent(now), points(now - before))
            for (value, old, new), (_, before, now) in pairs
        ]
        head = ("", "old", "new", "old share", "new share", "points")
        lines += ["", f"{moved.kind.capitalize()} of {moved.config}: {_drift(moved)}", *table(head, rows)]
        lines += _more(len(moved.values) - len(rows))
    return lines[1:]


def _drift(moved: Moved) -> str:
    drift = moved.drift
    significant = f"{'' if drift.significant else 'not '}significant at {SIGNIFICANT}"
    test = f"chi-square {drift.chi_square:,.1f}, {drift.freedom} degrees of freedom, p {drift.probability:.2g}"
    return f"moved by {drift.distance:.3f} of 1; {significant} ({test})"


def _lengths(entries: Sequence[Lengths]) -> list[str]:
    rows = []
    for entry in entries:
        pairs = [(getattr(entry.old, at), getattr(entry.new, at)) for at in ("mean", "p10", "median", "p90", "p99")]
        cells = [f"{a:,.1f} > {b:,.1f}" if isinstance(a, float) else f"{a:,} > {b:,}" for a, b in pairs]
        rows.append((f"{entry.column} of {entry.config}", *cells, f"{entry.moved.drift.distance:.3f}"))
    head = ("", "mean", "10%", "median", "90%", "99%", "moved by")
    return ["Lengths, in words: old > new", *table(head, rows)]


def _causes(comparison: Comparison, most: int | None) -> list[str]:
    if not comparison.causes:
        return ["Code, packages, models, options and inputs are the same"]
    shown = comparison.causes[:most]
    lines = [f"  {c.what} {c.name}: {_value(c.old)} > {_value(c.new)}" for c in shown]
    return ["What may be the cause: old > new", *lines, *_more(len(comparison.causes) - len(shown))]


def _value(value: str) -> str:
    shown = value if len(value) <= 60 else f"{value[:57]}..."
    return shown or "none"


def _transfer(comparison: Comparison) -> list[str]:
    found = comparison.transfer
    rows = [
        ("all files of the new dataset", found.bytes),
        ("already there, in the same place", found.same_path),
        ("already there, under another name", found.same_content),
        ("to move", found.moved_files),
    ]
    whole = found.bytes or 1
    cells = [(name, f"{n:,}", size(n), per_cent(n / whole)) for name, n in rows]
    return ["Upload to a place that has the old dataset", *table(("", "bytes", "", "share"), cells)]


def _more(number: int) -> list[str]:
    return [f"  and {number:,} more: --all"] if number > 0 else []


def _wrapped(first: str, items: Sequence[str]) -> Iterator[str]:
    """Lines of items with commas between them; a later line begins below the first item."""
    line = first
    for number, item in enumerate(items):
        part = item if number == len(items) - 1 else f"{item}, "
        if len(line) + len(part.rstrip()) > _WIDTH and line.strip() != first.strip():
            yield line.rstrip()
            line = " " * len(first)
        line += part
    yield line.rstrip()


_LEAST_SHARED = 0.5  # of the words of the longer side; where fewer are shared, marks say nothing


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and whether the other text lacks it."""

    text: str
    changed: bool


def marked(inputs: str, targets: str) -> tuple[list[Piece], list[Piece]]:
    """Returns both texts in pieces, with the words marked that only one of them has in its place.

    Texts that share too few words come back whole, without marks.
    """
    old, new = inputs.split(), targets.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    blocks = matcher.get_opcodes()
    shared = sum(end - start for kind, start, end, _, _ in blocks if kind == "equal")
    if shared < _LEAST_SHARED * max(len(old), len(new)):
        return [Piece(inputs, False)], [Piece(targets, False)]
    return (
        _pieces([(old[start:end], kind != "equal") for kind, start, end, _, _ in blocks]),
        _pieces([(new[start:end], kind != "equal") for kind, _, _, start, end in blocks]),
    )


def merged(old: str, new: str) -> str:
    """Returns one line with the words of both texts, as wdiff has it: ``We [-ran.-] {+walked.+}``."""
    before, after = old.split(), new.split()
    parts = []
    for kind, start, end, since, until in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts += before[start:end]
            continue
        if end > start:
            parts.append(f"[-{' '.join(before[start:end])}-]")
        if until > since:
            parts.append(f"{{+{' '.join(after[since:until])}+}}")
    return " ".join(parts)


def _pieces(parts: Sequence[tuple[Sequence[str], bool]]) -> list[Piece]:
    return [Piece(" ".join(words), changed) for words, changed in parts if words]
