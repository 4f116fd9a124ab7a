"""Pages of other namespaces, of which an export may have more than of articles, by the real commands."""

import gzip
import json

import pytest

from tests.commands import call, data_checksums, make, manifest
from tests.dumps import export, of_namespace, page_id, small_pages

ARTICLES = [page for page in small_pages() if b"<redirect" not in page and b"<ns>0</ns>" in page]
PAGES = [p for page in ARTICLES for p in (page, of_namespace(page, 1, 1_000_000 + page_id(page)))]
SMALL_RANGES = ("--range-bytes", 20_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with an export of articles, each with its page of talk, and with another of the articles alone."""
    folder = tmp_path_factory.mktemp("namespaces")
    (folder / "all.xml").write_bytes(export(PAGES))
    (folder / "articles.xml").write_bytes(export(ARTICLES))
    return folder


def made_of(name, folder, output, *options):
    make("articles", "--input", folder / name, "--output", output, *options)
    make("validate", output)
    return manifest(output)


def reasons_of_lines(output):
    parts = sorted((output / "rejects").iterdir())
    return {json.loads(line)["reason"] for part in parts for line in gzip.decompress(part.read_bytes()).splitlines()}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="one range"),
        pytest.param(("--workers", 2, *SMALL_RANGES), id="two workers", marks=pytest.mark.slow),
        pytest.param(("--deduplicate", "exact", *SMALL_RANGES), id="two passes", marks=pytest.mark.slow),
    ],
)
def test_pages_of_other_namespaces_are_counted_and_not_listed(folder, tmp_path, options):
    counts = made_of("all.xml", folder, tmp_path / "all", *options)["counts"]
    alone = made_of("articles.xml", folder, tmp_path / "alone", *options)["counts"]
    assert counts["documents"] == {**alone["documents"], "read": len(PAGES)}
    assert counts["documents/rejected"] == {**alone.get("documents/rejected", {}), "NAMESPACE": len(ARTICLES)}
    assert json.loads((tmp_path / "all/stats.json").read_text())["counts"] == counts
    assert "NAMESPACE" not in reasons_of_lines(tmp_path / "all")
    assert data_checksums(tmp_path / "all").keys() == data_checksums(tmp_path / "alone").keys()


@pytest.mark.parametrize("limit", [*(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2)), 9])
def test_a_limit_counts_pages_of_every_namespace(folder, tmp_path, limit):
    counts = made_of("all.xml", folder, tmp_path / "out", "--limit", limit, *SMALL_RANGES)["counts"]
    assert counts["documents"]["read"] == limit
    assert counts.get("documents/rejected", {}).get("NAMESPACE", 0) == limit // 2


@pytest.mark.slow
def test_wanted_namespaces_are_not_counted_as_others(folder, tmp_path):
    counts = made_of("all.xml", folder, tmp_path / "out", "--namespaces", "0,1")["counts"]
    assert counts["documents"]["read"] == len(PAGES) and "NAMESPACE" not in counts.get("documents/rejected", {})


def test_an_input_of_other_namespaces_alone_says_so(folder, tmp_path):
    failed = call("articles", "--input", folder / "all.xml", "--output", tmp_path / "none", "--namespaces", "4")
    assert failed.returncode == 1
    assert f"0 of {len(PAGES)} documents were used; NAMESPACE {len(PAGES)}; nothing was published" in failed.stderr
