"""A real Flink cluster: every recipe gives the bytes of the local run, on both task managers, also when one is killed."""
from __future__ import annotations

import bz2
import os
import signal
import threading
import time

import pytest

from deploy.flink.cluster import Cluster, Settings
from deploy.flink.install import default_home, install
from deploy.flink.submit import portable_options, submit, worker_command
from tests.commands import data_checksums, succeed
from tests.dumps import export, pages
from tests.stores import free_port

pytestmark = [pytest.mark.slow, pytest.mark.flink]
# every recipe that exists, with options that keep it short
JOBS = {"annotate": (), "discofuse": ("--splits", "60,20,20", "--formats", "parquet,tfrecord")}
KILLS = int(os.environ.get("GISTMILL_KILLS", "1"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("flink"), install(default_home()))
    ports = {name: free_port() for name in ("rest_port", "rpc_port", "job_port", "artifact_port")}
    made.up(Settings(task_managers=2, **ports))
    yield made
    assert len(made.down()) == 4 and made.processes() == []


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "pages.xml.bz2"
    path.write_bytes(bz2.compress(export(pages()[:40])))
    return path


@pytest.fixture(scope="module")
def local(dump, tmp_path_factory):
    folder = tmp_path_factory.mktemp("local")
    for job, options in JOBS.items():
        succeed(job, "--input", dump, "--output", folder / job, "--workers", "2", *options)
    return folder


def on_flink(cluster, job, dump, output, *options) -> int:
    port = portable_options(job_endpoint=f"127.0.0.1:{cluster.settings.job_port}", parallelism=2, worker=worker_command())
    return submit([job, "--input", str(dump), "--output", str(output), *JOBS[job], *options], port)


def last_job(cluster) -> dict:
    jobs = cluster.rest("/jobs/overview")["jobs"]
    return cluster.rest(f"/jobs/{max(jobs, key=lambda j: j['start-time'])['jid']}")


def busy_task_managers(cluster) -> set[str]:
    """The task managers that ran parts of the last job's reading stage, as Flink tells it."""
    job = last_job(cluster)
    hosts = set()
    for vertex in job["vertices"]:
        for part in cluster.rest(f"/jobs/{job['jid']}/vertices/{vertex['id']}")["subtasks"]:
            if part["status"] == "FINISHED" and part["metrics"]["read-records"] > 0:
                hosts.add(part["taskmanager-id"])
    return hosts


@pytest.mark.parametrize("job", JOBS)
def test_the_bytes_are_those_of_the_local_run(cluster, dump, local, tmp_path, job):
    assert on_flink(cluster, job, dump, tmp_path / job) == 0
    assert data_checksums(tmp_path / job) == data_checksums(local / job) != {}
    assert len(busy_task_managers(cluster)) == 2
    assert last_job(cluster)["state"] == "FINISHED"


@pytest.mark.parametrize("number", range(KILLS))
def test_a_killed_task_manager_costs_time_only(cluster, dump, local, tmp_path, number):
    killed = threading.Event()

    def kill() -> None:
        victim = next(p for p in cluster.processes() if p.name.startswith("task-manager-1"))
        jobs = {j["jid"] for j in cluster.rest("/jobs/overview")["jobs"]}
        while not _reads(cluster, jobs):
            time.sleep(0.2)
        os.killpg(victim.pid, signal.SIGKILL)
        killed.set()
        cluster.start_task_manager(1)

    helper = threading.Thread(target=kill, daemon=True)
    helper.start()
    assert on_flink(cluster, "discofuse", dump, tmp_path / "discofuse") == 0
    assert killed.is_set()
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local / "discofuse")
    job = last_job(cluster)
    assert job["state"] == "FINISHED" and job["timestamps"]["RESTARTING"] > 0
    assert [p.name for p in tmp_path.iterdir()] == ["discofuse"]


def _reads(cluster, before: set[str]) -> bool:
    """Whether a new job has come so far that its workers run."""
    for job in cluster.rest("/jobs/overview")["jobs"]:
        if job["jid"] not in before and job["state"] == "RUNNING":
            vertices = cluster.rest(f"/jobs/{job['jid']}")["vertices"]
            running = [v for v in vertices if v["status"] == "RUNNING" and v["duration"] > 8000]
            return bool(running)
    return False
