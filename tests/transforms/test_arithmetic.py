import os

import pytest

from transforms import arithmetic
from transforms.arithmetic import KERNEL_VARIABLE, THREAD_CAPS, pinned_kernel, settle_arithmetic


@pytest.mark.parametrize("given", [{}, {"OMP_NUM_THREADS": "4"}])
def test_a_number_of_threads_that_the_user_set_stays(given):
    environment = dict(given)
    settle_arithmetic(environment)
    assert {name: environment[name] for name in THREAD_CAPS} == {**dict.fromkeys(THREAD_CAPS, "1"), **given}


@pytest.mark.parametrize("given", [{}, {KERNEL_VARIABLE: "Zen"}])
def test_the_kernels_are_the_pinned_ones_whatever_the_user_set(given, monkeypatch):
    monkeypatch.setattr(arithmetic, "_has_avx", lambda: True)
    environment = dict(given)
    settle_arithmetic(environment)
    assert environment[KERNEL_VARIABLE] == pinned_kernel()


@pytest.mark.parametrize(
    ("machine", "avx", "kernel"),
    [("x86_64", True, "Sandybridge"), ("x86_64", False, None), ("aarch64", False, "ARMV8"), ("riscv64", False, None)],
)
def test_what_is_pinned_can_run(machine, avx, kernel, monkeypatch):
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "host", "6", "#1", machine)))
    monkeypatch.setattr(arithmetic, "_has_avx", lambda: avx)
    assert pinned_kernel() == kernel
    environment = {KERNEL_VARIABLE: "Core2"}
    settle_arithmetic(environment)
    assert environment[KERNEL_VARIABLE] == (kernel or "Core2")
