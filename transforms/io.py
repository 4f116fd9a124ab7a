"""Opens, lists and hashes files of local disks and object stores, and reads and writes small JSON files.

Files are opened as they are, whatever their names end in: Beam would decompress ``x.gz`` on the way. Where a store does
not answer, or denies access, every function raises BeamIOError, which is an OSError, whatever its library raises.

Names inside a run's workspace.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
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


LOCK = "lock"
_SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,150}")


@dataclass(frozen=True, slots=True)
class WorkspaceLayout:
    """Where everything lies in the workspace ``root`` (a folder, or a URL that Beam's file systems know)."""

    root: str

    @property
    def lock(self) -> str:
        """Held by the driver with flock while it lives."""
        return join(self.root, LOCK)

    @property
    def fingerprint(self) -> str:
        """File of what has to be equal for ``--resume``."""
        return join(self.root, "fingerprint.json")

    @property
    def results(self) -> str:
        """Written last by the pipeline, read by the publisher."""
        return join(self.root, "results.json")

    @property
    def spool(self) -> str:
        """Folder of the chunks of inputs that cannot be read in parts."""
        return join(self.root, "spool")

    @property
    def spills(self) -> str:
        """Folder of the spills."""
        return join(self.root, "spills")

    @property
    def ranges(self) -> str:
        """Folder of the markers of finished ranges."""
        return join(self.root, "ranges")

    @property
    def progress(self) -> str:
        """Folder of the workers' heartbeats."""
        return join(self.root, "progress")

    @property
    def shards(self) -> str:
        """Folder of the finished shards."""
        return join(self.root, "shards")

    @property
    def sketches(self) -> str:
        """Folder of what a first pass finds: sketches, scores, and documents until it is known which of them stay."""
        return join(self.root, "sketches")

    @property
    def duplicates(self) -> str:
        """Folder of the duplicates found, a file for each range."""
        return join(self.root, "duplicates")

    @property
    def comparison(self) -> str:
        """Folder of what the steps of a search over all documents send each other."""
        return join(self.root, "comparison")

    @property
    def evaluation(self) -> str:
        """Folder of the n-grams of evaluation texts."""
        return join(self.root, "evaluation")

    def material(self, option: str) -> str:
        """Copy of the file that an option of the recipe names."""
        return join(self.root, "materials", safe_name(option))

    def marker(self, range_key: str) -> str:
        """Marker of a finished range."""
        return join(self.ranges, f"{safe_name(range_key)}.json")

    def sketch_marker(self, range_key: str) -> str:
        """Marker of a range that a first pass has looked through."""
        return join(self.sketches, f"{safe_name(range_key)}.json")

    def new_sketch(self, range_key: str, extension: str) -> str:
        """A name for a file about a range's documents that no other attempt at the range will use."""
        return join(self.sketches, f"{safe_name(range_key)}-{uuid.uuid4().hex}.{extension}")

    def new_comparison(self, extension: str) -> str:
        """A name for a file of a search over all documents that no other attempt at the step will use."""
        return join(self.comparison, f"{uuid.uuid4().hex}.{extension}")

    def duplicates_of(self, range_key: str) -> str:
        """File that names the duplicates among the documents of a range."""
        return join(self.duplicates, f"{safe_name(range_key)}.json")

    def ranks_of(self, range_key: str) -> str:
        """File that says where the ranks of a range's pairs are."""
        return join(self.root, "ranks", f"{safe_name(range_key)}.json")

    def new_spill(self, range_key: str) -> str:
        """A name for a spill that no other attempt at the range will use."""
        return join(self.spills, f"{safe_name(range_key)}-{uuid.uuid4().hex}.spill")

    def new_shard(self, extension: str) -> str:
        """A name for a shard file that no other attempt at the shard will use."""
        return join(self.shards, f"{uuid.uuid4().hex}.{extension}")


def safe_name(key: str) -> str:
    """Returns ``key`` if it can be a file name everywhere, else a hash of it."""
    if _SAFE_NAME.fullmatch(key):
        return key
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()
