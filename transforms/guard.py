"""A guarded function: it may hang or die, and runs in a child process that can be killed.

Both ends are the same program: a process and the child that it started. The pipe has no name, so no other process can
open it, and nothing is kept. What is read from a disk or a store is never a pickle.

Three things end it when its parent is gone: the end of its input while it waits; a signal that the kernel sends
at that end while it works (also inside C code, which no Python thread could interrupt); an alarm behind the deadline.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import pickle
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from gistmill.core.deadline import DeadlineExceeded

HEADER = struct.Struct(">Q")


def packed(message: Any) -> bytes:
    """Returns a message as one frame."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def body_length(data: bytes | bytearray) -> int | None:
    """Returns the length of the body that follows the header, None while the header is not complete."""
    return HEADER.unpack_from(data)[0] if len(data) >= HEADER.size else None


def unpacked(data: bytes | bytearray) -> Any:
    """Returns the message of one complete frame."""
    return pickle.loads(memoryview(data)[HEADER.size :])


_LOOK_AROUND_MS = 2000  # how often a waiting child looks whether its parent still lives
OUT_OF_MEMORY = 12  # exit status
_END = object()


def main() -> None:
    """Serves calls; the first message says what to run: target, keywords, memory limit, alarm."""
    calls, answers = _private_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent decides
    setup = _read(calls)
    if setup is _END:
        return
    try:
        limit = setup["memory_limit"]
        if limit is not None:
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        target = _resolve(setup["target"])
    except Exception as error:  # reported to the parent, which raises it
        _write(answers, _failure(error))
        return
    gc.freeze()  # what was imported is not garbage, and should not be gone through again and again
    _write(answers, ("ready", None))
    while (payload := _read(calls)) is not _END:
        # from here until the answer the end of input kills this process; the parent writes nothing while a
        # call runs
        descriptor = calls.fileno()
        signal.setitimer(signal.ITIMER_REAL, setup["alarm_s"])
        if hasattr(os, "O_ASYNC"):
            fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)
            poll = select.poll()
            poll.register(descriptor, 0)
            if poll.poll(0):  # it ended before the signal was on
                os._exit(0)
        try:
            answer = _run(target, payload, setup["keywords"])
        except MemoryError:
            os._exit(OUT_OF_MEMORY)  # what is left of this process cannot be trusted
        signal.setitimer(signal.ITIMER_REAL, 0)
        if hasattr(os, "O_ASYNC"):
            fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) & ~os.O_ASYNC)
        _write(answers, answer)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Takes the pipes away from standard input and output: nothing the target prints may get between the answers."""
    calls, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return calls, answers


def _resolve(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _run(target: Callable[..., Any], payload: Any, keywords: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "done", target(payload, **keywords)
    except MemoryError:
        raise
    except Exception as error:  # whatever the target raises becomes a RemoteError in the parent
        return _failure(error)


def _failure(error: Exception) -> tuple[str, Any]:
    return "failed", (type(error).__name__, str(error), traceback.format_exc())


def _read(calls: BinaryIO) -> Any:
    """Returns the next message, _END when the parent closed the pipe or is gone."""
    parent = os.getppid()
    poll = select.poll()
    poll.register(calls.fileno(), select.POLLIN)
    data = bytearray()
    while (length := body_length(data)) is None or len(data) < HEADER.size + length:
        if not poll.poll(_LOOK_AROUND_MS):
            if os.getppid() != parent:
                return _END
            continue
        wanted = HEADER.size - len(data) if length is None else HEADER.size + length - len(data)
        piece = os.read(calls.fileno(), min(wanted, 1 << 20))
        if not piece:
            return _END
        data += piece
    return unpacked(data)


def _write(answers: BinaryIO, message: tuple[str, Any]) -> None:
    try:
        answers.write(packed(message))
        answers.flush()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    sys.exit("this module is started by gistmill.transforms.guard.Guard")


# The child takes over its parent's module search path, so that neither the working directory nor PYTHONPATH matters.
_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from gistmill.transforms.guard import main; main()"
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
                    if self._child is None or self._owner != os.getpid() or self._child.poll() is not None:
                        self._start()
                    return self._exchange(frame, self._deadline_s)
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

    def _start(self) -> None:
        if self._child is not None and self._owner == os.getpid():
            self._kill()
        path = [os.path.abspath(entry) for entry in sys.path]
        self._child = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
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
