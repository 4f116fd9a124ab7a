"""``gistmill diff``: compares two published datasets made by the same recipe."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.statistics import StatisticsError
from gistmill.core.text_output import printable_lines
from gistmill.pipelines.errors import CommandParser, ConfigError
from gistmill.pipelines.options import beam_arguments
from gistmill.pipelines.reporting.plain_text import count, per_cent, points, signed, size, table
from gistmill.pipelines.runners.quiet import mute_stores
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.validate import open_dataset
from gistmill.published.comparison.compare import compare
from gistmill.published.comparison.comparison import (
    TRANSFER,
    Comparison,
    ConfigChange,
    Counts,
    Lengths,
    Moved,
    Rejected,
)
from gistmill.published.comparison.drift import SIGNIFICANT
from gistmill.published.comparison.guards import GuardsConfig, broken, broken_alone
from gistmill.published.files import DatasetError


def main(argv: Sequence[str]) -> int:
    """Prints the comparison; returns the exit code. Raises ConfigError if the command line is invalid, an argument is
    not a readable dataset, or the recipes differ."""
    parser = CommandParser("diff")
    parser.add_argument("old", metavar="OLD", help="dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("new", metavar="NEW", help="dataset to compare with it (Beam's storage options may follow)")
    parser.add_argument("--json", action="store_true", help="print one JSON object (docs/contracts.md)")
    parser.add_argument("--all", action="store_true", help="do not truncate tables")
    parser.add_argument("--quick", action="store_true", help="skip rows: documents and lengths are not compared")
    parser.add_argument(
        "--by", metavar="COLUMN", default="", help="count rows by this column (default: the column with their type)"
    )
    parser.add_argument(
        "--guards", metavar="CORPUS.yaml", help="use the bounds in this corpus file (default: the default bounds)"
    )
    parser.add_argument("--check", action="store_true", help="exit with code 1 if a guard is violated")
    arguments, others = parser.parse_known_args(list(argv))
    beam_options = beam_arguments(others, own=[f"--{name}" for name in vars(arguments)])
    mute_stores()
    FileSystems.set_options(PipelineOptions(beam_options))
    bounds = GuardsConfig()
    if arguments.guards:
        from gistmill.pipelines.rebuild.corpus import read_corpus  # loads every job

        bounds = read_corpus(arguments.guards).guards
    old, new = (open_dataset(place) for place in (arguments.old, arguments.new))
    try:
        found = compare(old, new, by=arguments.by, rows=not arguments.quick)
    except (DatasetError, StatisticsError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"a file cannot be read: {reason_of(error)}") from None
    lines = (*broken(found, bounds), *broken_alone(new.manifest, bounds))
    found = dataclasses.replace(found, guards=lines)
    shown = (
        json.dumps(found.to_json(), ensure_ascii=False) + "\n"
        if arguments.json
        else text(found, everything=arguments.all)
    )
    sys.stdout.write(printable_lines(shown))
    return 1 if lines and arguments.check else 0


_ROWS = 8  # maximum number of rows in a table without --all
_CHANGES = ("added", "removed", "changed", "found_elsewhere", "same")
_DOCUMENTS = {
    "added": "added",
    "removed": "removed",
    "revised": "new revision",
    "remade": "same revision, other rows",
    "same": "same",
}
_OLD_AND_NEW = ("", "old", "new", "difference")


def text(comparison: Comparison, *, everything: bool = False) -> str:
    """Formats a comparison for a terminal, most important parts first; ``everything`` shows tables in full."""
    most = None if everything else _ROWS
    old, new, content = comparison.old, comparison.new, comparison.content
    parts = [
        [f"gistmill diff: {comparison.recipe}", f"  old  {old.place}, {old.end}", f"  new  {new.place}, {new.end}"],
        [f"Guards: {len(comparison.guards) or 'none'} broken", *(f"  {line}" for line in comparison.guards)],
        _documents(comparison),
        *(_config(name, change, most) for name, change in (content.rows if content else {}).items()),
        [] if content else [f"Rows ({comparison.unread})", *_old_and_new(old.splits, new.splits)],
        _rejected(comparison.rejected, most),
        *(_distribution(moved, most) for moved in comparison.distributions),
        _lengths(content.lengths) if content and content.lengths else [],
        _causes(comparison, most),
        _transfer(comparison.transfer),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _old_and_new(old: Counts, new: Counts) -> list[str]:
    pairs = [(name, old.get(name, 0), new.get(name, 0)) for name in sorted({*old, *new})]
    return table(_OLD_AND_NEW, [(name, count(a), count(b), signed(b - a)) for name, a, b in pairs])


def _documents(comparison: Comparison) -> list[str]:
    sides = ({"read": side.read, "used": side.used} for side in (comparison.old, comparison.new))
    lines = ["Documents", *_old_and_new(*sides)]
    if comparison.content and (found := comparison.content.documents):
        rows = [(name, count(found[n]), per_cent(found[n] / (found["old"] or 1))) for n, name in _DOCUMENTS.items()]
        lines += ["", *table(("with rows", "documents", "of the old ones"), rows)]
    return lines


def _config(name: str, change: ConfigChange, most: int | None) -> list[str]:
    head = ("", "old", "new", *(what.replace("_", " ") for what in _CHANGES), "other group")

    def rows(groups: Mapping[str, Counts]) -> list[str]:
        cells = [
            (
                group or "(empty)",
                *(count(counts[what]) for what in ("old", "new", *_CHANGES)),
                f"{counts['came']:+,}/-{counts['left']:,}" if counts["came"] or counts["left"] else ".",
            )
            for group, counts in groups.items()
        ]
        return [*table(head, cells[:most]), *_more(len(cells), most)]

    lines = [f"Rows of {name}", *rows({"all": change.all, **change.splits})]
    if change.types:
        lines += ["", f"  by {change.by}", *rows(change.types)]
    if change.columns:
        columns = [(column, count(n)) for column, n in change.columns.items()]
        lines += ["", *table(("columns that differ", "rows"), columns[:most]), *_more(len(columns), most)]
    for what, names in (("new columns", change.new_columns), ("lost columns", change.lost_columns)):
        if names:
            lines.append(f"  {what}: {', '.join(names)}")
    return lines


def _rejected(entries: Sequence[Rejected], most: int | None) -> list[str]:
    rows = [(f"{e.unit} {e.reason}", *_shares(e.old, e.new, e.old_share, e.new_share)) for e in entries[:most]]
    head = ("", "old", "new", "of old read", "of new read", "points")
    shown = [*table(head, rows), *_more(len(entries), most)]
    return ["Rejects, by change in share", *shown] if entries else []


def _distribution(moved: Moved, most: int | None) -> list[str]:
    drift = moved.drift
    pairs = list(zip(moved.values, moved.shares(), strict=True))[:most]
    rows = [(value or "(empty)", *_shares(old, new, *shares)) for (value, old, new), (_, *shares) in pairs]
    return [
        f"{moved.kind.capitalize()} of {moved.config}: moved by {drift.distance:.3f} of 1; "
        f"{'' if drift.significant else 'not '}significant at {SIGNIFICANT} (chi-square {drift.chi_square:,.1f}, "
        f"{drift.freedom} degrees of freedom, p {drift.probability:.2g})",
        *table(("", "old", "new", "old share", "new share", "points"), rows),
        *_more(len(moved.values), most),
    ]


def _shares(old: int, new: int, old_share: float, new_share: float) -> tuple[str, ...]:
    return count(old), count(new), per_cent(old_share), per_cent(new_share), points(new_share - old_share)


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

    def value(text: str) -> str:
        return (text if len(text) <= 60 else f"{text[:57]}...") or "none"

    shown = [f"  {c.what} {c.name}: {value(c.old)} > {value(c.new)}" for c in comparison.causes[:most]]
    return ["Possible causes: old > new", *shown, *_more(len(comparison.causes), most)]


def _transfer(found: Counts) -> list[str]:
    names = (
        "all files of the new dataset",
        "already there, in the same place",
        "already there, under another name",
        "to move",
    )
    sizes = zip(names, (found[name] for name in TRANSFER), strict=True)
    cells = [(name, f"{n:,}", size(n), per_cent(n / (found["bytes"] or 1))) for name, n in sizes]
    return ["Upload to a place that has the old dataset", *table(("", "bytes", "", "share"), cells)]


def _more(number: int, most: int | None) -> list[str]:
    return [f"  and {number - most:,} more: --all"] if most and number > most else []
