"""Patience with a store that does not answer for a while."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import BinaryIO, TypeVar

from gistmill.core.json_value import MOST_BYTES
from gistmill.core.public_names import is_url
from gistmill.published.files import Folder

T = TypeVar("T")
WAITS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds before each further try: a minute in all
_FINAL = (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError)


def patiently(call: Callable[[], T], place: str) -> T:
    """Returns what ``call`` returns; where ``place`` is a URL, an error of the store is tried again for a minute.

    Raises:
        OSError: the last one, or the first on a place of this machine or one that no patience mends.
    """
    for wait in WAITS if is_url(place) else ():
        try:
            return call()
        except _FINAL:
            raise
        except OSError:
            time.sleep(wait)
    return call()


class PatientFolder:
    """A folder whose small files are read with patience, each as a whole."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.place = folder.place

    def sizes(self) -> dict[str, int]:
        """See Folder."""
        return patiently(self._folder.sizes, self.place)

    def open(self, path: str) -> BinaryIO:
        """See Folder."""

        def read() -> bytes:
            with self._folder.open(path) as file:
                return file.read(MOST_BYTES + 1)  # who reads it refuses what is longer

        return io.BytesIO(patiently(read, self.place))
