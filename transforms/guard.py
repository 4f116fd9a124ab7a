"""Guarded functions, which may hang or crash and therefore run in a child process that can be killed.

Messages are pickled but sent only through unnamed pipes between a process and its child, so no other process can write
them. Pickles are never read from a disk or store.

If its parent ends, a waiting child stops at the end of its input. During a call (even in C code, which a Python thread
could not interrupt), it is killed by a signal that the kernel sends at that end, or by an alarm after the deadline.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from gistmill.core.deadline import DeadlineExceeded

_LOOK_AROUND_S = 2.0  # interval at which a waiting child checks that its parent is alive
OUT_OF_MEMORY = 12  # exit status


def main(calls: Connection, answers: Connection) -> None:
    """Serves calls; the first message is the setup: target, keywords, memory limit and alarm."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the parent handles it
    parent = os.getppid()

    def message() -> Any:
        """Returns the next message. Raises EOFError if the parent has closed the pipe or ended."""
        while not calls.poll(_LOOK_AROUND_S):
            if os.getppid() != parent:
                raise EOFError
        return calls.recv()

    try:
        setup = message()
        try:
            limit = setup["memory_limit"]
            if limit is not None:
                _, hard = resource.getrlimit(resource.RLIMIT_AS)
                soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
                resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
            module, _, name = setup["target"].partition(":")
            target = getattr(importlib.import_module(module), name)
        except Exception as error:  # reported to the parent, which raises it
            answers.send(_failure(error))
            return
        gc.freeze()  # imported modules are never garbage; don't scan them repeatedly
        answers.send(("ready", None))
        while True:
            payload = message()
            signal.setitimer(signal.ITIMER_REAL, setup["alarm_s"])
            # during the call, the end of input kills this process (the parent sends nothing meanwhile)
            _die_at_end_of(calls.fileno(), True)
            try:
                answer = _run(target, payload, setup["keywords"])
            except MemoryError:
                os._exit(OUT_OF_MEMORY)  # the state of this process cannot be trusted
            _die_at_end_of(calls.fileno(), False)
            answers.send(answer)
            signal.setitimer(signal.ITIMER_REAL, 0)
    except (EOFError, BrokenPipeError):
        os._exit(0)


def _die_at_end_of(descriptor: int, on: bool) -> None:
    if not hasattr(os, "O_ASYNC"):
        return
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC if on else flags & ~os.O_ASYNC)
    if on:
        poll = select.poll()
        poll.register(descriptor, 0)
        if poll.poll(0):  # the input ended before the signal was enabled
            os._exit(0)


def _run(target: Callable[..., Any], payload: Any, keywords: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "done", target(payload, **keywords)
    except MemoryError:
        raise
    except Exception as error:  # any exception from the target becomes a RemoteError in the parent
        return _failure(error)


def _failure(error: Exception) -> tuple[str, Any]:
    return "failed", (type(error).__name__, str(error), traceback.format_exc())


# The child inherits its parent's module search path, so neither the working directory nor PYTHONPATH matters.
_BOOT = """\
import sys
calls, answers, *sys.path[:] = sys.argv[1:]
from gistmill.transforms.guard import Connection, main
main(Connection(int(calls), writable=False), Connection(int(answers), readable=False))
"""
_CLOSE_S = 2.0


class GuardError(RuntimeError):
    """A guarded call returned no result."""


class ChildDied(GuardError):
    """The child process died during the call, from a crash or lack of memory."""


class RemoteError(GuardError):
    """The target raised an exception; ``kind`` is its class name, ``remote_traceback`` its traceback. Not retried."""

    def __init__(self, kind: str, message: str, remote_traceback: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.remote_traceback = remote_traceback


class Guard:
    """A function called in a child process, which is started on the first call and runs until ``close``.

    Threads may share a guard; their calls run one after another. A forked process starts its own child.

    Args:
        target: ``package.module:function``; called as ``function(payload, **keywords)``.
        keywords: arguments passed with every call; payload, keywords and result must be picklable.
        deadline_s: seconds allowed for one attempt, excluding the start of the child.
        start_s: seconds allowed for the child to import the target.
        retries: how often a call that timed out or killed the child is retried, each time in a new child.
        memory_limit: bytes of address space for the child (RLIMIT_AS); None for no limit.

    Raises:
        ValueError: an argument is invalid.
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
            raise ValueError(f"deadlines must be above 0 and retries at least 0: {deadline_s=}, {start_s=}, {retries=}")
        if memory_limit is not None and memory_limit < 64 << 20:
            raise ValueError(f"memory limit {memory_limit} is too small for an interpreter; set at least 64 MiB")
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
            DeadlineExceeded, ChildDied: all attempts failed; the exception is from the last, whose child is dead.
            RemoteError: the target raised an exception or could not be imported.
        """
        with self._lock:
            for attempts_left in range(self._retries, -1, -1):
                try:
                    if self._child is None or self._owner != os.getpid() or self._child.poll() is not None:
                        self._start()
                    return self._exchange(payload, self._deadline_s)
                except (DeadlineExceeded, ChildDied):
                    if not attempts_left:
                        raise
            raise AssertionError("unreachable")

    def close(self) -> None:
        """Ends the child; a later call starts a new one."""
        with self._lock:
            if self._child is not None and self._owner == os.getpid():
                self._calls.close()
                self._kill(_CLOSE_S)
            self._child = None

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def child_pid(self) -> int | None:
        """Process id of the child; None if no child is running."""
        return self._child.pid if self._child is not None else None

    def _start(self) -> None:
        if self._child is not None and self._owner == os.getpid():
            self._kill()
        (calls, self._calls), (self._answers, answers) = Pipe(duplex=False), Pipe(duplex=False)
        ends = calls.fileno(), answers.fileno()
        self._child = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *map(str, ends), *map(os.path.abspath, sys.path)],
            stdin=subprocess.DEVNULL,
            stdout=2,  # send the target's output to stderr
            pass_fds=ends,
        )
        self._owner = os.getpid()
        calls.close()
        answers.close()
        self._exchange(self._setup, self._start_s)

    def _exchange(self, message: Any, seconds: float) -> Any:
        """Sends a message and returns the answer; if there is none, the child is killed."""
        try:
            self._calls.send(message)
            if not self._answers.poll(seconds):
                raise DeadlineExceeded(f"{self._setup['target']} did not answer in time")
            status, value = self._answers.recv()
        except (EOFError, OSError):
            cause = self._kill(_CLOSE_S)
            raise ChildDied(f"the process running {self._setup['target']} died ({cause})") from None
        except BaseException:
            self._kill()
            raise
        if status == "failed":
            raise RemoteError(*value)
        return value

    def _kill(self, seconds: float = 0) -> str:
        """Waits up to ``seconds`` for the child to end, then kills it; returns how it ended."""
        child, self._child = self._child, None
        assert child
        try:
            status = child.wait(seconds)
            cause = f"signal {-status}" if status < 0 else f"exit status {status}"
        except subprocess.TimeoutExpired:
            cause = "it closed its output"
            child.kill()
            child.wait()
        self._calls.close()
        self._answers.close()
        return cause
