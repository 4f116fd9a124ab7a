"""The CronJob's command as its pod runs it: another user, no rights, a file system that is read-only but for the volumes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import yaml

from tests.deploy.jail import AVAILABLE, PROJECT, jailed
from tests.deploy.manifests import find
from tests.pipelines.rebuild.corpora import articles, put_month
from tests.pipelines.rebuild.mirror import Mirror, serve

pytestmark = [pytest.mark.long, pytest.mark.skipif(not AVAILABLE, reason="needs root and util-linux")]
MANIFEST = PROJECT / "deploy" / "schedules" / "kubernetes.yaml"
CORPUS = {
    "publish": "/corpora/english",
    "recipes": {
        "fusion": {"recipe": "discofuse", "splits": [1, 0, 0], "formats": ["parquet"]},
        "leads": {"recipe": "lead-bias", "lead": "lead-section", "min_overlap": 0, "splits": [1, 0, 0]},
    },
    "runner": {"workers": 2},
    "guards": {"documents": "0..", "rows": "0.."},
}


def pod():
    return find(MANIFEST, "CronJob")["spec"]["jobTemplate"]["spec"]["template"]["spec"]


@pytest.fixture
def volumes(tmp_path):
    """The claim, as fsGroup leaves it, the corpus file, and an empty folder for the file system of the container."""
    tmp_path.chmod(0o755)
    made = {name: tmp_path / name for name in ("corpora", "config", "root")}
    for folder in made.values():
        folder.mkdir()
    os.chown(made["corpora"], 0, pod()["securityContext"]["fsGroup"])
    made["corpora"].chmod(0o2775)
    return made


def run(command, volumes, spec=None):
    spec = spec or pod()
    (container,) = spec["containers"]
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": "/tmp", "USER": "gistmill"}
    environment |= {"PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1"}
    return jailed(
        command, spec=spec, container=container, root=volumes["root"], claims=volumes, environment=environment
    )


def test_the_command_of_the_cron_job_writes_to_its_volumes_alone(volumes, tmp_path):
    with serve(Mirror()) as mirror:
        put_month(mirror, tmp_path, "20260101", articles()[:3])
        source = {"wiki": "simplewiki", "mirrors": [mirror.url], "coref": "none"}
        corpus = yaml.safe_dump({**CORPUS, "sources": {"wikipedia": source}})
        (volumes["config"] / "corpus.yaml").write_text(corpus, encoding="utf-8")
        command = pod()["containers"][0]["command"]
        first = run(command, volumes)
        assert first.returncode == 0, first.stderr
        second = run(command, volumes)
    published = json.loads(first.stdout)
    assert published["status"] == "published" and set(published["rows"]) == {"fusion", "leads"}
    assert second.returncode == 0 and json.loads(second.stdout)["status"] == "nothing-new"
    latest = (volumes["corpora"] / "english" / "latest").resolve()
    assert (latest / "version.json").exists()
    assert {p.lstat().st_uid for p in volumes["corpora"].rglob("*")} == {pod()["securityContext"]["runAsUser"]}
