"""Damaged and unusual files of rows: what each source makes of them."""

import datetime
import io

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.records import Reject
from gistmill.transforms.sources.documents import JsonlSource, TableSource
from gistmill.transforms.sources.pairs import PairsSource
from tests.transforms.sources import reading

SOURCES = {"jsonl": JsonlSource, "table": TableSource, "pairs": PairsSource}
TSV, LAST = b"id\ttext\tinputs\ttargets\na\tA\tI\tT\n", b"z\tZ\tI\tT\n"
LINE, LONG = b'{"id": "a", "text": "A"}\n', 17 << 20
MARK, WIDE = b"\xef\xbb\xbf", "2 cells, but the header has 4"


def parquet(*columns, names=("id", "text", "inputs", "targets")):
    made = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array(values) for values in columns], names), made)
    return made.getvalue()


NOT_AN_ID = "'id' is not a valid id: it must be a whole number or a string of at most 200 characters, without control"
DATES = parquet([datetime.date(2020, 1, 2), None], *(["A", "B"],) * 3)
TWICE = parquet(*(["a"],) * 5, names=["id", "text", "text", "inputs", "targets"])
# sources, content, and what they read in order: ids and details of rejects, then damage
CASES = [
    ("table pairs", TSV + b"b\tx\0y\tI\tT\n" + LAST, ["a", "b", "z"]),
    ("table pairs", TSV + b"b\tB\tI\tT", ["a", "b"]),
    ("table pairs", TSV.replace(b"\t", b"\ttext\t"), ["a"]),
    ("pairs", MARK + TSV + MARK + LAST, ["a", "z"]),
    ("table", MARK + TSV + MARK + LAST, ["a", "\ufeffz"]),
    ("table pairs", "名\t".encode() + TSV.replace(b"\na", b"\nx\ta"), ["a"]),
    ("pairs", TSV + b'b\t"B\tI\tT\n' + LAST, ["a", "b", "z"]),
    ("table", TSV + b'b\t"B\tI\tT\n' + LAST, ["a", "row 2: not CSV: unexpected end of data"]),
    ("pairs", TSV + b'b\t"B"c\tI\tT\n' + LAST, ["a", "b", "z"]),
    ("table", TSV + b'b\t"B"c\tI\tT\n' + LAST, ["a", "row 2: not CSV: ' ' expected after '\"'", "z"]),
    ("table", b'"id"x' + TSV[2:], ["table-x.tsv-1"]),
    ("pairs", TSV + b"b\tB", ["a", f"line 3: {WIDE}", "the file ends inside line 3"]),
    ("table", TSV + b"b\tB", ["a", f"row 2: {WIDE}"]),
    ("pairs", TSV + b"b\tB\tI\t", ["a", "line 3: 'targets' is empty", "the file ends inside line 3"]),
    ("pairs", TSV + b"x" * LONG + b"\n" + LAST, ["a", f"line 3: {LONG} bytes long", "z"]),
    ("table", TSV + b"x" * LONG + b"\n" + LAST, ["a", "row 2: 1 cells, but the header has 4", "z"]),
    ("jsonl", LINE + b"x" * LONG, ["a", f"line 2: {LONG} bytes long", "the file ends inside line 2"]),
    ("jsonl", LINE + b'"\0"', ["a", "line 2: not JSON: it begins with '\"\\x00\"'"]),
    (
        "jsonl",
        LINE + b"3\n[]\n",
        ["a", *(f"line {n}: not a JSON object, but {k}" for n, k in ((2, "int"), (3, "list")))],
    ),
    ("table pairs", TWICE, ["a"]),
    ("table", DATES, ["2020-01-02", "table-x.tsv-2"]),
    ("pairs", DATES, [f"row 1: {NOT_AN_ID} characters", "pairs-x.tsv-2"]),
    (
        "table",
        parquet(["a"], [{"b": 1}], names=["id", "text"]),
        ["row 1: 'text' is neither a string nor a list of strings"],
    ),
]


def told(path, kind):
    elements, ends, _ = reading.read(kind, [path])
    details = [e.detail if isinstance(e, Reject) else e.id for e in elements]
    return details + [damage.message for end in ends for damage in end.damage]


def test_a_damaged_file_gives_what_can_be_read_of_it(tmp_path):
    for sources, content, expected in CASES:
        (tmp_path / "x.tsv").write_bytes(content)
        for source in sources.split():
            assert told(tmp_path / "x.tsv", SOURCES[source]) == expected, (source, content[:100])
