"""What is pinned, what is in use, and what is said where the two differ."""

import os
import subprocess
import sys

import pytest

from gistmill.core.arithmetic import Arithmetic, differences
from gistmill.transforms import arithmetic
from gistmill.transforms.arithmetic import ARM, NONE, THREAD_CAPS, X86, arithmetic_in_use, pins, settle_arithmetic

pinnable = pytest.mark.skipif(pins() is not X86 or not arithmetic._has("avx2"), reason="needs AVX2")
HASWELL = {"OPENBLAS_CORETYPE": "Haswell"}


def said(code, **environment):
    """What a fresh process logs and prints."""
    given = {name: value for name, value in os.environ.items() if name not in X86.variables} | environment
    code = f"import logging; logging.basicConfig(format='%(message)s')\n{code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=given)
    assert done.returncode == 0, done.stderr
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.parametrize("given", [{}, {"OMP_NUM_THREADS": "4"}, {"OMP_WAIT_POLICY": "ACTIVE"}])
def test_threads_are_as_the_user_set_them(given):
    environment = dict(given)
    settle_arithmetic(environment)
    expected = {**dict.fromkeys(THREAD_CAPS, "1"), "OMP_WAIT_POLICY": "PASSIVE", **given}
    assert {name: environment[name] for name in expected} == expected


def test_what_can_run_is_pinned_whatever_the_user_set(monkeypatch):
    given = {"OPENBLAS_CORETYPE": "Core2", "NPY_ENABLE_CPU_FEATURES": "X86_V3"}
    for machine, flags, pinned in (
        ("x86_64", {"sse4_2", "avx"}, X86),
        ("x86_64", set(), X86),  # not told
        ("x86_64", {"sse4_2"}, NONE),
        ("aarch64", {"asimd"}, ARM),
        ("riscv64", set(), NONE),
    ):
        uname, instructions = os.uname_result(("Linux", "host", "6", "#1", machine)), frozenset(flags)
        monkeypatch.setattr(os, "uname", lambda uname=uname: uname)
        monkeypatch.setattr(arithmetic, "_instruction_sets", lambda instructions=instructions: instructions)
        environment = dict(given)
        settle_arithmetic(environment)
        expected = given | pinned.variables | {"OMP_WAIT_POLICY": "PASSIVE"}
        if pinned is X86:
            del expected["NPY_ENABLE_CPU_FEATURES"]  # NumPy takes one of the two
        assert {name: value for name, value in environment.items() if name not in THREAD_CAPS} == expected, machine


@pinnable
def test_the_tests_run_with_the_pinned_kernels():
    found = {one.library: one for one in arithmetic_in_use()}
    assert found["OpenBLAS"].kernel == "Sandybridge" and found["OpenBLAS"].version.startswith("0.3.")
    assert found["NumPy"].kernel == "X86_V2 X86_V3"


@pytest.mark.slow
@pinnable
def test_a_program_gets_the_pinned_kernels_and_keeps_its_variables():
    code = (
        "import os; import gistmill.pipelines.api; from gistmill.transforms.arithmetic import arithmetic_in_use, warn_if_unpinned\n"
        "warn_if_unpinned(); print([a.kernel for a in arithmetic_in_use() if a.library in ('NumPy', 'OpenBLAS')])\n"
        "print(*map(os.environ.get, ('OPENBLAS_CORETYPE', 'NPY_DISABLE_CPU_FEATURES', 'NPY_ENABLE_CPU_FEATURES')))"
    )
    assert said(code) == ["['X86_V2 X86_V3', 'Sandybridge']", "None None None"]
    assert said(code, **HASWELL, NPY_ENABLE_CPU_FEATURES="X86_V3") == [
        "['X86_V2 X86_V3', 'Sandybridge']",
        "Haswell None X86_V3",
    ]


@pinnable
def test_a_numpy_that_was_there_before_is_told_of():
    code = (
        "import numpy; from gistmill.transforms.arithmetic import load_pinned_numpy, warn_if_unpinned\n"
        "load_pinned_numpy(); warn_if_unpinned(); warn_if_unpinned()"
    )
    (line,) = said(code, OPENBLAS_CORETYPE="Nehalem")
    assert line.startswith("this process computes with OpenBLAS 0.3.") and "Nehalem" in line
    assert "set OPENBLAS_CORETYPE='Sandybridge' NPY_DISABLE_CPU_FEATURES=" in line
    assert said(code, **X86.variables) == []


@pytest.mark.parametrize("lacking", ["avx", "avx2"])
def test_a_processor_without_the_pinned_kernels_is_told_of(lacking):
    code = f"from gistmill.transforms import arithmetic as a; a._has = lambda name: name != {lacking!r}; a.warn_if_unpinned()"
    assert said(code) == [
        "this processor cannot run all pinned kernels: a few rows may differ from those made on other machines"
    ]


def test_the_parsers_blis_computes_with_its_generic_kernels():
    code = (
        "from gistmill.transforms.arithmetic import arithmetic_in_use, pin_blis\nassert 'BLIS' not in str(arithmetic_in_use())\n"
        "pin_blis(); print(*(a for a in arithmetic_in_use() if a.library == 'BLIS'))"
    )
    (line,) = said(code)
    assert line.startswith("BLIS ") and line.endswith(" generic")


ZEN = Arithmetic("OpenBLAS", "0.3.31", "Zen", 1)
SANDYBRIDGE = Arithmetic("OpenBLAS", "0.3.31", "Sandybridge", 1)
NUMPY = Arithmetic("NumPy", "2.4.6", "X86_V2", 1)


def test_differences_are_one_line():
    four = Arithmetic("OpenBLAS", "0.3.31", "Sandybridge", 4)
    for used, here, line in (
        ([], [ZEN], None),
        ([SANDYBRIDGE, NUMPY], [SANDYBRIDGE], None),
        ([SANDYBRIDGE], [four], None),
        ([ZEN], [NUMPY], None),
        ([ZEN], [SANDYBRIDGE, NUMPY], "OpenBLAS 0.3.31 Zen (here OpenBLAS 0.3.31 Sandybridge)"),
        ([ZEN, SANDYBRIDGE, NUMPY], [SANDYBRIDGE], "OpenBLAS 0.3.31 Sandybridge and OpenBLAS 0.3.31 Zen"),
    ):
        expected = line and f"workers computed with {line}: a few rows may differ; the manifest lists all kernels"
        assert differences(used, here=here) == expected
