"""Dataset folders, on this machine or in an object store, with a common interface for reading.

Anyone who can open a file or folder, even just for reading, can lock it indefinitely, so locks are placed on a file
with mode 0600.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast
from urllib.parse import urlsplit

from gistmill.core.addresses import inside, is_url, waiting_for
from gistmill.core.extras import extra_for

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem


_CHUNK = 1 << 20
_PATIENCE = timedelta(seconds=60)  # how long requests to an unresponsive store are retried


class DatasetError(ValueError):
    """A dataset cannot be read, or lacks the requested part; the text is a one-line message for the user."""


class Folder(Protocol):
    """A folder whose files are identified by their relative paths, with slashes."""

    @property
    def place(self) -> str:
        """The path or URL, for messages."""

    def sizes(self) -> dict[str, int]:
        """Returns the size in bytes of every file, at any depth, by path; empty if the folder does not exist."""

    def open(self, path: str) -> BinaryIO:
        """Opens a file for random-access reading. Raises FileNotFoundError, or another OSError if the store fails or a
        link leads out of the folder."""


class LocalFolder:
    """A folder on this machine."""

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self.place = os.fspath(place)

    def sizes(self) -> dict[str, int]:
        """Returns the size in bytes of every file by path. Raises OSError if a subfolder may not be read."""
        found = {}
        for above, _, names in os.walk(self.place, onerror=_unless_missing, followlinks=False):
            for path in (Path(above) / name for name in names):
                if path.is_file():
                    found[path.relative_to(self.place).as_posix()] = path.stat().st_size
        return found

    def open(self, path: str) -> BinaryIO:
        """Opens a file for reading. Raises OSError if a link leads out of the folder."""
        return open(self.path_of(path), "rb")

    def path_of(self, path: str) -> str:
        """Returns the path of a file. Raises OSError if a link leads out of the folder (gistmill.core.addresses)."""
        return inside(self.place, path)


class StoreFolder:
    """A place in an object store.

    Args:
        place: its URL.
        filesystem: the file system to read it with; by default that of ``filesystem_of``.
    """

    def __init__(self, place: str, filesystem: FileSystem | None = None) -> None:
        self.place = place
        scheme, _, self._path = place.partition("://")
        with waiting_for(place), extra_for(f"{scheme}://"):
            self._filesystem: Any = filesystem_of(place) if filesystem is None else filesystem

    def sizes(self) -> dict[str, int]:
        """Returns the size in bytes of every object by path."""
        from pyarrow.fs import FileSelector, FileType

        selector = FileSelector(self._path, recursive=True, allow_not_found=True)
        with waiting_for(self.place):
            found = self._filesystem.get_file_info(selector)
        return {i.path.removeprefix(f"{self._path}/"): i.size for i in found if i.type == FileType.File}

    def open(self, path: str) -> BinaryIO:
        """Opens an object for reading."""
        with waiting_for(self.place):
            return cast(BinaryIO, self._filesystem.open_input_file(f"{self._path}/{path}"))


def _unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def open_folder(place: str | os.PathLike[str], *, filesystem: FileSystem | None = None) -> Folder:
    """Returns the folder at a path, a ``file://`` URL, or a ``gs://`` or ``s3://`` URL.

    Args:
        place: path or URL.
        filesystem: for a URL, the file system to read it with, such as ``pyarrow.fs.S3FileSystem(anonymous=True)``.

    Raises:
        DatasetError: the URL uses another scheme, and no filesystem was given.
    """
    text = os.fspath(place)
    if is_url(text):
        return StoreFolder(text.rstrip("/"), filesystem)
    return LocalFolder(urlsplit(text).path if text.lower().startswith("file://") else text)


def filesystem_of(url: str) -> Any:
    """Returns the file system for a ``gs://`` or ``s3://`` URL.

    Credentials come from the environment, as with each store's own tools. For ``s3://``, AWS_ENDPOINT_URL_S3 or
    AWS_ENDPOINT_URL specifies another server, and AWS_REGION or AWS_DEFAULT_REGION the region; for ``gs://``,
    STORAGE_EMULATOR_HOST specifies an emulator, which is used without credentials.

    Raises:
        DatasetError: the URL uses another scheme.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "s3":
        return _s3(rest.partition("/")[0])
    if scheme == "gs":
        return _gcs()
    raise DatasetError(f"{url}: expected a folder, gs:// or s3://; for another store, pass a pyarrow filesystem")


def read_chunks(file: BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of a file from its current position."""
    while chunk := file.read(_CHUNK):
        yield chunk


def _s3(bucket: str) -> Any:
    from pyarrow import fs

    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if endpoint:
        return fs.S3FileSystem(region=region or "us-east-1", **_server(endpoint))
    return fs.S3FileSystem(region=region or fs.resolve_s3_region(bucket))


def _gcs() -> Any:
    from pyarrow import fs

    emulator = os.environ.get("STORAGE_EMULATOR_HOST")
    server = {"anonymous": True, **_server(emulator)} if emulator else {}
    return fs.GcsFileSystem(retry_time_limit=_PATIENCE, **server)


def _server(url: str) -> dict[str, Any]:
    parts = urlsplit(url if "://" in url else f"http://{url}")
    return {"scheme": parts.scheme, "endpoint_override": parts.netloc}


def cache(name: str) -> Path:
    """Returns Gistmill's folder ``name`` in the user's cache, according to the XDG Base Directory Specification."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gistmill" / name


def check_owner(folder: Path) -> None:
    """Checks that a folder, if it exists, was not planted by somebody else: it must belong to this user, root or the
    parent folder's owner, and must not be world-writable.

    Raises:
        PermissionError: the check fails.
        OSError: the folder cannot be inspected.
    """
    try:
        found, above = os.lstat(folder), os.stat(folder.parent)
    except (FileNotFoundError, NotADirectoryError):  # reported when the folder is created
        return
    trusted = found.st_uid in (os.geteuid(), 0, above.st_uid)
    if not stat.S_ISDIR(found.st_mode) or not trusted or found.st_mode & stat.S_IWOTH:
        raise PermissionError(f"{folder} belongs to another user or is world-writable; specify another one")


def take(path: str | Path, *, within: int | None = None) -> int | None:
    """Locks a file, creating it if necessary. The lock ends with the process, however it exits.

    Args:
        path: the file. Links are not followed.
        within: a descriptor of the folder for relative paths; None for the working directory.

    Returns:
        The descriptor that holds the lock, or None if another process holds it.

    Raises:
        OSError: it cannot be opened, or does not belong to this user, root or the folder's owner.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=within)
    try:
        found, above = os.fstat(handle), os.stat(os.path.dirname(path) or os.curdir, dir_fd=within)
        if not stat.S_ISREG(found.st_mode) or found.st_uid not in (os.geteuid(), 0, above.st_uid):
            raise PermissionError(errno.EPERM, f"{path} does not belong to this user")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except BaseException:
        os.close(handle)
        raise
    return handle
