"""The rejects of a published dataset, read part by part; they are sorted by document id."""

from __future__ import annotations

import bisect
import gzip
import json
import zlib
from collections.abc import Iterator
from typing import Any

from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError

_LONGEST_LINE = 16 << 20  # bytes; a reject is a line for people to read
_TEXTS = ("id", "reason", "text", "stage", "unit", "detail", "title", "file")
_NUMBERS = ("index", "offset")
_INT64 = range(-(2**63), 2**63)


def reject_parts(dataset: Dataset) -> list[str]:
    """Returns the paths of the parts, in order."""
    return sorted(f.path for f in dataset.manifest.files if f.config == "rejects")


def read_part(dataset: Dataset, path: str) -> Iterator[bytes]:
    """Yields the lines of a part, for ``parsed``.

    Raises:
        DatasetError: it cannot be read, is incomplete, or contains a line that is too long.
    """
    try:
        with dataset.folder.open(path) as file, gzip.GzipFile(fileobj=file) as lines:
            while line := lines.readline(_LONGEST_LINE + 1):
                if len(line) > _LONGEST_LINE:
                    raise DatasetError(f"{dataset.place}: {path} contains a line longer than {_LONGEST_LINE >> 20} MiB")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise DatasetError(f"{dataset.place}: {path} cannot be read: {' '.join(str(error).split())}") from None


def parsed(dataset: Dataset, line: bytes) -> dict[str, Any]:
    """Returns the reject in a line.

    Raises:
        DatasetError: it is not JSON, or lacks a field.
    """
    try:
        reject: dict[str, Any] = json.loads(line)
        right = all(isinstance(reject[name], str) for name in _TEXTS) and all(reject[n] in _INT64 for n in _NUMBERS)
    except (RecursionError, ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise DatasetError(f"{dataset.place}: the rejects contain a line that is not a reject: {line[:80]!r}")
    return reject


def read_rejects(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yields all rejects of a dataset, in order. Raises as ``read_part`` and ``parsed``."""
    return (parsed(dataset, line) for part in reject_parts(dataset) for line in read_part(dataset, part))


def rejects_of(dataset: Dataset, document_id: str) -> list[dict[str, Any]]:
    """Returns the rejects of a document, in order: from one part, or from two if they span a boundary.

    Raises:
        DatasetError: a part cannot be read.
    """
    parts = reject_parts(dataset)
    begin = f'{{"id":{json.dumps(document_id, ensure_ascii=False)},'.encode("utf-8", "backslashreplace")
    # they start at the earliest in the part before the first one that begins with this id or a later one
    at = bisect.bisect_left(parts, document_id, key=lambda path: _first_id(dataset, path))
    lines = (line for path in parts[max(at - 1, 0) : at + 1] for line in read_part(dataset, path))
    return [parsed(dataset, line) for line in lines if line.startswith(begin)]


def _first_id(dataset: Dataset, path: str) -> str:
    line = next(read_part(dataset, path), None)
    return "" if line is None else str(parsed(dataset, line)["id"])


def valid_text(value: Any) -> Any:
    """Returns a reject's value with text that Arrow accepts: file names need not be valid Unicode."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value
