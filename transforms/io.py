"""Opens, lists and hashes files of local disks and object stores, and reads and writes small JSON files.

Files are opened as they are, whatever their names end in: Beam would decompress ``x.gz`` on the way. Where a store does
not answer, or denies access, every function raises BeamIOError, which is an OSError, whatever its library raises.
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
    """Whether a path names a place in an object store rather than on this machine."""
    return "://" in os.fspath(path)


def join(folder: str, *names: str) -> str:
    """Returns the path of a file below a folder."""
    return FileSystems.join(folder, *names)


def exists(path: str) -> bool:
    """Whether there is a file of this name; on a local disk also whether there is a folder."""
    with _asking(path):
        return FileSystems.exists(path)


def size_of(path: str) -> int | None:
    """Returns the bytes of a file, None if there is no such file. The name is not a glob."""
    if not exists(path) or (not is_url(path) and os.path.isdir(path)):
        return None
    with waiting_for(path):
        return FileSystems.get_filesystem(path).metadata(path).size_in_bytes


def escaped(path: str) -> str:
    """Returns a glob that matches the file ``path`` only."""
    return _GLOB_CHARACTER.sub(r"[\1]", path)


def matching(glob: str) -> dict[str, int]:
    """Returns path -> bytes of the files that a glob matches, folders left out; ``**`` matches across folders."""
    here = "" if is_url(glob) or os.path.dirname(glob) else os.path.join(os.curdir, "")  # without it Beam finds nothing
    with waiting_for(glob):
        found = FileSystems.match([here + glob])[0].metadata_list
    return {m.path.removeprefix(here): m.size_in_bytes for m in found if is_url(m.path) or not os.path.isdir(m.path)}


def list_files(folder: str, suffix: str = "") -> dict[str, int]:
    """Returns path -> bytes of the files in ``folder`` whose names end in ``suffix``; empty when there is no folder."""
    if is_url(folder):
        return matching(join(escaped(folder), f"*{suffix}"))
    sizes = {}
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix) and entry.is_file():
                with contextlib.suppress(FileNotFoundError):  # another process may be renaming it
                    sizes[entry.path] = entry.stat().st_size
    return sizes


def open_input(path: str) -> BinaryIO:
    """Opens a file for reading.

    Raises:
        OSError: it cannot be opened.
    """
    with _asking(path):
        return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def create(path: str) -> BinaryIO:
    """Opens a new file for writing, in place of an old one.

    On a local disk its folder is made, but none above: a worker that outlives its job must not bring back a workspace
    that is gone.

    Raises:
        OSError: it cannot be written.
    """
    with _asking(path):
        if not is_url(path):
            make_folder(os.path.dirname(path) or os.curdir)
        return FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED)


def make_folder(folder: str | os.PathLike[str]) -> None:
    """Makes a local folder unless it is there.

    Raises:
        OSError: it cannot be made; FileNotFoundError if the folder above it is missing.
    """
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)


def read_chunks(path: str) -> Iterator[bytes]:
    """Yields the bytes of a file, 1 MiB at a time."""
    with _failing(path), open_input(path) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def sha256_of(path: str) -> str:
    """Returns the SHA-256 of a file in hexadecimal digits."""
    digest = hashlib.sha256()
    for chunk in read_chunks(path):
        digest.update(chunk)
    return digest.hexdigest()


def write_json(path: str, value: Any, *, indent: int | None = None) -> None:
    """Writes JSON so that a reader finds all of it or nothing."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    with create(temporary) as file:
        text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)
        file.write(text.encode("utf-8", "backslashreplace"))  # names of files need not be valid Unicode
    FileSystems.rename([temporary], [path])


def read_json(path: str) -> Any:
    """Reads a small JSON file.

    Raises:
        OSError: it is not there.
        ValueError: it is not JSON.
    """
    return json.loads(b"".join(read_chunks(path)))


@contextlib.contextmanager
def _asking(path: str) -> Iterator[None]:
    """The errors of ``_failing``, and a line for whoever waits for long."""
    if not is_url(path):
        yield
        return
    with waiting_for(path), _failing(path):
        yield


@contextlib.contextmanager
def _failing(path: str) -> Iterator[None]:
    """Beam leaves some calls as each store's library ends them, and makes BeamIOErrors of others: now of all."""
    try:
        yield
    except (BeamIOError, FileNotFoundError):
        raise
    except Exception as error:
        if not is_url(path):
            raise
        reason: Exception = error
        if path.lower().startswith("file:"):  # Beam would advise to install the clients of a cloud
            reason = ValueError("name a file of this machine by its path, without file://")
        raise BeamIOError("the store fails", {path: reason}) from reason
