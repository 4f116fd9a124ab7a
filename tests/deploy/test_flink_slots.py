"""A job that lost a task manager on a real cluster: what the driver says of missing slots, and how long it waits."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import contextmanager

import pytest

from tests.commands import data_checksums, leftovers, succeed
from tests.flink_cluster import NEEDS_FLINK, forty_articles, started, submitted

pytestmark = NEEDS_FLINK
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
    with started(tmp_path / "flink") as made:
        yield made


def wait_for(child, pattern):
    """Waits until the command says a line."""
    said = []
    while not (said and re.search(pattern, said[-1])):
        said.append(child.stderr.readline())
        assert said[-1] != "", said


@contextmanager
def job_that_lost_a_machine(cluster, dump, output, *options):
    """A running job whose cluster has lost a task manager."""
    command = submitted("discofuse", dump, output, *options)
    with subprocess.Popen(command, env=cluster.environment, stderr=subprocess.PIPE, text=True) as child:
        try:
            while not cluster.reads(set()):
                assert child.poll() is None, child.stderr.read()
                time.sleep(0.2)
            cluster.kill("task-manager-1")
            yield child
        finally:
            child.kill()


@pytest.mark.long
def test_the_driver_says_what_it_waits_for_and_gives_up_after_the_bound(cluster, dump, local, tmp_path):
    with job_that_lost_a_machine(cluster, dump, tmp_path / "discofuse", "--slot-timeout", "40") as child:
        lost = time.monotonic()
        wait_for(child, MISSING)
        assert time.monotonic() - lost < 30
        *others, last = child.stderr.read().splitlines()
        assert child.wait() == 1
    assert re.fullmatch(
        r"gistmill discofuse: given up: for \d+ s 1 of 2 slots are there \(1 task manager\); start 1 more, or lower "
        "--parallelism, and go on with --resume",
        last,
    )
    assert not [line for line in others if "Traceback" in line or "Exception" in line]
    until = time.monotonic() + 30
    while cluster.last_job()["state"] != "CANCELED":
        assert time.monotonic() < until, cluster.last_job()["state"]
        time.sleep(0.5)
    assert not (tmp_path / "discofuse").exists()
    succeed("discofuse", "--input", dump, "--output", tmp_path / "discofuse", "--workers", "2", "--resume")
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)
    assert leftovers(tmp_path) == []


@pytest.mark.long
def test_a_job_that_waits_goes_on_when_the_machine_is_there_again(cluster, dump, local, tmp_path):
    with job_that_lost_a_machine(cluster, dump, tmp_path / "discofuse") as child:
        wait_for(child, MISSING)
        cluster.start("task-manager-1")
        wait_for(child, r"2 slots are there .*: the job goes on")
        said = child.stderr.read()
        assert child.wait() == 0, said
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)


@pytest.mark.long
def test_a_job_of_data_streams_outlives_a_task_manager_with_restarts_enough(dump, local, tmp_path):
    """Each of its restarts fails at once while a slot is missing; a batch job waits for the slot."""
    with (
        started(tmp_path / "flink", restarts=120) as cluster,
        job_that_lost_a_machine(cluster, dump, tmp_path / "discofuse", "--streaming") as child,
    ):
        cluster.start("task-manager-1")
        said = child.stderr.read()
        assert child.wait() == 0, said
        assert cluster.last_job()["timestamps"]["RESTARTING"] > 0
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)
