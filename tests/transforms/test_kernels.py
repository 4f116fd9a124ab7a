"""Annotations do not depend on the kernels that a processor would choose, nor on what is parsed together.

OpenBLAS, NumPy and glibc can be told to choose as on other processors, so far as this one can run it. What onnxruntime
chooses nobody can tell it: docs/contracts.md says what follows.
"""

import json
import os
import subprocess
import sys

import pytest

from gistmill.transforms.arithmetic import THREAD_CAPS, X86, _instruction_sets, pins
from tests.commands import COMMAND, data_checksums
from tests.dumps import export, small_pages

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(pins() is not X86 or "avx2" not in _instruction_sets(), reason="needs AVX2"),
]
# What OpenBLAS would choose on processors of other kinds, and the instruction set that this needs.
KERNELS = {"Prescott": "sse3", "Nehalem": "sse4_2", "Sandybridge": "avx", "Zen": "avx2", "SkylakeX": "avx512f"}
RUNNABLE = [name for name, needed in KERNELS.items() if needed in _instruction_sets() or name == "Prescott"]
# Environments in which users may start the command.
GIVEN = {
    **{name: {"OPENBLAS_CORETYPE": name} for name in RUNNABLE},
    "caches": {"OPENBLAS_L2_SIZE": "128"},
    "threads": dict.fromkeys(THREAD_CAPS, "2"),
    "NumPy": {"NPY_ENABLE_CPU_FEATURES": "X86_V3"},
    "libm": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"},
    "nothing": {},
}
# CI takes the oldest kernels, the newest and what is not a kernel.
_LONG = ("Nehalem", "Sandybridge", "Zen", "caches", "threads")


def _mark(name):
    return (pytest.mark.long,) if name in _LONG else ()


def environment(given):
    """That of this process without its pins, and with those of a user."""
    kept = {k: v for k, v in os.environ.items() if k not in X86.variables and k not in THREAD_CAPS}
    return {**kept, **given}


def annotations(given, *options):
    """What a process finds in that environment."""
    command = [sys.executable, "-m", "tests.transforms.annotations", *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(given))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def pinned():
    return annotations({})


def test_batches_and_the_way_of_parsing_change_no_bit(pinned):
    assert len({tuple(found) for found in pinned["digests"].values()}) == len(set(pinned["vectors"])) == 1


@pytest.mark.parametrize("given", [pytest.param(given, marks=_mark(name), id=name) for name, given in GIVEN.items()])
def test_the_users_environment_changes_no_bit(given, pinned):
    found = annotations(given)
    assert found == pinned
    assert "Sandybridge" in str(found["arithmetic"])


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(name, marks=_mark(name)) for name in RUNNABLE])
def test_other_kernels_find_the_same_sentences_in_these_texts(name, pinned):
    """This is not a law: where two decisions are nearly equally good, unlike kernels may take unlike ones."""
    found = annotations({"OPENBLAS_CORETYPE": name}, "--as-is")
    assert name == "Sandybridge" or found["arithmetic"] != pinned["arithmetic"]
    assert name not in ("Zen", "SkylakeX") or found["vectors"][0] != pinned["vectors"][0]  # they fuse products and sums
    assert {way: of[0] for way, of in found["digests"].items()} == {w: of[0] for w, of in pinned["digests"].items()}


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, pytest.param(3, marks=pytest.mark.long)])
def test_a_published_dataset_is_the_same(workers, tmp_path):
    dump = tmp_path / "dump.xml"
    dump.write_bytes(export(small_pages()[::2]))
    made = []
    for given in ({}, GIVEN["libm"] | {"OPENBLAS_CORETYPE": RUNNABLE[-1]}):
        output = tmp_path / f"made-{len(made)}"
        options = ("--input", dump, "--output", output, "--workers", str(workers))
        subprocess.run([*COMMAND, "annotate", *options], env=environment(given), check=True)  # a start of its own
        made.append(data_checksums(output))
    assert made[0] == made[1]
