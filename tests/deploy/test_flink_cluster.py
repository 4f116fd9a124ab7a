"""A real Flink cluster: every recipe gives the bytes of the local run, on both task managers, also from and into object
stores, and when a task manager is killed and another one takes its place."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
import zipfile
from contextlib import ExitStack

import pytest

from tests.commands import data_checksums, gistmill, leftovers, succeed
from tests.credentials import service_account
from tests.dumps import pages, write_multistream
from tests.flink_cluster import JOB_SERVER, NEEDS_FLINK, forty_articles, started, submitted
from tests.stores import BUCKET, S3, Gcs, gcs_server, s3_server

pytestmark = NEEDS_FLINK
SPLITS = ("--splits", "60,20,20")
# Every recipe, over a third of the slice; those that need a parse read what `annotate` made of it, since a parse takes the time of
# all the others. Jobs on rows read the gap sentences.
RECIPES = {
    "annotate": (),
    "discofuse": ("--source", "annotated", *SPLITS),
    "propositions": ("--source", "annotated", *SPLITS),
    "lead-bias": (
        *"--lead lead-section --max-lead-words 400 --max-rest-words 9000 --deduplicate near".split(),
        *SPLITS,
    ),
    "wikitransfer": ("--profile", "cnndm,xsum", "--rows", "25,3", *SPLITS),
    "gap-sentences": ("--shards", "4", *SPLITS),  # several files for the jobs that read them
    "synthetic": ("--tasks", "ensemble,mdg,elementary:copy-quoted", "--documents", "3000", *SPLITS),
    "curriculum": ("--sample", "4,12", "--subsets", "2", "--sample-by", "sentences"),
    "augment": ("--copies", "2", "--alpha", "0.3"),
}
IN_CI = ("annotate", "discofuse", "propositions", "wikitransfer")
STREAMED = ("lead-bias", "curriculum")
KILLS = int(os.environ.get("GISTMILL_KILLS", "1"))


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """One server for gs:// and one for s3://; task managers and workers find the first by the environment."""
    before = dict(os.environ)
    with ExitStack() as stack:
        account = stack.enter_context(service_account(tmp_path_factory.mktemp("account")))
        os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = str(account)
        yield {"gs": Gcs(stack.enter_context(gcs_server())), "s3": S3(stack.enter_context(s3_server()))}
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, stores):
    with started(tmp_path_factory.mktemp("flink")) as made:
        yield made


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    """One of the articles has twelve megabytes: more than a message between the runner and its workers may have."""
    return forty_articles(tmp_path_factory.mktemp("dump") / "pages.xml.bz2", padding=1_500_000)


@pytest.fixture(scope="module")
def local(dump, tmp_path_factory):
    """The dataset of the forty articles, made on this machine."""
    output = tmp_path_factory.mktemp("local") / "discofuse"
    succeed("discofuse", "--input", dump, "--output", output, "--workers", "2", *SPLITS)
    return output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A third of the slice, and the datasets that ``made_here`` adds."""
    folder = tmp_path_factory.mktemp("recipes")
    write_multistream(folder / "pages.xml.bz2", pages()[::3], pages_per_stream=4, index=False)
    return folder


def made_here(job, folder):
    """The recipe's dataset of the third, made on this machine by the first test that needs it."""
    if not (folder / job).exists():
        source = recipe_input(job, folder)
        named = () if source is None else ("--input", source)
        succeed(job, *named, "--output", folder / job, "--workers", "2", *RECIPES[job])
    return folder / job


def recipe_input(job, folder):
    if job == "synthetic":  # it reads nothing
        return None
    if job in ("curriculum", "augment"):
        return made_here("gap-sentences", folder)
    return made_here("annotate", folder) if "annotated" in RECIPES[job] else folder / "pages.xml.bz2"


def on_flink(cluster, *arguments, **places) -> None:
    environment = cluster.environment | places
    done = subprocess.run(submitted(*arguments), env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def busy_task_managers(cluster) -> set[str]:
    """The task managers that ran parts of the last job's reading stage, as Flink tells it."""
    job = cluster.last_job()
    hosts = set()
    for vertex in (v for v in job["vertices"] if "Read" in v["name"]):
        for part in cluster.rest(f"/jobs/{job['jid']}/vertices/{vertex['id']}")["subtasks"]:
            if part["status"] == "FINISHED" and part["metrics"]["read-records"] > 0:
                hosts.add(part["taskmanager-id"])
    return hosts


@pytest.mark.parametrize("job", [job if job in IN_CI else pytest.param(job, marks=pytest.mark.long) for job in RECIPES])
def test_the_bytes_are_those_of_the_local_run(cluster, folder, tmp_path, job):
    on_flink(cluster, job, recipe_input(job, folder), tmp_path / job, *RECIPES[job])
    assert data_checksums(tmp_path / job) == data_checksums(made_here(job, folder)) != {}
    assert cluster.last_job()["state"] == "FINISHED"
    if "annotated" not in RECIPES[job]:  # annotations of so few pages are one range
        assert len(busy_task_managers(cluster)) == 2


@pytest.mark.parametrize("job", ["wikitransfer", *(pytest.param(j, marks=pytest.mark.long) for j in STREAMED)])
def test_the_translation_to_data_streams_gives_the_same_bytes(cluster, folder, tmp_path, job):
    """Beam's runner for Flink 2 has no other one; that for Flink 1 takes it for streaming jobs."""
    on_flink(cluster, job, recipe_input(job, folder), tmp_path / job, *RECIPES[job], "--streaming")
    assert data_checksums(tmp_path / job) == data_checksums(made_here(job, folder)) != {}
    done = cluster.last_job()
    assert (done["state"], done["job-type"]) == ("FINISHED", "STREAMING")
    assert len(busy_task_managers(cluster)) == 2


@pytest.mark.parametrize("number", range(KILLS))
def test_a_killed_task_manager_costs_time_only(cluster, dump, local, tmp_path, number):
    killed = threading.Event()
    before = {j["jid"] for j in cluster.jobs()}

    def kill_later() -> None:
        while not cluster.reads(before):
            time.sleep(0.2)
        cluster.kill("task-manager-1")
        cluster.start("task-manager-1")
        killed.set()

    helper = threading.Thread(target=kill_later, daemon=True)
    helper.start()
    on_flink(cluster, "discofuse", dump, tmp_path / "discofuse", *SPLITS)
    assert killed.is_set()
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)
    job = cluster.last_job()
    assert job["state"] == "FINISHED" and job["timestamps"]["RESTARTING"] > 0
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("scheme", [pytest.param("gs", marks=pytest.mark.long), "s3"])
def test_from_a_bucket_into_a_bucket(cluster, stores, dump, local, scheme):
    store, output = stores[scheme], f"{scheme}://{BUCKET}/sets/discofuse"
    store.put("dumps/pages.xml.bz2", dump.read_bytes())
    on_flink(cluster, "discofuse", f"{scheme}://{BUCKET}/dumps/pages.xml.bz2", output, *SPLITS, *store.options)
    content = json.loads(store.get("sets/discofuse/manifest.json"))
    made = {
        f["path"].partition("/")[2]: f["sha256"] for f in content["files"] if f.get("format") in ("parquet", "tfrecord")
    }
    assert made == data_checksums(local)
    assert len(busy_task_managers(cluster)) == 2
    assert not [n for n in store.names() if ".gistmill-" in n]  # neither lease nor workspace
    assert gistmill("validate", output, *store.options).returncode == 0


@pytest.mark.long
def test_a_cluster_without_a_job_server(cluster, dump, local, tmp_path):
    """Beam starts the jar that it is given, as with the job server of a user's own Beam version."""
    lines = f"Main-Class: {JOB_SERVER}\nClass-Path: " + " ".join(j.as_uri() for j in cluster.jars)
    jar = tmp_path / "job-server.jar"
    with zipfile.ZipFile(jar, "w") as file:  # a line of a jar's manifest has 72 bytes at most
        file.writestr("META-INF/MANIFEST.MF", "".join(_folded(line) for line in lines.split("\n")))
    places = {"JOB_ENDPOINT": "", "JOB_SERVER_JAR": str(jar)}
    on_flink(cluster, "discofuse", dump, tmp_path / "discofuse", *SPLITS, **places)
    assert data_checksums(tmp_path / "discofuse") == data_checksums(local)


def _folded(line: str) -> str:
    return "\n ".join([line[:70], *(line[i : i + 69] for i in range(70, len(line), 69))]) + "\n"


def test_who_stops_the_command_stops_the_job(cluster, dump, tmp_path):
    before = {j["jid"] for j in cluster.jobs()}
    command = submitted("discofuse", dump, tmp_path / "discofuse")
    child = subprocess.Popen(command, env=cluster.environment, stderr=subprocess.PIPE, text=True)
    while not cluster.reads(before):
        assert child.poll() is None
        time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 130 and "stopped by SIGINT" in said and "Traceback" not in said
    until = time.monotonic() + 60
    while cluster.last_job()["state"] != "CANCELED":
        assert time.monotonic() < until, cluster.last_job()["state"]
        time.sleep(0.5)
    assert not (tmp_path / "discofuse").exists()
    succeed("discofuse", "--input", dump, "--output", tmp_path / "discofuse", "--limit", "1", "--allow-empty")
    assert leftovers(tmp_path) == []  # a worker that is amid a range cannot bring its workspace back
