"""Notes that record the download of a dump."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from gistmill.core.json_value import Count, JsonValue, read_as
from gistmill.core.manifest import DumpEntry, ExportFile
from gistmill.transforms.io import exists, read_json, write_json
from gistmill.transforms.sources.files.ranges import SourceError

DUMPS, EXPORTS = "dumps", "exports"
_ENDING = ".dump.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpNote:
    """The content of a note.

    Attributes:
        file: name of the file.
        wiki: name of the wiki, such as ``enwiki``.
        date: date of the dump, YYYYMMDD.
        url: URL from which the file was downloaded.
        layout: DUMPS or EXPORTS.
        size: size in bytes; 0 in notes written by old versions.
        sha1: hexadecimal SHA-1 published by the server for DUMPS; "" for EXPORTS.
        sha256: SHA-256 of the download; "" if it was not computed.
    """

    file: str
    wiki: str
    date: str
    url: str
    layout: str = DUMPS
    size: Count = 0
    sha1: str = ""
    sha256: str = ""


def note_of(path: str) -> str:
    """Returns the path of the note on a file."""
    return f"{path}{_ENDING}"


def write_note(path: str, note: DumpNote) -> None:
    """Writes the note on the file ``path``."""
    write_json(note_of(path), dataclasses.asdict(note), indent=1)


def read_note(path: str) -> DumpNote | None:
    """Returns the note on the file ``path``, or None if there is none. Raises SourceError if it cannot be read."""
    place = note_of(path)
    if not exists(place):
        return None
    try:
        note: DumpNote = read_as(DumpNote, JsonValue(read_json(place), place))
    except ValueError as error:
        raise SourceError(f"{place} is not a valid note on a dump: {error}") from None
    return note


def dump_entries(paths: Iterable[str]) -> list[DumpEntry]:
    """Returns the entries in the notes on files, given in order: one per file of a dump, and one for all files of an
    export. Files without a note are ignored.

    Raises SourceError if a note cannot be read.
    """
    found: dict[tuple[str, ...], DumpEntry] = {}
    for note in filter(None, map(read_note, paths)):
        if note.layout == DUMPS:
            found[(note.file, note.url)] = DumpEntry(
                file=note.file, wiki=note.wiki, date=note.date, url=note.url, sha1=note.sha1
            )
            continue
        folder = note.url.rpartition("/")[0]
        key = (note.wiki, note.date, folder)
        before = found.get(key) or DumpEntry(
            file="", wiki=note.wiki, date=note.date, url=folder, sha1="", layout=note.layout
        )
        file = ExportFile(name=note.file, size=note.size, sha256=note.sha256)
        found[key] = dataclasses.replace(before, files=(*before.files, file))
    return [*found.values()]
