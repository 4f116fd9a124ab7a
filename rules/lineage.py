"""The lineage of rows: the documents they come from, and the operations that made them."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.core.records import Origin, Pair
from gistmill.core.statistics import Column
from gistmill.rules.fusion.edits import from_column, realise
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
# An additional column for recipes that keep whole articles.
EXTRACTION_COLUMN = Column(
    "extraction",
    "string",
    "how the article was found on a web page: `strict`, `fallback` where the first extractor missed much, or empty",
)
# Columns that record where a text was found; they may differ between dumps even if the text does not.
WHERE_FOUND = frozenset(("file", "offset", "record", "fetched", "revision", "timestamp", "url"))


def lineage_values(origin: Origin) -> dict[str, object]:
    """Returns the values for DOCUMENT_COLUMNS, in order."""
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
    """Returns a document's language code as given or detected, or else from the wiki's address; "" if there is none."""
    return origin.metadata.language or language_of_wiki(origin.metadata.url)


def language_of_pair(pair: Pair) -> str:
    """Returns a row's language according to its origin, or else its ``url`` column; "" if neither gives one."""
    return language_of(pair.origin) or language_of_wiki(str(pair.values.get("url", "")))


@functools.lru_cache(maxsize=1024)
def file_name(path: str) -> str:
    """Returns the name of an input file as stored in rows.

    It does not include the folder, so a dataset's bytes do not depend on the location of its input.
    """
    return posixpath.basename(path)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation that was applied to a row's text.

    Attributes:
        name: name of the operation, such as ``DELETE``.
        detail: the words of the text that it affects.
        before, after: the sentences before and after the operation, with tokens joined by spaces.
    """

    name: str
    detail: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def fusing(first: str, second: str, column: Sequence[str]) -> tuple[Operation, ...]:
    """Returns a row's edits as operations, in order; the last one yields the tokens of the fusion.

    Spacing edits are left out, since they do not change any token.

    Args:
        first, second: the two sentences, with tokens joined by spaces.
        column: the edits, in the form that ``to_column`` returns.

    Raises:
        EditsError: an edit is malformed or does not fit the sentences.
    """
    halves = first.split(" "), second.split(" ")
    n, m = map(len, halves)
    tokens = [*halves[0], *halves[1]]
    made: list[Operation] = []
    before: tuple[str, ...] = (first, second)
    edits = [edit for edit in column if edit.split(" ", 1)[0] not in ("join", "space")]
    for number, edit in enumerate(edits, start=1):
        all_so_far = from_column(edits[:number], n, m)
        after = (" ".join(realise(*halves, all_so_far)),)
        head, _, rest = edit.partition(" ")
        name = head if head == "move" else rest.partition(" ")[0]
        made.append(Operation("WRITE" if name == "before" else name.upper(), _detail(edit, tokens), before, after))
        before = after
    return tuple(made)


def _detail(edit: str, tokens: Sequence[str]) -> str:
    head, _, rest = edit.partition(" ")
    if head == "move":
        at = int(rest)
        return "the second sentence before " + (f"{tokens[at]!r}" if at < len(tokens) else "the end")
    name, _, text = rest.partition(" ")
    place = repr(tokens[int(head)]) if int(head) < len(tokens) else "the end"
    if name == "before":
        return f"{text!r} before {place}"
    return f"{place} by {text!r}" if name == "replace" else place
