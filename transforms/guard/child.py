"""The child's side of a guard: reads calls from standard input, answers on standard output, until its input ends.

Three things end it when its parent is gone: the end of its input while it waits; a signal that the kernel sends
at that end while it works (also inside C code, which no Python thread could interrupt); an alarm behind the deadline.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

from gistmill.transforms.guard.frames import HEADER, body_length, packed, unpacked

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
        _limit_memory(setup["memory_limit"])
        target = _resolve(setup["target"])
    except Exception as error:  # reported to the parent, which raises it
        _write(answers, _failure(error))
        return
    gc.freeze()  # what was imported is not garbage, and should not be gone through again and again
    _write(answers, ("ready", None))
    while (payload := _read(calls)) is not _END:
        _watch_parent(calls.fileno(), setup["alarm_s"])
        try:
            answer = _run(target, payload, setup["keywords"])
        except MemoryError:
            os._exit(OUT_OF_MEMORY)  # what is left of this process cannot be trusted
        _unwatch_parent(calls.fileno())
        _write(answers, answer)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Takes the pipes away from standard input and output: nothing the target prints may get between the answers."""
    calls, answers = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return calls, answers


def _limit_memory(limit: int | None) -> None:
    if limit is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


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


def _watch_parent(descriptor: int, alarm_s: float) -> None:
    """From here until the answer the end of input kills this process; the parent writes nothing while a call runs."""
    signal.setitimer(signal.ITIMER_REAL, alarm_s)
    if hasattr(os, "O_ASYNC"):
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)
        poll = select.poll()
        poll.register(descriptor, 0)
        if poll.poll(0):  # it ended before the signal was on
            os._exit(0)


def _unwatch_parent(descriptor: int) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    if hasattr(os, "O_ASYNC"):
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) & ~os.O_ASYNC)


if __name__ == "__main__":
    sys.exit("this module is started by gistmill.transforms.guard.Guard")
