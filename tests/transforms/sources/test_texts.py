"""Source ``text``: files to documents and rejects, and the ids that they get."""

import bz2
import gzip
import lzma

import pytest
import zstandard

from gistmill.core.records import Origin, Reject
from gistmill.rules.documents import RawDocument
from gistmill.transforms.sources.documents import TextSource, texts_of
from gistmill.transforms.sources.files.ranges import SourceError
from tests.stores import MemoryStore
from tests.transforms.sources import reading

TEXT = "It rained in Zürich.\n\nThe trains were late.\n"
FILES = {"b.txt": TEXT, "a.md": "# A\n\nIt rained.", "sub/b.txt": "It snowed.", "sub/C.TXT": "Snow.", "v1.2.md": "Two."}
PACKED = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress, "xz": lzma.compress}


def put(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def read_one(folder, content, name="a.txt"):
    put(folder, {name: content})
    (element,), (end,), _ = reading.read(TextSource, [folder / name])
    assert end.documents == 1
    return element, end


def ids(*patterns):
    return [file.id for file in texts_of([str(pattern) for pattern in patterns])]


def test_a_file_is_a_document_under_its_name(tmp_path):
    element, end = read_one(tmp_path, TEXT, "My trip.v2.txt")
    origin = Origin("My trip.v2", "text", "My trip.v2", file=str(tmp_path / "My trip.v2.txt"), range_key=end.range_key)
    assert element == RawDocument(origin, TEXT, "plain")


def test_the_name_says_whether_a_text_is_markdown(tmp_path):
    names = {
        "a.md": "markdown",
        "b.MD.gz": "markdown",
        "c.txt": "plain",
        "d": "plain",
        "md": "plain",
        "e.md.txt": "plain",
    }
    for name, markup in names.items():
        assert read_one(tmp_path, TEXT, name)[0].markup == markup, name


@pytest.mark.parametrize(("suffix", "pack"), PACKED.items())
def test_a_file_may_be_packed(tmp_path, suffix, pack):
    put(tmp_path, {f"a.txt.{suffix}": pack(TEXT.encode()), "b.txt": pack(TEXT.encode())})
    found, _, files = reading.read(TextSource, [tmp_path])
    assert [(e.id, e.text) for e in found] == [("a", TEXT), ("b", TEXT)]  # bytes say what a file is packed with
    assert {f.kind for f in files} == {f"text-{ {'gz': 'gzip', 'zst': 'zstd'}.get(suffix, suffix) }"}


def test_a_byte_order_mark_and_other_line_ends_and_controls_are_no_text(tmp_path):
    assert read_one(tmp_path, b"\xef\xbb\xbfOne.\r\n\r\nTwo.\rThree.\x1b[0m")[0].text == "One.\n\nTwo.\nThree.[0m"


LARGE = b"a" * (16 << 20)
BAD = [
    (b"", "EMPTY_PAGE", ""),
    (b" \r\n", "EMPTY_PAGE", ""),
    (b"\xef\xbb\xbf\n", "EMPTY_PAGE", ""),
    (b"One.\nA caf\xe9.\n", "NOT_TEXT", "line 2 contains the byte e9"),
    (b"\xef\xbb\xbfOne.\n\xff", "NOT_TEXT", "line 2 contains the byte ff"),
    ("It rained.".encode("utf-16"), "NOT_TEXT", "line 1 contains the byte ff; it looks like UTF-16"),
    ("It rained.".encode("utf-16-le"), "NOT_TEXT", "line 1 contains the byte 00"),
    (b"%PDF-1.7\n%\xe2\n", "NOT_TEXT", "line 2 contains the byte e2; it looks like a PDF file"),
    (b"PK\x03\x04\x00", "NOT_TEXT", "line 1 contains the byte 00; it looks like a zip archive"),
    (LARGE + b"a", "TOO_LARGE", "over 16,777,216 bytes"),
    (gzip.compress(LARGE + b"a"), "TOO_LARGE", "over 16,777,216 bytes"),
]


def test_what_is_no_text_is_a_reject_that_says_where(tmp_path):
    for content, reason, detail in BAD:
        element, end = read_one(tmp_path, content)
        assert isinstance(element, Reject) and (element.reason.name, element.stage) == (reason, "read"), content[:99]
        assert element.id == "a" and element.detail.startswith(detail), content[:99]
        assert bool(element.detail) == bool(detail) and not end.damage, content[:99]
    assert len(read_one(tmp_path, LARGE)[0].text) == len(LARGE)


def test_a_packed_file_that_breaks_off_is_damage_and_no_document(tmp_path):
    element, end = read_one(tmp_path, gzip.compress(TEXT.encode())[:-12])
    assert element.reason.name == "NOT_TEXT" and "cut off" in element.detail
    assert [damage.file for damage in end.damage] == [str(tmp_path / "a.txt")]


def test_an_id_is_the_path_below_what_was_named(tmp_path, monkeypatch):
    put(tmp_path / "notes", FILES)
    monkeypatch.chdir(tmp_path)
    every = ["a", "b", "sub/C", "sub/b", "v1.2"]
    for name in "notes", "notes/", "./notes", tmp_path / "notes", "notes/**":
        assert ids(name) == every, name
    assert ids("notes/*.txt") == ["b"] and ids("notes/sub/b.txt") == ["b"] and ids("notes/*/b.txt") == ["sub/b"]
    assert ids("notes/a.md,notes/sub") == ["a", "C", "b"] and ids("notes/a.md", "notes") == every
    monkeypatch.chdir("notes")
    assert ids(".") == every and ids("*.md") == ["a", "v1.2"] and ids("../notes/b.txt") == ["b"]


def test_of_a_folder_only_texts_that_show_are_read(tmp_path):
    others = {"a.csv": "x", ".git/a.txt": "x", ".b.md": "x", "sub/.c/d.txt": "x", "txt": "x"}
    put(tmp_path / ".notes [1]", {**FILES, **others})
    assert ids(tmp_path / ".notes [1]") == ["a", "b", "sub/C", "sub/b", "v1.2"]
    put(tmp_path / "[1]", {"a-index.txt": "One.", "b.txt": "Two."})  # a file of the name, and a glob of such names
    assert ids(tmp_path / "[1]/b.txt") == ["b"] and ids(tmp_path / "?1]/*") == ["[1]/a-index", "[1]/b"]
    put(tmp_path / "none", {"a.csv": "x"})
    with pytest.raises(SourceError, match=r"no \.txt or \.md files in .*none$"):
        ids(tmp_path / "none")
    assert ids(tmp_path / "none" / "*") == ["a.csv"]  # who names a file wants it


def test_a_folder_of_a_store_is_one(monkeypatch):
    others = {"notes/.b/a.txt": b"x", "notes/a.csv": b"x", "notes2/a.md": b"x"}
    store = {**{f"notes/{name}": text.encode() for name, text in FILES.items()}, **others}
    monkeypatch.setattr(MemoryStore, "objects", {f"memory://in/{name}": text for name, text in store.items()})
    for name in "notes", "notes/":
        assert ids(f"memory://in/{name}") == ["a", "b", "sub/C", "sub/b", "v1.2"], name
    assert ids("memory://in/notes/a.md,memory://in/notes/sub/*.txt") == ["a", "b"]
    with pytest.raises(SourceError, match="no input file matches 'memory://in/none"):
        ids("memory://in/none")


def test_two_texts_never_have_one_id(tmp_path):
    put(tmp_path, {"a/x.txt": "One.", "b/x.txt": "Two.", "c/x.txt": "One.", "c/x.md": "Two."})
    for patterns in ("a/*", "b/*"), ("a", "b"), ("c",):
        with pytest.raises(
            SourceError, match=r"x\.\w+' and .*x\.txt' would both get the id 'x'; specify their common folder"
        ):
            ids(*(tmp_path / pattern for pattern in patterns))
    assert ids(tmp_path / "[ab]/*") == ids(tmp_path / "[ab]/x.txt") == ["a/x", "b/x"]


def test_an_id_is_one_line_and_never_empty(tmp_path):
    put(tmp_path, {"a\x07\n b.txt": "One.", ".txt": "Two.", "c/ .md": "Three."})
    assert ids(tmp_path / "*", tmp_path / "c" / "*") == [".txt", "a b", ".md"]


def test_a_limit_counts_files(tmp_path):
    put(tmp_path, FILES)
    found, _, files = reading.read(TextSource, [tmp_path], limit=2)
    assert [e.id for e in found] == ["a", "b"] and len(files) == 2
