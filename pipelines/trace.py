"""``gistmill trace``: from a row of a published dataset back to its page, and to what the recipe did."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmill.core.manifest import ManifestError, SourceEntry
from gistmill.core.statistics import Column
from gistmill.core.text_output import say, short_repr
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.reporting.diff_text import merged
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import FoundRow, document_column, rows_of_documents, rows_of_id
from gistmill.published.rejects import rejects_of
from gistmill.rules.fusion import rows as fusion_rows
from gistmill.rules.fusion.edits import EditsError
from gistmill.rules.fusion.steps import fusing
from gistmill.rules.lineage import DOCUMENT_COLUMNS, Operation, file_name
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.wikipedia.address import base_of_dump, page_address

if TYPE_CHECKING:
    from gistmill.pipelines.replay import Replay


# What says where a row comes from; annotated documents have more of it than rows.
NAMES = (*(column.name for column in DOCUMENT_COLUMNS), "source", "timestamp", "language")
_PAGE = re.compile(r"wikipedia-\d+")
_LONGEST = 300  # characters of a value
_MOST_ITEMS = 12  # of a list
_MOST_ROWS = 20
_KNOWN_BY = {
    "rejects": "by the rejects of the same document",
    "input": "found when the input was read",
    "manifest": "the only input",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Where a row or document comes from; "" and None where unknown.

    Attributes:
        values: of the columns NAMES that are not empty.
        file, offset: name of the input file and where the document begins there, as its source counts.
        source: what the manifest says of that file.
        known_by: where file and offset are from: ``columns``, ``rejects`` (of the same document), ``input`` (read
            again), ``manifest`` (the only file that there is), or "".
    """

    values: Mapping[str, Any]
    file: str = ""
    offset: int | None = None
    source: SourceEntry | None = None
    known_by: str = ""

    @property
    def address(self) -> str:
        """URL of the page or of its revision, or ""."""
        values = {name: str(self.values.get(name, "")) for name in ("url", "document_id", "title", "revision")}
        if values["url"] or not _PAGE.fullmatch(values["document_id"]):
            return values["url"]
        return page_address(base_of_dump(self.file), values["title"], values["revision"])

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        source = self.source
        entry = None if source is None else {"size": source.size, "sha256": source.sha256, "kind": source.kind}
        return {
            **self.values,
            "file": self.file,
            "offset": self.offset,
            "known_by": self.known_by,
            "address": self.address,
            "source_file": entry,
        }

    def lines(self) -> Iterator[str]:
        """Yields it in lines for a person."""
        values = dict(self.values)
        title = values.pop("title", "")
        yield f"page       {f'{title} ' if title else ''}({values.pop('document_id', '')})"
        for name in ("revision", "timestamp"):
            if name in values:
                yield f"{name:<9}  {values.pop(name)}"
        if self.address:
            yield f"address    {self.address}"
        values.pop("url", None)
        if self.file:
            at = "" if self.offset is None else f", offset {self.offset:,}"
            by = f" ({_KNOWN_BY[self.known_by]})" if self.known_by in _KNOWN_BY else ""
            yield f"read from  {self.file}{at}{by}"
        if self.source is not None:
            digest = f", SHA-256 {self.source.sha256}" if self.source.sha256 else ""
            yield f"           {self.source.kind}, {self.source.size:,} bytes{digest}"
        for name, value in values.items():
            yield f"{name:<9}  {shown(value)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRow:
    """A row, where it lies and how it was made.

    Attributes:
        id: its id.
        recipe: what made it.
        found: where it lies, in each configuration that has it.
        lineage: where it comes from.
        columns: what its recipe says of it: columns other than those of lineage, with their meaning.
        edits: the edits of its column ``edits``, one after the other.
        replay: its document, read again; None if no input was given.
        differing: columns that differ from those of the row that was made again; None where none was made.
    """

    __repr__ = short_repr

    id: str
    recipe: str
    found: Sequence[FoundRow]
    lineage: Lineage
    columns: Sequence[tuple[Column, Any]]
    edits: Sequence[Operation] = ()
    replay: Replay | None = None
    differing: Sequence[str] | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        return {
            "id": self.id,
            "recipe": self.recipe,
            "found": [_place_json(f) for f in self.found],
            "lineage": self.lineage.to_json(),
            "columns": {column.name: value for column, value in self.columns},
            "edits": [dataclasses.asdict(e) for e in self.edits],
            "read_again": None if self.replay is None else self._replay_json(self.replay),
        }

    def lines(self) -> Iterator[str]:
        """Yields it in lines for a person."""
        yield f"{self.id}, a row of {self.recipe}"
        for found in self.found:
            yield f"  in {found.config}/{found.split}: {found.path}, row group {found.group}"
        yield ""
        yield from self.lineage.lines()
        yield ""
        yield "columns"
        width = max((len(column.name) for column, _ in self.columns), default=0)
        for column, value in self.columns:
            yield f"  {column.name:<{width}}  {shown(value)}"
        if self.edits:
            yield ""
            yield "edits that fuse the two sentences again: [-what goes-] {+what comes+}"
            yield f"     {merged(' '.join(self.edits[0].before), ' '.join(self.edits[-1].after))}"
            yield from (f"  {n}. {edit.name} {edit.detail}" for n, edit in enumerate(self.edits, start=1))
        if self.replay is not None:
            yield ""
            yield from self._replay_lines(self.replay)

    def _replay_json(self, made: Replay) -> dict[str, Any]:
        return {
            "file": made.file,
            "offset": made.offset,
            "rows": [row.id for row in made.rows],
            "rejected": None if made.reject is None else made.reject.reason.name,
            "differing_columns": self.differing if self.differing is None else list(self.differing),
            "operations": [dataclasses.asdict(o) for o in made.operations],
        }

    def _replay_lines(self, made: Replay) -> Iterator[str]:
        yield f"read again from {made.file}, offset {made.offset:,}: {len(made.rows):,} rows of the document"
        if made.reject is not None:
            yield f"  the document is rejected now: {made.reject.reason.name} ({shown(made.reject.detail)})"
        elif self.differing is None:
            yield "  this row is not made now: the rules, the models or the input are others"
        elif self.differing:
            yield f"  the row is made with other values of {', '.join(self.differing)}"
        else:
            yield "  the row is made again with the same values"
        if made.operations:
            yield "operations of the rules"
            yield f"     {' | '.join(made.operations[0].before)}"
            for number, operation in enumerate(made.operations, start=1):
                yield f"  {number}. {operation.name} {operation.detail}"
                yield f"     {' | '.join(operation.after)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedDocument:
    """A document: its ``lineage``, the ``rows`` that were made of it, and its ``rejects`` as the dataset has them."""

    __repr__ = short_repr

    id: str
    recipe: str
    lineage: Lineage
    rows: Sequence[FoundRow]
    rejects: Sequence[Mapping[str, Any]]

    @property
    def types(self) -> dict[str, int]:
        """How many of the rows there are of each value of the recipe's column of types; empty without one."""
        recipe = RECIPES.get(self.recipe)
        column = recipe.TYPE if recipe else ""
        return dict(Counter(str(r.values[column]) for r in self.rows if column in r.values).most_common())

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        return {
            "document_id": self.id,
            "recipe": self.recipe,
            "lineage": self.lineage.to_json(),
            "rows": [{"id": r.values["id"], **_place_json(r)} for r in self.rows],
            "types": self.types,
            "rejects": list(self.rejects),
        }

    def lines(self, *, everything: bool = False) -> Iterator[str]:
        """Yields it in lines for a person; of many rows and rejects the first ones, or ``everything``."""
        yield f"{self.id}, a document of {self.recipe}"
        yield from self.lineage.lines()
        yield ""
        yield f"{len(self.rows):,} rows" + (":" if self.rows else "")
        for (config, split), number in Counter((row.config, row.split) for row in self.rows).items():
            yield f"  {number:,} in {config}/{split}"
        if self.types:
            yield "  types: " + ", ".join(f"{name} {count:,}" for name, count in self.types.items())
        yield from _some((f"  {row_id}" for row_id in dict.fromkeys(row.values["id"] for row in self.rows)), everything)
        counts = Counter((r["stage"], r["unit"], r["reason"], r["text"]) for r in self.rejects)
        yield f"{len(self.rejects):,} rejects" + (":" if self.rejects else "")
        for (stage, unit, reason, text), number in counts.most_common():
            yield f"  {number:,} {unit} by {stage}: {reason}, {text}"
        yield from _some(map(_reject_line, self.rejects), everything)


def trace_row(dataset: Dataset, row_id: str, *, inputs: Sequence[str] = ()) -> TracedRow | None:
    """Returns what is known of a row; None where no configuration has it.

    Args:
        dataset: the dataset.
        row_id: id of the row.
        inputs: what the dataset was made of, if its document is to be read again.

    Raises:
        ConfigError: an input cannot be read again (see ``replay``).
        DatasetError: the dataset cannot be read.
    """
    found = rows_of_id(dataset, row_id)
    if not found:
        return None
    first = found[0]
    document_id = str(first.values[document_column(dataset, first.config)])
    lineage = _lineage(dataset, document_id, first.values)
    made = differing = None
    if inputs:
        from gistmill.pipelines.replay import replay  # loads Beam, and the parser where it is needed

        made = replay(
            dataset.manifest, document_id, inputs=inputs, file=lineage.file, offset=lineage.offset, row_id=row_id
        )
        again = next((row for row in made.rows if row.id == row_id and row.config == first.config), None)
        if again is not None:
            differing = [name for name, value in again.values.items() if first.values.get(name) != value]
        if lineage.offset is None:
            lineage = dataclasses.replace(lineage, file=made.file, offset=made.offset, known_by="input")
    columns: dict[str, tuple[Column, Any]] = {}  # of the first configuration that has each of them
    for row in found:
        for column in dataset.columns(row.config):
            columns.setdefault(column.name, (column, row.values[column.name]))
    return TracedRow(
        id=row_id,
        recipe=dataset.manifest.recipe,
        found=found,
        lineage=lineage,
        columns=[shown for name, shown in columns.items() if name not in {"id", *NAMES}],
        edits=_edits(first.values),
        replay=made,
        differing=differing,
    )


def trace_documents(dataset: Dataset, documents: Sequence[str]) -> list[TracedDocument]:
    """Returns what is known of documents, but for those that have neither rows nor rejects. Raises as ``trace_row``."""
    found: dict[str, list[FoundRow]] = {document_id: [] for document_id in documents}
    for row in rows_of_documents(dataset, documents):
        found[row.values[document_column(dataset, row.config)]].append(row)
    traced = []
    for document_id, rows in found.items():
        if (rejects := rejects_of(dataset, document_id)) or rows:
            values = rows[0].values if rows else {k: rejects[0][k] for k in ("title", "file", "offset")}
            lineage = _lineage(dataset, document_id, values)
            traced.append(
                TracedDocument(
                    id=document_id, recipe=dataset.manifest.recipe, lineage=lineage, rows=rows, rejects=rejects
                )
            )
    return traced


def _lineage(dataset: Dataset, document_id: str, values: Mapping[str, Any]) -> Lineage:
    """The lineage of a row or document: by its values, or by the rejects of its document where they do not say."""
    known = {"document_id": document_id} | {n: values[n] for n in NAMES if values.get(n) not in (None, "")}
    file, offset = str(known.pop("file", "")), known.pop("offset", None)
    by = "columns" if file else ""
    if not file and (placed := rejects_of(dataset, document_id)):
        file, offset, by = str(placed[0]["file"]), int(placed[0]["offset"]), "rejects"
    if not file and len(dataset.manifest.sources) == 1:
        file, by = file_name(dataset.manifest.sources[0].name), "manifest"
    # the entry of a file; None where there is none, or several of its name
    found = [entry for entry in dataset.manifest.sources if file and file_name(entry.name) == file]
    return Lineage(values=known, file=file, offset=offset, known_by=by, source=found[0] if len(found) == 1 else None)


def _edits(values: Mapping[str, Any]) -> Sequence[Operation]:
    if not set(fusion_rows.COLUMNS) <= values.keys():
        return ()
    first, second = (str(values[f"incoherent_{half}_sentence"]) for half in ("first", "second"))
    try:
        return fusing(first, second, values["edits"])
    except EditsError:  # `gistmill validate` tells of it
        return ()


def _place_json(found: FoundRow) -> dict[str, Any]:
    return {"config": found.config, "split": found.split, "file": found.path, "row_group": found.group}


def _reject_line(reject: Mapping[str, Any]) -> str:
    where = reject["unit"] if reject["index"] < 0 else f"{reject['unit']} {reject['index']}"
    return f"  {where}: {reject['reason']} ({shown(reject['detail'])})"


def shown(value: Any) -> str:
    """Returns a value in one line of bounded length."""
    if isinstance(value, list):
        more = f", ... ({len(value):,})" if len(value) > _MOST_ITEMS else ""
        return "[" + ", ".join(json.dumps(item, ensure_ascii=False) for item in value[:_MOST_ITEMS]) + more + "]"
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


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

exit codes: 0 found; 1 the dataset does not have it; 2 the command line, the dataset or the input is wrong.
"""


def main(argv: Sequence[str]) -> int:
    """Prints what is known of a row or document; returns the exit code.

    Raises:
        ConfigError: the command line is wrong, or the dataset or an input cannot be read.
    """
    arguments = _arguments(argv)
    with dataset_read(arguments.dataset) as dataset:
        traced: TracedRow | TracedDocument | None
        if arguments.document:
            traced = next(iter(trace_documents(dataset, [arguments.document])), None)
        else:
            traced = trace_row(dataset, arguments.id, inputs=arguments.input or ())
    if traced is None:
        wanted = f"document {arguments.document!r}" if arguments.document else f"row {arguments.id!r}"
        say(f"gistmill trace: {dataset.place} has no {wanted}")
        return NOT_THERE
    if arguments.json:
        say(json.dumps(traced.to_json(), ensure_ascii=False), sys.stdout)
        return 0
    for line in traced.lines() if isinstance(traced, TracedRow) else traced.lines(everything=arguments.all):
        say(line, sys.stdout)
    return 0


@contextmanager
def dataset_read(place: str) -> Iterator[Dataset]:
    """Opens a dataset for a block that reads it.

    Raises:
        ConfigError: it cannot be read, here or in the block.
    """
    try:
        yield Dataset(place)
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{place} cannot be read: {' '.join(str(error).split())}") from None


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
