"""Where a row comes from: the columns that every recipe for segmented documents has, and its refusals."""
from __future__ import annotations

import posixpath

from rules.records import Column, Reject, SegmentedDocument
from rules.verdict import Reason

DOCUMENT_COLUMNS: tuple[Column, ...] = (
    Column("document_id", "string", "id of the document"),
    Column("title", "string", "title of the document"),
    Column("url", "string", "address of the page, or empty"),
    Column("site", "string", "name of the publication, or empty"),
    Column("author", "string", "authors, or empty"),
    Column("published", "string", "date of publication (ISO 8601), or empty"),
    Column("revision", "string", "revision of the document in its source, or empty"),
    Column("record", "string", "id of the record in the crawl, or empty"),
    Column("fetched", "string", "time when the page was fetched (ISO 8601), or empty"),
    Column("file", "string", "name of the input file"),
    Column("offset", "int64", "where the document starts in the file"),
)


def document_values(document: SegmentedDocument) -> dict[str, object]:
    """Returns the values of DOCUMENT_COLUMNS, in their order."""
    page = document.metadata
    return {
        "document_id": document.id, "title": document.title, "url": page.url, "site": page.site, "author": page.author,
        "published": page.published, "revision": document.revision, "record": page.record, "fetched": page.fetched,
        "file": file_name(document.file), "offset": document.offset,
    }


def file_name(path: str) -> str:
    """Returns what a row says of its input file: the folder, which the manifest has, is not part of the content, and the
    bytes are the same wherever the input lies."""
    return posixpath.basename(path)


def document_reject(document: SegmentedDocument, reason: Reason, detail: str, *, unit: str = "document") -> Reject:
    """Returns the refusal of a document by its recipe."""
    return Reject(document.id, reason, "recipe", unit=unit, detail=detail, title=document.title, file=document.file,
                  offset=document.offset, range_key=document.range_key)
