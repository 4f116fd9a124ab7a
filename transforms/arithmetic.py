"""The arithmetic of a process: how many threads it has, and which kernels multiply its matrices.

OpenBLAS, which NumPy's wheel ships, chooses kernels by the processor. Unlike kernels add in unlike orders, so a sum's
last bits, and now and then a decision of the parser, would depend on the machine. A process therefore settles its
arithmetic before NumPy loads: nothing is imported here that would load it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping

THREAD_CAPS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
KERNEL_VARIABLE = "OPENBLAS_CORETYPE"
# Runs on every x86-64 processor with AVX. A row of its products does not depend on the rows beside it; with OpenBLAS's
# kernels for Haswell and Zen it does.
X86_KERNEL = "Sandybridge"
ARM_KERNEL = "ARMV8"  # runs on every 64-bit ARM processor


def settle_arithmetic(environ: MutableMapping[str, str] = os.environ) -> None:
    """Sets the variables that numeric libraries read once, when they are loaded: call it before anything imports NumPy.

    Each library gets one thread, because the workers are the parallelism, unless the user has set a number. OpenBLAS
    gets the kernels of ``pinned_kernel``, whatever the user has set: rows must not depend on it.
    """
    for name in THREAD_CAPS:
        environ.setdefault(name, "1")
    if kernel := pinned_kernel():
        environ[KERNEL_VARIABLE] = kernel


def load_pinned_numpy() -> None:
    """Loads NumPy with the pinned kernels in a process that is the user's own: its variables and its number of threads
    stay as they are. Does nothing where NumPy is loaded already."""
    kernel = pinned_kernel()
    if "numpy" in sys.modules or kernel is None:
        return
    before = os.environ.get(KERNEL_VARIABLE)
    os.environ[KERNEL_VARIABLE] = kernel
    try:
        import numpy  # noqa: F401
    finally:
        if before is None:
            del os.environ[KERNEL_VARIABLE]
        else:
            os.environ[KERNEL_VARIABLE] = before


def pinned_kernel() -> str | None:
    """Returns OpenBLAS's name of the kernels that every process on such a machine uses; None where they cannot run: on
    x86-64 processors without AVX (before 2011) and on other architectures."""
    machine = os.uname().machine
    if machine in ("aarch64", "arm64"):
        return ARM_KERNEL
    return X86_KERNEL if machine == "x86_64" and _has_avx() else None


def _has_avx() -> bool:
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            return any("avx" in line.split() for line in file if line.startswith("flags"))
    except OSError:  # not Linux, or a sandbox: all but the oldest have it
        return True
