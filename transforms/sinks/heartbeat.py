"""The sign of life of a worker: how much it has done, in a file that the driver reads while the job runs."""
from __future__ import annotations

import os
import time
import uuid

from apache_beam.io.filesystems import FileSystems

from transforms.sinks.layout import Layout, write_json

LOCAL_SECONDS = 0.5
REMOTE_SECONDS = 10.0  # object stores take about one change of an object a second


class Heartbeat:
    """Writes ``progress/<pid>-<uuid>.json`` with ``documents``, ``examples`` and ``rejects``, but not too often."""

    def __init__(self, layout: Layout) -> None:
        self._path = FileSystems.join(layout.progress, f"{os.getpid()}-{uuid.uuid4().hex}.json")
        self._pause = REMOTE_SECONDS if "://" in layout.root else LOCAL_SECONDS
        self._next = 0.0
        self._counts = {"documents": 0, "examples": 0, "rejects": 0}
        self._changed = False

    def add(self, *, documents: int = 0, examples: int = 0, rejects: int = 0) -> None:
        """Counts, and writes when it is time. ``rejects`` are documents."""
        self._counts["documents"] += documents
        self._counts["examples"] += examples
        self._counts["rejects"] += rejects
        self._changed = True
        if time.monotonic() >= self._next:
            self.write()

    def write(self) -> None:
        """Writes what is not yet written."""
        if self._changed:
            write_json(self._path, self._counts)
            self._changed = False
            self._next = time.monotonic() + self._pause
