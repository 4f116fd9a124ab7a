import bz2

import pytest

from gistmill.transforms.sources.wikipedia.dump import BadIndex, find_index, stream_of


@pytest.mark.parametrize(
    ("dump", "index"),
    [
        (
            "enwiki-20260101-pages-articles-multistream.xml.bz2",
            "enwiki-20260101-pages-articles-multistream-index.txt.bz2",
        ),
        (
            "enwiki-20260101-pages-articles-multistream1.xml-p1p41242.bz2",
            "enwiki-20260101-pages-articles-multistream-index1.txt-p1p41242.bz2",
        ),
        ("x-multistream.xml.bz2", "x-multistream-index.txt"),
    ],
)
def test_the_index_beside_a_dump_is_found(tmp_path, dump, index):
    assert find_index(str(tmp_path / dump)) is None
    (tmp_path / index).write_bytes(b"1:2:3\n")
    assert find_index(str(tmp_path / dump)) == str(tmp_path / index)
    assert find_index(str(tmp_path / "other.xml.bz2")) is None


CONTENT = "597:10:AccessibleComputing\n597:12:A:B\n700:13:É\n999:14:last".encode()


def offset_of(tmp_path, page, content=CONTENT, pack=bz2.compress):
    path = tmp_path / "index"
    path.write_bytes(pack(content))
    return stream_of(str(path), page)


@pytest.mark.parametrize("pack", [bz2.compress, bytes])
def test_the_stream_of_a_page_is_found(tmp_path, pack):
    found = [offset_of(tmp_path, page, pack=pack) for page in ("10", "12", "13", "14", "1", "A")]
    assert found == [597, 597, 700, 999, None, None]


def test_lines_that_are_none_of_an_index_name_no_stream(tmp_path):
    assert offset_of(tmp_path, "1", b"x\n\nx:1:a\n-3:1:a\n") is None


def test_a_line_without_an_end_is_refused(tmp_path):
    with pytest.raises(BadIndex, match="too long"):
        offset_of(tmp_path, "1", b"\0" * 10**7)


def test_a_damaged_index_is_refused(tmp_path):
    with pytest.raises(BadIndex, match="cut off"):
        offset_of(tmp_path, "2", b"5:1:a\n" * 100, pack=lambda data: bz2.compress(data)[:-5])
