"""Datasets of a snapshot in HTML beside those of the same pages in wikitext, by the real command."""

import json

import pytest

from tests.commands import leftovers, make, manifest, rejects, rows
from tests.dumps import export, small_pages
from tests.snapshots import joined, of_export, write_archive

OPTIONS = "--splits 1,0,0 --formats parquet --quiet"
NAMES = ("enwiki-small.xml", "enwiki.ndjson", "enwiki.tar.gz")


def rows_of(folder, config="default"):
    """The rows without their places in files."""
    return [{name: v for name, v in row.items() if name not in ("file", "offset")} for row in rows(folder, config)]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """The same pages as an export, as lines, and as an archive of lines."""
    folder = tmp_path_factory.mktemp("inputs")
    lines = of_export(small_pages())
    (folder / NAMES[0]).write_bytes(export(small_pages()))
    (folder / NAMES[1]).write_bytes(joined(lines))
    write_archive(folder / NAMES[2], lines, members=3)
    return folder


@pytest.fixture(scope="module")
def made(inputs):
    """Datasets of gap-sentences of each."""
    for name in NAMES:
        source = "wikipedia" if name == NAMES[0] else "wikipedia-html --range-bytes 20000"
        make(f"gap-sentences --source {source} --input {inputs}/{name} --output {inputs}/gaps-of-{name} {OPTIONS}")
    return inputs


@pytest.mark.slow
def test_rows_and_rejects_of_html_are_those_of_wikitext(made):
    first, *others = (made / f"gaps-of-{name}" for name in NAMES)

    def gist(folder):
        return sorted((r["id"], r["reason"], r["title"]) for r in rejects(folder))

    def counts(folder):
        return manifest(folder)["counts"]["documents/rejected"]

    assert len(rows_of(first)) >= 10
    assert "REDIRECT" in {reason for _, reason, _ in gist(first)} and counts(first)["NAMESPACE"] > 0
    for folder in others:
        assert rows_of(folder) == rows_of(first)
        assert gist(folder) == gist(first) and counts(folder) == counts(first)
    (source,) = manifest(others[1])["sources"]
    assert source["kind"] == "tar-gzip" and len(source["sha256"]) == 64
    assert manifest(others[1])["configuration"]["source"] == "wikipedia-html"
    assert leftovers(made) == []


@pytest.mark.slow
def test_rows_are_traced_to_their_line_and_rejects_are_told_of(made, tmp_path):
    for name in NAMES[1:]:
        row = rows(made / f"gaps-of-{name}")[3]
        found = json.loads(make(f"trace {made}/gaps-of-{name} {row['id']} --input {made}/{name} --json").stdout)
        title = row["title"].replace(" ", "_")
        assert found["lineage"]["address"] == f"https://en.wikipedia.org/wiki/{title}?oldid={row['revision']}"
        assert found["read_again"]["differing_columns"] == []
        assert found["lineage"]["file"] == name and found["lineage"]["offset"] == row["offset"]
    reject = next(r for r in rejects(made / f"gaps-of-{NAMES[2]}") if r["reason"] == "REDIRECT")
    said = make(f"why {made}/gaps-of-{NAMES[2]} '{reject['title']}'").stdout
    assert "REDIRECT, the page is a redirect" in said
