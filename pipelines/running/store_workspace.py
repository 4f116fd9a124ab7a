"""A run's work space in an object store, for runners whose workers share no disk with the driver. The lease on the
output (``lease.py``) keeps others away from it.
"""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from apache_beam.io.filesystems import FileSystems

from pipelines.running import store
from pipelines.running.workspace import ResumeError, differences
from transforms.sinks.layout import Layout
from transforms.sinks.runs import finished_ranges


class RemoteRoot:
    """The folder ``.<key>.gistmill-<run id>`` in ``parent``. Make it with ``RemoteRoot.create``."""

    def __init__(self, root: str, note: str) -> None:
        self.root = root
        self.note = note
        self._closed = False

    @classmethod
    def create(cls, parent: str, key: str, *, run_id: str, fingerprint: Mapping[str, Any], resume: bool) -> RemoteRoot:
        """Makes a work space, or continues the newest one of the same fingerprint; the others, whose runs are dead, are
        removed.

        Raises:
            ResumeError: there is an unfinished run, but of another fingerprint.
            StoreError: the store does not answer.
        """
        plain = json.loads(json.dumps(fingerprint, default=str))
        prefix = f"{parent}/.{key}.gistmill-"
        found = store.retrying(f"list {parent}", lambda: FileSystems.match([f"{prefix}*/**"]))[0].metadata_list
        names = sorted(m.path for m in found)
        dead = sorted({f"{prefix}{n[len(prefix):].partition('/')[0]}" for n in names}, reverse=True)
        adopted, note = _choose(dead, plain) if resume else (None, "")
        used = _used(adopted) if adopted else set()
        store.remove(n for n in names if n not in used)
        root = cls(adopted or f"{prefix}{run_id}", note)
        if not adopted:
            store.write_text(Layout(root.root).fingerprint, json.dumps(plain, indent=1, sort_keys=True))
        return root

    def close(self, *, keep: bool = False) -> str:
        """Removes the work space, or with ``keep`` all but what ``--resume`` can use; then a line says so."""
        if self._closed:
            return ""
        self._closed = True
        used = _used(self.root) if keep else set()
        store.remove(n for n in store.names_below(self.root) if n not in used)
        finished = len(finished_ranges(self.root)) if used else 0
        return f"{finished} finished ranges are kept in {self.root}; --resume continues from there" if used else ""


def _choose(dead: list[str], fingerprint: Any) -> tuple[str | None, str]:
    """Returns the newest dead run of this fingerprint, and a line for the user."""
    different: list[str] = []
    for root in dead:
        if not _used(root):
            continue
        if not (faults := differences(store.read_json(Layout(root).fingerprint), fingerprint)):
            return root, f"resuming {root}: {len(finished_ranges(root))} ranges are finished"
        different = different or [f"cannot resume {root}: {'; '.join(faults[:3])}"]
    if different:
        raise ResumeError(f"{different[0]}; without --resume the job starts again and removes it")
    return None, "nothing to resume; starting from the beginning"


def _used(root: str) -> set[str]:
    """The files that a resumed run needs; none when nothing was finished."""
    layout = Layout(root)
    results = finished_ranges(root)
    spooled = {n for n in store.names_below(root) if n.startswith((f"{layout.spool}/", f"{layout.sketches}/"))}
    if not results and not any(n.endswith(".json") for n in spooled):
        return set()
    markers = {n for n in store.names_below(root) if n.startswith(f"{layout.ranges}/")}
    return {layout.fingerprint, *spooled, *markers, *(run.path for r in results.values() for run in r.runs)}
