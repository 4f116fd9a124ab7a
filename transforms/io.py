"""Functions to open, list and hash files on local disks and in object stores, and to read and write small JSON files.

Files are opened without decompression, although Beam would decompress ``x.gz`` by default. If a store does not answer
or denies access, every function raises BeamIOError (a subclass of OSError), whatever the store's library raises.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterator
from typing import Any, BinaryIO

from apache_beam.io.filesystem import BeamIOError, CompressionTypes
from apache_beam.io.filesystems import FileSystems

from gistmill.core.addresses import waiting_for
from gistmill.transforms.beam import internals  # noqa: F401, it makes Beam keep one S3 client per process

_CHUNK = 1024 * 1024
_GLOB_CHARACTER = re.compile(r"([*?[])")


def is_url(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a URL in an object store rather than a path on this machine."""
    return "://" in os.fspath(path)


def join(folder: str, *names: str) -> str:
    """Returns the path of a file below a folder."""
    return FileSystems.join(folder, *names)


def exists(path: str) -> bool:
    """Whether a file (or, on a local disk, a folder) with this name exists."""
    with _asking(path):
        return FileSystems.exists(path)


def size_of(path: str) -> int | None:
    """Returns the size of a file in bytes, or None if it does not exist; the path is not treated as a glob."""
    if not exists(path) or (not is_url(path) and os.path.isdir(path)):
        return None
    with waiting_for(path):
        return FileSystems.get_filesystem(path).metadata(path).size_in_bytes


def escaped(path: str) -> str:
    """Returns a glob that matches only the file ``path``."""
    return _GLOB_CHARACTER.sub(r"[\1]", path)


def matching(glob: str) -> dict[str, int]:
    """Returns path -> size in bytes of the files, not folders, that match a glob; ``**`` matches across folders."""
    here = "" if is_url(glob) or os.path.dirname(glob) else os.path.join(os.curdir, "")  # Beam needs a folder to match
    with waiting_for(glob):
        found = FileSystems.match([here + glob])[0].metadata_list
    return {m.path.removeprefix(here): m.size_in_bytes for m in found if is_url(m.path) or not os.path.isdir(m.path)}


def list_files(folder: str, suffix: str = "") -> dict[str, int]:
    """Returns path -> size in bytes of the files in ``folder`` with this suffix; empty if the folder does not exist."""
    if is_url(folder):
        return matching(join(escaped(folder), f"*{suffix}"))
    sizes = {}
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix) and entry.is_file():
                with contextlib.suppress(FileNotFoundError):  # renamed by another process
                    sizes[entry.path] = entry.stat().st_size
    return sizes


def open_input(path: str) -> BinaryIO:
    """Opens a file for reading. Raises OSError if it cannot be opened."""
    with _asking(path):
        return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def create(path: str) -> BinaryIO:
    """Opens a file for writing, replacing any existing one.

    On a local disk the file's folder is created, but not the folders above it: a worker that outlives its job must not
    recreate a deleted workspace. Raises OSError if the file cannot be written.
    """
    with _asking(path):
        if not is_url(path):
            make_folder(os.path.dirname(path) or os.curdir)
        return FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED)


def make_folder(folder: str | os.PathLike[str]) -> None:
    """Creates a local folder unless it exists. Raises OSError (FileNotFoundError if its parent folder is missing)."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)


def read_chunks(path: str) -> Iterator[bytes]:
    """Yields the content of a file, 1 MiB at a time."""
    with _failing(path), open_input(path) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def sha256_of(path: str) -> str:
    """Returns the SHA-256 of a file as hexadecimal digits."""
    digest = hashlib.sha256()
    for chunk in read_chunks(path):
        digest.update(chunk)
    return digest.hexdigest()


def write_json(path: str, value: Any, *, indent: int | None = None) -> None:
    """Writes a JSON file such that readers see all of it or nothing."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    with create(temporary) as file:
        text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)
        file.write(text.encode("utf-8", "backslashreplace"))  # file names may be invalid Unicode
    FileSystems.rename([temporary], [path])


def read_json(path: str) -> Any:
    """Reads a small JSON file. Raises OSError if it cannot be read, ValueError if it is not JSON."""
    return json.loads(b"".join(read_chunks(path)))


@contextlib.contextmanager
def _asking(path: str) -> Iterator[None]:
    """Converts errors as ``_failing`` does, and prints a line on standard error if a store is slow to answer."""
    if not is_url(path):
        yield
        return
    with waiting_for(path), _failing(path):
        yield


@contextlib.contextmanager
def _failing(path: str) -> Iterator[None]:
    """Turns the errors of a store's library into BeamIOErrors, as Beam itself does for only some calls."""
    try:
        yield
    except (BeamIOError, FileNotFoundError):
        raise
    except Exception as error:
        if not is_url(path):
            raise
        reason: Exception = error
        if path.lower().startswith("file:"):  # Beam would advise installing cloud clients
            reason = ValueError("specify a local file by its path, without file://")
        raise BeamIOError("the store request failed", {path: reason}) from reason
