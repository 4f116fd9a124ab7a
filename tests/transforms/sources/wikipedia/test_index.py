import bz2

import pytest

from gistmill.transforms.sources.wikipedia.index import BadIndex, find_index, index_offsets


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


def offsets(tmp_path, content, size=1000, pack=bz2.compress):
    path = tmp_path / "index"
    path.write_bytes(pack(content))
    return list(index_offsets(str(path), size))


def test_each_stream_is_given_once(tmp_path):
    content = "597:10:AccessibleComputing\n597:12:A:B\n700:13:É\n999:14:last".encode()
    assert offsets(tmp_path, content) == [597, 700, 999] == offsets(tmp_path, content, pack=bytes)
    assert offsets(tmp_path, b"".join(b"%d:1:T\n" % i for i in range(1, 90_000)), 10**6) == list(range(1, 90_000))


@pytest.mark.parametrize(
    "content",
    [
        b"5:1:a\n4:1:b\n",
        b"1000:1:a\n",
        b"-3:1:a\n",
        b"x\n",
        b"\n",
        b"0:1:a\n",
        b"9" * 5000 + b":1:a\n",
        b"\0" * 10**7,
        "٣:1:a\n".encode(),
    ],
)
def test_an_index_that_cannot_be_right_is_refused(tmp_path, content):
    with pytest.raises(BadIndex):
        offsets(tmp_path, content)


def test_a_damaged_index_is_refused(tmp_path):
    with pytest.raises(BadIndex, match="cut off"):
        offsets(tmp_path, b"5:1:a\n" * 100, pack=lambda data: bz2.compress(data)[:-5])
