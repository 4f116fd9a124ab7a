"""The right to rebuild a corpus, which one process has at a time.

On a disk it is a lock that ends with its process, however that ends. In a store it is a lease: one that was not renewed
for some minutes counts as dead.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gistmill.pipelines.rebuild.layout import CorpusPlace
from gistmill.pipelines.workspaces.errors import BusyError, WorkspaceError
from gistmill.pipelines.workspaces.lease import Lease
from gistmill.pipelines.workspaces.names import new_run_id
from gistmill.published.caches import check_owner
from gistmill.published.locks import take
from gistmill.transforms.io import join

_LOCK = "lock"


@contextmanager
def held(place: CorpusPlace) -> Iterator[Callable[[], None]]:
    """Holds a corpus within the block. Yields a function that raises BusyError if another has taken it since.

    Raises:
        BusyError: another process is rebuilding it.
        WorkspaceError, StoreError: the place cannot be written.
    """
    if not place.is_local:
        lease = Lease.take(join(place.state, "lease.json"), run_id=new_run_id())
        try:
            yield lease.check
        finally:
            lease.release()
        return
    path = Path(place.state, _LOCK)
    try:
        check_owner(path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = take(path)
    except OSError as error:
        raise WorkspaceError(f"cannot write to {path.parent}: {error.strerror or error}") from error
    if handle is None:
        raise BusyError(f"another rebuild of {place.root} is running ({_owner(path)}); wait for it or stop it")
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "started": time.strftime("%F %T")}).encode(), 0)
        yield lambda: None
    finally:
        os.close(handle)


def _owner(path: Path) -> str:
    try:
        owner = json.loads(path.read_bytes())
        return f"process {owner['pid']}, since {owner['started']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "process unknown"
