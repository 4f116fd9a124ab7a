"""Handling of Ctrl-C and SIGTERM: kill the workers, clean up the workspace, and exit with the signal's exit code."""

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
# How long the main thread may take to react to the interrupt before the process is ended regardless.
PATIENCE_SECONDS = 5.0


@raised_as_it_is
class Interrupted(BaseException):
    """An interrupt by the first signal, raised in the main thread wherever it is."""


@contextmanager
def exit_on_signals(clean_up: Callable[[], object]) -> Iterator[None]:
    """Within the block, SIGINT and SIGTERM kill all workers with their children, leave the block, call ``clean_up``,
    print a line to standard error and raise SystemExit with code 130 or 143. If ``clean_up`` returns a string, the line
    ends with it. A second signal kills the process at once.

    Signals that were already ignored (``nohup``, background jobs) stay ignored. For the main thread only.
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
        """Ends the process if the exception is lost, as in a destructor or a library's callback."""
        if not gave_way.wait(PATIENCE_SECONDS):
            finish()
            os._exit(128 + received[0])

    def handle(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:  # the next signal has its default effect: it kills the process
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
        # The cause is the signal, even if a library has converted the exception.
        if not received:
            raise
    finally:
        gave_way.set()
        if not received:
            for number in SIGNALS:
                signal.signal(number, before[number])
    if received:
        finish()
        raise SystemExit(128 + received[0])  # the convention of shells
