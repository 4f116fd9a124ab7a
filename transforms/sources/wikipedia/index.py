"""The index that lies beside a multistream dump: lines ``OFFSET:PAGE ID:TITLE``, compressed or not."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from gistmill.core.records import Damage
from gistmill.transforms.io import exists
from gistmill.transforms.sources.wikipedia.detect import detect_kind, pieces_of

_DUMP_NAME = re.compile(r"^(.*multistream)(\d*)\.xml(-p\d+p\d+)?\.bz2$")
_LONGEST_LINE = 1 << 16


class BadIndex(ValueError):
    """The index cannot be read; the message says why."""


def find_index(path: str) -> str | None:
    """Returns the path of the index that lies beside a dump, None if there is none."""
    name = posixpath.basename(path)
    match = _DUMP_NAME.match(name)
    if not match:
        return None
    stem = f"{path[: -len(name)]}{match.group(1)}-index{match.group(2)}.txt{match.group(3) or ''}"
    return next((beside for beside in (stem + ".bz2", stem) if exists(beside)), None)


def _lines(path: str) -> Iterator[bytes]:
    rest = b""
    for piece in pieces_of(path, detect_kind(path)):
        if isinstance(piece, Damage):
            raise BadIndex(piece.message)
        *lines, rest = (rest + piece.data).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST_LINE:
            raise BadIndex("a line is too long")
    if rest:
        yield rest


def stream_of(path: str, page_id: str) -> int | None:
    """Returns the offset of the stream that holds a page, by the index ``path``; None if the index does not have it.

    Raises:
        BadIndex: the index cannot be read.
    """
    wanted = page_id.encode("ascii")
    for line in _lines(path):
        offset, _, rest = line.partition(b":")
        if rest.partition(b":")[0] == wanted and offset.isdigit():
            return int(offset)
    return None
