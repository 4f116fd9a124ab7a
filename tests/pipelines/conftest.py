"""What the tests of jobs share: an object store in memory, and inputs and datasets that are made once for a whole run."""

import fcntl
import os

import pytest

from gistmill.pipelines import stores
from tests.commands import make, write_jsonl
from tests.dumps import write_small
from tests.stores import MemoryStore

SENTENCES = [
    f"The {a} of the town was {b} by its mayor in spring." for a in ("bridge", "mill") for b in ("sold", "shut")
]


@pytest.fixture
def objects(monkeypatch):
    """The objects of an empty store, by their paths; what fails there is tried again at once."""
    monkeypatch.setattr(MemoryStore, "objects", {})
    monkeypatch.setattr(stores, "WAITS_SECONDS", ())
    return MemoryStore.objects


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """``shared(name, make)`` is a path that ``make`` fills, in the first of the processes that run tests which asks for
    it. What is there is not to be changed."""
    root = tmp_path_factory.getbasetemp()
    root = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "shared"
    root.mkdir(exist_ok=True)

    def once(name, making):
        with open(root / f".{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (root / name).exists():
                making(root / name)
        return root / name

    return once


@pytest.fixture(scope="session")
def dump(shared):
    """Small pages of enwiki, as a bz2 file."""
    return shared("small.xml.bz2", write_small)


@pytest.fixture(scope="session")
def fusion(shared, dump):
    """A dataset of discofuse in every format."""
    options = "--splits 60,20,20 --formats parquet,tfrecord,tsv"
    return shared("fusion", lambda place: make(f"discofuse --input {dump} --output {place} {options}"))


@pytest.fixture(scope="session")
def articles(shared, dump):
    """A dataset of the texts of the same pages."""
    return shared("articles", lambda place: make(f"articles --input {dump} --output {place}"))


@pytest.fixture(scope="session")
def gaps(shared):
    """A dataset of pairs of 150 short documents, in three shards a split."""
    lines = [{"id": f"t{n}", "text": " ".join([f"Document {n} begins here.", *SENTENCES[n % 2 :]])} for n in range(150)]
    texts = shared("texts.jsonl", lambda place: write_jsonl(place, lines))
    options = f"--source jsonl --input {texts} --splits 60,20,20 --deduplicate none --shards 3"
    return shared("gaps", lambda place: make(f"gap-sentences {options} --output {place}"))
