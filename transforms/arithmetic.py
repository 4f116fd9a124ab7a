"""The arithmetic of a process: its number of threads and the kernels that it computes with.

Numeric libraries choose kernels to suit the processor, and different kernels round differently. To make rows
independent of the machine, a process sets up its arithmetic before it loads NumPy, and the manifest records the
libraries in use. This module imports nothing that loads NumPy.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

from gistmill.core.arithmetic import Arithmetic

THREAD_CAPS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


class Pins(NamedTuple):
    """An architecture's kernels: the environment variables that select them, and the names that libraries report."""

    variables: Mapping[str, str]
    kernels: Mapping[str, str]


# NumPy's wheel includes OpenBLAS, whose Sandybridge kernels run on every x86-64 processor with AVX. A row of their
# products does not depend on the other rows, as it does with the Haswell and Zen kernels. NumPy's own loops may use
# AVX2 but not AVX-512, which rounds powers, and exp and log of doubles, differently. On processors without AVX2, exp
# and log of floats are rounded differently.
X86 = Pins(
    {"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"},
    {"OpenBLAS": "Sandybridge", "NumPy": "X86_V2 X86_V3"},
)
ARM = Pins({"OPENBLAS_CORETYPE": "ARMV8"}, {"OpenBLAS": "armv8"})  # run on every 64-bit ARM processor
NONE = Pins({}, {})
_CLASHING = "NPY_ENABLE_CPU_FEATURES"  # NumPy fails to load if it and NPY_DISABLE_CPU_FEATURES are both set
# The instruction sets that onnxruntime checks for, as named in /proc/cpuinfo: x86-64, then ARM.
_ONNX_SETS = frozenset(
    "avx avx2 fma avx512f avx512bw avx512_vnni avx512_bf16 avx_vnni amx_int8 asimddp i8mm bf16 sve".split()
)
_OPENBLAS = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")  # in wheels and elsewhere
_LOGGER = logging.getLogger(__name__)


def settle_arithmetic(environ: MutableMapping[str, str] = os.environ) -> None:
    """Sets the environment variables that numeric libraries read on loading; call it before anything imports NumPy.

    Each library gets one thread, because workers already run in parallel, unless the user has set another number; idle
    threads sleep. The kernels are always those of ``pins``, whatever the user has set, because they affect rows.
    """
    for name in THREAD_CAPS:
        environ.setdefault(name, "1")
    environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # spinning threads would keep cores from other programs
    _pin(environ)


def load_pinned_numpy() -> None:
    """Loads NumPy with the pinned kernels in the user's own process, leaving its environment variables and number of
    threads unchanged. Does nothing if NumPy is already loaded."""
    if "numpy" in sys.modules:
        return
    before = dict(os.environ)
    _pin(os.environ)
    try:
        import numpy  # noqa: F401
    finally:
        for name in (*pins().variables, _CLASHING):
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


def _pin(environ: MutableMapping[str, str]) -> None:
    environ.update(pins().variables)
    if "NPY_DISABLE_CPU_FEATURES" in environ:
        environ.pop(_CLASHING, None)


def pins() -> Pins:
    """Returns the settings pinned on this machine: NONE on x86-64 processors without AVX (before 2011), which cannot
    run the kernels, and on architectures other than x86-64 and ARM."""
    machine = os.uname().machine
    if machine in ("aarch64", "arm64"):
        return ARM
    return X86 if machine == "x86_64" and _has("avx") else NONE


def pin_blis() -> None:
    """Makes BLIS, which multiplies matrices for spaCy's parser, use its generic kernels on every processor.

    BLIS offers no option for this, so its chosen kernels are overwritten. Does nothing if its build does not allow it.
    """
    blis = _blis()
    if blis is not None and blis.bli_arch_string(blis.bli_arch_query_id()) != b"generic":
        blis.bli_cntx_init_generic(blis.bli_gks_query_cntx())


def arithmetic_in_use() -> tuple[Arithmetic, ...]:
    """Returns the versions, kernels and threads of the numeric libraries loaded in this process; loads NumPy."""
    found = [_openblas(), _numpy()]
    if "blis.cy" in sys.modules:
        found.append(Arithmetic("BLIS", version("blis"), "generic" if _blis() else "", 1))
    if "onnxruntime" in sys.modules:
        # its kernels can be neither queried nor set: record the instruction sets that determine them
        sets = sorted(_instruction_sets() & _ONNX_SETS)
        found.append(Arithmetic("onnxruntime", version("onnxruntime"), " ".join(sets), 1))
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def warn_if_unpinned() -> None:
    """Logs a warning, once, if NumPy does not use the pinned kernels. A job's driver calls it for its own process; the
    publisher warns if workers use different kernels."""
    wanted, found = pins(), {one.library: one for one in (_openblas(), _numpy())}
    if wanted is NONE or (wanted is X86 and not _has("avx2")):
        _LOGGER.warning(
            "this processor cannot run all pinned kernels: a few rows may differ from those made on other machines"
        )
    elif any(library not in found or found[library].kernel != kernel for library, kernel in wanted.kernels.items()):
        _LOGGER.warning(
            "this process computes with %s: a few rows may differ from those made on other machines. NumPy was loaded "
            "before Gistmill could choose its kernels: run `from gistmill import build` first, or set %s before "
            "starting Python",
            " and ".join(map(str, found.values())),
            " ".join(f"{name}='{value}'" for name, value in wanted.variables.items()),
        )


def _openblas() -> Arithmetic:
    # symbols of the libraries that NumPy is linked with can be looked up through its own module
    library = ctypes.CDLL(import_module("numpy._core._multiarray_umath").__file__)
    for form in _OPENBLAS:
        if hasattr(library, form.format("get_corename")):
            core, config = (getattr(library, form.format(name)) for name in ("get_corename", "get_config"))
            core.restype = config.restype = ctypes.c_char_p
            threads = getattr(library, form.format("get_num_threads"))()
            return Arithmetic("OpenBLAS", config().decode().split()[1], core().decode(), threads)
    return Arithmetic("BLAS", "", "", 0)


def _numpy() -> Arithmetic:
    import numpy

    extensions: Any = numpy.show_config(mode="dicts")
    sets = extensions["SIMD Extensions"]
    return Arithmetic("NumPy", numpy.__version__, " ".join([*sets.get("baseline", ()), *sets.get("found", ())]), 1)


@lru_cache(maxsize=1)
def _blis() -> ctypes.CDLL | None:
    """The BLIS library that spaCy's parser calls; None if it lacks the functions that ``pin_blis`` needs."""
    library = ctypes.CDLL(import_module("blis.cy").__file__)
    if not all(hasattr(library, f"bli_{name}") for name in ("arch_query_id", "gks_query_cntx", "cntx_init_generic")):
        return None
    library.bli_arch_string.restype = ctypes.c_char_p
    library.bli_gks_query_cntx.restype = ctypes.c_void_p
    library.bli_cntx_init_generic.argtypes = [ctypes.c_void_p]
    return library


def _has(name: str) -> bool:
    return name in (_instruction_sets() or {name})


@lru_cache(maxsize=1)
def _instruction_sets() -> frozenset[str]:
    """Linux's names for the processor's instruction sets; empty on other systems."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = (line.partition(":") for line in file)
            return next((frozenset(v.split()) for n, _, v in lines if n.strip() in ("flags", "Features")), frozenset())
    except OSError:
        return frozenset()
