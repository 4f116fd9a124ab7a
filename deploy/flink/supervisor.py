"""Starts again what has died of a cluster: ``python -m gistmill.deploy.flink.supervisor STATE HOME``, a process of that
cluster.

``Cluster.up`` starts it last and ``Cluster.down`` ends it first. It ends too when the notes of the cluster no longer
name it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from gistmill.deploy.flink.cluster import SUPERVISOR, Cluster, ClusterError
from gistmill.deploy.flink.install import Distribution

INTERVAL = 1.0
FIRST_DELAY, LAST_DELAY = 1.0, 60.0


class Delays:
    """How long to wait before a process is started again: twice as long each time, while it keeps dying soon."""

    def __init__(self) -> None:
        self._delays: dict[str, float] = {}
        self._started: dict[str, float] = {}

    def due(self, name: str, now: float) -> bool:
        """Whether a dead process may be started now."""
        return now - self._started.get(name, float("-inf")) >= self._delays.get(name, 0.0)

    def note(self, name: str, now: float) -> None:
        """Notes that a process is started."""
        soon = now - self._started.get(name, float("-inf")) < 2 * LAST_DELAY
        self._delays[name] = min(2 * self._delays[name], LAST_DELAY) if soon else FIRST_DELAY
        self._started[name] = now


def supervise(cluster: Cluster, stop: threading.Event) -> None:
    """Starts again what dies, until ``stop`` is set or the cluster's notes name another supervisor or none."""
    delays = Delays()
    while any(p.name == SUPERVISOR and p.pid == os.getpid() for p in cluster.noted()):
        for name in cluster.missing():
            now = time.monotonic()
            if delays.due(name, now) and not stop.is_set():
                delays.note(name, now)
                _start(cluster, name)
        if stop.wait(INTERVAL):
            return


def _start(cluster: Cluster, name: str) -> None:
    try:
        said = f"{name} ended, and was started again as process {cluster.start(name).pid}"
    except (ClusterError, OSError) as error:
        said = f"{name} ended, and cannot be started: {error}"
    print(f"{time.strftime('%H:%M:%S')} {said}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the supervisor of the cluster in the folder STATE, whose programs are in HOME."""
    state, home = map(Path, argv or sys.argv[1:])
    stop = threading.Event()
    # not amid a start: what it has started has to be noted, so that `down` ends it
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    supervise(Cluster(state, Distribution(home)), stop)
    return 0


if __name__ == "__main__":
    sys.exit(main())
