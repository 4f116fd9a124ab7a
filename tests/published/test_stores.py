"""Datasets in gs:// and s3://, read from servers on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gistmill.pipelines.place import AT_TOP
from gistmill.published.dataset import Dataset, NotADataset
from tests.stores import BUCKET, S3, Gcs, gcs_server, s3_server

pytestmark = pytest.mark.waits

PREFIX = "data-20260101T000000-0123abcd/"


def upload(store, folder):
    """Puts a dataset into a store as the publisher does: all but what lies at the top under the prefix of a run."""
    value = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for file in value["files"]:
        content = (folder / file["path"]).read_bytes()
        file["path"] = file["path"] if file["path"] in AT_TOP else f"{PREFIX}{file['path']}"
        store.put(f"sets/demo/{file['path']}", content)
    store.put("sets/demo/manifest.json", json.dumps(value).encode())


@pytest.fixture
def s3(monkeypatch):
    pytest.importorskip("moto")
    with s3_server() as port:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        yield S3(port)


@pytest.mark.slow
def test_a_dataset_in_s3(s3, published):
    upload(s3, published)
    here, there = Dataset(published), Dataset(f"s3://{BUCKET}/sets/demo/")
    assert there.place == f"s3://{BUCKET}/sets/demo" and there.splits("balanced") == here.splits("balanced")
    assert list(there.rows("train")) == list(here.rows("train")) and there.stats == here.stats
    assert there.validate() == []
    s3.put("sets/demo/foreign.txt", b"")
    name = next(f.path for f in there.manifest.files if f.format == "parquet")
    s3.put(f"sets/demo/{name}", b"changed")
    assert there.validate() == [
        f"{name} has changed: its bytes do not match the manifest",
        "foreign.txt is not in the manifest",
    ]


def test_what_is_not_a_dataset_in_s3(s3):
    s3.put(f"sets/half/{PREFIX}full/parquet/train-00000-of-00001.parquet", b"")
    for place, said in (("sets/half", "is not a dataset yet"), ("sets/none", "no files found there")):
        with pytest.raises(NotADataset, match=f"s3://{BUCKET}/{place} .*{said}"):
            Dataset(f"s3://{BUCKET}/{place}")


READ = """\
import json, sys
from gistmill.pipelines.place import AT_TOP
from gistmill.published.dataset import Dataset
dataset = Dataset(sys.argv[1])
print(json.dumps([list(dataset.rows("test", columns=["id", "inputs"])), dataset.validate()]))
"""


@pytest.mark.slow
def test_a_dataset_in_gcs(published, tmp_path):
    """In a process of its own: pyarrow holds Python's lock while it waits for the server, which is in this one."""
    pytest.importorskip("gcp_storage_emulator")
    before = os.environ.get("STORAGE_EMULATOR_HOST")
    try:
        with gcs_server() as port:
            upload(Gcs(port), published)
            done = subprocess.run(
                [sys.executable, "-c", READ, f"gs://{BUCKET}/sets/demo"], capture_output=True, text=True, timeout=300
            )
    finally:
        if before is None:
            os.environ.pop("STORAGE_EMULATOR_HOST", None)
        else:
            os.environ["STORAGE_EMULATOR_HOST"] = before
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [list(Dataset(published).rows("test", columns=["id", "inputs"])), []]
