"""One numeric thread per process: the workers are the parallelism. Imports nothing, so it can come before numpy."""

from __future__ import annotations

import os
from collections.abc import MutableMapping

THREAD_CAPS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


def cap_threads(environ: MutableMapping[str, str] = os.environ) -> None:
    """Caps the threads of the numeric libraries at one each, unless the user has set a number. The libraries read
    these variables once, when they are loaded: call it before anything imports numpy."""
    for name in THREAD_CAPS:
        environ.setdefault(name, "1")
