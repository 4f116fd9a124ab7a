"""What is known of rows and documents as text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gistmill.pipelines.reporting.words import merged
from gistmill.pipelines.trace.lineage import Lineage
from gistmill.pipelines.trace.row import TracedDocument, TracedRow
from gistmill.published.finding import FoundRow
from gistmill.rules.derivation import Operation

_LONGEST = 300  # characters of a value
_MOST_ITEMS = 12  # of a list
_MOST_ROWS = 20
_KNOWN_BY = {
    "rejects": "by the rejects of the same document",
    "input": "found when the input was read",
    "manifest": "the only input",
}


def row_lines(traced: TracedRow) -> Iterator[str]:
    """Yields the lines on a row."""
    yield f"{traced.id}, a row of {traced.recipe}"
    for found in traced.found:
        yield f"  in {found.config}/{found.split}: {found.path}, row group {found.group}"
    yield ""
    yield from lineage_lines(traced.lineage)
    yield ""
    yield "columns"
    width = max((len(column.name) for column, _ in traced.columns), default=0)
    for column, value in traced.columns:
        yield f"  {column.name:<{width}}  {shown(value)}"
    if traced.edits:
        yield ""
        yield "edits that fuse the two sentences again: [-what goes-] {+what comes+}"
        yield f"     {merged(' '.join(traced.edits[0].before), ' '.join(traced.edits[-1].after))}"
        yield from (f"  {n}. {edit.name} {edit.detail}" for n, edit in enumerate(traced.edits, start=1))
    if traced.replay is not None:
        yield ""
        yield from _replay_lines(traced)


def document_lines(traced: TracedDocument, *, everything: bool = False) -> Iterator[str]:
    """Yields the lines on a document; of many rows and rejects the first ones, or ``everything``."""
    yield f"{traced.id}, a document of {traced.recipe}"
    yield from lineage_lines(traced.lineage)
    yield ""
    yield from rows_lines(traced.rows, everything=everything)
    yield from reject_lines(traced.rejects, everything=everything)


def rows_lines(rows: Sequence[FoundRow], *, everything: bool = False) -> Iterator[str]:
    """Yields how many rows there are in each configuration and split, and their ids, each once."""
    counts = Counter((row.config, row.split) for row in rows)
    yield f"{len(rows):,} rows" + (":" if rows else "")
    for (config, split), number in counts.items():
        yield f"  {number:,} in {config}/{split}"
    yield from _some((f"  {row_id}" for row_id in dict.fromkeys(row.values["id"] for row in rows)), everything)


def reject_lines(rejects: Sequence[Mapping[str, Any]], *, everything: bool = False) -> Iterator[str]:
    """Yields how many rejects there are by stage, unit and reason, and what they say."""
    counts = Counter((r["stage"], r["unit"], r["reason"], r["text"]) for r in rejects)
    yield f"{len(rejects):,} rejects" + (":" if rejects else "")
    for (stage, unit, reason, text), number in counts.most_common():
        yield f"  {number:,} {unit} by {stage}: {reason}, {text}"
    yield from _some((f"  {reject_line(reject)}" for reject in rejects), everything)


def reject_line(reject: Mapping[str, Any]) -> str:
    """Returns a reject in one line."""
    where = reject["unit"] if reject["index"] < 0 else f"{reject['unit']} {reject['index']}"
    return f"{where}: {reject['reason']} ({shown(reject['detail'])})"


def lineage_lines(lineage: Lineage) -> Iterator[str]:
    """Yields where something comes from."""
    values = dict(lineage.values)
    title = values.pop("title", "")
    yield f"page       {f'{title} ' if title else ''}({values.pop('document_id', '')})"
    for name in ("revision", "timestamp"):
        if name in values:
            yield f"{name:<9}  {values.pop(name)}"
    if lineage.address:
        yield f"address    {lineage.address}"
    values.pop("url", None)
    if lineage.file:
        at = "" if lineage.offset is None else f", offset {lineage.offset:,}"
        by = f" ({_KNOWN_BY[lineage.known_by]})" if lineage.known_by in _KNOWN_BY else ""
        yield f"read from  {lineage.file}{at}{by}"
    if lineage.source is not None:
        digest = f", SHA-256 {lineage.source.sha256}" if lineage.source.sha256 else ""
        yield f"           {lineage.source.kind}, {lineage.source.size:,} bytes{digest}"
    for name, value in values.items():
        yield f"{name:<9}  {shown(value)}"


def shown(value: Any) -> str:
    """Returns a value in one line of bounded length."""
    if isinstance(value, list):
        more = f", ... ({len(value):,})" if len(value) > _MOST_ITEMS else ""
        return "[" + ", ".join(json.dumps(item, ensure_ascii=False) for item in value[:_MOST_ITEMS]) + more + "]"
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _replay_lines(traced: TracedRow) -> Iterator[str]:
    made = traced.replay
    assert made is not None
    yield f"read again from {made.file}, offset {made.offset:,}: {len(made.rows):,} rows of the document"
    if made.reject is not None:
        yield f"  the document is rejected now: {made.reject.reason.name} ({shown(made.reject.detail)})"
    elif traced.differing is None:
        yield "  this row is not made now: the rules, the models or the input are others"
    elif traced.differing:
        yield f"  the row is made with other values of {', '.join(traced.differing)}"
    else:
        yield "  the row is made again with the same values"
    if made.operations:
        yield "operations of the rules"
        yield from _operation_lines(made.operations)


def _operation_lines(operations: Sequence[Operation]) -> Iterator[str]:
    yield f"     {' | '.join(operations[0].before)}"
    for number, operation in enumerate(operations, start=1):
        yield f"  {number}. {operation.name} {operation.detail}"
        yield f"     {' | '.join(operation.after)}"


def _some(lines: Iterable[str], everything: bool) -> Iterator[str]:
    found = list(lines)
    yield from found if everything else found[:_MOST_ROWS]
    if len(found) > _MOST_ROWS and not everything:
        yield f"  ... and {len(found) - _MOST_ROWS:,} more (--all)"
