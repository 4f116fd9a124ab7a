from __future__ import annotations

import pytest

from gistmill.explorer.server import export
from tests.browser import browser, page
from tests.commands import make, write_jsonl
from tests.explorer.made import hosted, index_of, reject, row, write_dataset

__all__ = ["browser", "page"]

TRAIN, TEST = 120, 9


@pytest.fixture(scope="session")
def dataset(tmp_path_factory):
    """A dataset of 120 and 9 rows and 3 rejects. Not to be changed."""
    rejects = [
        reject("wikipedia-000"),
        reject("wikipedia-000", index=3, detail="PAIR_CONN: Rain . | So , frogs ."),
        reject("wikipedia-900", reason="REDIRECT", text="the page is a redirect", unit="document", index=-1, detail=""),
    ]
    rows = [row(n) for n in range(TRAIN)], [row(n) for n in range(500, 500 + TEST)]
    folder = tmp_path_factory.mktemp("explored") / "demo"
    return write_dataset(folder, {"train": rows[0], "test": rows[1]}, rejects)


@pytest.fixture(scope="session")
def statements(tmp_path_factory):
    """A dataset of statements of three sentences, and a question that is rejected. Not to be changed."""
    folder = tmp_path_factory.mktemp("stated")
    text = "Ada Lane, a nurse, left Leeds in 1815. She wrote songs in Leeds, but the town of Kent burned them."
    write_jsonl(folder / "texts.jsonl", [{"id": "a", "title": "Ada Lane", "text": f"{text} It rained there. Why?"}])
    options = "--source jsonl --formats parquet --splits 100,0,0 --workers 1"
    make("propositions --input texts.jsonl --output statements", options, cwd=folder)
    return folder / "statements"


@pytest.fixture(scope="session")
def index(dataset, tmp_path_factory):
    """Its index."""
    return index_of(dataset, tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="session")
def address(index, tmp_path_factory):
    """The address of its exported page, on a server of files."""
    folder = tmp_path_factory.mktemp("site")
    export(folder, [index])
    with hosted(folder) as url:
        yield url
