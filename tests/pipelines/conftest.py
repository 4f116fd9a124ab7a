"""An object store in memory."""

import pytest

from gistmill.pipelines import stores
from tests.stores import MemoryStore


@pytest.fixture
def objects(monkeypatch):
    """The objects of an empty store, by their paths; what fails there is tried again at once."""
    monkeypatch.setattr(MemoryStore, "objects", {})
    monkeypatch.setattr(stores, "WAITS_SECONDS", ())
    return MemoryStore.objects
