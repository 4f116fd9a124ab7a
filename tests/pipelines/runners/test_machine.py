"""The number of workers that a machine has room for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gistmill.pipelines.runners.machine import WORKER_INPUT, WORKER_MEMORY, workers_for


@pytest.fixture(autouse=True)
def eight_cores_with_32_gib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 32 << 18, "SC_PAGE_SIZE": 4096}.__getitem__)


def _limits(folder: Path, *, cpu: str = "max 100000", memory: str = "max") -> Path:
    (folder / "cpu.max").write_text(cpu + "\n")
    (folder / "memory.max").write_text(memory + "\n")
    return folder


def test_a_large_input_gets_a_worker_for_each_core(tmp_path: Path) -> None:
    assert workers_for(20 << 30, cgroup=tmp_path / "none") == 8


@pytest.mark.parametrize(
    ("size", "workers"), [(0, 1), (1, 1), (WORKER_INPUT, 1), (WORKER_INPUT + 1, 2), (7 * WORKER_INPUT, 7)]
)
def test_a_small_input_gets_few_workers(size: int, workers: int, tmp_path: Path) -> None:
    assert workers_for(size, cgroup=_limits(tmp_path)) == workers


def test_a_job_without_files_gets_a_worker_for_each_core(tmp_path: Path) -> None:
    assert workers_for(None, cgroup=_limits(tmp_path)) == 8


@pytest.mark.parametrize(("cpu", "workers"), [("max 100000", 8), ("350000 100000", 3), ("50000 100000", 1)])
def test_a_container_gets_a_worker_for_each_core_of_its_quota(cpu: str, workers: int, tmp_path: Path) -> None:
    assert workers_for(None, cgroup=_limits(tmp_path, cpu=cpu)) == workers


@pytest.mark.parametrize(("memory", "workers"), [(5 * WORKER_MEMORY, 5), (WORKER_MEMORY // 2, 1)])
def test_each_worker_has_its_memory(memory: int, workers: int, tmp_path: Path) -> None:
    assert workers_for(None, cgroup=_limits(tmp_path, memory=str(memory))) == workers
