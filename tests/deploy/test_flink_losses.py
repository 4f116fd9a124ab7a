"""Losses that nobody makes good by itself: what the driver says of missing slots, how long it waits, and what `up` mends."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from tests.commands import data_checksums, leftovers, succeed
from tests.deploy.flink_jobs import (
    command,
    forty_articles,
    jobs,
    kill,
    last_job,
    reads,
    settings_at_free_ports,
    started_cluster,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.flink,
    pytest.mark.skipif(not (shutil.which("java") and shutil.which("mvn")), reason="needs Java and Maven"),
]
MISSING = re.compile(
    r"gistmill discofuse: 1 of 2 slots are there \(1 task manager\): waiting for 1 more, for \d+ s at most"
)


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return forty_articles(tmp_path_factory.mktemp("dump") / "pages.xml.bz2")


@pytest.fixture(scope="module")
def local(dump, tmp_path_factory):
    output = tmp_path_factory.mktemp("local") / "discofuse"
    succeed("discofuse", "--input", dump, "--output", output, "--workers", "2")
    return output


@pytest.fixture
def cluster(tmp_path):
    made = started_cluster(tmp_path / "flink")
    yield made
    made.down()


class Said:
    """The lines of a command, as it says them."""

    def __init__(self, child):
        self._child, self.lines, self._more = child, [], threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._child.stderr:
            with self._more:
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()

    def wait_for(self, pattern, seconds):
        """Waits for a line; returns the seconds that it took."""
        started = time.monotonic()
        with self._more:
            there = self._more.wait_for(lambda: any(re.search(pattern, line) for line in self.lines), seconds)
        assert there, self.lines
        return time.monotonic() - started


@contextmanager
def job_that_lost_a_machine(cluster, dump, output, *options):
    """A job amid its work, whose cluster has lost a task manager and what would replace it."""
    before = {j["jid"] for j in jobs(cluster)}
    child = subprocess.Popen(command(cluster, "discofuse", dump, output, *options), stderr=subprocess.PIPE, text=True)
    try:
        said = Said(child)
        while not reads(cluster, before):
            assert child.poll() is None, said.lines
            time.sleep(0.2)
        kill(cluster, "supervisor")
        kill(cluster, "task-manager-1")
        yield child, said
    finally:
        child.kill()
        child.wait()


def up(cluster):
    """The command of a user who mends a cluster."""
    settings = json.loads((cluster.state / "settings.json").read_text("utf-8"))
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    own = [sys.executable, "-m", "gistmill.deploy.flink", "up", "--state", str(cluster.state)]
    return subprocess.run([*own, *flags], capture_output=True, text=True, check=False)


@pytest.mark.long
def test_the_driver_says_what_it_waits_for_and_gives_up_after_the_bound(cluster, dump, local, tmp_path):
    with job_that_lost_a_machine(cluster, dump, tmp_path / "discofuse", "--slot-timeout", "40") as (child, said):
        assert said.wait_for(MISSING, 30) < 30
        assert child.wait(timeout=80) == 1
        time.sleep(0.5)  # its last lines are read by another thread
    assert re.fullmatch(
        r"gistmill discofuse: given up: for \d+ s 1 of 2 slots are there \(1 task manager\); start 1 more, or lower "
        "--parallelism, and go on with --resume",
        said.lines[-1],
    )
    assert not [line for line in said.lines if "Traceback" in line or "Exception" in line]
    until = time.monotonic() + 30
    while last_job(cluster)["state"] != "CANCELED":
        assert time.monotonic() < until, last_job(cluster)["state"]
        time.sleep(0.5)
    assert not (tmp_path / "discofuse").exists()
    succeed("discofuse", "--input", dump, "--output", tmp_path / "discofuse", "--workers", "2", "--resume")
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)
    assert leftovers(tmp_path) == []


@pytest.mark.long
def test_a_job_that_waits_goes_on_when_the_machine_is_there_again(cluster, dump, local, tmp_path):
    with job_that_lost_a_machine(cluster, dump, tmp_path / "discofuse") as (child, said):
        said.wait_for(MISSING, 30)
        mended = up(cluster)
        assert mended.returncode == 0 and "started again: task-manager-1, supervisor" in mended.stdout, mended.stderr
        said.wait_for(r"2 slots are there .*: the job goes on", 60)
        assert child.wait(timeout=300) == 0, said.lines
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)
    assert cluster.missing() == [] and cluster.supervised()
    assert "runs already" in up(cluster).stderr


@pytest.mark.long
def test_a_job_of_data_streams_outlives_a_task_manager_with_restarts_enough(dump, local, tmp_path):
    """Each of its restarts fails at once while a slot is missing; a batch job waits for the slot."""
    cluster = started_cluster(tmp_path / "flink", restarts=120)
    try:
        run = command(cluster, "discofuse", dump, tmp_path / "discofuse", "--streaming")
        child = subprocess.Popen(run, stderr=subprocess.PIPE, text=True)
        said = Said(child)
        while not reads(cluster, set()):
            assert child.poll() is None, said.lines
            time.sleep(0.2)
        kill(cluster, "task-manager-1")
        assert child.wait(timeout=300) == 0, said.lines
        assert last_job(cluster)["timestamps"]["RESTARTING"] > 0
    finally:
        cluster.down()
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)


def test_what_a_dead_cluster_left_does_not_get_in_the_way(cluster):
    for process in reversed(cluster.processes()):
        kill(cluster, process.name)
    until = time.monotonic() + 30
    while cluster.processes():
        assert time.monotonic() < until
        time.sleep(0.1)
    assert len(cluster.noted()) == 5
    cluster.up(settings_at_free_ports())
    assert cluster.missing() == [] and len(cluster.noted()) == 5
    kill(cluster, "job-server")
    until = time.monotonic() + 30
    while cluster.missing():
        assert time.monotonic() < until
        time.sleep(0.2)
