"""``gistmill trace``: from a row of a published dataset back to its page, and to what the recipe did."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gistmill.core.manifest import ManifestError
from gistmill.core.text_output import say
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.reporting.diff_text import merged
from gistmill.pipelines.trace.row import Lineage, TracedDocument, TracedRow, trace_document, trace_row
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import Finder, FoundRow

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
        yield f"     {' | '.join(made.operations[0].before)}"
        for number, operation in enumerate(made.operations, start=1):
            yield f"  {number}. {operation.name} {operation.detail}"
            yield f"     {' | '.join(operation.after)}"


def _some(lines: Iterable[str], everything: bool) -> Iterator[str]:
    found = list(lines)
    yield from found if everything else found[:_MOST_ROWS]
    if len(found) > _MOST_ROWS and not everything:
        yield f"  ... and {len(found) - _MOST_ROWS:,} more (--all)"


NOT_THERE = 1
_DESCRIPTION = """\
Goes back from a row of a published dataset: to its page and revision, to the file and offset (or the WARC record) that
it was read from, and to what the recipe did to make it. Parquet files are sorted, so that a few row groups are read.

With --input the page is read again at its place, and the recipe is run on it with the options of the dataset: then
every operation of the rules is shown, with the sentences before and after it, and whether the row comes out the same.
"""
_EPILOG = """\
examples:
  gistmill trace out/demo wikipedia-12-00001-PAIR_NONE-0
  gistmill trace s3://bucket/discofuse-en wikipedia-12-00001-PAIR_NONE-0 --json
  gistmill trace out/demo wikipedia-12-00001-PAIR_NONE-0 --input enwiki-multistream.xml.bz2
  gistmill trace discofuse-en wikipedia-12-00001-PAIR_NONE-0 --input annotated-en
  gistmill trace out/demo --document wikipedia-12

exit codes: 0 found; 1 the dataset does not have it, and the nearest ids are named; 2 the command line, the dataset or
the input is wrong.
"""


def main(argv: Sequence[str]) -> int:
    """Prints what is known of a row or document; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, or the dataset or an input cannot be read.
    """
    arguments = _arguments(argv)
    try:
        dataset = Dataset(arguments.dataset)
        found = _found(dataset, arguments)
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{arguments.dataset} cannot be read: {' '.join(str(error).split())}") from None
    if isinstance(found, str):
        say(f"gistmill trace: {found}")
        return NOT_THERE
    for line in found:
        say(line, sys.stdout)
    return 0


def _found(dataset: Dataset, arguments: Namespace) -> list[str] | str:
    """The lines on what was asked for; or one line, a text, which says that it is not there."""
    traced: TracedRow | TracedDocument | None
    if arguments.document:
        traced = trace_document(dataset, arguments.document)
    else:
        traced = trace_row(dataset, arguments.id, inputs=arguments.input or ())
    if traced is None:
        wanted = arguments.document or arguments.id
        what = "document" if arguments.document else "row"
        near = ", ".join(Finder(dataset).neighbours(wanted)[:4])
        return f"{dataset.place} has no {what} {wanted!r}; the nearest rows are {near}"
    if arguments.json:
        return [json.dumps(traced.to_json(), ensure_ascii=False)]
    if isinstance(traced, TracedRow):
        return list(row_lines(traced))
    return list(document_lines(traced, everything=arguments.all))


def _arguments(argv: Sequence[str]) -> Namespace:
    parser = CommandParser("trace", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument("id", metavar="ID", nargs="?", help="id of the row")
    parser.add_argument("--document", metavar="ID", help="show all rows and rejects of this document instead")
    parser.add_argument(
        "-i",
        "--input",
        metavar="PLACE",
        action="append",
        help="what the dataset was made of, or a dataset of `gistmill annotate`: the page is read again",
    )
    parser.add_argument("--all", action="store_true", help="show every row and reject of the document, not the first")
    parser.add_argument("--json", action="store_true", help="write one JSON object, with everything, for programs")
    arguments = parser.parse_args(list(argv))
    if bool(arguments.id) == bool(arguments.document):
        raise ConfigError("name the id of one row, or a document by --document")
    if arguments.document and arguments.input:
        raise ConfigError("--input reads the page of one row again, and not with --document")
    return arguments
