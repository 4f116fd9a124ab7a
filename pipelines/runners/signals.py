"""Ctrl-C and SIGTERM: the workers end, the workspace is cleaned, the exit code says which signal it was.

Ends a process that has run a pipeline.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

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


INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 128 + signal.SIGPIPE


class OutputLost(Exception):
    """Standard output cannot be written; the cause is the OSError."""


class _Output(io.TextIOWrapper):
    """Standard output, whose errors are told from those of other files."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputLost from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputLost from error


def run_and_leave(main: Callable[[], int]) -> NoReturn:
    """Ends the process with the exit code that ``main`` returns or raises as SystemExit.

    The interpreter is not torn down: Beam leaves gRPC threads behind that now and then abort the process in doing so,
    and the exit code would be theirs. What was written is flushed, and what was registered for the exit is done: a job
    server that Beam has started is ended there.

    Ctrl-C and a closed pipe on standard output end the process as they end other programs, with 130 and 141 and
    without a traceback. Output that cannot be written (a full disk) is said in one line, with exit code 1.
    """
    # makes errors of standard output an OutputLost; output that was closed (">&-") is thrown away
    if sys.stdout is None:
        drop_output()
    elif isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.closed:
        stream = sys.stdout
        stream.flush()
        encoding, errors, by_line = stream.encoding, stream.errors, stream.line_buffering
        sys.stdout = _Output(stream.detach(), encoding=encoding, errors=errors, line_buffering=by_line)
    try:
        code: object = main()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        say("gistmill: stopped by SIGINT")
        code = INTERRUPTED
    except OutputLost as lost:
        code = _code_of(lost)
    if isinstance(code, str):
        say(code)
        code = 1
    atexit._run_exitfuncs()  # there is no public way; multiprocessing does the same
    try:
        sys.stdout.flush()
    except OutputLost as lost:
        code = code or _code_of(lost)
    except (OSError, ValueError):
        pass  # it was replaced or closed by the program
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


def drop_output() -> None:
    """Throws away what standard output has not taken, and what will be printed."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, it lives as long as the process


def _code_of(lost: OutputLost) -> int:
    """Returns the exit code, and says why output was lost, unless who read it has closed the pipe."""
    cause = lost.__cause__
    if isinstance(cause, BrokenPipeError):
        return PIPE_CLOSED
    say(f"gistmill: standard output cannot be written: {getattr(cause, 'strerror', cause)}")
    return 1
