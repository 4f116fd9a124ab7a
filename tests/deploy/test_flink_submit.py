"""deploy/flink/submit adds the options of Beam to a job's command line, and deploy/flink/compose.yaml runs the same
for the cluster that it starts; neither is run here. tests/deploy/test_flink_cluster.py submits to a real cluster."""

from __future__ import annotations

import json
import re
import subprocess

import apache_beam
import pytest
import yaml

from gistmill.pipelines.options import parse
from gistmill.rules.recipes import RECIPES
from tests.deploy.manifests import FLINK, find, only_container
from tests.flink_cluster import PROPERTIES, SERVICES, VERSIONS

SUBMIT = FLINK / "submit"
JOB = ("discofuse", "--input", "a dump's name", "--output", "out")
COMMON = ["--environment_cache_millis=60000", "--parallelism=1"]
NOTE = "submit: without FLINK_MASTER, Ctrl-C does not cancel the job on the cluster\n"


def test_versions_are_pinned_with_checksums():
    digests = [VERSIONS["flink"]["sha256"], *VERSIONS["job_server"]["jars"].values()]
    assert len(digests) > 100 and all(re.fullmatch("[0-9a-f]{64}", d) for d in digests)
    assert VERSIONS["beam"]["python"] == apache_beam.__version__


@pytest.fixture
def submit(tmp_path):
    """Runs the script with a ``gistmill`` that prints its arguments and exits with 7."""
    for name, text in (("gistmill", "printf '%s\\n' \"$@\"; exit 7"), ("gistmill-worker", "")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    def run(*arguments, path=f"{tmp_path}:/usr/bin:/bin", **environment):
        command = ["sh", SUBMIT, *arguments]
        return subprocess.run(command, env={"PATH": path, **environment}, capture_output=True, text=True)

    return run


def test_the_job_gets_the_options_of_a_job_server_and_a_worker_program(submit, tmp_path):
    done = submit(*JOB, JOB_ENDPOINT="host:8099", FLINK_MASTER="host:8081", PARALLELISM="3")
    worker = json.dumps({"command": str(tmp_path / "gistmill-worker")})
    server = ["--runner=PortableRunner", "--job_endpoint=host:8099", "--flink_master=host:8081"]
    process = ["--environment_type=PROCESS", f"--environment_config={worker}"]
    said = [*JOB, *server, *process, "--environment_cache_millis=60000", "--parallelism=3"]
    assert (done.stdout.splitlines(), done.returncode, done.stderr) == (said, 7, "")
    assert parse(RECIPES["discofuse"], said[1:]).beam


def test_without_a_job_server_beam_starts_the_jar(submit):
    done = submit(*JOB, JOB_SERVER_JAR="a b.jar", FLINK_MASTER="host:8081", WORKER_POOL="localhost:50000")
    external = ["--environment_type=EXTERNAL", "--environment_config=localhost:50000"]
    jar = ["--runner=FlinkRunner", "--flink_job_server_jar=a b.jar", "--flink_master=host:8081"]
    assert done.stdout.splitlines() == [*JOB, *jar, *external, *COMMON] and done.stderr == ""


def test_any_path_of_the_worker_program_is_passed_on(submit):
    for worker in "/opt/gist mill/worker", 'a"b\\c', "$HOME/`x`":
        done = submit(*JOB, JOB_ENDPOINT="host:1", WORKER=worker)
        (config,) = re.findall("--environment_config=(.*)", done.stdout)
        assert json.loads(config) == {"command": worker}
        assert done.stderr == NOTE


def test_a_cluster_that_is_not_described_is_refused(submit):
    endpoint, master, jar = {"JOB_ENDPOINT": "a:1"}, {"FLINK_MASTER": "a:1"}, {"JOB_SERVER_JAR": "a.jar"}
    no_cluster = "no cluster; set JOB_ENDPOINT to HOST:PORT of its job server, or JOB_SERVER_JAR and FLINK_MASTER"
    no_worker = "gistmill-worker is not on the PATH; install gistmill, or set WORKER"
    for arguments, environment, error in (
        ((), endpoint, "no job; for example: submit discofuse --input DUMP --output FOLDER"),
        (JOB, {}, no_cluster),
        (JOB, master, no_cluster),
        (JOB, jar, "JOB_SERVER_JAR requires FLINK_MASTER"),
        (JOB, {**jar, **endpoint}, "set JOB_ENDPOINT or JOB_SERVER_JAR, not both"),
        (JOB, {**endpoint, **master, "path": "/usr/bin:/bin"}, no_worker),
    ):
        done = submit(*arguments, **environment)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"submit: {error}\n")


def test_every_task_manager_has_a_worker_pool_of_its_own_and_a_slot_of_the_job():
    pools = [name for name, service in SERVICES.items() if service.get("command") == ["--worker_pool"]]
    managers = [s for s in SERVICES.values() if s.get("command") == ["taskmanager"]]
    assert sorted(m["network_mode"] for m in managers) == [f"service:{pool}" for pool in sorted(pools)]
    assert all(yaml.safe_load(m["environment"]["FLINK_PROPERTIES"]) == PROPERTIES for m in managers)
    assert len(pools) == SERVICES["submit"]["environment"]["PARALLELISM"] == 2


def test_the_compose_file_submits_the_job_of_the_manifest(submit):
    job = find(FLINK / "kubernetes.yaml", "Job")
    driver = only_container(job["spec"]["template"])["args"]
    service = SERVICES["submit"]
    assert service["entrypoint"] == ["sh", "/submit"] and "./submit:/submit:ro" in service["volumes"]
    cluster = {"JOB_ENDPOINT": "localhost:8099", "FLINK_MASTER": "gistmill-jobmanager:8081", "PARALLELISM": "8"}
    places = {key: str(value) for key, value in service["environment"].items()} | cluster
    assert submit(*driver[:4], **places).stdout.splitlines() == driver


def test_images_are_of_the_versions_that_were_run_and_have_no_rights():
    for service in SERVICES.values():
        assert service["image"] in ("gistmill:0.1.0", f"gistmill-flink:{VERSIONS['flink']['version']}")
        assert (FLINK.parents[1] / service["build"]["dockerfile"]).is_file()
        assert (FLINK / service["build"]["context"]).resolve() == FLINK.parents[1]
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
        assert not service.keys() & {"privileged", "user", "cap_add", "pid"}
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))
