"""The checksum of a downloaded file, which the note beside it has."""

from __future__ import annotations

import os
import re

from gistmill.transforms.io import is_url, read_json
from gistmill.transforms.sources.files.ranges import UNREAD, InputFile
from gistmill.transforms.sources.wikipedia.dump import note_of

_SHA256 = re.compile(r"[0-9a-f]{64}")


def noted_sha256(file: InputFile) -> str:
    """Returns the SHA-256 that the note of a local file has, of its download; UNREAD where there is none, or where the
    file has another size than the note says or has changed since.
    """
    note = note_of(file.path)
    if is_url(file.path):  # a store does not say when its files changed
        return UNREAD
    try:
        said = read_json(note)
        unchanged = os.stat(file.path).st_mtime_ns <= os.stat(note).st_mtime_ns
    except (OSError, ValueError):
        return UNREAD
    if not isinstance(said, dict) or said.get("size") != file.size or not unchanged:
        return UNREAD
    digest = said.get("sha256")
    return digest if isinstance(digest, str) and _SHA256.fullmatch(digest) else UNREAD
