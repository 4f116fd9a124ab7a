"""Datasets in s3://, streamed from a server on this machine; tests/published/test_stores.py reads others."""

from pathlib import Path

import pytest

from gistmill.training.data import source
from gistmill.training.errors import SettingsError, TrainingError
from tests.stores import BUCKET, S3, Fault, faulty_proxy, s3_server
from tests.training.data.made import epoch, numbers, publish, rows, stream

pytestmark = pytest.mark.waits

PLACE = f"s3://{BUCKET}/sets/made"


@pytest.fixture
def folder(tmp_path):
    return publish(tmp_path / "set", {"train": rows(300)}, shards=3, group=20)


def upload(store, folder):
    for path in Path(folder).rglob("*"):
        if path.is_file():
            store.put(f"sets/made/{path.relative_to(folder).as_posix()}", path.read_bytes())


@pytest.fixture
def s3(monkeypatch, folder):
    """A server that speaks S3, with the dataset."""
    pytest.importorskip("moto")
    with s3_server() as port:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        store = S3(port)
        upload(store, folder)
        yield store


@pytest.mark.slow
def test_a_stream_from_s3_is_that_of_the_folder(s3, folder):
    there = stream(PLACE)
    assert numbers(epoch(there)) == numbers(epoch(stream(folder)))
    state = there.state()
    resumed = stream(folder)
    resumed.restore(state)
    assert next(iter(resumed)) == next(iter(there))


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.CUT])
def test_a_store_that_fails_for_a_while(s3, folder, monkeypatch, fault):
    monkeypatch.setattr(source, "WAITS", (0.01,) * 6)

    left = {"manifest.json": 5, "train-00001": 5}  # pyarrow asks three times itself

    def plan(method, path, number):
        for name in left:
            if name in path and left[name]:
                left[name] -= 1
                return fault
        return None

    with faulty_proxy(s3.port, plan) as (port, faults):
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        assert numbers(epoch(stream(PLACE))) == numbers(epoch(stream(folder)))
    assert len(faults) == 10


@pytest.mark.slow
def test_a_store_that_does_not_come_back(s3, monkeypatch):
    monkeypatch.setattr(source, "WAITS", (0.01,) * 2)
    broken = []

    def plan(method, path, number):
        return Fault.CUT if broken else None

    with faulty_proxy(s3.port, plan) as (port, _):
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        found = stream(PLACE, shuffle=0)
        broken.append(True)
        with pytest.raises(TrainingError, match=f"{PLACE}/full/parquet/train-00000-of-00003.parquet cannot be read"):
            next(iter(found))
        with pytest.raises(TrainingError, match=f"{PLACE} cannot be read: ") as error:
            stream(PLACE)
        assert not isinstance(error.value, SettingsError) and "\n" not in str(error.value)
