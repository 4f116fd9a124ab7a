"""The arithmetic of a process: how many threads it has, and which kernels compute.

Numeric libraries choose kernels by the processor, and unlike kernels round differently. So that rows do not depend on
the machine, a process settles its arithmetic before NumPy loads, and the manifest records the libraries in use. Nothing
is imported here that would load NumPy.
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
    """The same kernels on all machines of an architecture: the variables that choose them, and the names that libraries
    give them."""

    variables: Mapping[str, str]
    kernels: Mapping[str, str]


# OpenBLAS is in NumPy's wheel. Sandybridge's kernels run on every x86-64 processor with AVX. A row of their products
# does not depend on the other rows; with those for Haswell and Zen it does. NumPy's own loops may use AVX2 and no
# AVX-512, with which powers, and exp and log of doubles, round differently. Without AVX2, exp and log of floats do.
X86 = Pins(
    {"OPENBLAS_CORETYPE": "Sandybridge", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"},
    {"OpenBLAS": "Sandybridge", "NumPy": "X86_V2 X86_V3"},
)
ARM = Pins({"OPENBLAS_CORETYPE": "ARMV8"}, {"OpenBLAS": "armv8"})  # run on every 64-bit ARM processor
NONE = Pins({}, {})
_CLASHING = "NPY_ENABLE_CPU_FEATURES"  # NumPy does not load when both are set
# What onnxruntime looks for, in the words of /proc/cpuinfo: x86-64, then ARM.
_ONNX_SETS = frozenset(
    "avx avx2 fma avx512f avx512bw avx512_vnni avx512_bf16 avx_vnni amx_int8 asimddp i8mm bf16 sve".split()
)
_OPENBLAS = ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}")  # in wheels and elsewhere
_LOGGER = logging.getLogger(__name__)


def settle_arithmetic(environ: MutableMapping[str, str] = os.environ) -> None:
    """Sets the variables that numeric libraries read once, when they are loaded: call it before anything imports NumPy.

    Each library gets one thread, because the workers are the parallelism, unless the user has set a number; where there
    are more, they sleep while they wait for each other. The kernels are those of ``pins``, whatever the user has set:
    rows must not depend on it.
    """
    for name in THREAD_CAPS:
        environ.setdefault(name, "1")
    environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin take the cores from other programs
    _pin(environ)


def load_pinned_numpy() -> None:
    """Loads NumPy with the pinned kernels in a process that is the user's own: its variables and its number of threads
    stay as they are. Does nothing where NumPy is loaded already."""
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
    """Returns the settings pinned on this machine: nothing on x86-64 processors without AVX (before 2011), where the
    kernels could not run, and on other architectures.
    """
    machine = os.uname().machine
    if machine in ("aarch64", "arm64"):
        return ARM
    return X86 if machine == "x86_64" and _has("avx") else NONE


def pin_blis() -> None:
    """Lets BLIS, in which spaCy's parser multiplies, compute with its generic kernels on every processor.

    It has no option for that: the kernels that it has chosen are overwritten. Does nothing where it is built otherwise.
    """
    blis = _blis()
    if blis is not None and blis.bli_arch_string(blis.bli_arch_query_id()) != b"generic":
        blis.bli_cntx_init_generic(blis.bli_gks_query_cntx())


def arithmetic_in_use() -> tuple[Arithmetic, ...]:
    """Returns how the numeric libraries that this process has loaded compute; loads NumPy."""
    found = [_openblas(), _numpy()]
    if "blis.cy" in sys.modules:
        found.append(Arithmetic("BLIS", version("blis"), "generic" if _blis() else "", 1))
    if "onnxruntime" in sys.modules:
        # it tells nothing of its choice, and lets nobody choose: what it chooses by stands for that
        sets = sorted(_instruction_sets() & _ONNX_SETS)
        found.append(Arithmetic("onnxruntime", version("onnxruntime"), " ".join(sets), 1))
    return tuple(sorted(found))


@lru_cache(maxsize=1)
def warn_if_unpinned() -> None:
    """Logs a warning, once, when NumPy does not compute with the pinned kernels. A job's driver says it; where workers
    compute in another way, the publisher does."""
    wanted, found = pins(), {one.library: one for one in (_openblas(), _numpy())}
    if wanted is NONE or (wanted is X86 and not _has("avx2")):
        _LOGGER.warning(
            "this processor cannot run all pinned kernels: a few rows may differ from those of other machines"
        )
    elif any(library not in found or found[library].kernel != kernel for library, kernel in wanted.kernels.items()):
        _LOGGER.warning(
            "this process computes with %s: a few rows may differ from those of other machines. NumPy was loaded "
            "before Gistmill could choose its kernels: run `from gistmill import build` first, or set %s before "
            "Python starts",
            " and ".join(map(str, found.values())),
            " ".join(f"{name}='{value}'" for name, value in wanted.variables.items()),
        )


def _openblas() -> Arithmetic:
    # NumPy's own module finds the names of the libraries that it is linked with
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
    """The copy of BLIS that spaCy's parser calls; None where it lacks what ``pin_blis`` needs."""
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
    """The instruction sets of the processor, as Linux names them; none where it does not."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = (line.partition(":") for line in file)
            return next((frozenset(v.split()) for n, _, v in lines if n.strip() in ("flags", "Features")), frozenset())
    except OSError:
        return frozenset()
