"""Ends a process that has run a pipeline."""

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
    """Standard output cannot be written; the cause is the OSError."""


class _Output(io.TextIOWrapper):
    """Standard output, whose errors are distinguished from those of other files."""

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

    The interpreter is not torn down: Beam leaves gRPC threads running that now and then abort the process during
    teardown, and the exit code would be theirs. Output is flushed, and exit handlers are run: a job server that Beam
    has started is ended there.

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
