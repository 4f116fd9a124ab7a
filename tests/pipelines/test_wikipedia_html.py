"""Datasets of a snapshot in HTML beside those of the same pages in wikitext, by the real command."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from gistmill.pipelines import diff, trace, why
from gistmill.published.dataset import Dataset
from tests.commands import gistmill, manifest, succeed
from tests.dumps import export, small_pages
from tests.snapshots import SOME_HTML, archive, joined, line, of_export, write_archive

OPTIONS = ("--splits", "1,0,0", "--formats", "parquet", "--quiet")
PLACES = ("file", "offset")


def rows_of(folder, config="default", *, without=PLACES):
    dataset = Dataset(folder)
    rows = [row for split in dataset.splits(config) for row in dataset.rows(split, config)]
    return [{name: value for name, value in row.items() if name not in without} for row in rows]


def rejects_of(folder):
    files = sorted((folder / "rejects").iterdir())
    return [json.loads(text) for file in files for text in gzip.decompress(file.read_bytes()).splitlines()]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """The same pages as an export, as lines, and as an archive of lines."""
    folder = tmp_path_factory.mktemp("inputs")
    lines = of_export(small_pages())
    (folder / "enwiki-small.xml").write_bytes(export(small_pages()))
    (folder / "enwiki.ndjson").write_bytes(joined(lines))
    write_archive(folder / "enwiki.tar.gz", lines, members=3)
    return folder


@pytest.fixture(scope="module")
def made(inputs):
    """Datasets of gap-sentences of each."""
    for source, name in (
        ("wikipedia", "enwiki-small.xml"),
        ("wikipedia-html", "enwiki.ndjson"),
        ("wikipedia-html", "enwiki.tar.gz"),
    ):
        options = ("--range-bytes", "20000") if name.endswith("gz") else ()
        output = inputs / f"gaps-of-{name}"
        succeed("gap-sentences", "--source", source, "--input", inputs / name, "--output", output, *options, *OPTIONS)
    return inputs


@pytest.mark.slow
def test_rows_of_html_are_those_of_wikitext(made):
    expected = rows_of(made / "gaps-of-enwiki-small.xml")
    assert len(expected) >= 10
    assert rows_of(made / "gaps-of-enwiki.ndjson") == expected
    assert rows_of(made / "gaps-of-enwiki.tar.gz") == expected


def test_rejects_of_html_are_those_of_wikitext(made):
    def gist(folder):
        return sorted((r["id"], r["reason"], r["title"]) for r in rejects_of(folder))

    def counts(folder):
        return manifest(folder)["counts"]["documents/rejected"]

    places = [made / f"gaps-of-{name}" for name in ("enwiki-small.xml", "enwiki.ndjson", "enwiki.tar.gz")]
    assert "REDIRECT" in {reason for _, reason, _ in gist(places[0])} and counts(places[0])["NAMESPACE"] > 0
    assert gist(places[1]) == gist(places[2]) == gist(places[0])
    assert counts(places[1]) == counts(places[2]) == counts(places[0])


def test_the_manifest_names_the_snapshot(made):
    (source,) = manifest(made / "gaps-of-enwiki.tar.gz")["sources"]
    assert source["kind"] == "tar-gzip" and len(source["sha256"]) == 64
    assert manifest(made / "gaps-of-enwiki.tar.gz")["configuration"]["source"] == "wikipedia-html"
    assert not [p for p in made.iterdir() if ".gistmill-" in p.name]


def test_a_corpus_made_both_ways_can_be_compared(made, capsys):
    assert diff.main([str(made / "gaps-of-enwiki-small.xml"), str(made / "gaps-of-enwiki.tar.gz"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    documents = found["content"]["documents"]
    assert documents["same"] == documents["old"] == documents["new"] >= 10
    assert {"what": "option", "name": "source", "old": "wikipedia", "new": "wikipedia-html"} in found["causes"]


def test_rows_are_traced_to_their_line(made, capsys):
    for name in ("enwiki.ndjson", "enwiki.tar.gz"):
        folder = made / f"gaps-of-{name}"
        row = rows_of(folder, without=())[3]
        assert trace.main([str(folder), row["id"], "--input", str(made / name), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (
            found["lineage"]["address"]
            == f"https://en.wikipedia.org/wiki/{row['title'].replace(' ', '_')}?oldid={row['revision']}"
        )
        assert found["read_again"]["differing_columns"] == []
        assert found["lineage"]["file"] == name and found["lineage"]["offset"] == row["offset"]


def test_why_a_page_has_no_row_is_told(made, capsys):
    reject = next(r for r in rejects_of(made / "gaps-of-enwiki.tar.gz") if r["reason"] == "REDIRECT")
    assert why.main([str(made / "gaps-of-enwiki.tar.gz"), reject["title"]]) == 0
    assert "REDIRECT, the page is a redirect" in capsys.readouterr().out


@pytest.mark.slow
def test_pairs_of_discofuse_are_those_of_wikitext(inputs):
    for source, name in (("wikipedia", "enwiki-small.xml"), ("wikipedia-html", "enwiki.tar.gz")):
        output = inputs / f"fusion-of-{name}"
        succeed(
            "discofuse", "--source", source, "--input", inputs / name, "--output", output, "--coref", "none", *OPTIONS
        )
    expected = rows_of(inputs / "fusion-of-enwiki-small.xml", "full")
    assert len(expected) > 10 and rows_of(inputs / "fusion-of-enwiki.tar.gz", "full") == expected


@pytest.fixture
def small(tmp_path):
    """Makes a dataset of lines; returns the process and the folder."""

    def making(content, *options, name="a.tar.gz"):
        (tmp_path / name).write_bytes(content)
        arguments = ("--source", "wikipedia-html", "--input", tmp_path / name, "--output", tmp_path / "out")
        return gistmill("gap-sentences", *arguments, "--min-sentences", "2", *OPTIONS, *options), tmp_path / "out"

    return making


@pytest.mark.slow
def test_words_of_templates_are_in_the_rows(small):
    convert = (
        '<span about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"convert"},"params":{"1":'
        '{"wt":"9"},"2":{"wt":"km"}},"i":0}}]}\'>9 kilometres (5.6&nbsp;mi)</span>'
    )
    done, folder = small(joined([line(1, text=SOME_HTML.replace("swims well", f"swims {convert}"))]), name="a.ndjson")
    assert done.returncode == 0, done.stderr
    (row,) = rows_of(folder)
    assert "The otter swims 9 kilometres (5.6 mi)." in f"{row['inputs']} {row['targets']}"


@pytest.mark.slow
def test_every_line_is_a_row_or_a_reject(small):
    deep = "<div>" * 10_000 + "<p>The otter swims.</p>" + "</div>" * 10_000
    lines = [
        line(1),
        line(2),
        line(2, version=1),
        b"{",
        line(3, text=None),
        line(4, text=deep),
        line(5, text="<p></p>"),
    ]
    done, folder = small(gzip.compress(archive([joined(lines)])))
    assert done.returncode == 0, done.stderr
    assert [row["document_id"] for row in rows_of(folder)] == ["wikipedia-1", "wikipedia-2"]
    counted = {r["reason"] for r in rejects_of(folder)}
    assert counted == {"OLD_VERSION", "BAD_LINE", "EMPTY_PAGE", "TOO_DEEP", "NO_PROSE"}


@pytest.mark.slow
def test_a_snapshot_that_breaks_off_is_published_only_if_that_is_allowed(small):
    lines = [line(n, text=SOME_HTML + f"<p>{hash_of(n)}</p>") for n in range(1, 200)]
    cut = gzip.compress(archive([joined(lines)]))[:-9000]
    done, folder = small(cut)
    assert done.returncode == 1 and "--allow-truncated" in done.stderr and not folder.exists()
    done, folder = small(cut, "--allow-truncated")
    assert done.returncode == 0, done.stderr
    (damage,) = manifest(folder)["damage"]
    assert re.search("cut off|ends inside", json.dumps(damage))
    assert 10 < len(rows_of(folder)) < 200


def hash_of(number):
    """Words that do not compress."""
    import hashlib

    return hashlib.sha512(str(number).encode()).hexdigest() * 3


def test_another_file_is_refused_in_one_line(small):
    done, folder = small(b"<mediawiki>", name="a.xml")
    assert done.returncode == 1 and not folder.exists()
    done, folder = small(b"[" + line(1) + b"]", name="a.json")
    assert done.returncode == 2 and "a JSON array, not JSON Lines" in done.stderr and len(done.stderr.splitlines()) == 1
