"""The driver's operations on object stores (gs://, s3://), through Beam's file systems and with retries.

Stores have no locks that are released when a process ends. Therefore a run holds a lease there, an object next to the
output that it renews while it is alive. A run is considered dead if it has not renewed its lease for some time or, on
this machine, if its process has ended.
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems

from gistmill.core.addresses import waiting_for
from gistmill.pipelines.errors import BusyError, ConfigError, JobFailed, shorten
from gistmill.transforms.io import create, escaped, is_url, matching, open_input, read_chunks, size_of

T = TypeVar("T")
# Stores briefly return 503, or 429 if there are too many requests: the waits between five attempts total 15 seconds.
WAITS_SECONDS = (1.0, 2.0, 4.0, 8.0)
PATIENCE_SECONDS = 60.0  # no retry if a client, such as Google's, has itself retried for this long
# A status is a separate word in error messages; inside a URL, the same digits are a port or part of a name.
_HINTS = (
    (re.compile(r"NoSuchBucket|(?<![^\s(])404(?![^\s):])"), "the bucket or object does not exist"),
    (
        re.compile(r"AccessDenied|InvalidAccessKeyId|NoCredentials|DefaultCredentials|(?<![^\s(])40[13](?![^\s):])"),
        "the store requires credentials with access",
    ),
)
RENEWAL_SECONDS = 30.0
# Well above the renewal interval, so that a slow store or clocks a minute apart do not let two runs collide.
EXPIRY_SECONDS = 300.0
# A job that no driver waits for cannot renew its lease; Dataflow cancels batch jobs that are older than this.
LEFT_SECONDS = 10 * 86400.0
# If two runs start at the same time, both write the lease; after this wait, both see which one wrote last.
SETTLING_SECONDS = 2.0
_MOST_JSON = 64 << 20  # bytes
_DELETED_AT_ONCE = 100  # S3 and GCS accept up to 1000 and 100 names per request


class StoreError(JobFailed):
    """The store denies access or does not respond; the message is one line for the user."""


class NotJsonError(StoreError, ValueError):
    """An object is not the small JSON file expected under its name."""


def retrying(what: str, action: Callable[[], T]) -> T:
    """Calls ``action`` until it succeeds, with WAITS_SECONDS in between. Raises StoreError if it fails every time or
    for too long; the message states ``what`` could not be done and why."""
    until = time.monotonic() + PATIENCE_SECONDS
    with waiting_for(what):
        for wait in (*WAITS_SECONDS, None):
            try:
                return action()
            except Exception as error:  # every store's library has its own exceptions
                if wait is None or is_final(error) or time.monotonic() > until:
                    raise StoreError(f"cannot {what}: {reason_of(error)}") from error
                time.sleep(wait)
    raise AssertionError("unreachable")


def failure_of_store(error: BeamIOError) -> ConfigError | StoreError:
    """Returns the error for an unreadable input, which it names: a ConfigError if another attempt would fail in the
    same way, otherwise a StoreError."""
    kind = ConfigError if is_final(error) else StoreError
    return kind(f"{', '.join(error.exception_details or {})}: {reason_of(error)}")


def is_final(error: BaseException) -> bool:
    """Whether another attempt would fail in the same way: the object does not exist, or access is denied."""
    text = reason_of(error)
    return any(text.startswith(hint) for _, hint in _HINTS)


def reason_of(error: BaseException) -> str:
    """Returns the root cause of an error in one line."""
    last = list(_chain(error))[-1]
    text = " ".join(str(last).split()) or type(last).__name__
    text = text if isinstance(last, OSError) else f"{type(last).__name__}: {text}"
    return shorten(next((f"{hint} ({text})" for sign, hint in _HINTS if sign.search(text)), text))


def _chain(error: BaseException) -> Iterable[BaseException]:
    """Returns the exception and its causes, which Beam keeps in ``exception_details``."""
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        details = getattr(error, "exception_details", None)
        inner = details.values() if isinstance(details, dict) else ()
        error = next((d for d in inner if isinstance(d, BaseException)), None) or error.__cause__ or error
    return seen


def names_below(folder: str) -> dict[str, int]:
    """Returns the size in bytes of every file below a folder, by path; the folder may be local or in a store."""
    if not is_url(folder):
        paths = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
        return {path: os.path.getsize(path) for path in paths}
    return matching(f"{escaped(folder.rstrip('/'))}/**")


def remove(names: Iterable[str]) -> None:
    """Deletes objects; missing ones are ignored."""
    rest = sorted(names)
    for start in range(0, len(rest), _DELETED_AT_ONCE):
        part = rest[start : start + _DELETED_AT_ONCE]
        retrying(f"delete {part[0]}", functools.partial(_delete, part))


def _delete(names: list[str]) -> None:
    there = [m.path for m in (r.metadata_list[0] for r in FileSystems.match(names) if r.metadata_list)]
    if there:
        FileSystems.delete(there)


def copy(source: str, target: str) -> None:
    """Copies a file to a store without retries; within one store, the data does not pass through this machine. Raises
    OSError or an exception of the store's library."""
    if source.partition("://")[0] == target.partition("://")[0]:
        FileSystems.copy([source], [target])
    else:
        with create(target) as file:
            for chunk in read_chunks(source):
                file.write(chunk)


def write_text(path: str, text: str) -> None:
    """Writes a small object; readers see either the old or the new one."""

    def write() -> None:
        with create(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))

    retrying(f"write {path}", write)


def read_json(path: str) -> Any:
    """Reads a small JSON file; returns None if it does not exist.

    Raises:
        StoreError: the store does not respond.
        NotJsonError: the file is not JSON, or is over 64 MiB.
    """

    def read() -> bytes | None:
        size = size_of(path)
        if size is None or size > _MOST_JSON:
            return None if size is None else b""
        with open_input(path) as file:
            return file.read()

    content = retrying(f"read {path}", read)
    try:
        return None if content is None else json.loads(content)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(f"{path} is not a small JSON file: {shorten(str(error))}") from None


def _machine() -> str:
    """Identifies the processes visible to this one: the machine's boot id, the namespace of process ids (one per
    container) and the user, since /proc may hide other users' processes. Returns "" if unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.stat('/proc/self/ns/pid').st_ino} {os.getuid()}"
    except OSError:
        return ""


def _born(pid: int) -> str:
    """Returns the start time of a local process in ticks since boot; "" if it is not running."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else fields[18]


def _is_dead(holder: Mapping[str, Any]) -> bool:
    """Whether the process that holds a lease is known to have ended."""
    here, pid = _machine(), holder.get("pid")
    return here != "" and holder.get("machine") == here and isinstance(pid, int) and _born(pid) != holder.get("born")


class Lease:
    """The right to write to one output, from ``Lease.take`` until ``release``."""

    def __init__(self, path: str, run_id: str) -> None:
        self.path = path
        self.lost = False
        self._record = {
            "run_id": run_id,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "machine": _machine(),
            "born": _born(os.getpid()),
            "started": time.time(),
        }
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)

    @classmethod
    def take(cls, path: str, *, run_id: str, settling: float = SETTLING_SECONDS, from_left: bool = False) -> Lease:
        """Takes the lease stored in the object ``path``; with ``from_left``, even from a job that no driver waits for.

        Raises:
            BusyError: a live run holds it, or the object is not a lease.
            StoreError: the store is not writable.
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
            remove([self.path])

    def leave(self, job: str) -> None:
        """Leaves the lease to ``job``, which outlives this process and later takes the lease with the same run id."""
        self._over.set()
        self._record["left_to"] = job
        self._write()

    def check(self) -> None:
        """Raises BusyError if another run (possibly ended since) has taken the lease, considering this one dead."""
        holder = self._holder()
        self._check_holder(holder)
        if not self._is_ours(holder):
            self.lost = True
            raise BusyError(
                f"another run has taken over this output, because this one did not renew {self.path} for more than "
                f"{EXPIRY_SECONDS:.0f} s; run the job again"
            )

    def _holder(self) -> Any:
        """Returns the content of the lease, or None if it does not exist. Raises BusyError if it is not a lease."""
        try:
            holder = read_json(self.path)
            if holder is None or (isinstance(holder, dict) and math.isfinite(float(holder["renewed"]))):
                return holder
        except (ValueError, KeyError, TypeError, OverflowError):
            pass
        raise BusyError(
            f"{self.path} is not a run's lease, so another run may be writing to this output; if not, delete that "
            "object and run the job again"
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
                f"{holder['left_to']} is writing to this output (started {max(age, 0) / 3600:.1f} hours ago); if it "
                f"failed or was cancelled, continue it with --resume, or delete {self.path}"
            )
        if age < EXPIRY_SECONDS and ("left_to" in holder or not _is_dead(holder)):
            self.lost = True
            raise BusyError(
                f"another run is writing to this output (process {holder.get('pid')} on {holder.get('host')}, last "
                f"active {max(age, 0):.0f} s ago; {self.path}); it counts as dead if idle for {EXPIRY_SECONDS:.0f} s"
            )

    def _write(self) -> None:
        write_text(self.path, json.dumps({**self._record, "renewed": time.time()}))

    def _renew(self) -> None:
        while not self._over.wait(RENEWAL_SECONDS):
            try:
                self.check()
                self._write()
            except (BusyError, StoreError):
                if self.lost:
                    return
