"""Patience with a store that does not answer for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from rules.places import is_url

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
