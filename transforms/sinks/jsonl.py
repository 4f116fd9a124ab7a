"""The rejects file: one JSON object per line."""

from __future__ import annotations

import io
import json

from gistmill.core.records import Reject
from gistmill.rules.lineage import file_name
from gistmill.transforms.sinks.files import gunzip_chunks, open_gzip


def encode_reject(reject: Reject) -> tuple[bytes, bytes]:
    """Returns sort key and line of a reject. Characters that are not valid Unicode are written as escapes.

    The key of the range is left out: it says how the input was cut, not what was wrong. So is the folder of the file,
    which a document without a readable id has in its id too.
    """
    origin, name = reject.origin, file_name(reject.origin.file)
    place = origin.id.removeprefix(origin.file)
    reject_id = f"{name}{place}" if origin.file and place.startswith("#") else origin.id
    value = {
        "id": reject_id,
        "reason": reject.reason.name,
        "text": reject.reason.value,
        "stage": reject.stage,
        "unit": reject.unit,
        "index": reject.index,
        "detail": reject.detail,
        "title": origin.title,
        "file": name,
        "offset": origin.offset,
    }
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    key = f"{reject_id}\0{reject.index + 1:010d}"
    return key.encode("utf-8", "backslashreplace"), line.encode("utf-8", "backslashreplace")


class JsonlWriter:
    """Writes lines as they are into gzip."""

    def __init__(self, file: io.RawIOBase) -> None:
        self._file = file
        self._gzip = open_gzip(file)

    def add(self, values: bytes, size: int) -> None:
        """Adds a line."""
        self._gzip.write(values + b"\n")

    def close(self) -> None:
        """Ends the file."""
        self._gzip.close()
        self._file.close()


def count_jsonl(path: str) -> int:
    """Returns the number of lines of a gzip file.

    Raises:
        ValueError: it is not a whole gzip file.
    """
    return sum(chunk.count(b"\n") for chunk in gunzip_chunks(path))
