"""Publishing in an object store: what a run whose lease was lost may write, and what is left of the dataset before."""

from __future__ import annotations

import hashlib
import json
from types import SimpleNamespace

import pytest

from gistmill.pipelines import stores
from gistmill.pipelines.errors import BusyError, OutputExists
from gistmill.pipelines.place import PublishError, StorePlace
from gistmill.pipelines.publication import EmptyDatasetError, Publication, publish
from gistmill.pipelines.stores import Lease
from tests.pipelines.publishing.made import INFO, finish_pipeline
from tests.stores import MemoryStore
from tests.transforms.sinks.made import SCHEMA

OUTPUT = "memory://bucket/demo"
LEASE = "memory://bucket/.demo.gistmill-lease.json"
pytestmark = pytest.mark.usefixtures("objects")


@pytest.fixture
def run(tmp_path):
    """Publishes made-up rows as the run of an id, and returns the manifest."""

    def run(run_id, *, still_ours=lambda: None, tag="", overwrite=True, documents=20):
        root = tmp_path / run_id
        root.mkdir()
        finish_pipeline(root, documents=documents, tag=tag, formats=("parquet",))
        place = StorePlace(OUTPUT, run_id=run_id, root=str(root))
        place.lease = SimpleNamespace(check=still_ours)
        return publish(place, Publication(schema=SCHEMA, formats=("parquet",), run=INFO, overwrite=overwrite)).manifest

    return run


def check_whole(objects, manifest):
    """Asserts that the store has the files that the manifest names, and nothing else."""
    assert json.loads(objects[f"{OUTPUT}/manifest.json"]) == json.loads(json.dumps(manifest.to_json()))
    found = {name.removeprefix(f"{OUTPUT}/"): hashlib.sha256(data).hexdigest() for name, data in objects.items()}
    del found["manifest.json"]
    assert found == {file.path: file.sha256 for file in manifest.files}


def test_files_are_put_below_a_prefix_of_the_run(run, objects):
    made = run("first")
    check_whole(objects, made)
    assert {f.path for f in made.files if not f.path.startswith("data-first/")} == {"README.md", "croissant.json"}


def test_only_named_objects_are_left_of_a_dataset_that_is_replaced(run, objects):
    run("first")
    objects[f"{OUTPUT}/data-dead/full/parquet/train-00000-of-00001.parquet"] = b"of a run that died"
    objects["memory://bucket/demo-2/notes.txt"] = kept = b"of a neighbour"
    made = run("second", tag="NEW")
    assert objects.pop("memory://bucket/demo-2/notes.txt") is kept
    check_whole(objects, made)


def test_a_run_without_a_row_changes_nothing_that_a_reader_sees(run, objects):
    run("first")
    before = dict(objects)
    with pytest.raises(EmptyDatasetError):
        run("second", documents=0)
    assert objects == before


def test_a_dataset_is_not_replaced_unless_asked(run, objects):
    made = run("first")
    with pytest.raises(OutputExists, match="--overwrite"):
        run("second", overwrite=False)
    check_whole(objects, made)


@pytest.mark.parametrize("lost_at", [1, 2])
def test_a_run_that_lost_its_lease_changes_nothing_that_a_reader_sees(run, objects, lost_at):
    made = run("first")
    before, asked = dict(objects), []

    def still_ours():
        asked.append(1)
        if len(asked) == lost_at:
            raise BusyError("another run is writing to this output")

    with pytest.raises(BusyError):
        run("second", still_ours=still_ours, tag="NEW")
    new = {name for name in objects if name not in before}
    assert {name: objects[name] for name in before} == before
    assert all(name.startswith(f"{OUTPUT}/data-second/") for name in new) and bool(new) == (lost_at == 2)
    for name in new:
        del objects[name]
    check_whole(objects, made)


def test_the_lease_is_asked_before_the_first_object_that_a_reader_sees(run, objects):
    """A dataset that another run publishes meanwhile stays as that run left it."""
    lease = Lease.take(LEASE, run_id="slow", settling=0)
    made = []

    def still_ours():
        if made or "data-slow" not in "".join(objects):
            return lease.check()
        other = json.dumps({"run_id": "other", "renewed": 0})  # it was believed dead, and so is its successor
        objects[LEASE] = other.encode()
        made.append(run("other", tag="NEW"))
        return lease.check()

    with pytest.raises(BusyError):
        run("slow", still_ours=still_ours)
    lease.release()
    assert json.loads(objects.pop(LEASE))["run_id"] == "other"
    check_whole(objects, made[0])


def test_bytes_that_changed_on_the_way_are_not_published(run, objects, monkeypatch):
    create = MemoryStore.create

    def damaging(self, path, *arguments, **options):
        file = create(self, path, *arguments, **options)
        if path.endswith(".parquet"):
            file.write(b"?")
        return file

    monkeypatch.setattr(MemoryStore, "create", damaging)
    with pytest.raises((PublishError, stores.StoreError), match="does not contain the bytes"):
        run("first")
    assert f"{OUTPUT}/manifest.json" not in objects
