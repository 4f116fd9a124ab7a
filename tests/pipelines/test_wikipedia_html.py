"""Datasets of a snapshot in HTML beside those of the same pages in wikitext, by the real command."""

import gzip
import json

import pytest

from tests.commands import call, leftovers, make, manifest, rejects, rows
from tests.dumps import export, small_pages
from tests.snapshots import SOME_HTML, archive, joined, line, of_export, write_archive

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
def test_a_corpus_made_both_ways_can_be_compared(made):
    found = json.loads(make(f"diff {made}/gaps-of-{NAMES[0]} {made}/gaps-of-{NAMES[2]} --json").stdout)
    documents = found["content"]["documents"]
    assert documents["same"] == documents["old"] == documents["new"] >= 10
    assert {"what": "option", "name": "source", "old": "wikipedia", "new": "wikipedia-html"} in found["causes"]


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


@pytest.mark.slow
def test_pairs_of_discofuse_are_those_of_wikitext(inputs):
    for source, name in (("wikipedia", NAMES[0]), ("wikipedia-html", NAMES[2])):
        job = f"discofuse --source {source} --coref none --input {inputs}/{name}"
        make(f"{job} --output {inputs}/fusion-of-{name} {OPTIONS}")
    expected = rows_of(inputs / f"fusion-of-{NAMES[0]}", "full")
    assert len(expected) > 10 and rows_of(inputs / f"fusion-of-{NAMES[2]}", "full") == expected


@pytest.mark.slow
def test_every_line_is_a_row_or_a_reject(tmp_path):
    deep = "<div>" * 10_000 + "<p>The otter swims.</p>" + "</div>" * 10_000
    convert = (
        '<span about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"convert"},"params":{"1":'
        '{"wt":"9"},"2":{"wt":"km"}},"i":0}}]}\'>9 kilometres (5.6&nbsp;mi)</span>'
    )
    lines = [line(1, text=SOME_HTML.replace("swims well", f"swims {convert}")), line(2), line(2, version=1), b"{"]
    lines += [line(3, text=None), line(4, text=deep), line(5, text="<p></p>")]
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(archive([joined(lines)])))
    job = f"gap-sentences --source wikipedia-html --min-sentences 2 --output {tmp_path}/out {OPTIONS}"
    make(f"{job} --input {tmp_path}/a.tar.gz")
    first, second = rows(tmp_path / "out")
    assert (first["document_id"], second["document_id"]) == ("wikipedia-1", "wikipedia-2")
    assert "The otter swims 9 kilometres (5.6 mi)." in f"{first['inputs']} {first['targets']}"
    counted = {r["reason"] for r in rejects(tmp_path / "out")}
    assert counted == {"OLD_VERSION", "BAD_LINE", "EMPTY_PAGE", "TOO_DEEP", "NO_PROSE"}


def test_another_file_is_refused_in_one_line(tmp_path):
    for name, content, code, said in [
        ("a.xml", b"<mediawiki>", 1, "a.xml"),
        ("a.json", b"[" + line(1) + b"]", 2, "a JSON array, not JSON Lines"),
    ]:
        (tmp_path / name).write_bytes(content)
        done = call(
            f"gap-sentences --source wikipedia-html --input {tmp_path}/{name} --output {tmp_path}/out {OPTIONS}"
        )
        assert done.returncode == code and said in done.stderr and not (tmp_path / "out").exists()
