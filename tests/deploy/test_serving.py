"""deploy/serving: the image of gistmill serve and its Kubernetes resources."""

import re
import subprocess

import pytest

from gistmill.serving.command import arguments_of
from gistmill.serving.config import API_KEY
from tests.deploy.dockerfiles import built, instructions
from tests.deploy.manifests import DEPLOY, find, only_container

FOLDER = DEPLOY / "serving"
IMAGE, MANIFEST = FOLDER / "Dockerfile", FOLDER / "kubernetes.yaml"


def template():
    return find(MANIFEST, "Deployment")["spec"]["template"]


def container():
    return only_container(template())


def test_the_pod_runs_a_command_that_the_server_reads():
    config = arguments_of(container()["args"])
    (port,) = container()["ports"]
    assert config.port == port["containerPort"]
    assert config.drain + config.timeout + config.read_timeout < template()["spec"]["terminationGracePeriodSeconds"]
    assert str(config.workers) == container()["resources"]["limits"]["cpu"]
    mounts = {m["mountPath"] for m in container()["volumeMounts"]}
    assert all(any(folder.startswith(f"{m}/") for m in mounts) for folder in (config.fusion, config.summarizer))
    assert [e["name"] for e in container()["env"]] == [API_KEY]


def test_probes_ask_routes_that_are_there():
    asked = {name: container()[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}
    assert asked == {"startup": "/healthz", "readiness": "/readyz", "liveness": "/healthz"}
    assert template()["metadata"]["annotations"]["prometheus.io/path"] == "/metrics"


def test_nothing_may_be_written_but_temporary_files():
    writable = [m["mountPath"] for m in container()["volumeMounts"] if not m.get("readOnly")]
    assert writable == ["/tmp"] and ("ENV", "HOME=/tmp") in instructions(IMAGE)


@pytest.mark.long
def test_the_steps_of_the_image_build_an_environment_that_serves(tmp_path):
    """With a new virtual environment in the place of the base image's Python. The steps fuse two sentences."""
    environment = built(IMAGE, tmp_path)
    program = tmp_path / "python" / "bin" / "gistmill"
    done = subprocess.run([program, "serve", "--fusion", "none"], env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and re.fullmatch(r"gistmill serve: --fusion none is not a folder\n", done.stderr)
