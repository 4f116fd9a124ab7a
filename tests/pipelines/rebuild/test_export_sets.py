"""A content file export from a server of Wikimedia's kind to datasets: several files are one dump."""

import bz2
import hashlib
import json

import pytest

from tests.commands import manifest, succeed
from tests.dumps import content_file_export, of_namespace, page_id
from tests.pipelines.rebuild.corpora import (
    WIKI,
    articles,
    put_export_month,
    put_month,
    rebuilt,
    remains,
    rows_of,
    served,
    write_corpus,
)
from tests.pipelines.rebuild.mirror import EXPORTS, Mirror, serve

pytestmark = pytest.mark.slow
DAY = "2026-09-01"
NEW = 7  # an article that the second month has and the first one has not
JOB = ("gap-sentences", "--sentences", "fast", "--splits", "1,0,0", "--min-sentences", "2", "--formats", "parquet")


@pytest.fixture(scope="module")
def downloaded(tmp_path_factory):
    """An export of three files that `gistmill download` brought, what the command said, and the server."""
    folder = tmp_path_factory.mktemp("export")
    with serve(Mirror(asks_contact=True, style="apache")) as mirror:
        put_export_month(mirror, "2026-08-01", articles()[:2])
        put_export_month(mirror, DAY, articles()[:6], files=3)
        mirror.put_export(WIKI, "2026-10-01", {f"{WIKI}-2026-10-01-p1p2.xml.bz2": b"x"}, complete=False)
        command = ("download", "--wiki", WIKI, "--mirrors", mirror.url, "--contact", "me@example.org")
        done = succeed(*command, "--output", folder)
        mirror.requests.clear()
        again = succeed(*command, "--output", folder)
        yield folder / WIKI / "20260901", done, again, mirror


def test_the_newest_complete_export_comes_and_says_what_it_is(downloaded):
    folder, done, again, mirror = downloaded
    said = json.loads(done.stdout)
    assert (said["wiki"], said["date"], said["layout"], len(said["files"])) == (WIKI, "20260901", "exports", 3)
    assert "the export of 20261001 is not complete" in done.stderr
    assert "using the content file export of 20260901 (layout: exports)" in done.stderr
    for path in folder.glob("*.xml.bz2"):
        note = json.loads((folder / f"{path.name}.dump.json").read_text())
        data = path.read_bytes()
        assert (note["size"], note["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert note["url"] == f"{mirror.url}/{EXPORTS}/{WIKI}/{DAY}/xml/bzip2/{path.name}"
    assert json.loads(again.stdout) == said
    assert {path.rpartition("/")[2] for path, _ in mirror.requests} == {"", "SHA256SUMS"}


@pytest.mark.long
@pytest.mark.parametrize("by_hand", ["glob", "list"])
def test_a_set_of_files_is_one_dump_with_the_rows_of_one_file(downloaded, tmp_path, by_hand):
    folder, *_ = downloaded
    files = sorted(folder.glob("*.xml.bz2"), key=lambda path: int(path.name.split("-p")[1].split("p")[0]))
    given = folder / "*.xml.bz2" if by_hand == "glob" else ",".join(map(str, reversed(files)))
    succeed(*JOB, "--input", given, "--output", tmp_path / "set")
    pages = sorted(articles()[:6], key=page_id)
    pages = [p for page in pages for p in (page, of_namespace(page, 1, page_id(page) + 1))]
    whole = tmp_path / f"{WIKI}-{DAY}-whole.xml.bz2"
    whole.write_bytes(bz2.compress(content_file_export(pages)))
    succeed(*JOB, "--input", whole, "--output", tmp_path / "one")
    assert rows_of(tmp_path / "set") == rows_of(tmp_path / "one") != []
    made, one = manifest(tmp_path / "set"), manifest(tmp_path / "one")
    assert made["counts"]["documents/rejected"] == one["counts"]["documents/rejected"]
    assert made["counts"]["documents/rejected"]["NAMESPACE"] == 6
    (dump,) = made["dumps"]
    assert (dump["wiki"], dump["date"], dump["layout"]) == (WIKI, "20260901", "exports")
    assert dump["url"].endswith(f"/{EXPORTS}/{WIKI}/{DAY}/xml/bzip2")
    assert [f["name"] for f in dump["files"]] == [path.name for path in files]
    assert [f["sha256"] for f in dump["files"]] == [hashlib.sha256(p.read_bytes()).hexdigest() for p in files]
    assert [f["size"] for f in dump["files"]] == [p.stat().st_size for p in files]
    assert one["dumps"] == []


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    """A corpus after three months: of dumps, of an export, and of dumps again, as an export is never complete."""
    folder = tmp_path_factory.mktemp("months")
    options = {"splits": [1, 0, 0], "formats": ["parquet"]}
    with serve(Mirror(asks_contact=True)) as mirror:
        write_corpus(
            folder,
            sources={
                "wiki": {"wiki": WIKI, "mirrors": [mirror.url], "coref": "none", "contact": "https://example.org/me"}
            },
            recipes={
                # of so few rows chance would decide how many `balanced` keeps
                "fusion": {"recipe": "discofuse", "balanced_rates": {}, **options},
                "leads": {"recipe": "lead-bias", "lead": "lead-section", "min_overlap": 0, **options},
            },
        )
        said = []
        put_month(mirror, folder, "20260801", [*articles()[:NEW], *articles()[NEW + 1 :]])
        said.append(rebuilt(folder))
        put_export_month(mirror, DAY, articles())
        said.append(rebuilt(folder))
        said.append(rebuilt(folder))
        mirror.files = {p: d for p, d in mirror.files.items() if not p.endswith("SHA256SUMS")}
        put_month(mirror, folder, "20261001", articles())
        said.append(rebuilt(folder))
    return folder / "corpus", said


@pytest.mark.long
def test_a_change_of_layout_holds_no_version_back(months):
    corpus, said = months
    assert [code for code, _, _ in said] == [0, 0, 3, 0], said
    assert [summary["version"] for _, summary, _ in said] == ["20260801-1", "20260901-1", "20260901-1", "20261001-1"]
    assert "using the XML dumps (layout: dumps)" in said[0][2] and "(layout: exports)" in said[1][2]
    assert remains(corpus) == []


@pytest.mark.long
def test_a_change_of_layout_parses_no_unchanged_revision_again(months):
    _, said = months
    of_months = [s["documents"] for _, summary, _ in said for s in summary.get("stages", ()) if "documents" in s]
    before = of_months[0]["reused"]
    assert before > 4 and of_months == [
        {"reused": before, "revised": 0, "parsed": 1},
        {"reused": before + 1, "revised": 0, "parsed": 0},
    ]


def test_the_dataset_of_an_export_names_it(months):
    corpus, said = months
    version = corpus / "versions" / said[1][1]["version"]
    for name in ("fusion", "leads"):
        (dump,) = manifest(version / name)["dumps"]
        assert (dump["layout"], dump["date"], len(dump["files"])) == ("exports", "20260901", 2)
    (dump,) = manifest(served(corpus) / "fusion")["dumps"]
    assert (dump["layout"], dump["date"], dump["files"]) == ("dumps", "20261001", [])
