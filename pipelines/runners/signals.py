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
from gistmill.pipelines.runners.crew import Crew
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
    watch = _Watch(clean_up)
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, watch.handle)
    try:
        yield
    except BaseException:
        # Whatever a library on the way has made of it, the signal is the reason.
        if watch.received is None:
            raise
    finally:
        watch.gave_way.set()
        if watch.received is None:
            for number in SIGNALS:
                signal.signal(number, before[number])
    if watch.received is not None:
        watch.finish()
        raise SystemExit(watch.exit_code)


class _Watch:
    def __init__(self, clean_up: Callable[[], object]) -> None:
        self.received: int | None = None
        self.gave_way = threading.Event()
        self._clean_up = clean_up

    @property
    def exit_code(self) -> int:
        """128 plus the signal's number, as shells have it."""
        return 128 + (self.received or 0)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """The handler of the first signal. The next one meets the system's default, which kills."""
        for each in SIGNALS:
            if signal.getsignal(each) is not signal.SIG_IGN:
                signal.signal(each, signal.SIG_DFL)
        self.received = number
        Crew.fail_all(JobFailed("interrupted"))
        threading.Thread(target=self._insist, name="interrupt", daemon=True).start()
        raise Interrupted

    def finish(self) -> None:
        """Cleans up and says so."""
        name = signal.Signals(self.received or 0).name
        try:
            note = self._clean_up()
        except Exception as error:
            note = f"cleaning up failed: {error}"
        said = f"; {note}" if isinstance(note, str) and note else ""
        say(f"gistmill: stopped by {name}{said}")

    def _insist(self) -> None:
        """Ends the process when the exception does not get through: raised inside a destructor or a callback of a
        library it is lost."""
        if not self.gave_way.wait(PATIENCE_SECONDS):
            self.finish()
            os._exit(self.exit_code)
