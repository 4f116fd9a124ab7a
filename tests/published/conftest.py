"""Datasets that the real publisher made of made-up rows."""

from __future__ import annotations

import shutil

import pytest

from tests.pipelines.publishing.made import build


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """A dataset in all formats, in two shards a split. Not to be changed."""
    folder = tmp_path_factory.mktemp("published") / "demo"
    build(folder)
    return folder


@pytest.fixture
def copy(published, tmp_path):
    """The same dataset, to be changed."""
    return shutil.copytree(published, tmp_path / "demo")
