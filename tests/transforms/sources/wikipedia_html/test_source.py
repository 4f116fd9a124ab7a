"""Source ``wikipedia-html``: lines of snapshots to documents and rejects, however they are packed and cut."""

from __future__ import annotations

import bz2
import gzip
import itertools
import random
import tarfile

import apache_beam as beam
import pytest
import zstandard
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to

from gistmill.core.records import RangeEnd, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.beam.transforms import DealRanges
from gistmill.transforms.sources.base import SOURCES
from gistmill.transforms.sources.files.ranges import UNREAD, SourceError, expand_inputs
from gistmill.transforms.sources.wikipedia_html.source import (
    SnapshotConfig,
    WikipediaHtmlSource,
    read_range,
)
from tests.snapshots import SOME_HTML, archive, joined, line
from tests.transforms.sources import reading

PACK = {"plain": bytes, "gzip": gzip.compress, "bz2": bz2.compress, "zstd": zstandard.compress}
SMALL = {"range_bytes": 100}


@pytest.fixture
def read(tmp_path):
    """Reads files, given as bytes: returns documents and rejects, damage, ends of ranges and files."""

    def read(*contents, **options):
        workspace = tmp_path / "workspace"
        workspace.mkdir(exist_ok=True)
        for number, content in enumerate(contents):
            (tmp_path / f"{number}.snapshot").write_bytes(content)
        place = {"workspace": workspace, **options}
        elements, ends, files = reading.read(WikipediaHtmlSource, [tmp_path / "*.snapshot"], **place)
        return elements, [d for end in ends for d in end.damage], ends, files

    return read


def gist(elements):
    """What is equal however a snapshot is packed."""
    return [
        (e.id.partition("#")[0].rpartition("/")[2], e.origin.title, e.origin.revision, e.origin.metadata.url)
        + ((e.text, e.markup) if isinstance(e, RawDocument) else (e.reason, e.detail))
        for e in elements
    ]


def reasons(elements):
    return [e.reason.name if isinstance(e, Reject) else e.id for e in elements]


def test_a_line_becomes_the_document_that_an_export_would_give(read):
    (document,), damage, _, (file,) = read(joined([line(12, "Sea otter")]))
    origin = document.origin
    assert (origin.id, origin.source, origin.title) == ("wikipedia-12", "wikipedia", "Sea otter")
    assert origin.metadata.url == "https://en.wikipedia.org/wiki/Sea_otter?oldid=9012" and origin.revision == "9012"
    assert (origin.timestamp, origin.offset, document.markup) == ("2020-01-02T03:04:05Z", 0, "parsoid")
    assert document.text == SOME_HTML and damage == [] and (file.kind, file.sha256) == ("jsonl", UNREAD)


def many(count=40):
    return [line(n, text=SOME_HTML.replace("otter", f"otter{n}" + "\u2028é" * (n % 7))) for n in range(1, count + 1)]


@pytest.mark.parametrize("packing", PACK)
def test_documents_do_not_depend_on_packing_and_ranges(read, packing):
    lines = many()
    expected = gist(read(joined(lines))[0])
    tar = archive([joined(lines[:17]), b"", joined(lines[17:18]), joined(lines[18:])[:-1]])
    for text, options in itertools.product((joined(lines), tar), ({}, SMALL)):
        elements, damage, ranges, (file,) = read(PACK[packing](text), **options)
        assert gist(elements) == expected and len(expected) == 40 and damage == []
        assert (len(ranges) > 30) is bool(options) or (text != tar and not options)
        assert ("tar" in file.kind) is (text == tar)
        assert [text[e.origin.offset :][:8] for e in elements] == [b'{"name":'] * 40


def test_archives_of_every_form_are_read(read):
    for form in tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT:
        assert reasons(read(archive([joined([line(1)]), joined([line(2)])], form=form))[0]) == BOTH


def member(name, kind=tarfile.REGTYPE, link="", **headers):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.pax_headers = kind, link, headers
    return info


def test_names_and_links_of_an_archive_lead_nowhere(read, tmp_path):
    hostile = [
        member("../../out.ndjson"),
        member("/etc/passwd", tarfile.SYMTYPE, "/etc/shadow"),
        member("hard", tarfile.LNKTYPE, "../0.snapshot"),
        member("folder/", tarfile.DIRTYPE),
        member("pipe", tarfile.FIFOTYPE),
        member("device", tarfile.CHRTYPE),
        member("n" * 300, comment="x" * 2000),
    ]
    elements, damage, *_ = read(archive([*hostile, joined([line(1)])]))
    assert reasons(elements) == ["wikipedia-1"] and damage == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0.snapshot", "workspace"]


def test_the_size_of_a_large_file_may_stand_in_its_attributes(read):
    text = joined([line(1)])
    info = member("large.ndjson", size=str(len(text)))
    block = info.tobuf(tarfile.PAX_FORMAT)
    elements, damage, *_ = read(block + text + b"\0" * (-len(text) % 512) + b"\0" * 1024)
    assert reasons(elements) == ["wikipedia-1"] and damage == []


def raw(name, content=b"", kind=tarfile.REGTYPE, size=None):
    """The bytes of a member, which may claim another size than it has."""
    info = member(name, kind, "other")
    info.size = len(content) if size is None else size
    return info.tobuf(tarfile.GNU_FORMAT) + content + b"\0" * (-len(content) % 512)


PAGES, END = joined([line(1), line(2)]), bytes(1024)
BOTH = ["wikipedia-1", "wikipedia-2"]


def test_members_of_unknown_types_are_files(read):
    for kind in b"Z", b"7", b"\0":
        assert reasons(read(raw("a", PAGES, kind) + END)[0]) == BOTH


def test_the_size_that_a_link_or_folder_claims_hides_no_file(read):
    kinds = tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE
    for kind, size in itertools.product(kinds, (len(PAGES), 1 << 60)):
        elements, damage, *_ = read(raw("a", kind=kind, size=size) + raw("b", PAGES) + END)
        assert reasons(elements) == BOTH and damage == [], (kind, size)


MAP = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
UNREADABLE = [
    (raw("s", PAGES, tarfile.GNUTYPE_SPARSE), "contains a sparse file"),
    (raw("s", kind=tarfile.GNUTYPE_SPARSE, size=1 << 60), "contains a sparse file"),
    (raw("x", MAP, tarfile.XHDTYPE) + raw("s", b"0\n" + bytes(510)), "contains a sparse file"),
    (raw("x", MAP, tarfile.XHDTYPE) + raw("s", PAGES), "cannot be read beyond this point"),
    (raw("m", PAGES, b"M"), "continued from another volume"),
    (raw("x", kind=tarfile.XHDTYPE, size=1 << 33) + bytes(4096), "a header of 8589934592 bytes"),
    (raw("a", PAGES, size=1 << 60), "ends inside a file"),
    (raw("a", PAGES, size=-512), "a file of -512 bytes"),
    (raw("a")[:300], "truncated header"),
    (raw("a", b"x" * 100, tarfile.GNUTYPE_LONGNAME)[:600], "it ends before its last block"),
]


def test_what_an_archive_has_and_nobody_reads_is_damage(read):
    for archived, said in UNREADABLE:
        end = END if len(archived) > 600 else b""
        elements, (damage,), *_ = read(gzip.compress(raw("first", PAGES) + archived + end))
        assert reasons(elements)[:2] == BOTH and said in damage.message, said


def test_an_archive_in_an_archive_is_rejected_and_counted(read):
    inner = archive([PAGES])
    for packed in (inner, gzip.compress(inner)):
        elements, damage, *_ = read(raw("inner.tar", packed) + raw("b", joined([line(7)])) + END)
        assert reasons(elements)[-1] == "wikipedia-7" and damage == []
        assert "BAD_LINE" in reasons(elements)


def test_headers_without_files_take_time_in_proportion(read):
    long_names = raw("././@LongLink", b"x" * 400, tarfile.GNUTYPE_LONGNAME) * 3000
    elements, damage, *_ = read(bz2.compress(long_names[:1024] + raw("e") * 3000 + raw("a", PAGES) + END, 1))
    assert reasons(elements) == BOTH and damage == []
    elements, (damaged,), *_ = read(bz2.compress(raw("a", PAGES) + long_names + raw("b", PAGES) + END, 1))
    assert reasons(elements) == BOTH and "maximum recursion depth" in damaged.message


def test_a_page_that_a_snapshot_holds_twice_is_read_in_its_newest_version(read):
    lines = [line(1, version=5), line(2), line(1, version=9), line(1, version=9), line(1, version=7)]
    elements, *_ = read(joined(lines))
    assert reasons(elements) == ["OLD_VERSION", "wikipedia-2", "wikipedia-1", "OLD_VERSION", "OLD_VERSION"]
    assert elements[2].origin.revision == "9"
    assert [e.detail for e in elements if isinstance(e, Reject)] == [
        f"line {n}: version {v}" for n, v in ((1, 5), (4, 9), (5, 7))
    ]
    assert len({e.id for e in elements}) == 5


def test_versions_are_compared_over_files_and_ranges(read):
    first, second = [line(n, version=1) for n in range(1, 30)], [line(n, version=2) for n in range(20, 40)]
    for options in {}, SMALL:
        elements, *_ = read(gzip.compress(archive([joined(first)])), joined(second), **options)
        assert reasons(elements).count("OLD_VERSION") == 10
        kept = {e.id: e.origin.revision for e in elements if isinstance(e, RawDocument)}
        assert kept == {f"wikipedia-{n}": "1" if n < 20 else "2" for n in range(1, 40)}


def test_pages_of_other_wikis_are_other_pages(read):
    lines = [line(1), line(1, is_part_of={"identifier": "dewiki"})]
    assert reasons(read(joined(lines))[0]) == ["wikipedia-1"] * 2


REJECTED = {
    "BAD_LINE": [
        *(b"{", b"[]", b'"text"', b"null"),
        line(1)[:400],
        line(1).replace(b"otter", b"\xff\xfe"),
        *(line(1, article_body=body) for body in ({"wikitext": "x"}, [1], {"html": 3})),
        line(1, namespace={}),
        line(1, namespace="0"),
        line(1).decode().encode("utf-16"),
        b'{"a":' * 200_000,
    ],
    "BAD_PAGE": [
        *(line(1, identifier=identifier) for identifier in (None, -1, True, "1x", 0)),
        *(line(1, name=name) for name in ("", None, ["x"])),
    ],
    "EMPTY_PAGE": [line(1, text=None), line(1, text=""), line(1, text=" \n"), line(1, article_body=None)],
    "REDIRECT": [line(1, text='<section><link rel="mw:PageProp/redirect" href="./Otter" id="mwAg"/></section>')],
    "DISAMBIGUATION": [
        line(1, "Otter (disambiguation)"),
        line(1, text=SOME_HTML + '<meta property="mw:PageProp/disambiguation" about="#mwt1"/>'),
        line(1, text=SOME_HTML + '<table id="disambigbox" class="metadata dmbox dmbox-disambig"></table>'),
        line(
            1, text=SOME_HTML + """<p data-mw='{"parts":[{"template":{"target":{"wt":"Hndis\\n","href":"x"}}}]}'></p>"""
        ),
        line(1, text=SOME_HTML + '<p data-mw="{&quot;target&quot;:{&quot;wt&quot;:&quot;geodis&quot;}}"></p>'),
    ],
}


@pytest.mark.parametrize("reason", REJECTED)
def test_lines_that_hold_no_article_are_rejected(read, reason):
    for data in REJECTED[reason]:
        elements, damage, *_ = read(joined([line(7), data.replace(b"\n", b""), line(8)]))
        assert reasons(elements) == ["wikipedia-7", reason, "wikipedia-8"] and damage == [], data[:200]
        assert elements[1].detail.startswith("line 2: ") and "\n" not in elements[1].detail


ARTICLES = [
    line(1, namespace=None),
    line(1, identifier="1"),
    line(1).replace(b'"version": {"identifier": 9001', b'"version": {"x": 9001'),
    line(1, url=None),
    line(1, url="http://[x"),
    line(1, is_part_of=None),
    line(1, text=SOME_HTML + "mw:PageProp/redirect, and the words Hndis and (disambiguation)"),
    line(1, text=SOME_HTML + """<p data-mw='{"target":{"wt":"disambiguation needed"}}'></p>"""),
    b"\xef\xbb\xbf" + line(1),
]


def test_what_an_article_need_not_say_does_not_cost_it(read):
    for data in ARTICLES:
        assert reasons(read(joined([data]))[0]) == ["wikipedia-1"], data


def test_namespaces_are_chosen(read):
    lines = joined([line(1), line(2, ns=4), line(3, ns=10)])
    for namespaces, ids in ((0, 4), ["wikipedia-1", "wikipedia-2"]), ((0,), ["wikipedia-1"]):
        elements, _, (end,), _ = read(lines, namespaces=namespaces)
        others = 3 - len(ids)
        assert reasons(elements) == ids
        assert end.counts == {"documents/read": others, "documents/rejected/NAMESPACE": others}


def test_a_line_over_the_cap_is_rejected_and_never_held(read):
    lines = [line(1), line(2, text="x" * 30_000), line(3), line(4, text="y" * 30_000)]
    for pack in bytes, gzip.compress, lambda data: gzip.compress(archive([data])):
        elements, damage, *_ = read(pack(joined(lines)), max_line_bytes=20_000)
        assert reasons(elements) == ["wikipedia-1", "TOO_LARGE", "wikipedia-3", "TOO_LARGE"] and damage == []
        assert elements[1].detail == "line 2: longer than 20000 bytes"
        assert [e.origin.offset for e in elements[:3]] == sorted({e.origin.offset for e in elements[:3]})


def test_a_file_that_breaks_off_anywhere_is_damaged_and_gives_what_it_has(read):
    dice = random.Random(7)
    for pack in bytes, lambda data: gzip.compress(data, mtime=0):
        whole = pack(archive([joined(many(20)), joined(many(40)[20:])]))
        written = len(whole.rstrip(b"\0"))  # what follows in a plain archive is padding
        for end in [*(dice.randrange(600, written - 10) for _ in range(12)), written - 9]:
            elements, damage, *_ = read(whole[:end], **SMALL)
            found = [e.id for e in elements if isinstance(e, RawDocument)]
            assert damage and found == [f"wikipedia-{n}" for n in range(1, len(found) + 1)]
            assert len([e for e in elements if isinstance(e, Reject)]) <= 1
    elements, damage, *_ = read(joined([line(1), line(2)])[:-400])
    assert reasons(elements) == ["wikipedia-1", "BAD_LINE"]
    assert [d.message for d in damage] == ["the file ends inside line 2"]


def test_an_archive_that_is_damaged_in_the_middle_or_goes_on_after_its_end_says_so(read):
    text = bytearray(archive([joined([line(1)]), joined([line(2)])]))
    second = text.index(b"enwiki_namespace_0_1")
    text[second : second + 5] = b"\xff" * 5
    longer = archive([joined([line(1)])]) + archive([joined([line(2)])])
    for content, said in (bytes(text), "cannot be read beyond this point"), (longer, "data follows its end"):
        elements, (damage,), *_ = read(content)
        assert reasons(elements) == ["wikipedia-1"] and said in damage.message
    assert read(archive([member("folder/", tarfile.DIRTYPE)]))[:3] == ([], [], [])


def test_other_files_are_refused(read):
    for content in b"[{}]\n", b"PK\x03\x04xxxx", b"\x89PNG\r\n", "text".encode("utf-16"):
        with pytest.raises(SourceError, match="0.snapshot: "):
            read(content)


def test_a_limit_takes_the_first_lines(read):
    for pack in PACK.values():
        elements, damage, _ranges, files = read(pack(joined(many(9))), joined(many(20)[9:]), limit=12, **SMALL)
        assert reasons(elements) == [f"wikipedia-{n}" for n in range(1, 13)] and damage == []
        assert [file.sha256 for file in files] == [None, None]


def test_blank_lines_are_no_documents(read):
    for pack in PACK.values():
        assert reasons(read(pack(b"\n \n" + line(1) + b"\n\n\r\n" + line(2)))[0]) == ["wikipedia-1", "wikipedia-2"]


def test_a_document_of_a_plain_file_is_found_by_its_offset(tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_bytes(joined(many(5)))
    source = WikipediaHtmlSource.open([str(path)], SnapshotConfig())
    place = source.range_at(source.files[0], len(joined(many(2))))
    assert [e.id for e in read_range(place, source.config) if isinstance(e, RawDocument)] == ["wikipedia-3"]
    path.write_bytes(gzip.compress(joined(many(5))))
    assert source.range_at(source.files[0], 0) is None


def test_the_graph_reads_a_snapshot(tmp_path):
    (tmp_path / "workspace").mkdir()
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(archive([joined(many(30)), joined([line(3, version=1)])])))
    source = WikipediaHtmlSource(expand_inputs(str(path)), SnapshotConfig(**SMALL))
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        planned = pipeline | source.plan(str(tmp_path / "workspace"))
        read = planned.ranges | DealRanges() | source.read()
        ids = read | beam.Filter(lambda e: not isinstance(e, RangeEnd)) | beam.Map(lambda e: reasons([e])[0])
        assert_that(ids, equal_to([*(f"wikipedia-{n}" for n in range(1, 31)), "OLD_VERSION"]))
        assert_that(planned[SOURCES] | beam.Map(lambda s: s.kind), equal_to(["tar-gzip"]), label="files")
