"""Files of a form that no source reads: what they are, and what to do with them, by their first bytes."""

from __future__ import annotations

import bz2
import posixpath
import zlib
from shlex import quote

from gistmill.transforms.io import is_url

_TAR_MAGIC = slice(257, 262)
_SHOWN = 40  # bytes
_UNPACKED = 512  # bytes of text in which a tar archive shows
_UNPACK = "unpack it ({command} {{path}} > {{unpacked}}) and name {{unpacked}}"
_FORMS = (
    (b"PK\x03\x04", "a zip archive", "unpack it (unzip {path}) and name the files in it"),
    (b"PK\x05\x06", "a zip archive without content", "name the files that it should hold"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it (7z x {path}) and name the files in it"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it (unrar x {path}) and name the files in it"),
    (b"\xfd7zXZ\x00", "an xz file", _UNPACK.format(command="xz --decompress --stdout")),
    (b"\x28\xb5\x2f\xfd", "a zstd file", _UNPACK.format(command="zstd --decompress --stdout")),
    (b"\x04\x22\x4d\x18", "an lz4 file", _UNPACK.format(command="lz4 --decompress --stdout")),
    (b"PAR1", "a Parquet file", "did you mean --source table?"),
    (b"ARROW1", "an Arrow file", "write its rows as JSON Lines, an object a line, and read them by --source jsonl"),
    (b"SQLite format 3\x00", "an SQLite database", "write its rows as JSON Lines and read them by --source jsonl"),
    (b"%PDF-", "a PDF file", "extract its text, as JSON Lines, and read it by --source jsonl"),
)
_TAR = (
    "a tar archive",
    "unpack it (tar --extract --file {path}) and name the files in it; --source wikipedia-html reads snapshots as they "
    "are",
)
_LINES = "import json, os, sys; [print(json.dumps({{{fields}}})) for f in sys.argv[1:]]".format(
    fields='"id": os.path.basename(f), "text": open(f, errors="replace").read()'
)


def foreign_name(head: bytes) -> str:
    """Returns what a file is, such as "a zip archive", or "" if it may be text. ``head``: see foreign_form."""
    return _form_of(head)[0]


def foreign_form(head: bytes, path: str) -> str:
    """Returns what a file is and what to do with it, such as "a zip archive; unpack it ...", or "" if it may be text.

    Args:
        head: its first bytes, 512 of them if it has as many.
        path: where it is, for the command that unpacks it; of a place in a store the name alone is used.
    """
    name, remedy = _form_of(head)
    here = posixpath.basename(path) if is_url(path) else path
    root, suffix = posixpath.splitext(here)
    unpacked_path = root if suffix else f"{here}.unpacked"
    return f"{name}; {remedy.format(path=quote(here), unpacked=quote(unpacked_path))}" if name else ""


def as_json_lines(files: str) -> str:
    """Returns how to make JSON Lines of texts; ``files`` is what a shell takes for their paths."""
    return f"make JSON Lines of it (python3 -c '{_LINES}' {files} > texts.jsonl) and read texts.jsonl by --source jsonl"


def _form_of(head: bytes) -> tuple[str, str]:
    for magic, name, remedy in _FORMS:
        if head.startswith(magic):
            return name, remedy
    return _TAR if unpacked(head, _UNPACKED)[_TAR_MAGIC] == b"ustar" else ("", "")


def shown(data: bytes) -> str:
    """Returns the beginning of a file for a message: text in quotes; bytes that are not text in hexadecimal digits."""
    text = data[:_SHOWN].decode("utf-8", "replace")
    if "\ufffd" in text[:-4] or not all(c.isprintable() or c in "\t\r\n" for c in text.replace("\ufeff", "")):
        return f"the bytes {data[:8].hex(' ')}"
    return repr(text)


def unpacked(head: bytes, most: int) -> bytes:
    """Returns the beginning of the text of a file that gzip or bzip2 may have packed, as far as these bytes tell it:
    ``most`` bytes at most; ``head`` itself where nothing is packed."""
    try:
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(wbits=31).decompress(head, most)
        if head.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(head, most)
    except (OSError, zlib.error):
        return b""
    return head
