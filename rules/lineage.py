"""Where a row comes from, and how it was made of its text."""

from __future__ import annotations

import functools
import posixpath
from dataclasses import dataclass

from gistmill.core.records import Origin, Pair
from gistmill.core.statistics import Column
from gistmill.rules.wiki.page import language_of_wiki

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
# Columns that say where a text was found. They may change from one dump to the next, when the text does not.
WHERE_FOUND = frozenset(("file", "offset", "record", "fetched", "revision", "timestamp", "url"))


def lineage_values(origin: Origin) -> dict[str, object]:
    """Returns the values of DOCUMENT_COLUMNS, in their order."""
    page = origin.metadata
    return {
        "document_id": origin.id,
        "title": origin.title,
        "url": page.url,
        "site": page.site,
        "author": page.author,
        "published": page.published,
        "revision": origin.revision,
        "record": page.record,
        "fetched": page.fetched,
        "file": file_name(origin.file),
        "offset": origin.offset,
    }


def language_of(origin: Origin) -> str:
    """Returns the code of a document's language: the one that cleaning has found or that was given, or the code in the
    address of a wiki; "" if there is none."""
    return origin.metadata.language or language_of_wiki(origin.metadata.url)


def language_of_pair(pair: Pair) -> str:
    """Returns the language of a row by its origin, or by its column ``url``; "" if neither tells."""
    return language_of(pair.origin) or language_of_wiki(str(pair.values.get("url", "")))


@functools.lru_cache(maxsize=1024)
def file_name(path: str) -> str:
    """Returns the name of an input file as rows have it.

    Its folder is not part of the content, so the bytes of a dataset are the same wherever the input lies.
    """
    return posixpath.basename(path)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Attributes:
        name: what it does, such as ``DELETE``.
        detail: on what, in words of the text.
        before, after: the sentences before and after it, tokens joined by spaces.
    """

    name: str
    detail: str
    before: tuple[str, ...]
    after: tuple[str, ...]
