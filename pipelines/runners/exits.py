"""Exiting from a process that has run a pipeline."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from gistmill.core.text_output import say

INTERRUPTED = 128 + signal.SIGINT
PIPE_CLOSED = 128 + signal.SIGPIPE


class OutputLost(Exception):
    """Standard output cannot be written; ``__cause__`` is the OSError."""


class _Output(io.TextIOWrapper):
    """Standard output that raises OutputLost, to distinguish its errors from those of other files."""

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
    """Exits with the code that ``main`` returns or raises as SystemExit.

    Skips the interpreter's teardown, during which gRPC threads left running by Beam sometimes abort the process and
    change its exit code. Flushes output and runs exit handlers, one of which stops Beam's job server, if any.

    Ctrl-C and a closed pipe on standard output end the process as usual, with exit codes 130 and 141 and without a
    traceback. If output cannot be written (full disk), prints one line and exits with code 1.
    """
    # standard output is made to raise OutputLost; if it was closed (">&-"), output is discarded
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
    atexit._run_exitfuncs()  # there is no public equivalent; multiprocessing does the same
    try:
        sys.stdout.flush()
    except OutputLost as lost:
        code = code or _code_of(lost)
    except (OSError, ValueError):
        pass  # the program replaced or closed it
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 0)


def drop_output() -> None:
    """Discards pending and future standard output."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, open until the process ends


def _code_of(lost: OutputLost) -> int:
    """Returns the exit code; prints why output was lost, unless its reader closed the pipe."""
    cause = lost.__cause__
    if isinstance(cause, BrokenPipeError):
        return PIPE_CLOSED
    say(f"gistmill: standard output cannot be written: {getattr(cause, 'strerror', cause)}")
    return 1
