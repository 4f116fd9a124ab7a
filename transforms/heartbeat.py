"""Heartbeats: each writer of a worker tells the driver its totals, in a small file replaced at most twice a second.

The local runner blocks while a job runs and shows no metrics before its end, so progress travels through files in
the workspace (``pipelines/runners/progress.py`` reads them). These numbers are only shown: the counts that are
checked and published travel as data.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from collections import Counter
from pathlib import Path

from gistmill.transforms.io import is_url, make_folder
from gistmill.transforms.layout import WorkspaceLayout

INTERVAL_SECONDS = 0.5


class Heartbeat:
    """Running totals of one writer (a DoFn instance, say), kept in a file of its own in ``folder``.

    ``folder`` is local; None (a run without a local driver that would look) makes every call do nothing.
    Make it in ``setup``: it is not meant to be pickled.
    """

    def __init__(self, folder: str | os.PathLike[str] | None, *, interval: float = INTERVAL_SECONDS) -> None:
        self._totals = Counter(compared=0, documents=0, rows=0, rejects=0, ranges=0)
        self._interval = interval
        self._due = 0.0
        self._file = None
        if folder is not None:
            with contextlib.suppress(OSError):  # as in flush
                make_folder(folder)
            self._file = Path(folder) / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"

    @classmethod
    def of(cls, layout: WorkspaceLayout) -> Heartbeat:
        """Returns a heartbeat in a workspace. It does nothing in a store, where the driver does not look."""
        return cls(None if is_url(layout.root) else layout.progress)

    def update(self, **more: int) -> None:
        """Adds to the totals, as ``Counter.update`` does, and writes them unless the last write was just now.

        Args:
            more: ``compared``, documents that the first of two passes has looked through; ``documents`` that came to
                their end, used or rejected; ``rows`` of all configurations; ``rejects``, documents that were rejected;
                ``ranges`` that the source planned. Finished ones are counted by their markers.
        """
        self._totals.update(more)
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        """Writes the totals now; call it in ``finish_bundle``. Never raises: it is only progress."""
        self._due = time.monotonic() + self._interval
        if self._file is None:
            return
        scratch = self._file.with_suffix(".tmp")
        with contextlib.suppress(OSError):
            scratch.write_text(json.dumps(self._totals), encoding="utf-8")
            os.replace(scratch, self._file)
