"""The parent's side of a guard: a long-lived child process, a deadline per call, kill and restart."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from gistmill.core.deadline import DeadlineExceeded
from gistmill.transforms.guard.frames import HEADER, body_length, packed, unpacked

# The child takes over its parent's module search path, so that neither the working directory nor PYTHONPATH matters.
_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from gistmill.transforms.guard.child import main; main()"
_CLOSE_S = 2.0


class GuardError(RuntimeError):
    """A guarded call gave no result."""


class ChildDied(GuardError):
    """The child process died during the call (a crash, or out of memory), in any attempt."""


class RemoteError(GuardError):
    """The target raised: ``kind`` is the exception's class name, ``remote_traceback`` its traceback. Not retried."""

    def __init__(self, kind: str, message: str, remote_traceback: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.remote_traceback = remote_traceback


class Guard:
    """Calls a function in a child process that is started at the first call and lives until ``close``.

    Threads may share a guard; their calls run one after another. A forked process gets a child of its own.

    Args:
        target: ``package.module:function``; called as ``function(payload, **keywords)``.
        keywords: the same for all calls; payload, keywords and result must be picklable.
        deadline_s: seconds for one attempt, start of the child not counted.
        start_s: seconds for the child to import the target.
        retries: how often a call that ran out of time or killed the child is tried again, each time in a fresh child.
        memory_limit: bytes of address space for the child (RLIMIT_AS), None for no limit.

    Raises:
        ValueError: a bad target, deadline or number.
    """

    def __init__(
        self,
        target: str,
        *,
        keywords: Mapping[str, Any] | None = None,
        deadline_s: float = 60.0,
        start_s: float = 60.0,
        retries: int = 1,
        memory_limit: int | None = None,
    ) -> None:
        if not all(target.partition(":")):
            raise ValueError(f"guard target {target!r} is not of the form package.module:function")
        if deadline_s <= 0 or start_s <= 0 or retries < 0:
            raise ValueError(f"deadlines must be above 0 and retries not below: {deadline_s=}, {start_s=}, {retries=}")
        if memory_limit is not None and memory_limit < 64 << 20:
            raise ValueError(f"memory limit {memory_limit} is too small for an interpreter; give at least 64 MiB")
        self._setup = {
            "target": target,
            "keywords": dict(keywords or {}),
            "memory_limit": memory_limit,
            "alarm_s": deadline_s + 5,
        }
        self._deadline_s, self._start_s, self._retries = deadline_s, start_s, retries
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0  # process id that started the child

    def call(self, payload: Any) -> Any:
        """Returns ``target(payload)``.

        Raises:
            DeadlineExceeded, ChildDied: after the retries; the exception is the last attempt's. The child is dead.
            RemoteError: the target raised, or could not be imported.
        """
        frame = packed(payload)
        with self._lock:
            for attempts_left in range(self._retries, -1, -1):
                try:
                    return self._attempt(frame)
                except (DeadlineExceeded, ChildDied):
                    if not attempts_left:
                        raise
            raise AssertionError("unreachable")

    def close(self) -> None:
        """Ends the child; a later call starts a new one."""
        with self._lock:
            child, self._child = self._child, None
            if child is None or self._owner != os.getpid():
                return
            assert child.stdin and child.stdout
            child.stdin.close()
            try:
                child.wait(_CLOSE_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            child.stdout.close()

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def child_pid(self) -> int | None:
        """Process id of the child, None while there is none."""
        return self._child.pid if self._child is not None else None

    def _attempt(self, frame: bytes) -> Any:
        if self._child is None or self._owner != os.getpid() or self._child.poll() is not None:
            self._start()
        return self._exchange(frame, self._deadline_s)

    def _start(self) -> None:
        if self._child is not None and self._owner == os.getpid():
            self._kill()
        path = [os.path.abspath(entry) for entry in sys.path]
        self._child = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self._owner = os.getpid()
        assert self._child.stdin and self._child.stdout
        os.set_blocking(self._child.stdin.fileno(), False)
        os.set_blocking(self._child.stdout.fileno(), False)
        self._exchange(packed(self._setup), self._start_s)

    def _exchange(self, frame: bytes, seconds: float) -> Any:
        """Writes a frame and returns the answer; on any other end the child is dead afterwards."""
        try:
            status, value = self._converse(memoryview(frame), time.monotonic() + seconds)
        except BaseException:
            self._kill()
            raise
        if status == "failed":
            raise RemoteError(*value)
        return value

    def _converse(self, frame: memoryview, deadline: float) -> tuple[str, Any]:
        child = self._child
        assert child and child.stdin and child.stdout
        poll = select.poll()
        poll.register(child.stdin.fileno(), select.POLLOUT)
        poll.register(child.stdout.fileno(), select.POLLIN)
        answer = bytearray()
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise DeadlineExceeded(f"no answer from {self._setup['target']} in time")
            for descriptor, _ in poll.poll(left * 1000):
                if descriptor == child.stdout.fileno():
                    piece = os.read(descriptor, 1 << 20)
                    if not piece:
                        raise ChildDied(f"the process of {self._setup['target']} died ({_cause(child)})")
                    answer += piece
                    length = body_length(answer)
                    if length is not None and len(answer) == HEADER.size + length:
                        return unpacked(answer)
                else:
                    try:
                        frame = frame[os.write(descriptor, frame[: 1 << 20]) :]
                    except BrokenPipeError:
                        frame = frame[:0]  # the end of its output tells the rest
                    if not frame:
                        poll.unregister(descriptor)

    def _kill(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin and child.stdout
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()


def _cause(child: subprocess.Popen[bytes]) -> str:
    try:
        status = child.wait(_CLOSE_S)
    except subprocess.TimeoutExpired:
        return "it closed its output"
    return f"signal {-status}" if status < 0 else f"exit status {status}"
