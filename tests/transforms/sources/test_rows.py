"""Damaged and unusual files of rows: what each source makes of them."""

import datetime
import io

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.records import RangeEnd, Reject
from gistmill.transforms.sources.documents import JsonlSource, TableSource
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.pairs import PairsSource

SOURCES = {"jsonl": JsonlSource, "table": TableSource, "pairs": PairsSource}
HEAD = b"id\ttext\tinputs\ttargets\n"
GOOD, LAST = b"a\tA\tI\tT\n", b"z\tZ\tI\tT\n"
OBJECT = b'{"id": "%b", "text": "A", "inputs": "I", "targets": "T"}\n'
GOOD_LINE, LAST_LINE = OBJECT % b"a", OBJECT % b"z"
SHORT = "row 2: 2 cells, and the header has 4"


def parquet(**columns):
    made = io.BytesIO()
    names = [name.rstrip("_") for name in columns]  # two columns may have one name
    pq.write_table(pa.Table.from_arrays([pa.array(values) for values in columns.values()], names), made)
    return made.getvalue()


# name, content, and for each source ids and rejects in order, and damage at the end
CASES = [
    ("x.csv", HEAD + GOOD + b"b\tx\0y\tI\tT\n" + LAST, {"table": ["a", "b", "z"]}),
    ("x.tsv", HEAD + GOOD + b"b\tx\ty\0y\tT\n" + LAST, {"pairs": ["a", "b", "z"]}),
    (
        "x.jsonl",
        GOOD_LINE + b'{"text": "\0"}\n',
        {"jsonl": ["a", "line 2: not JSON: Invalid control character at (character 11)"]},
    ),
    ("x.tsv", b"\xef\xbb\xbf" + HEAD + GOOD + b"\xef\xbb\xbf" + LAST, {"pairs": ["a", "z"], "table": ["a", "\ufeffz"]}),
    (
        "x.tsv",
        HEAD + GOOD + b'b\t"B\tI\tT\n' + LAST,
        {"pairs": ["a", "b", "z"], "table": ["a", "row 2: not CSV: unexpected end of data"]},
    ),
    (
        "x.tsv",
        HEAD + GOOD + b'b\t"B"c\tI\tT\n' + LAST,
        {"pairs": ["a", "b", "z"], "table": ["a", "row 2: not CSV: ' ' expected after '\"'", "z"]},
    ),
    ("x.tsv", b'"id"x' + HEAD[2:] + GOOD, {"table": ["table-x.tsv-1"]}),
    (
        "x.tsv",
        HEAD + GOOD + b"b\tB",
        {"table": ["a", SHORT], "pairs": ["a", "line 3: 2 cells, and the header has 4", "the file ends inside line 3"]},
    ),
    (
        "x.tsv",
        HEAD + GOOD + b"b\tB\tI\t",
        {"pairs": ["a", "line 3: 'targets' is empty", "the file ends inside line 3"]},
    ),
    ("x.tsv", HEAD + GOOD + b"b\tB\tI\tT", {"table": ["a", "b"], "pairs": ["a", "b"]}),
    (
        "x.tsv",
        HEAD + GOOD + b"b\t" + b"x" * (17 << 20) + b"\tI\tT\n" + LAST,
        {
            "table": ["a", "row 2: 1 cells, and the header has 4", "z"],
            "pairs": ["a", f"line 3: {(17 << 20) + 6} bytes long", "z"],
        },
    ),
    (
        "x.jsonl",
        GOOD_LINE + b"x" * (17 << 20),
        {"jsonl": ["a", f"line 2: {17 << 20} bytes long", "the file ends inside line 2"]},
    ),
    ("x.tsv", b"id\ttext\ttext\tinputs\ttargets\na\tA\tB\tI\tT\n", {"table": ["a"], "pairs": ["a"]}),
    (
        "x.jsonl",
        GOOD_LINE + b'3\n[1]\nnull\n"text"\n' + LAST_LINE,
        {
            "jsonl": [
                "a",
                *(
                    f"line {n}: not a JSON object, but {kind}"
                    for n, kind in ((2, "int"), (3, "list"), (4, "NoneType"), (5, "str"))
                ),
                "z",
            ]
        },
    ),
    (
        "x.parquet",
        parquet(id=["a"], text=["A"], text_=["B"], inputs=["I"], targets=["T"]),
        {"table": ["a"], "pairs": ["a"]},
    ),
    (
        "x.parquet",
        parquet(id=[datetime.date(2020, 1, 2), None], text=["A", "B"], inputs=["I", "I"], targets=["T", "T"]),
        {
            "table": ["2020-01-02", "table-x.parquet-2"],
            "pairs": [
                "row 1: 'id' is not an id: a whole number, or a string of at most 200 characters without control characters",
                "pairs-x.parquet-2",
            ],
        },
    ),
    (
        "x.parquet",
        parquet(id=["a"], text=[{"a": "A"}], more=[{"b": [1]}]),
        {"table": ["row 1: 'text' is neither a string nor a list of strings"]},
    ),
]


def read(path, kind):
    """Ids and details of rejects, and the messages of damage."""
    source = kind.open([str(path)], kind.CONFIG())
    ranges = [place for place in source.planner("")(source.files) if isinstance(place, FileRange)]
    for element in (element for place in ranges for element in source.reader()(place)):
        if isinstance(element, RangeEnd):
            yield from (damage.message for damage in element.damage)
        else:
            yield element.detail if isinstance(element, Reject) else element.id


def test_a_damaged_file_gives_what_can_be_read_of_it(tmp_path):
    for name, content, expected in CASES:
        (tmp_path / name).write_bytes(content)
        for source, wanted in expected.items():
            assert list(read(tmp_path / name, SOURCES[source])) == wanted, (source, content[:100])
