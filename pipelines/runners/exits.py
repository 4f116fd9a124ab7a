"""Ends a process that has run a pipeline."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
from collections.abc import Callable
from typing import NoReturn


def run_and_leave(main: Callable[[], int]) -> NoReturn:
    """Ends the process with the exit code that ``main`` returns or raises as SystemExit.

    The interpreter is not torn down: Beam leaves gRPC threads behind that now and then abort the process in doing so,
    and the exit code would be theirs. What was written is flushed, and what was registered for the exit is done: a job
    server that Beam has started is ended there.
    """
    try:
        code: object = main()
    except SystemExit as end:
        code = end.code
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    atexit._run_exitfuncs()  # there is no public way; multiprocessing does the same
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # a closed pipe takes no more
            stream.flush()
    os._exit(code if isinstance(code, int) else 0)
