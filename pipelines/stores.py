"""Object stores (gs://, s3://) through Beam's file systems: the driver's operations there, retried when they fail.

Stores have no locks that end with a process. There a run holds a lease: an object next to the output, which it renews
while it lives. A run that has not done so for a while counts as dead, and one of this machine once its process ends.
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
# Stores answer 503 for moments and 429 when asked too often: the waits between five tries add up to 15 seconds.
WAITS_SECONDS = (1.0, 2.0, 4.0, 8.0)
PATIENCE_SECONDS = 60.0  # a client that has tried for so long by itself, as Google's does, is not asked again
# A status is a separate word in these texts; inside a URL the same digits are a port or a part of a name.
_HINTS = (
    (re.compile(r"NoSuchBucket|(?<![^\s(])404(?![^\s):])"), "there is no such bucket, or nothing of that name"),
    (
        re.compile(r"AccessDenied|InvalidAccessKeyId|NoCredentials|DefaultCredentials|(?<![^\s(])40[13](?![^\s):])"),
        "the store asks for credentials that allow it",
    ),
)
RENEWAL_SECONDS = 30.0
# Well above a renewal, so that neither a slow store nor clocks that are a minute apart make two runs meet.
EXPIRY_SECONDS = 300.0
# A job that no driver waits for cannot renew its lease; Dataflow cancels batch jobs that are older than this.
LEFT_SECONDS = 10 * 86400.0
# Two runs that begin in the same moment both write; after this wait both see who was last.
SETTLING_SECONDS = 2.0
_MOST_JSON = 64 << 20  # bytes
_DELETED_AT_ONCE = 100  # S3 and GCS take up to 1000 and 100 names in a request


class StoreError(JobFailed):
    """The store denies access or does not answer; the text is one line for the user."""


class NotJsonError(StoreError, ValueError):
    """An object is not the small JSON file that is kept under its name."""


def retrying(what: str, action: Callable[[], T]) -> T:
    """Calls ``action`` until it succeeds, with WAITS_SECONDS in between. Raises StoreError: it failed every time, or
    for too long; the text says ``what`` could not be done, and why."""
    until = time.monotonic() + PATIENCE_SECONDS
    with waiting_for(what):
        for wait in (*WAITS_SECONDS, None):
            try:
                return action()
            except Exception as error:  # each store's library has exceptions of its own
                if wait is None or is_final(error) or time.monotonic() > until:
                    raise StoreError(f"cannot {what}: {reason_of(error)}") from error
                time.sleep(wait)
    raise AssertionError("unreachable")


def failure_of_store(error: BeamIOError) -> ConfigError | StoreError:
    """The error for an input that cannot be read: a ConfigError where another try would fail in the
    same way, else a StoreError. The text names the input."""
    kind = ConfigError if is_final(error) else StoreError
    return kind(f"{', '.join(error.exception_details or {})}: {reason_of(error)}")


def is_final(error: BaseException) -> bool:
    """Whether another try would be answered in the same way: nothing there, or no right to it."""
    text = reason_of(error)
    return any(text.startswith(hint) for _, hint in _HINTS)


def reason_of(error: BaseException) -> str:
    """The first thing that went wrong, in one line."""
    last = list(_chain(error))[-1]
    text = " ".join(str(last).split()) or type(last).__name__
    text = text if isinstance(last, OSError) else f"{type(last).__name__}: {text}"
    return shorten(next((f"{hint} ({text})" for sign, hint in _HINTS if sign.search(text)), text))


def _chain(error: BaseException) -> Iterable[BaseException]:
    """The exception and its causes; Beam keeps the latter in ``exception_details``."""
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        details = getattr(error, "exception_details", None)
        inner = details.values() if isinstance(details, dict) else ()
        error = next((d for d in inner if isinstance(d, BaseException)), None) or error.__cause__ or error
    return seen


def names_below(folder: str) -> dict[str, int]:
    """Returns name -> bytes of every file below a folder, of this machine or of a store."""
    if not is_url(folder):
        paths = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
        return {path: os.path.getsize(path) for path in paths}
    return matching(f"{escaped(folder.rstrip('/'))}/**")


def remove(names: Iterable[str]) -> None:
    """Deletes objects; those that are gone already do not matter."""
    rest = sorted(names)
    for start in range(0, len(rest), _DELETED_AT_ONCE):
        part = rest[start : start + _DELETED_AT_ONCE]
        retrying(f"delete {part[0]}", functools.partial(_delete, part))


def _delete(names: list[str]) -> None:
    there = [m.path for m in (r.metadata_list[0] for r in FileSystems.match(names) if r.metadata_list)]
    if there:
        FileSystems.delete(there)


def copy(source: str, target: str) -> None:
    """Puts a file in a store; within one store it does not pass through this machine. It is tried once. Raises OSError,
    or what the store's library raises."""
    if source.partition("://")[0] == target.partition("://")[0]:
        FileSystems.copy([source], [target])
    else:
        with create(target) as file:
            for chunk in read_chunks(source):
                file.write(chunk)


def write_text(path: str, text: str) -> None:
    """Writes a small object; a reader sees the old one or the new one."""

    def write() -> None:
        with create(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))

    retrying(f"write {path}", write)


def read_json(path: str) -> Any:
    """Reads a small JSON object; None when there is none.

    Raises:
        StoreError: the store does not answer.
        NotJsonError: it is not JSON, or is over 64 MiB.
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
    """Returns what processes have in common that see each other: the boot of a machine, the namespace of process ids
    (a container has its own), and the user, as /proc may hide those of others; "" where the system does not say."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.stat('/proc/self/ns/pid').st_ino} {os.getuid()}"
    except OSError:
        return ""


def _born(pid: int) -> str:
    """Returns when a process of this machine began, in ticks since the boot; "" if it is not running."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in "ZX" else fields[18]


def _is_dead(holder: Mapping[str, Any]) -> bool:
    """Whether the process that holds a lease has ended, as far as this process can see."""
    here, pid = _machine(), holder.get("pid")
    return here != "" and holder.get("machine") == here and isinstance(pid, int) and _born(pid) != holder.get("born")


class Lease:
    """The right to write to one output, until ``release``. Take it with ``Lease.take``."""

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
            remove([self.path])

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
                f"{EXPIRY_SECONDS:.0f} s; run the job again"
            )

    def _holder(self) -> Any:
        """Returns the content of the object, None if there is none. Raises BusyError: it is something else."""
        try:
            holder = read_json(self.path)
            if holder is None or (isinstance(holder, dict) and math.isfinite(float(holder["renewed"]))):
                return holder
        except (ValueError, KeyError, TypeError, OverflowError):
            pass
        raise BusyError(
            f"{self.path} is not a run's lease, so it is unknown whether a run is writing to this output; if none "
            "is, delete that object and run the job again"
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
                f"heard from {max(age, 0):.0f} s ago; {self.path}); it counts as dead {EXPIRY_SECONDS:.0f} s after that"
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
