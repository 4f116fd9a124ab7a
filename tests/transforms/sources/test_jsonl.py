"""Source ``jsonl``: lines to documents and rejects, whatever the file is compressed with and wherever it is cut."""

import bz2
import gzip
import json
import re

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.documents import DocumentsConfig, JsonlSource
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.sniff import shown
from gistmill.transforms.sources.lines import BOM
from tests.transforms.sources import reading

COMPRESS = {"plain": bytes, "gzip": gzip.compress, "bz2": bz2.compress, "zstd": zstandard.compress}


def read(paths, **options):
    """Everything but the RangeEnds, and these."""
    return reading.read(JsonlSource, paths, **options)[:2]


def read_lines(tmp_path, *lines, end=b"\n", **options):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines) + end)
    return read([path], **options)


def read_one(tmp_path, line, **fields):
    (element,), (end,) = read_lines(tmp_path, line, **fields)
    assert end.documents == 1
    return element


def test_a_line_becomes_a_document(tmp_path):
    line = {"id": 17, "text": ["One.", "Two."], "title": " A\nTitle ", "date": "2020-01-10", "x": 1}
    element = read_one(tmp_path, {**line, "url": "https://example.org"})
    place = {"file": str(tmp_path / "x.jsonl"), "range_key": element.origin.range_key}
    metadata = Metadata(url="https://example.org", published="2020-01-10")
    origin = Origin("17", "jsonl", "A Title", **place, metadata=metadata)
    assert element == RawDocument(origin, "One.\n\nTwo.", "plain")


def test_fields_have_other_names(tmp_path):
    line = {"key": "k", "body": "<p>Text", "head": 5, "link": "u", "day": 2020, "text": "no"}
    fields = {"id": "key", "text": "body", "title": "head", "url": "link", "date": "day"}
    options = {f"{name}_field": field for name, field in fields.items()}
    element = read_one(tmp_path, line, **options, text_markup="html")
    assert (element.id, element.text, element.origin.title, element.markup) == ("k", "<p>Text", "5", "html")
    assert element.origin.metadata == Metadata(url="u", published="2020")


def test_an_empty_id_is_none(tmp_path):
    found, _ = read_lines(tmp_path, *({"text": "a", "id": value} for value in ("7", "", " \t", None, 0)))
    label = found[1].id.removesuffix("-2")
    assert [e.id for e in found] == ["7", *(f"{label}-{number}" for number in (2, 3, 4)), "0"] and label[:6] == "jsonl-"


BAD_LINES = [
    (b"{not json}", "BAD_LINE", "line 2: not JSON"),
    (b"[1, 2]", "BAD_LINE", "line 2: not a JSON object, but list"),
    (b'"text"', "BAD_LINE", "not a JSON object"),
    (b'{"txt": "a"}', "BAD_LINE", "no field 'text'; the fields are 'txt'; specify one with --text-field"),
    ({"text": None}, "BAD_LINE", "neither a string nor a list"),
    ({"text": ["a", 1]}, "BAD_LINE", "neither"),
    ({"text": "a", "id": 1.5}, "BAD_LINE", "'id' is not a valid id"),
    ({"text": "a", "id": True}, "BAD_LINE", "'id' is not a valid id"),
    ({"text": "a", "id": "a\tb"}, "BAD_LINE", "'id' is not a valid id"),
    ({"text": "a", "id": "x" * 201}, "BAD_LINE", "'id' is not a valid id"),
    (b'{"text": "\xff"}', "BAD_LINE", "not UTF-8"),
    ('{"text": "a"}'.encode("utf-16-le"), "BAD_LINE", "not JSON"),
    (b"\x00", "BAD_LINE", "not JSON"),
    (b"[" * 100_000, "BAD_LINE", "nested too deep"),
    (b'{"text": "a", "n": ' + b"1" * 5000 + b"}", "BAD_LINE", "not JSON"),
    ({"text": " \n "}, "EMPTY_PAGE", "'text' is empty"),
    ({"text": []}, "EMPTY_PAGE", "empty"),
    ({"text": "a" * 5000}, "TOO_LARGE", "bytes long"),
]


def test_a_bad_line_is_a_reject_with_its_number(tmp_path):
    for line, reason, detail in BAD_LINES:
        cap = 4096 if reason == "TOO_LARGE" else 1 << 20
        (first, bad, last), ends = read_lines(tmp_path, {"text": "a"}, line, {"text": "b"}, max_line_bytes=cap)
        assert isinstance(bad, Reject) and (bad.reason.name, bad.stage) == (reason, "read"), detail
        assert bad.detail.startswith("line 2: ") and detail in bad.detail
        assert bad.id == f"{bad.origin.file}#{bad.origin.offset}" and bad.origin.offset == len(b'{"text": "a"}\n')
        assert [first.text, last.text] == ["a", "b"], detail
        assert sum(e.documents for e in ends) == 3 and not any(e.damage for e in ends), detail


def test_of_many_and_long_fields_some_are_named(tmp_path):
    reject = read_one(tmp_path, {"f" * 5000: 1, **{f"field{n}": 1 for n in range(100)}})
    assert reject.detail.startswith(f"line 1: no field 'text'; the fields are '{'f' * 23}…', 'field0', ")
    assert reject.detail.endswith(" 'field6' and 93 more; specify one with --text-field") and len(reject.detail) < 320
    assert "no field 'text'; there are no fields; " in read_one(tmp_path, {}).detail


def test_a_line_that_is_not_json_says_what_the_file_looks_like(tmp_path):
    path = tmp_path / "x.jsonl"
    for compress in COMPRESS.values():
        path.write_bytes(compress(b"id,text\n" + b'1,"a, b"\n' * 5 + b'{"text": "a"}'))
        (*rejects, document), ends = read([path])
        assert document.text == "a" and [e.detail for e in rejects] == [
            f"line {n}: not JSON: it begins with {begins!r}; the file looks like CSV"
            for n, begins in enumerate(["id,text", *['1,"a, b"'] * 5], 1)
        ]
        assert not any(end.damage for end in ends)


def test_a_bad_line_among_good_ones_says_nothing_of_the_file(tmp_path):
    (_, bad), _ = read_lines(tmp_path, {"text": "a"}, b'{"text": "b')
    assert bad.detail == "line 2: not JSON: Unterminated string starting at (character 10)"


def test_a_last_line_without_an_end_is_damage_if_it_breaks_off(tmp_path):
    whole = [b'{"text": "b"}', b'{"body": "b"}', b"[1, 2]", b"plain text"]
    broken = [b'{"text": "b', b'{"text": "caf\xc3', b"x" * 200]  # the last is over the cap, so that nothing tells
    for last in [*whole, *broken]:
        elements, ends = read_lines(tmp_path, {"text": "a"}, last, end=b"", max_line_bytes=100)
        said = [d.message for end in ends for d in end.damage]
        assert len(elements) == 2 and said == (["the file ends inside line 2"] if last in broken else []), last
        assert not any(end.damage for end in read_lines(tmp_path, {"text": "a"}, last, max_line_bytes=100)[1]), last
    for end in b"\n", b"", b"\n\n":
        elements, ends = read_lines(tmp_path, {"text": "a"}, end=end)
        assert len(elements) == 1 and not any(e.damage for e in ends)


def test_what_documents_must_not_hold_is_taken_out(tmp_path):
    element = read_one(tmp_path, rb'{"text": "a\u0000b\ud800c \ud83d\ude00", "title": "\u0001t\ud800"}')
    assert (element.text, element.origin.title) == ("abc 😀", "t")


def test_a_line_without_an_id_gets_one_from_its_place(tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.jsonl").write_bytes(b'{"text": "a"}\n\n{"text": "b", "id": null}\r\n')
    (one, two), _ = read([tmp_path / "a/x.jsonl"])
    assert [one.id, two.id] == ["jsonl-x.jsonl-1", "jsonl-x.jsonl-3"]
    paths = [tmp_path / "a/x.jsonl", tmp_path / "b/x.jsonl"]
    assert JsonlSource.open([str(p) for p in paths], DocumentsConfig()).config.shared == {"x.jsonl"}
    elements, _ = read(paths)
    assert len({e.id for e in elements}) == 4 and not [e.id for e in elements if "/" in e.id]


def test_blank_lines_and_marks_are_not_documents(tmp_path):
    elements, (end,) = read_lines(tmp_path, BOM, b"", b"  \r", {"text": "a"}, b"", end=b"")
    assert [e.id for e in elements] == ["jsonl-x.jsonl-4"] and end.documents == 1
    line = BOM + b'{"text": "a"}'
    assert [e.text for e in read_lines(tmp_path, line, line, BOM)[0]] == ["a", "a"]


def test_compressed_files_that_break_off_are_damaged(tmp_path):
    lines = b"".join(json.dumps({"text": f"{n} {n * 7919 % 10007} " * 40}).encode() + b"\n" for n in range(500))
    for name in "gzip", "bz2", "zstd":
        (tmp_path / "x.jsonl").write_bytes(COMPRESS[name](lines)[:-40])
        elements, (end,) = read([tmp_path / "x.jsonl"])
        assert len(end.damage) == 1 and end.documents == len(elements) <= 500, name
        assert all(isinstance(e, RawDocument) for e in elements[:-1]), name


@given(
    st.lists(st.one_of(st.text(max_size=40), st.sampled_from(["", "bad", "long"])), min_size=1, max_size=30),
    st.booleans(),
    st.sampled_from(sorted(COMPRESS)),
    st.integers(1, 200),
    st.integers(1, 35),
)
def test_ranges_limits_and_compression_change_nothing(tmp_path_factory, texts, closed, name, size, limit):
    made = {"": b"", "bad": b"{", "long": json.dumps({"text": "x" * 300}).encode()}
    lines = [made[t] if t in made else json.dumps({"text": t}, ensure_ascii=t < "m").encode() for t in texts]
    content = b"\n".join(lines) + (b"\n" if closed else b"")
    if not content:
        return
    folder = tmp_path_factory.mktemp("j")
    (folder / "x.jsonl").write_bytes(content)
    whole, ends = read([folder / "x.jsonl"], range_bytes=1 << 30, max_line_bytes=200)
    assert len(ends) == 1
    assert [e.id for e in whole if isinstance(e, RawDocument)] == [
        f"jsonl-x.jsonl-{n}"
        for n, t in enumerate(texts, 1)
        if t not in made and t.strip() and any(e.id.endswith(f"-{n}") for e in whole)
    ]
    assert len(whole) == sum(bool(line.strip()) for line in lines)
    (folder / "x.jsonl").write_bytes(COMPRESS[name](content))

    def plain(elements):
        return [(e.id, getattr(e, "text", None), getattr(e, "detail", None), e.origin.offset) for e in elements]

    parts, _ = read([folder / "x.jsonl"], range_bytes=size, max_line_bytes=200)
    assert plain(parts) == plain(whole)
    first, _ = read([folder / "x.jsonl"], range_bytes=size, max_line_bytes=200, limit=limit)
    assert plain(first) == plain(whole)[:limit]


def test_lines_are_numbered_over_the_whole_file(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"".join(b'{"text": "%b"}\n' % (b"x" * (n % 900)) for n in range(1, 7000)))
    elements, ends = read([path], range_bytes=1_300_000)
    assert len(ends) > 2
    assert [int(e.id.rpartition("-")[2]) for e in elements if isinstance(e, RawDocument)] == [
        n for n in range(1, 7000) if n % 900
    ]
    assert all(
        e.detail.startswith(f"line {n}:")
        for e, n in zip((e for e in elements if isinstance(e, Reject)), range(900, 7000, 900), strict=True)
    )


def test_binary_files_are_refused_by_name(tmp_path):
    for content, looks in (
        ('{"text": "a"}'.encode("utf-16"), "; it looks like UTF-16"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), ""),
        (b"\x7fELF\x02\x01", ""),
    ):
        (tmp_path / "bad.jsonl").write_bytes(content)
        begins = re.escape(shown(content))
        with pytest.raises(SourceError, match=f"bad.jsonl: not JSON Lines in UTF-8: it begins with {begins}{looks}$"):
            JsonlSource.open([str(tmp_path / "bad.jsonl")], DocumentsConfig())


def test_a_json_array_is_refused_as_what_it_is(tmp_path):
    for content in b'[{"text": "a"}]', b' [\n{"text": "a"},\n{"text": "b"}\n]\n', b"\xef\xbb\xbf[\n":
        for pack in bytes, gzip.compress:
            (tmp_path / "array.json").write_bytes(pack(content))
            source = JsonlSource.open([str(tmp_path / "array.json")], DocumentsConfig())  # the job fails, with code 1
            with pytest.raises(SourceError, match=r"array\.json: a JSON array, not JSON Lines"):
                list(source.planner("")(source.files))
