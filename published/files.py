"""Folders of datasets, on this machine or in an object store, read through the same few calls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast
from urllib.parse import urlsplit

from gistmill.core.confined import inside
from gistmill.core.patience import waiting_for
from gistmill.core.public_names import is_url

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_CHUNK = 1 << 20
_PATIENCE = timedelta(seconds=60)  # how long a store that does not answer is asked again


class DatasetError(ValueError):
    """A dataset cannot be read, or does not have what was asked for; the text is one line for the user."""


class Folder(Protocol):
    """A folder whose files are named by their paths below it, with slashes."""

    @property
    def place(self) -> str:
        """Path or URL, for messages."""

    def sizes(self) -> dict[str, int]:
        """Returns the bytes of every file, at any depth, by path; nothing where there is no folder."""

    def open(self, path: str) -> BinaryIO:
        """Opens a file for reading at any place in it. Raises FileNotFoundError, or another OSError of the store or
        where a link leads out of the folder."""


class LocalFolder:
    """A folder of this machine."""

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self.place = os.fspath(place)

    def sizes(self) -> dict[str, int]:
        """See Folder. Raises OSError for a folder below it that may not be read."""
        found = {}
        for above, _, names in os.walk(self.place, onerror=_unless_missing, followlinks=False):
            for path in (Path(above) / name for name in names):
                if path.is_file():
                    found[path.relative_to(self.place).as_posix()] = path.stat().st_size
        return found

    def open(self, path: str) -> BinaryIO:
        """See Folder."""
        return open(self.path_of(path), "rb")

    def path_of(self, path: str) -> str:
        """Returns where a file lies. Raises OSError: a link leads out of the folder (gistmill.core.confined)."""
        return inside(self.place, path)


class StoreFolder:
    """A place in an object store.

    Args:
        place: its URL.
        filesystem: what to read it with; by default what ``filesystem_of`` makes of the URL.
    """

    def __init__(self, place: str, filesystem: FileSystem | None = None) -> None:
        self.place = place
        self._path = place.partition("://")[2]
        with waiting_for(place):
            self._filesystem: Any = filesystem_of(place) if filesystem is None else filesystem

    def sizes(self) -> dict[str, int]:
        """See Folder."""
        from pyarrow.fs import FileSelector, FileType

        selector = FileSelector(self._path, recursive=True, allow_not_found=True)
        with waiting_for(self.place):
            found = self._filesystem.get_file_info(selector)
        return {i.path.removeprefix(f"{self._path}/"): i.size for i in found if i.type == FileType.File}

    def open(self, path: str) -> BinaryIO:
        """See Folder."""
        with waiting_for(self.place):
            return cast(BinaryIO, self._filesystem.open_input_file(f"{self._path}/{path}"))


def _unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def open_folder(place: str | os.PathLike[str], *, filesystem: FileSystem | None = None) -> Folder:
    """Returns the folder at a path, a ``file://`` URL, or a ``gs://`` or ``s3://`` URL.

    Args:
        place: path or URL.
        filesystem: for a URL, what to read it with, such as ``pyarrow.fs.S3FileSystem(anonymous=True)``.

    Raises:
        DatasetError: the URL has another scheme, and no filesystem was given.
    """
    text = os.fspath(place)
    if is_url(text):
        return StoreFolder(text.rstrip("/"), filesystem)
    return LocalFolder(urlsplit(text).path if text.lower().startswith("file://") else text)


def filesystem_of(url: str) -> Any:
    """Returns the file system of a ``gs://`` or ``s3://`` URL.

    Credentials are those of the environment, as each store's own tools find them. For ``s3://`` AWS_ENDPOINT_URL_S3 or
    AWS_ENDPOINT_URL name another server, and AWS_REGION or AWS_DEFAULT_REGION the region; for ``gs://``
    STORAGE_EMULATOR_HOST names an emulator, which is asked without credentials.

    Raises:
        DatasetError: the URL has another scheme.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "s3":
        return _s3(rest.partition("/")[0])
    if scheme == "gs":
        return _gcs()
    raise DatasetError(f"{url}: known are folders, gs:// and s3://; for another store give a pyarrow filesystem")


def read_chunks(file: BinaryIO) -> Iterator[bytes]:
    """Yields the bytes of a file from where it stands."""
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
