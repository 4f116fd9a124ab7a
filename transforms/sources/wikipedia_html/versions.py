"""Which lines of a snapshot have a page that another line has in a newer version: snapshots hold some pages twice."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from gistmill.core.hashing import text_digest
from gistmill.transforms.sources.wikipedia_html.page import Identity

_OFFSET_BITS = 44


class Versions:
    """Takes in what page each line has, in 24 bytes a line, and then names the lines that are superseded."""

    def __init__(self) -> None:
        self._pages, self._versions, self._places = array("q"), array("q"), array("q")

    def add(self, file: int, offset: int, identity: Identity) -> None:
        """Takes in a line, known by the number of its file and its offset there."""
        self._pages.append(text_digest(f"{identity.wiki}\0{identity.page}"))
        self._versions.append(identity.version)
        self._places.append(file << _OFFSET_BITS | offset)

    def superseded(self) -> Iterator[tuple[int, int]]:
        """Yields the lines, in order: of each page, all but the first line with its newest version."""
        pages, versions, places = (np.frombuffer(a, np.int64) for a in (self._pages, self._versions, self._places))
        order = np.lexsort((places, -versions, pages))
        again = pages[order][1:] == pages[order][:-1]
        for place in np.sort(places[order][1:][again]).tolist():
            yield place >> _OFFSET_BITS, place & (1 << _OFFSET_BITS) - 1
