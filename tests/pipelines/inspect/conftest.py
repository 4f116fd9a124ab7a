"""Small datasets that real jobs made."""

from __future__ import annotations

import json

import pytest

from tests.commands import succeed
from tests.dumps import export, small_pages

SPLITS = ("--splits", "60,20,20", "--formats", "parquet")
SENTENCES = [f"Sentence {n} of this article is about otters and the rivers in which otters live." for n in range(9)]


@pytest.fixture(scope="session")
def dump(tmp_path_factory):
    path = tmp_path_factory.mktemp("dump") / "enwiki-small.xml"
    path.write_bytes(export(small_pages()))
    return path


@pytest.fixture(scope="session")
def fusion(dump):
    """A dataset of discofuse. Not to be changed."""
    folder = dump.parent / "fusion"
    succeed("discofuse", "--input", dump, "--output", folder, "--coref", "none", *SPLITS)
    return folder


@pytest.fixture(scope="session")
def articles(tmp_path_factory):
    """JSON Lines of which the first has no id, the second too little text, and the third is not JSON."""
    path = tmp_path_factory.mktemp("articles") / "articles.jsonl"
    texts = [
        {"title": "Otters", "url": "https://example.org/otters", "text": "\n\n".join(SENTENCES)},
        {"id": "short", "title": "Short", "text": "Too short. It has two sentences."},
    ]
    path.write_text("\n".join([*map(json.dumps, texts), "{", ""]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def gaps(articles):
    """A dataset of gap-sentences. Not to be changed."""
    folder = articles.parent / "gaps"
    options = ("--source", "jsonl", "--input", articles, "--output", folder, *SPLITS)
    succeed("gap-sentences", *options)
    return folder
