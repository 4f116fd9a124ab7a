"""deploy/training: the image of gistmill-train, its Kubernetes job and its Vertex AI job."""

import re
import subprocess

import pytest
import yaml

from gistmill.training.commands import COMMANDS
from gistmill.training.config import RunConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.settings import read_settings
from tests.deploy.dockerfiles import built, instructions
from tests.deploy.manifests import DEPLOY, find, only_container

FOLDER = DEPLOY / "training"
IMAGE = FOLDER / "Dockerfile"


def job():
    return find(FOLDER / "kubernetes.yaml", "Job")["spec"]


def container():
    return only_container(job()["template"])


def vertex():
    return yaml.safe_load((FOLDER / "vertex.yaml").read_text(encoding="utf-8"))


def test_an_interrupted_job_goes_on_and_a_wrong_command_does_not():
    assert job()["template"]["spec"]["restartPolicy"] == "Never"  # the schema cannot say that the policy needs it
    actions = {rule["action"]: rule for rule in job()["podFailurePolicy"]["rules"]}
    assert actions["Ignore"]["onPodConditions"] == [{"type": "DisruptionTarget", "status": "True"}]
    assert actions["FailJob"]["onExitCodes"] == {"containerName": container()["name"], "operator": "In", "values": [2]}
    assert "command" not in container()  # torchrun would hide the exit code


def test_checkpoints_outlive_the_pod():
    volumes = {v["name"]: v for v in job()["template"]["spec"]["volumes"]}
    mounts = {m["mountPath"]: m["name"] for m in container()["volumeMounts"]}
    output = next(a for a in container()["args"] if a.startswith("--output=")).partition("=")[2]
    (place,) = (m for m in mounts if output.startswith(f"{m}/"))
    assert "persistentVolumeClaim" in volumes[mounts[place]]
    assert volumes[mounts["/dev/shm"]]["emptyDir"]["medium"] == "Memory"
    assert container()["resources"]["limits"]["nvidia.com/gpu"] == "1"


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
    environment = built(IMAGE, tmp_path)
    (entry,) = (rest for word, rest in instructions(IMAGE) if word == "ENTRYPOINT")
    (program,) = re.findall(r'"(.*)"', entry)
    done = subprocess.run(
        [tmp_path / "python" / "bin" / program, "fit", "--model", "tagger", "--datasets", "none", "--output", "x"],
        cwd=tmp_path,
        env={**environment, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
