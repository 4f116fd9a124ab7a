"""Which content file export is the newest complete one, by the folders and checksums of real HTTP servers."""

import hashlib
from contextlib import ExitStack

import pytest

from gistmill.core.options import OptionError
from gistmill.pipelines.rebuild.download import DumpConfig, is_wikimedia
from gistmill.pipelines.rebuild.dumps import DumpError, find_dump, names_in, newest_revisions
from gistmill.pipelines.web import session
from tests.pipelines.rebuild.mirror import EXPORTS, Mirror, serve

WIKI, NEW, OLD = "xxwiki", "2026-09-01", "2026-08-01"


def names(day):
    return {f"{WIKI}-{day}-p{pages}.xml.bz2": pages.encode() for pages in ("100p199", "9p99", "55r7r7")}


@pytest.fixture
def servers():
    with ExitStack() as stack:

        def make(**behaviour):
            mirror = Mirror(**behaviour)
            for day in (OLD, NEW):
                mirror.put_export(WIKI, day, names(day))
            return stack.enter_context(serve(mirror))

        yield make


def find(*mirrors, contact=None, **options):
    lines = []
    with session(tries=2, pause=0.01, contact=contact) as web:
        found = find_dump(web, WIKI, mirrors=[m.url for m in mirrors], say=lines.append, **options)
    return found, lines


def without(mirror, *endings):
    mirror.files = {path: data for path, data in mirror.files.items() if not path.endswith(endings)}


def put_sums(mirror, content):
    mirror.files[f"{EXPORTS}/{WIKI}/{NEW}/xml/bzip2/SHA256SUMS"] = content.encode()


@pytest.mark.parametrize("style", ["nginx", "apache"])
def test_the_newest_export_is_found_with_sizes_and_sums_in_order_of_its_pages(servers, style):
    dump, lines = find(servers(style=style))
    assert (dump.wiki, dump.date, dump.layout) == (WIKI, "20260901", "exports")
    assert [f.name.removeprefix(f"{WIKI}-{NEW}-p") for f in dump.files] == [
        "9p99.xml.bz2",
        "55r7r7.xml.bz2",
        "100p199.xml.bz2",
    ]
    assert [(f.size, f.sha256) for f in dump.files][:1] == [(4, hashlib.sha256(b"9p99").hexdigest())]
    assert dump.folder == f"{EXPORTS}/{WIKI}/{NEW}/xml/bzip2"
    assert lines == ["using the content file export of 20260901 (layout: exports)"]


def test_an_export_in_progress_is_passed_over(servers):
    for missing in [("SHA256SUMS",), ("SHA256SUMS", "_SUCCESS"), ("",)]:
        mirror = servers()
        files = {p: d for p, d in mirror.files.items() if NEW in p and not p.endswith(missing)}
        mirror.files = {p: d for p, d in mirror.files.items() if OLD in p} | files
        dump, lines = find(mirror)
        assert dump.date == "20260801" and "the export of 20260901 is not complete" in lines[0]
        assert lines[0].endswith("does not contain SHA256SUMS")


def test_an_export_whose_folder_of_files_is_not_there_yet_is_passed_over_and_one_without_success_is_complete(servers):
    mirror = servers()
    without(mirror, "_SUCCESS")
    mirror.folders |= {f"{EXPORTS}/{WIKI}/2026-10-01"}
    for day in ("2026-13-01", "20261001", "2026-9-1", "latest"):  # nor is what is no day
        mirror.put_export(WIKI, day, {})
    assert find(mirror)[0].date == "20260901"


GOOD = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in names(NEW).items())


def test_sums_that_cannot_be_are_not_used(servers):
    for sums, message in [
        ("", "SHA256SUMS lists no files"),
        (GOOD + "a" * 64 + "  ../../../etc/passwd\n", "is not the SHA-256 of a file in this export"),
        (GOOD + "a" * 64 + f"  x/{WIKI}-{NEW}-p1p2.xml.bz2\n", "is not the SHA-256 of a file"),
        (GOOD + "a" * 64 + f"  yywiki-{NEW}-p1p2.xml.bz2\n", "is not the SHA-256 of a file"),
        (GOOD + "a" * 64 + f"  {WIKI}-{OLD}-p1p2.xml.bz2\n", "is not the SHA-256 of a file"),
        (GOOD + "a" * 63 + f"  {WIKI}-{NEW}-p1p2.xml.bz2\n", "is not the SHA-256 of a file"),
        (GOOD + "a" * 64 + f"  {WIKI}-{NEW}-p{'9' * 5000}p2.xml.bz2\n", "is not the SHA-256 of a file"),
        (GOOD + "a" * 64 + f"  {WIKI}-{NEW}-p1p2.xml.bz2\n", "xxwiki-2026-09-01-p1p2.xml.bz2 is not in the folder"),
        (GOOD + "a" * 64 + f"  {WIKI}-{NEW}-p9p99.xml.bz2\n", "lists xxwiki-2026-09-01-p9p99.xml.bz2 twice"),
        (GOOD[: GOOD.index("\n") + 1], "xxwiki-2026-09-01-p55r7r7.xml.bz2 is not listed"),
        (GOOD[:-20], "is not the SHA-256 of a file"),
        ("<html>busy</html>", "is not the SHA-256 of a file"),
    ]:
        mirror = servers()
        put_sums(mirror, sums)
        dump, lines = find(mirror)
        assert dump.date == "20260801" and message in lines[0] and "\n" not in lines[0]


def test_other_forms_of_sums_are_read(servers):
    for change in [str.upper, lambda text: text.replace("  ", " *"), lambda t: t.replace("  ", "  ./")]:
        mirror = servers()
        lines = (line.partition("  ") for line in GOOD.splitlines())
        upper = change is str.upper
        put_sums(mirror, "".join(f"{a.upper()}{b}{c}\n" for a, b, c in lines) if upper else change(GOOD))
        assert find(mirror)[0].date == "20260901"


def with_dump(mirror):
    mirror.put_dump(WIKI, "20260101", {f"{WIKI}-20260101-pages-articles-multistream.xml.bz2": b"x"})
    return mirror


def test_dumps_are_taken_where_they_are_asked_for_or_there_is_no_export(servers):
    mirror = with_dump(servers())
    dump, lines = find(mirror, layout="dumps")
    assert (dump.layout, dump.date, lines) == ("dumps", "20260101", [])
    assert not any(EXPORTS in path for path, _ in mirror.requests)
    without(mirror, "")  # a closed wiki has an empty folder
    dump, lines = find(with_dump(mirror))
    assert (dump.layout, dump.date) == ("dumps", "20260101")
    assert lines[-1].startswith("using the XML dumps (layout: dumps): no complete export of xxwiki was found: ")
    with pytest.raises(DumpError, match="no complete export of xxwiki was found: .*does not contain SHA256SUMS"):
        find(mirror, layout="exports")
    mirror.files.clear()
    mirror.folders.clear()
    dump, lines = find(with_dump(mirror))
    assert dump.layout == "dumps" and len(lines) == 1 and f"none is listed at {mirror.url}/{EXPORTS}/" in lines[0]


def test_no_answer_about_exports_or_the_newest_one_is_an_error_and_no_dump(servers):
    for fault, where in [(403, EXPORTS), (503, EXPORTS), ("cut", EXPORTS), (503, NEW)]:
        mirror = with_dump(
            servers(plan=lambda path, number, fault=fault, where=where: fault if where in path else None)
        )
        with pytest.raises(DumpError, match=f"no mirror lists the complete dumps of xxwiki: .*{where}"):
            find(mirror)


def test_a_date_can_be_asked_for(servers):
    assert find(servers(), date="20260801")[0].date == "20260801"
    assert DumpConfig(wiki=WIKI, mirrors=("http://a",), date="2026-08-01").date == "20260801"
    with pytest.raises(DumpError, match="no complete export of xxwiki was found: .*2024-01-01.* 404"):
        find(servers(), date="20240101", layout="exports")


def test_of_several_files_of_a_page_the_newest_revision_is_taken():
    kept = [f"a-2026-09-01-p{pages}.xml.bz2" for pages in ("1p9", "3r10r19", "30r5r5", "200p300")]
    older = [f"a-2026-09-01-p{pages}.xml.bz2" for pages in ("3r1r2", "3r3r9")]
    assert newest_revisions([older[0], *reversed(kept), older[1]]) == kept


def test_a_listing_names_what_lies_below_it_and_nothing_else():
    page = b"""<A class=x HREF='2026-08-01/'>a</A> <a href="/other/w/2026-09-01/">b</a> <a href="?C=N;O=D">Name</a>
    <a href="../">up</a> <a href="%2e%2e%2f%2e%2e%2fetc">x</a> <a href="..%5c..%5cetc">x</a> <a href="a%00b">x</a>
    <a href="https://elsewhere.example/2027-01-01/">x</a> <a href="//elsewhere.example/2027-02-01">x</a>
    <a href="javascript:alert(1)">x</a> <a href="http://[">x</a> <a name="n">x</a> <a href="SHA256SUMS">SHA2..&gt;</a>
    <!-- <a href="hidden/">x</a> --> <a href="2026-08-01">again</a> <a href="a&amp;b">x</a> <a href="open"""
    assert names_in(page) == ["2026-08-01", "2026-09-01", "SHA256SUMS"]
    assert names_in(b"\xff<a href=") == [] and names_in(b"") == []


def test_a_file_that_is_empty_says_nothing(servers):
    mirror = servers()
    (path,) = [path for path in mirror.files if path.endswith(f"{NEW}-p9p99.xml.bz2")]
    mirror.files[path] = b""
    with pytest.raises(DumpError, match="does not state its size"):
        find(mirror)


def test_a_contact_is_an_address():
    for contact in ["me", "me@here", "a b@example.org", "(me@example.org)", "me@example.org\r\nX: y", ""]:
        with pytest.raises(OptionError, match="contact: expected an e-mail address or a URL"):
            DumpConfig(wiki=WIKI, contact=contact)


def test_servers_of_wikimedia_want_a_contact_and_others_want_none():
    wanted = "contact is required for .*: Wikimedia requires an e-mail address or a URL"
    for mirror in [
        "https://dumps.wikimedia.org",
        "http://WIKIPEDIA.org/x",
        "https://user:key@a.b.wikimedia.org.:443/d",
    ]:
        assert is_wikimedia(mirror)
        with pytest.raises(OptionError, match=wanted):
            DumpConfig(wiki=WIKI, mirrors=("http://a.example", mirror))
        assert DumpConfig(wiki=WIKI, mirrors=(mirror,), contact="me@example.org")
    for mirror in ["https://wikimedia.org.example", "https://notwikimedia.org", "https://mirror.example"]:
        assert DumpConfig(wiki=WIKI, mirrors=(mirror,)).contact is None
