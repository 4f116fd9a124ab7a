"""Files of pairs and lists of stop words: the same texts out of every form, and one line on what is wrong."""

import bz2
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.rules.synthetic.language import WordsError
from gistmill.transforms.materials import read_stop_words
from gistmill.transforms.sources.rows import read_pairs

PAIRS = [("A long text. Two “sentences”.", "A text."), ("Another\u2028one.", "One.")]
FIELDS = ("article", "highlights")


def jsonl(rows):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode()


ROWS = [dict(zip(FIELDS, pair, strict=True)) for pair in PAIRS]
TSV = ("\n".join(["id\tarticle\thighlights", *(f"{i}\t{a}\t{b}" for i, (a, b) in enumerate(PAIRS))]) + "\n").encode()


def test_text_files(tmp_path):
    for name, content in {
        "p.jsonl": jsonl(ROWS),
        "p.ndjson": b"\xef\xbb\xbf" + jsonl(ROWS).replace(b"\n", b"\r\n\r\n"),
        "p.jsonl.gz": gzip.compress(jsonl(ROWS)),
        "p.JSONL.bz2": bz2.compress(jsonl(ROWS)),
        "p.tsv": TSV,
        "p.tsv.gz": gzip.compress(TSV.replace(b"\n", b"\r\n")),
    }.items():
        (tmp_path / name).write_bytes(content)
        assert list(read_pairs(str(tmp_path / name), FIELDS)) == PAIRS, name


def test_parquet(tmp_path):
    pq.write_table(pa.Table.from_pylist([{**r, "n": 1} for r in ROWS]), tmp_path / "p.parquet")
    assert list(read_pairs(str(tmp_path / "p.parquet"), FIELDS)) == PAIRS


def test_lists_are_lines(tmp_path):
    (tmp_path / "p.jsonl").write_bytes(jsonl([{"article": ["a b", "c"], "highlights": "d"}]))
    assert list(read_pairs(str(tmp_path / "p.jsonl"), FIELDS)) == [("a b\nc", "d")]


WRONG = [
    (
        "p.csv",
        b"article,highlights\na,b\n",
        "line 1: not JSON: it begins with 'article,highlights'; the file looks like CSV",
    ),
    ("p.jsonl", b"", "is empty"),
    ("p.jsonl", b'{"article": "a"}\n', "line 1: no text in field 'highlights'; fields: article"),
    ("p.jsonl", b'{"article": "a", "highlights": 3}\n', "line 1: no text in field 'highlights'"),
    ("p.jsonl", b'{"article": " ", "highlights": "b"}\n', "line 1: no text in field 'article'"),
    ("p.jsonl", b"\n3\n", "line 2: not a JSON object, but int"),
    ("p.jsonl", b"{\n", "line 1: not JSON"),
    ("p.jsonl", b"\xff\n", "not JSON Lines in UTF-8"),
    ("p.tsv", b"article\ta\n1\t2\n", "line 2: no text in field 'highlights'; fields: article, a"),
    ("p.jsonl.gz", gzip.compress(jsonl(ROWS))[:-9], "cannot be read: the stream that begins here is cut off"),
    ("p.parquet", b"PAR1 no", "is not a Parquet file"),
    ("p.tsv", TSV + b"1\tshort\n", "line 4: 2 cells, but the header has 3"),
    ("p.jsonl", jsonl(ROWS) + b'{"article": ' + b"[" * 100_000, ""),
]


def test_what_is_wrong_is_one_line(tmp_path):
    for name, content, said in WRONG:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError) as error:
            list(read_pairs(str(tmp_path / name), FIELDS))
        assert said in str(error.value) and str(tmp_path / name) in str(error.value)
    with pytest.raises(ValueError, match="no input file matches"):
        list(read_pairs(str(tmp_path / "missing.tsv"), FIELDS))


def test_stop_words_are_a_word_a_line():
    assert read_stop_words(b"\xef\xbb\xbfthe\r\n\n  don't \nthe\n", "stop.txt") == {"the", "don't"}
    nothing = "--stop-words stop.txt: the file contains no words; to keep all words, use --stop-words none"
    for content, problem in {
        b"the\nof a\n": "--stop-words stop.txt: line 2 contains several words: 'of a'",
        b"": nothing,
        b"\n \n": nothing,
        b"caf\xe9\n": "--stop-words stop.txt is not UTF-8 text: byte 3 cannot be decoded",
    }.items():
        with pytest.raises(WordsError) as raised:
            read_stop_words(content, "stop.txt")
        assert str(raised.value) == problem
