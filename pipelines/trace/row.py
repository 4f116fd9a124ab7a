"""Everything that is known of one row, and of the rows of one document."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmill.core.manifest import SourceEntry
from gistmill.core.statistics import Column
from gistmill.core.text_output import short_repr
from gistmill.published.dataset import Dataset
from gistmill.published.finding import Finder, FoundRow
from gistmill.published.rejects import rejects_of
from gistmill.rules.fusion import rows as fusion_rows
from gistmill.rules.fusion.edits import EditsError
from gistmill.rules.fusion.steps import fusing
from gistmill.rules.lineage import DOCUMENT_COLUMNS, Operation, file_name
from gistmill.transforms.sources.wikipedia.address import base_of_dump, page_address

if TYPE_CHECKING:
    from gistmill.pipelines.trace.replay import Replay


# What says where a row comes from; annotated documents have more of it than rows.
NAMES = (*(column.name for column in DOCUMENT_COLUMNS), "source", "timestamp", "language")
_PAGE = re.compile(r"wikipedia-\d+")


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


def lineage_of(dataset: Dataset, document_id: str, values: Mapping[str, Any]) -> Lineage:
    """Returns the lineage of a row.

    Args:
        dataset: its dataset, whose rejects say where a document lies if the columns do not.
        document_id: id of its document.
        values: its columns.

    Raises:
        DatasetError: the rejects cannot be read.
    """
    known = {"document_id": document_id} | {n: values[n] for n in NAMES if values.get(n) not in (None, "")}
    file, offset = str(known.pop("file", "")), known.pop("offset", None)
    by = "columns" if file else ""
    if not file:
        placed: Sequence[Mapping[str, Any]] = rejects_of(dataset, document_id)
        if placed:
            file, offset, by = str(placed[0]["file"]), int(placed[0]["offset"]), "rejects"
    if not file and len(dataset.manifest.sources) == 1:
        file, by = file_name(dataset.manifest.sources[0].name), "manifest"
    # the entry of a file; None where there is none, or several of its name
    found = [entry for entry in dataset.manifest.sources if file and file_name(entry.name) == file]
    return Lineage(values=known, file=file, offset=offset, known_by=by, source=found[0] if len(found) == 1 else None)


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
            "found": [places_json(f) for f in self.found],
            "lineage": self.lineage.to_json(),
            "columns": {column.name: value for column, value in self.columns},
            "edits": [dataclasses.asdict(e) for e in self.edits],
            "read_again": None if self.replay is None else self._replay_json(self.replay),
        }

    def _replay_json(self, made: Replay) -> dict[str, Any]:
        return {
            "file": made.file,
            "offset": made.offset,
            "rows": [row.id for row in made.rows],
            "rejected": None if made.reject is None else made.reject.reason.name,
            "differing_columns": self.differing if self.differing is None else list(self.differing),
            "operations": [dataclasses.asdict(o) for o in made.operations],
        }


def places_json(found: FoundRow) -> dict[str, Any]:
    """Returns where a row lies, as JSON values."""
    return {"config": found.config, "split": found.split, "file": found.path, "row_group": found.group}


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedDocument:
    """A document: its ``lineage``, the ``rows`` that were made of it, and its ``rejects`` as the dataset has them."""

    __repr__ = short_repr

    id: str
    recipe: str
    lineage: Lineage
    rows: Sequence[FoundRow]
    rejects: Sequence[Mapping[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """Returns it as JSON values."""
        return {
            "document_id": self.id,
            "recipe": self.recipe,
            "lineage": self.lineage.to_json(),
            "rows": [{"id": r.values["id"], **places_json(r)} for r in self.rows],
            "rejects": list(self.rejects),
        }


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
    finder = Finder(dataset)
    found = finder.rows(row_id)
    if not found:
        return None
    values, config = found[0].values, found[0].config
    document_id = str(values[finder.document_column(config)])
    lineage = lineage_of(dataset, document_id, values)
    made = differing = None
    if inputs:
        from gistmill.pipelines.trace.replay import replay  # loads Beam, and the parser where it is needed

        made = replay(
            dataset.manifest, document_id, inputs=inputs, file=lineage.file, offset=lineage.offset, row_id=row_id
        )
        differing = _differing(made, found[0])
        if lineage.offset is None:
            lineage = dataclasses.replace(lineage, file=made.file, offset=made.offset, known_by="input")
    own = {"id", *NAMES}
    return TracedRow(
        id=row_id,
        recipe=dataset.manifest.recipe,
        found=found,
        lineage=lineage,
        columns=[(c, v) for c, v in _columns(dataset, found) if c.name not in own],
        edits=_edits(values),
        replay=made,
        differing=differing,
    )


def trace_document(dataset: Dataset, document_id: str) -> TracedDocument | None:
    """Returns what is known of a document; None where it has neither rows nor rejects. Raises as ``trace_row``."""
    rows = list(Finder(dataset).of_document(document_id))
    rejects = rejects_of(dataset, document_id)
    if not rows and not rejects:
        return None
    values = rows[0].values if rows else {k: rejects[0][k] for k in ("title", "file", "offset")}
    return TracedDocument(
        id=document_id,
        recipe=dataset.manifest.recipe,
        lineage=lineage_of(dataset, document_id, values),
        rows=rows,
        rejects=rejects,
    )


def _columns(dataset: Dataset, found: Sequence[FoundRow]) -> Iterator[tuple[Column, Any]]:
    """The columns of a row and their values: of the first configuration that has each of them."""
    seen = set[str]()
    for row in found:
        for column in dataset.columns(row.config):
            if column.name not in seen:
                seen.add(column.name)
                yield column, row.values[column.name]


def _edits(values: Mapping[str, Any]) -> Sequence[Operation]:
    if not set(fusion_rows.COLUMNS) <= values.keys():
        return ()
    first, second = (str(values[f"incoherent_{half}_sentence"]) for half in ("first", "second"))
    try:
        return fusing(first, second, values["edits"])
    except EditsError:  # `gistmill validate` tells of it
        return ()


def _differing(made: Replay, found: FoundRow) -> list[str] | None:
    row = next((r for r in made.rows if r.id == found.values["id"] and r.config == found.config), None)
    if row is None:
        return None
    return [name for name, value in row.values.items() if found.values.get(name) != value]
