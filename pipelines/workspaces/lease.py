"""Leases on outputs in object stores, which have no locks that end with a process.

A run leaves an object beside the output and renews it while it lives. A run that has not done so for a while counts as
dead.
"""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from typing import Any

from gistmill.pipelines import stores as store
from gistmill.pipelines.workspaces.errors import BusyError

RENEWAL_SECONDS = 30.0
# Well above a renewal, so that neither a slow store nor clocks that are a minute apart make two runs meet.
EXPIRY_SECONDS = 300.0
# A job that no driver waits for cannot renew its lease; Dataflow cancels batch jobs that are older than this.
LEFT_SECONDS = 10 * 86400.0
# Two runs that begin in the same moment both write; after this wait both see who was last.
SETTLING_SECONDS = 2.0


class Lease:
    """The right to write to one output, until ``release``. Take it with ``Lease.take``."""

    def __init__(self, path: str, run_id: str) -> None:
        self.path = path
        self.lost = False
        self._record = {"run_id": run_id, "host": socket.gethostname(), "pid": os.getpid(), "started": time.time()}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    @classmethod
    def take(cls, path: str, *, run_id: str, settling: float = SETTLING_SECONDS, from_left: bool = False) -> Lease:
        """Takes the lease kept in the object ``path``; with ``from_left`` also from a job that no driver waits for.

        Raises:
            BusyError: a live run has it, or the object is not a lease.
            StoreError: the store cannot be written.
        """
        lease = cls(path, run_id)
        holder = lease._holder()
        if not (from_left and holder and "left_to" in holder):
            lease._check_holder(holder)
        lease._write()
        time.sleep(settling)
        lease.check()
        lease._thread.start()
        return lease

    def release(self) -> None:
        """Ends the lease; a second call does nothing."""
        if self._over.is_set():
            return
        self._over.set()
        if self._is_ours(self._holder()):
            store.remove([self.path])

    def leave(self, job: str) -> None:
        """Passes the lease to ``job``, which outlives this process and takes the lease by its run id in the end."""
        self._over.set()
        self._record["left_to"] = job
        self._write()

    def check(self) -> None:
        """Raises BusyError when another run has taken the lease since, even one that has ended: this one was believed
        dead."""
        holder = self._holder()
        self._check_holder(holder)
        if not self._is_ours(holder):
            self.lost = True
            raise BusyError(
                f"another run has taken over this output, because this one did not renew {self.path} for more than "
                f"{EXPIRY_SECONDS:.0f} s; run it again"
            )

    def _holder(self) -> Any:
        """Returns what the object says, None where there is none. Raises BusyError: something else is in its place."""
        try:
            holder = store.read_json(self.path)
            if holder is None or (isinstance(holder, dict) and math.isfinite(float(holder["renewed"]))):
                return holder
        except (ValueError, KeyError, TypeError, OverflowError):
            pass
        raise BusyError(
            f"{self.path} is not the lease of a run, so nobody can tell whether one is writing to this output; if none "
            "is, delete that object and run it again"
        )

    def _is_ours(self, holder: Any) -> bool:
        return holder is not None and holder.get("run_id") == self._record["run_id"]

    def _check_holder(self, holder: Any) -> None:
        if holder is None or self._is_ours(holder):
            return
        age = time.time() - float(holder["renewed"])
        if "left_to" in holder and age < LEFT_SECONDS:
            self.lost = True
            raise BusyError(
                f"{holder['left_to']} is writing to this output (begun {max(age, 0) / 3600:.1f} hours ago); if it has "
                f"failed or was cancelled, go on from it with --resume, or delete {self.path}"
            )
        if age < EXPIRY_SECONDS:
            self.lost = True
            raise BusyError(
                f"another run is writing to this output (process {holder.get('pid')} on {holder.get('host')}, heard of "
                f"{max(age, 0):.0f} s ago; {self.path}); it counts as dead {EXPIRY_SECONDS:.0f} s after its last word"
            )

    def _write(self) -> None:
        store.write_text(self.path, json.dumps({**self._record, "renewed": time.time()}))

    def _renew(self) -> None:
        while not self._over.wait(RENEWAL_SECONDS):
            try:
                self.check()
                self._write()
            except (BusyError, store.StoreError):
                if self.lost:
                    return
