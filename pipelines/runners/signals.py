"""Ctrl-C and SIGTERM: the workers end, the workspace is cleaned, the exit code says which signal it was."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gistmill.core.text_output import say
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.runners.worker_pool import WorkerPool
from gistmill.transforms.beam.internals import raised_as_it_is

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# How long the work in this process may take to give way before the process is ended without it.
PATIENCE_SECONDS = 5.0


@raised_as_it_is
class Interrupted(BaseException):
    """Raised in the main thread, at whatever it is doing, by the first signal."""


@contextmanager
def exit_on_signals(clean_up: Callable[[], object]) -> Iterator[None]:
    """Within the block SIGINT and SIGTERM kill all workers with their children, leave the block, call ``clean_up`` and
    raise SystemExit with code 130 or 143, after one line on standard error; what ``clean_up`` returns, if it is a
    text, ends that line. A second signal kills at once.

    A signal that was ignored before stays ignored (``nohup``, jobs in the background). For the main thread only.
    """
    received: list[int] = []
    gave_way = threading.Event()
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def finish() -> None:
        try:
            note = clean_up()
        except Exception as error:
            note = f"cleaning up failed: {error}"
        said = f"; {note}" if isinstance(note, str) and note else ""
        say(f"gistmill: stopped by {signal.Signals(received[0]).name}{said}")

    def insist() -> None:
        """Ends the process when the exception does not get through: raised inside a destructor or a callback of a
        library it is lost."""
        if not gave_way.wait(PATIENCE_SECONDS):
            finish()
            os._exit(128 + received[0])

    def handle(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:  # the next signal meets the system's default, which kills
            if signal.getsignal(each) is not signal.SIG_IGN:
                signal.signal(each, signal.SIG_DFL)
        received.append(number)
        WorkerPool.fail_all(JobFailed("interrupted"))
        threading.Thread(target=insist, name="interrupt", daemon=True).start()
        raise Interrupted

    for number in SIGNALS:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, handle)
    try:
        yield
    except BaseException:
        # Whatever a library on the way has made of it, the signal is the reason.
        if not received:
            raise
    finally:
        gave_way.set()
        if not received:
            for number in SIGNALS:
                signal.signal(number, before[number])
    if received:
        finish()
        raise SystemExit(128 + received[0])  # as shells have it
