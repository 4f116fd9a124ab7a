"""Where a row comes from: its page, revision, address, file and place there, from its columns, rejects and manifest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.manifest import Manifest
from gistmill.core.manifest_entries import SourceEntry
from gistmill.published.dataset import Dataset
from gistmill.published.rejects import rejects_of
from gistmill.rules.lineage import DOCUMENT_COLUMNS, file_name
from gistmill.transforms.sources.wikipedia.address import base_of_dump, page_address

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
    return Lineage(values=known, file=file, offset=offset, known_by=by, source=_entry(dataset.manifest, file))


def _entry(manifest: Manifest, file: str) -> SourceEntry | None:
    """The entry of a file; None where there is none, or several of its name."""
    found = [entry for entry in manifest.sources if file and file_name(entry.name) == file]
    return found[0] if len(found) == 1 else None
