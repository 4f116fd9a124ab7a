"""The note beside a downloaded file of a dump: which wiki and date it is of, and where it came from."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.manifest_entries import DumpEntry
from gistmill.transforms.io import exists, read_json, write_json
from gistmill.transforms.sources.files.ranges import SourceError

_ENDING = ".dump.json"


def note_of(path: str) -> str:
    """Returns the path of the note of a file."""
    return f"{path}{_ENDING}"


def write_note(path: str, entry: DumpEntry) -> None:
    """Writes the note of the file ``path``."""
    write_json(note_of(path), dataclasses.asdict(entry), indent=1)


def dump_entries(paths: Iterable[str]) -> list[DumpEntry]:
    """Returns what the notes of files say; files without one say nothing.

    Raises:
        SourceError: a note cannot be read.
    """
    found = []
    for note in map(note_of, paths):
        if exists(note):
            try:
                found.append(DumpEntry.from_json(JsonValue(read_json(note), note)))
            except (ValueError, JsonError) as error:
                raise SourceError(f"{note} is not a note on a dump: {error}") from None
    return found
