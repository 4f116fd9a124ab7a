"""A run's workspace in an object store, for runners whose workers share no disk with the driver. The lease on the
output (``lease.py``) keeps others away from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gistmill.pipelines import stores as store
from gistmill.pipelines.workspaces.lease import choose, kept_line
from gistmill.pipelines.workspaces.own import prefix_of
from gistmill.transforms.io import escaped, matching
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.spills import finished_ranges


class RemoteRoot:
    """The folder ``.<key>.gistmill-<run id>`` in ``parent``. Make it with ``RemoteRoot.create``."""

    def __init__(self, root: str, note: str) -> None:
        self.root = root
        self.note = note
        self._closed = False

    @classmethod
    def create(cls, parent: str, key: str, *, run_id: str, fingerprint: Mapping[str, Any], resume: bool) -> RemoteRoot:
        """Makes a workspace, or continues the newest one of the same fingerprint; the others, whose runs are dead, are
        removed.

        Raises:
            ResumeError: there is an unfinished run, but of another fingerprint.
            StoreError: the store does not answer.
        """
        plain = json.loads(json.dumps(fingerprint, default=str))
        prefix = f"{parent}/{prefix_of(key)}"
        found = store.retrying(f"list {parent}", lambda: matching(f"{escaped(prefix)}*/**"))
        names = sorted(found)
        dead = sorted({f"{prefix}{n[len(prefix) :].partition('/')[0]}" for n in names}, reverse=True)
        adopted, note = None, ""
        if resume:
            usable = (root for root in dead if _used(root))
            adopted, note = choose(usable, plain, read_fingerprint=_fingerprint, where=f"in {parent}")
        used = _used(adopted) if adopted else set()
        store.remove(n for n in names if n not in used)
        root = cls(adopted or f"{prefix}{run_id}", note)
        if not adopted:
            store.write_text(WorkspaceLayout(root.root).fingerprint, json.dumps(plain, indent=1, sort_keys=True))
        return root

    def close(self, *, keep: bool = False) -> str:
        """Removes the workspace, or with ``keep`` all but what ``--resume`` can use; then a line says so."""
        if self._closed:
            return ""
        self._closed = True
        used = _used(self.root) if keep else set()
        store.remove(n for n in store.names_below(self.root) if n not in used)
        return kept_line(self.root) if used else ""


def _fingerprint(root: str) -> Any:
    return store.read_json(WorkspaceLayout(root).fingerprint)


def _used(root: str) -> set[str]:
    """The files that a resumed run needs; none when nothing was finished."""
    layout = WorkspaceLayout(root)
    results = finished_ranges(root)
    spooled = {n for n in store.names_below(root) if n.startswith((f"{layout.spool}/", f"{layout.sketches}/"))}
    if not results and not any(n.endswith(".json") for n in spooled):
        return set()
    markers = {n for n in store.names_below(root) if n.startswith(f"{layout.ranges}/")}
    return {layout.fingerprint, *spooled, *markers, *(spill.path for r in results.values() for spill in r.spills)}
