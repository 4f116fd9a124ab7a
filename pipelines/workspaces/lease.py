"""Leases on outputs in object stores, which have no locks that end with a process.

A run leaves an object beside the output and renews it while it lives. A run that has not done so for a while counts as
dead.

The folders of runs that have ended without removing them, among those that others have put beside them.

Chooses the unfinished run that ``--resume`` continues, wherever its workspace lies.
"""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import BusyError, ResumeError
from gistmill.pipelines.workspaces.own import open_own, prefix_of
from gistmill.published.files import take
from gistmill.transforms.layout import LOCK
from gistmill.transforms.sinks.spills import finished_ranges

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


@dataclass(slots=True)
class DeadRun:
    """The folder of a run that has ended; ``handle`` holds its lock."""

    folder: Path
    handle: int


def find_dead(place: Path, beside: Path, work: Path) -> tuple[list[DeadRun], str]:
    """Looks for what dead runs of an output have left.

    Returns:
        Their folders, locked; and a note on folders of such names that are not this user's alone, or "".

    Raises:
        BusyError: one of the runs lives.
    """
    dead: list[DeadRun] = []
    note = ""
    try:
        for parent in dict.fromkeys((beside, work)):
            strange = 0
            named = (p for p in parent.iterdir() if p.name.startswith(prefix_of(place.name)) and os.path.isdir(p))
            for folder in sorted(named):
                with suppress(FileNotFoundError):  # it may be gone meanwhile
                    inside = open_own(folder)
                    if inside is None:
                        strange += 1
                    # beside the output the name says whose it is; in a shared folder only what says so is ours
                    elif (handle := _taken(inside, place, unsaid=parent == beside)) is not None:
                        dead.append(DeadRun(folder, handle))
            if strange:
                note += f"; left alone in {parent}: {strange:,} that this user does not own alone (mode 0700)"
    except BaseException:
        for left in dead:
            os.close(left.handle)
        raise
    return dead, note


def _taken(folder: int, place: Path, *, unsaid: bool) -> int | None:
    """Closes a folder; returns what holds its lock, None when it is another output's. ``unsaid``: whether one that does
    not say so is this output's."""
    try:
        owner = _owner(folder)
        if owner.get("output", str(place) if unsaid else None) != str(place):
            return None
        handle = take(LOCK, within=folder)
        if handle is None:
            raise BusyError(
                f"another run is writing to {place} (process {owner.get('pid', 'unknown')}, "
                f"since {owner.get('started', 'unknown')}); wait for it or stop it"
            )
        return handle
    finally:
        os.close(folder)


def _owner(folder: int) -> dict[str, Any]:
    """What a run has said of itself in the folder of this descriptor."""
    try:
        with open(os.open(LOCK, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
            found = json.loads(file.read())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


_SHOWN = 3  # differences in a message


def choose(
    roots: Iterable[str], fingerprint: Any, *, read_fingerprint: Callable[[str], Any], where: str
) -> tuple[str | None, str]:
    """Returns the first workspace of an equal fingerprint, None when there are no workspaces, and a line for the user.

    Args:
        roots: workspaces of dead runs that hold something to continue, the newest first.
        fingerprint: what this run is: configuration, inputs, versions, as JSON values.
        read_fingerprint: returns the fingerprint of a workspace.
        where: what had been looked for, for the line: "for /data/corpus".

    Raises:
        ResumeError: there are workspaces, all of other fingerprints; the text says what differs in the newest.
    """
    refusal = ""
    for root in roots:
        found = differences(read_fingerprint(root), fingerprint)
        if not found:
            return root, f"resuming {root}: {len(finished_ranges(root))} ranges are finished"
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        refusal = refusal or f"cannot resume {root}: {'; '.join(found[:_SHOWN])}{more}"
    if refusal:
        raise ResumeError(f"{refusal}; without --resume the job starts again and removes it")
    return None, f"nothing to resume {where}; starting from the beginning"


def differences(before: Any, now: Any, name: str = "") -> list[str]:
    """Returns what differs between two JSON values, one line each."""
    if isinstance(before, dict) and isinstance(now, dict):
        keys = sorted(before.keys() | now.keys())
        return [line for k in keys for line in differences(before.get(k), now.get(k), f"{name}.{k}" if name else k)]
    return [] if before == now else [f"{name} was {json.dumps(before)} and is {json.dumps(now)} now"]


def kept_line(root: str) -> str:
    """Returns the line that says what a run which failed has left."""
    return f"{len(finished_ranges(root))} finished ranges are kept in {root}; --resume continues from there"
