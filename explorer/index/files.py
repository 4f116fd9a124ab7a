"""The files of an index. All are gzip files without a time, named .bin so that no server unpacks them on the way."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

_LEVEL = 5
ROWS_IN_A_FOLDER = 256  # files; some stores and tools are slow with folders of thousands


def write(path: Path, data: bytes) -> None:
    """Writes bytes as a file of an index, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, _LEVEL, mtime=0))


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON. Numbers that JSON does not have become null; halves of surrogates are escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    write(path, text.encode("utf-8", "backslashreplace"))


def read_json(path: Path) -> Any:
    """Returns what ``write_json`` wrote.

    Raises:
        OSError, EOFError, ValueError: the file is not there, or torn.
    """
    return json.loads(gzip.decompress(path.read_bytes()))


def rows_path(table: Path, chunk: int) -> Path:
    """Returns the file of the rows of a number, counted in chunks."""
    return table / "rows" / str(chunk // ROWS_IN_A_FOLDER) / f"{chunk % ROWS_IN_A_FOLDER}.bin"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    return value
