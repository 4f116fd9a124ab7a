"""``gistmill trace``, which traces a row of a published dataset to its page and the recipe's operations, and ``gistmill
why``, which shows the rows made from a page or text, or why it was rejected."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from gistmill.core.extras import extra_for
from gistmill.core.manifest import ManifestError, SourceEntry
from gistmill.core.statistics import Column
from gistmill.core.text_output import say, short_repr
from gistmill.pipelines.errors import CommandParser, ConfigError, shown
from gistmill.pipelines.reporting.plain_text import merged
from gistmill.published import finding
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.rejects import rejects_of
from gistmill.rules.documents import ReadReason
from gistmill.rules.fusion import texts as fusion_texts
from gistmill.rules.fusion.edits import EditsError
from gistmill.rules.lineage import DOCUMENT_COLUMNS, Operation, file_name, fusing
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sources.wikipedia.addresses import base_of_dump, page_address

if TYPE_CHECKING:
    from gistmill.pipelines.replay import Replay


# The lineage columns; annotated documents have more of them than rows do.
NAMES = (*(column.name for column in DOCUMENT_COLUMNS), "source", "timestamp", "language")
_PAGE = re.compile(r"wikipedia-\d+")
_MOST_SHOWN = 20  # maximum number of rows, rejects and documents shown
_KNOWN_BY = {
    "rejects": " (by the rejects of the same document)",
    "input": " (found when the input was read)",
    "manifest": " (the only input)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """The origin of a row or document; "" and None mean unknown.

    Attributes:
        values: the non-empty values of the columns NAMES.
        file, offset: name of the input file and the document's offset in it, in the source's units.
        source: the manifest's entry for that file.
        known_by: source of file and offset: ``columns``, ``rejects`` (of the same document), ``input`` (read again),
            ``manifest`` (there is only one file), or "".
    """

    values: Mapping[str, Any]
    file: str = ""
    offset: int | None = None
    source: SourceEntry | None = None
    known_by: str = ""

    @property
    def address(self) -> str:
        """URL of the page or its revision, or ""."""
        values = {name: str(self.values.get(name, "")) for name in ("url", "document_id", "title", "revision")}
        if values["url"] or not _PAGE.fullmatch(values["document_id"]):
            return values["url"]
        return page_address(base_of_dump(self.file), values["title"], values["revision"])

    def to_json(self) -> dict[str, Any]:
        """Returns the lineage as JSON values."""
        source = self.source
        return {
            **self.values,
            "file": self.file,
            "offset": self.offset,
            "known_by": self.known_by,
            "address": self.address,
            "source_file": source and {"size": source.size, "sha256": source.sha256, "kind": source.kind},
        }

    def lines(self) -> list[str]:
        """Returns the lineage as lines of text."""
        values = {name: value for name, value in self.values.items() if name != "url"}
        at = "" if self.offset is None else f", offset {self.offset:,}"
        digest = f", SHA-256 {self.source.sha256}" if self.source and self.source.sha256 else ""
        named = {
            "page": f"{values.pop('title', '')} ({values.pop('document_id', '')})".lstrip(),
            "revision": values.pop("revision", ""),
            "timestamp": values.pop("timestamp", ""),
            "address": self.address,
            "read from": f"{self.file}{at}{_KNOWN_BY.get(self.known_by, '')}" if self.file else "",
            "": f"{self.source.kind}, {self.source.size:,} bytes{digest}" if self.source else "",
            **values,
        }
        return [f"{name:<9}  {shown(value)}" for name, value in named.items() if value != ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedRow:
    """A row, its location and how it was made.

    Attributes:
        id: id of the row.
        recipe: name of the recipe that made it.
        found: the row in each configuration that contains it.
        lineage: its origin.
        columns: the columns other than the lineage, with their values.
        edits: the operations of its ``edits`` column, in order.
        replay: the result of reading its document again; None if no input was given.
        differing: columns whose values differ in the row made again; None if it was not made again.
    """

    __repr__ = short_repr

    id: str
    recipe: str
    found: Sequence[finding.FoundRow]
    lineage: Lineage
    columns: Sequence[tuple[Column, Any]]
    edits: Sequence[Operation] = ()
    replay: Replay | None = None
    differing: Sequence[str] | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the row as JSON values."""
        return {
            "id": self.id,
            "recipe": self.recipe,
            "found": [_place_json(f) for f in self.found],
            "lineage": self.lineage.to_json(),
            "columns": {column.name: value for column, value in self.columns},
            "edits": [asdict(e) for e in self.edits],
            "read_again": self.replay and self.replay.to_json(self.differing),
        }

    def lines(self) -> Iterator[str]:
        """Yields the row as lines of text."""
        yield f"{self.id}, a row of {self.recipe}"
        for found in self.found:
            yield f"  in {found.config}/{found.split}: {found.path}, row group {found.group}"
        yield ""
        yield from self.lineage.lines()
        yield ""
        yield "columns"
        width = max((len(column.name) for column, _ in self.columns), default=0)
        yield from (f"  {column.name:<{width}}  {shown(value)}" for column, value in self.columns)
        if self.edits:
            yield ""
            yield "edits that fuse the two sentences again: [-removed-] {+added+}"
            yield f"     {merged(' '.join(self.edits[0].before), ' '.join(self.edits[-1].after))}"
            yield from (f"  {n}. {edit.name} {edit.detail}" for n, edit in enumerate(self.edits, start=1))
        if self.replay is not None:
            yield ""
            yield from self.replay.lines(self.differing)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedDocument:
    """A document with its ``lineage``, the ``rows`` made from it, and its ``rejects`` as stored in the dataset."""

    id: str
    recipe: str
    lineage: Lineage
    rows: Sequence[finding.FoundRow]
    rejects: Sequence[Mapping[str, Any]]

    @property
    def types(self) -> dict[str, int]:
        """Number of rows per value of the recipe's type column; empty if the recipe has none."""
        recipe = RECIPES.get(self.recipe)
        column = recipe.TYPE if recipe else ""
        return dict(Counter(str(r.values[column]) for r in self.rows if column in r.values).most_common())

    def to_json(self) -> dict[str, Any]:
        """Returns the document as JSON values."""
        return {
            "document_id": self.id,
            "recipe": self.recipe,
            "lineage": self.lineage.to_json(),
            "rows": [{"id": r.values["id"], **_place_json(r)} for r in self.rows],
            "types": self.types,
            "rejects": list(self.rejects),
        }

    def lines(self, *, everything: bool = False) -> Iterator[str]:
        """Yields the document as lines of text, with only the first rows and rejects unless ``everything`` is true."""

        def some(lines: Sequence[str]) -> Sequence[str]:
            rest = 0 if everything else len(lines) - _MOST_SHOWN
            return [*lines[:_MOST_SHOWN], f"  ... and {rest:,} more (--all)"] if rest > 0 else lines

        yield f"{self.id}, a document of {self.recipe}"
        yield from self.lineage.lines()
        yield ""
        yield f"{len(self.rows):,} rows" + (":" if self.rows else "")
        for (config, split), number in Counter((row.config, row.split) for row in self.rows).items():
            yield f"  {number:,} in {config}/{split}"
        if self.types:
            yield "  types: " + ", ".join(f"{name} {count:,}" for name, count in self.types.items())
        yield from some([f"  {row_id}" for row_id in dict.fromkeys(row.values["id"] for row in self.rows)])
        counts = Counter((r["stage"], r["unit"], r["reason"], r["text"]) for r in self.rejects)
        yield f"{len(self.rejects):,} rejects" + (":" if self.rejects else "")
        for (stage, unit, reason, text), number in counts.most_common():
            yield f"  {number:,} {unit} by {stage}: {reason}, {text}"
        places = [r["unit"] if r["index"] < 0 else f"{r['unit']} {r['index']}" for r in self.rejects]
        pairs = zip(places, self.rejects, strict=True)
        yield from some([f"  {place}: {r['reason']} ({shown(r['detail'])})" for place, r in pairs])


def trace_row(dataset: Dataset, row_id: str, *, inputs: Sequence[str] = ()) -> TracedRow | None:
    """Returns information on a row; None if no configuration contains it.

    Args:
        dataset: the dataset.
        row_id: id of the row.
        inputs: the dataset's inputs, to read the row's document again.

    Raises:
        ConfigError: the document cannot be read again (see ``replay``).
        DatasetError: the dataset cannot be read.
    """
    found = finding.rows_of_id(dataset, row_id)
    if not found:
        return None
    first = found[0]
    document_id = str(first.values[finding.document_column(dataset, first.config)])
    lineage = _lineage(dataset, document_id, first.values)
    made = differing = None
    if inputs:
        with extra_for("reading a page again", "pipelines"):
            from gistmill.pipelines.replay import replay  # loads Beam, and the parser if needed

        made = replay(
            dataset.manifest, document_id, inputs=inputs, file=lineage.file, offset=lineage.offset, row_id=row_id
        )
        again = next((row for row in made.rows if row.id == row_id and row.config == first.config), None)
        if again is not None:
            differing = [name for name, value in again.values.items() if first.values.get(name) != value]
        if lineage.offset is None:
            lineage = dataclasses.replace(lineage, file=made.file, offset=made.offset, known_by="input")
    columns: dict[str, tuple[Column, Any]] = {}  # each from the first configuration that has it
    for row in found:
        for column in dataset.columns(row.config):
            columns.setdefault(column.name, (column, row.values[column.name]))
    edits: Sequence[Operation] = ()
    if set(fusion_texts.COLUMNS) <= first.values.keys():
        one, two = (str(first.values[f"incoherent_{half}_sentence"]) for half in ("first", "second"))
        with suppress(EditsError):  # `gistmill validate` reports it
            edits = fusing(one, two, first.values["edits"])
    return TracedRow(
        id=row_id,
        recipe=dataset.manifest.recipe,
        found=found,
        lineage=lineage,
        columns=[shown for name, shown in columns.items() if name not in {"id", *NAMES}],
        edits=edits,
        replay=made,
        differing=differing,
    )


def trace_documents(dataset: Dataset, documents: Sequence[str]) -> list[TracedDocument]:
    """Returns information on those documents that have rows or rejects. Raises DatasetError, as ``trace_row`` does."""
    found: dict[str, list[finding.FoundRow]] = {document_id: [] for document_id in documents}
    for row in finding.rows_of_documents(dataset, documents):
        found[row.values[finding.document_column(dataset, row.config)]].append(row)
    traced = []
    for document_id, rows in found.items():
        if (rejects := rejects_of(dataset, document_id)) or rows:
            values = rows[0].values if rows else {k: rejects[0][k] for k in ("title", "file", "offset")}
            lineage, recipe = _lineage(dataset, document_id, values), dataset.manifest.recipe
            traced.append(TracedDocument(id=document_id, recipe=recipe, lineage=lineage, rows=rows, rejects=rejects))
    return traced


def _lineage(dataset: Dataset, document_id: str, values: Mapping[str, Any]) -> Lineage:
    """Returns the lineage of a row or document from its values, or else from its document's rejects or the manifest."""
    known = {"document_id": document_id} | {n: values[n] for n in NAMES if values.get(n) not in (None, "")}
    file, offset = str(known.pop("file", "")), known.pop("offset", None)
    by = "columns" if file else ""
    if not file and (placed := rejects_of(dataset, document_id)):
        file, offset, by = str(placed[0]["file"]), int(placed[0]["offset"]), "rejects"
    if not file and len(dataset.manifest.sources) == 1:
        file, by = file_name(dataset.manifest.sources[0].name), "manifest"
    # entries with this file name; only a unique one is used
    found = [entry for entry in dataset.manifest.sources if file and file_name(entry.name) == file]
    return Lineage(values=known, file=file, offset=offset, known_by=by, source=found[0] if len(found) == 1 else None)


def _place_json(found: finding.FoundRow) -> dict[str, Any]:
    return {"config": found.config, "split": found.split, "file": found.path, "row_group": found.group}


def ask(dataset: Dataset, question: str) -> tuple[str, int, list[TracedDocument]]:
    """Looks up a page by title, URL or document id; if that fails, searches the dataset for the question as a text.

    Returns:
        The kind of the question (``title``, ``url``, ``id`` or ``text``); the number of matching documents; and the
        first of them with their rows and rejects, for a text only those that contain it.

    Raises:
        DatasetError: the dataset cannot be read.
    """
    if "://" in question and len(question.split()) == 1:
        subject, ids = "url", finding.documents_known_by(dataset, _values_of(question))
    else:
        subject, ids = "title", finding.documents_known_by(dataset, {"title": question})
        if not ids and (documents := trace_documents(dataset, [question])):
            return "id", 1, documents
        if not ids:
            subject, ids = "text", finding.documents_with(dataset, question)
    documents = trace_documents(dataset, ids[:_MOST_SHOWN])
    return subject, len(ids), [_having(d, question) for d in documents] if subject == "text" else documents


def _values_of(url: str) -> dict[str, str]:
    """Returns the values that identify a URL's page: the URL and, on Wikipedia, the title or revision."""
    try:
        parts = urlsplit(url)
    except ValueError:  # unclosed brackets
        return {"url": url}
    query = parse_qs(parts.query)
    of_path = [unquote(parts.path.removeprefix("/wiki/"))] if parts.path.startswith("/wiki/") else []
    found = {"url": [url], "title": query.get("title", of_path), "revision": query.get("oldid", [])}
    return {name: values[0] for name, values in found.items() if values}


def _having(document: TracedDocument, text: str) -> TracedDocument:
    """Restricts a document to the rows and rejects that contain a text or concern a sentence that contains it."""
    rows = [row for row in document.rows if finding.has(row.values, text)]
    places = set()  # indices of the sentences known from rows to contain it
    for values in (row.values for row in rows if "sentence_index" in row.values):
        halves = [values[n] for n in ("coherent_first_sentence", "coherent_second_sentence") if n in values]
        having = [finding.has({"text": half}, text) for half in halves] or [True]
        places |= {values["sentence_index"] + number for number, has_it in enumerate(having) if has_it}
    rejects = [
        reject
        for reject in document.rejects
        if reject["unit"] != "document"
        and (
            reject["index"] in places
            or (reject["unit"] == "pair" and reject["index"] + 1 in places)
            or finding.has({"detail": reject["detail"]}, text)
        )
    ]
    return dataclasses.replace(document, rows=rows, rejects=rejects)


NOT_THERE = 1
_DATASET = "published dataset: a folder, or a gs:// or s3:// URL"
_JSON = "print one JSON object with all details, for scripts"


def trace_main(argv: Sequence[str]) -> int:
    """Prints the information on a row or document; returns the exit code. Raises ConfigError if the command line is
    invalid or the dataset or an input cannot be read."""
    parser = CommandParser("trace")
    parser.add_argument("dataset", metavar="DATASET", help=_DATASET)
    parser.add_argument("id", metavar="ID", nargs="?", help="ID of the row")
    parser.add_argument("--document", metavar="ID", help="show all rows and rejects of this document instead")
    parser.add_argument(
        *("-i", "--input"),
        metavar="PLACE",
        action="append",
        help="the dataset's inputs, or a `gistmill annotate` dataset, from which to read the page again",
    )
    parser.add_argument("--all", action="store_true", help="show all rows and rejects of the document, not just some")
    parser.add_argument("--json", action="store_true", help=_JSON)
    asked = parser.parse_args(list(argv))
    if bool(asked.id) == bool(asked.document):
        raise ConfigError("specify either a row ID or --document, not both")
    if asked.document and asked.input:
        raise ConfigError("--input rereads the page of one row and cannot be used with --document")
    found: TracedRow | TracedDocument | None
    with _reading(asked.dataset) as dataset:
        if asked.document:
            found = next(iter(trace_documents(dataset, [asked.document])), None)
        else:
            found = trace_row(dataset, asked.id, inputs=asked.input or ())
    if found is None:
        wanted = f"document {asked.document!r}" if asked.document else f"row {asked.id!r}"
        say(f"gistmill trace: {dataset.place} contains no {wanted}")
        return NOT_THERE
    lines = found.lines(everything=asked.all) if isinstance(found, TracedDocument) else found.lines()
    _print(found.to_json() if asked.json else lines)
    return 0


def why_main(argv: Sequence[str]) -> int:
    """Prints the answer to a question; returns the exit code. Raises ConfigError if the dataset cannot be read."""
    parser = CommandParser("why")
    parser.add_argument("dataset", metavar="DATASET", help=_DATASET)
    parser.add_argument("question", metavar="TITLE|URL|ID|TEXT", help="page title, URL, ID or sentence to explain")
    parser.add_argument("--all", action="store_true", help="show all rows and rejects, not only the first ones")
    parser.add_argument("--json", action="store_true", help=_JSON)
    asked = parser.parse_args(list(argv))
    with _reading(asked.dataset) as dataset:
        subject, number, documents = ask(dataset, asked.question)
    if asked.json:
        first = [document.to_json() for document in documents]
        _print({"question": asked.question, "subject": subject, "documents": number, "first": first})
    elif number:
        _print(_why_lines(asked.question, subject, number, documents, everything=asked.all))
    else:
        said = f"gistmill why: {dataset.place} contains no title, URL, document id or text {asked.question!r}"
        if others := dataset.manifest.counts.get("documents/rejected", {}).get(ReadReason.NAMESPACE.name):
            said += f"; pages outside the wanted namespaces are only counted (NAMESPACE {others:,})"
        say(said)
    return 0 if number else NOT_THERE


def _why_lines(
    question: str, subject: str, number: int, documents: Sequence[TracedDocument], *, everything: bool
) -> Iterator[str]:
    of = "1 document" if number == 1 else f"{number:,} documents"
    yield {
        "title": f"{shown(question)!r} is the title of {of}",
        "url": f"{shown(question)} is the URL of {of}",
        "id": f"{shown(question)} is the id of {of}",
        "text": f"the text is not a title but occurs in {of}",
    }[subject]
    for document in documents:
        yield ""
        yield from document.lines(everything=everything)
    if number > len(documents):
        yield f"... and {number - len(documents):,} more documents"
    if subject == "text":
        yield ""
        yield "Sentences with neither a row nor a reject were too short or had no phenomenon; they are only counted."


def _print(answer: Mapping[str, Any] | Iterable[str]) -> None:
    """Prints a mapping as one line of JSON, or other answers as lines of text."""
    for line in [json.dumps(answer, ensure_ascii=False)] if isinstance(answer, Mapping) else answer:
        say(line, sys.stdout)


@contextmanager
def _reading(place: str) -> Iterator[Dataset]:
    """Opens a dataset for the block. Raises ConfigError if it cannot be read, here or in the block."""
    try:
        yield Dataset(place)
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{place} cannot be read: {' '.join(str(error).split())}") from None
