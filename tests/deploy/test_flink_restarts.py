"""A job of data streams that lost a task manager on a real cluster."""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager

import pytest

from tests.commands import data_checksums, succeed
from tests.flink_cluster import NEEDS_FLINK, forty_articles, started, submitted

pytestmark = NEEDS_FLINK


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return forty_articles(tmp_path_factory.mktemp("dump") / "pages.xml.bz2")


@pytest.fixture(scope="module")
def local(dump, tmp_path_factory):
    output = tmp_path_factory.mktemp("local") / "discofuse"
    succeed("discofuse", "--input", dump, "--output", output, "--workers", "2")
    return output


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
