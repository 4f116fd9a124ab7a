"""The checksum of a downloaded file, which the note beside it has."""

from __future__ import annotations

import os
import re

from gistmill.transforms.io import is_url
from gistmill.transforms.sources.files.ranges import UNREAD, InputFile, SourceError
from gistmill.transforms.sources.wikipedia.dump import note_of, read_note

_SHA256 = re.compile(r"[0-9a-f]{64}")


def noted_sha256(file: InputFile) -> str:
    """Returns the SHA-256 that the note of a local file has, of its download; UNREAD where there is none, or where the
    file has another size than the note says or has changed since.
    """
    if is_url(file.path):  # a store does not say when its files changed
        return UNREAD
    try:
        note = read_note(file.path)
        unchanged = os.stat(file.path).st_mtime_ns <= os.stat(note_of(file.path)).st_mtime_ns
    except (OSError, SourceError):
        return UNREAD
    if note is None or note.size != file.size or not unchanged:
        return UNREAD
    return note.sha256 if _SHA256.fullmatch(note.sha256) else UNREAD
