"""The note beside a listing of downloaded files of a crawl: which months they are of, and the lists that named them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.manifest_entries import CrawlEntry
from gistmill.transforms.io import exists, is_url, read_json, write_json
from gistmill.transforms.sources.files.listing import is_listing
from gistmill.transforms.sources.files.ranges import SourceError, split_commas

_ENDING = ".crawls.json"


def write_note(listing: str, entries: Iterable[CrawlEntry]) -> None:
    """Writes the note of the listing at a path."""
    write_json(f"{listing}{_ENDING}", [dataclasses.asdict(entry) for entry in entries], indent=1)


def crawl_entries(patterns: Iterable[str]) -> list[CrawlEntry]:
    """Returns what the notes of the listings among paths, globs and comma lists say, each entry once. Stores have no
    notes.

    Raises:
        SourceError: a note cannot be read.
    """
    found: list[CrawlEntry] = []
    listings = (p for p in split_commas(patterns) if is_listing(p) and not is_url(p))
    for note in (f"{listing}{_ENDING}" for listing in listings):
        if exists(note):
            try:
                found += map(CrawlEntry.from_json, JsonValue(read_json(note), note).items())
            except (ValueError, JsonError) as error:
                raise SourceError(f"{note} is not a note on months of a crawl: {error}") from None
    return [*dict.fromkeys(found)]
