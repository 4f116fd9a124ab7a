"""Files of pairs: JSON Lines, TSV and Parquet, as they should be and as they should not."""

import codecs
import itertools
import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Pair, Reject
from gistmill.rules.documents import PairReason, ReadReason
from gistmill.rules.recipe import PAIRS as PAIRS_SCHEMA
from gistmill.transforms.sources.files.ranges import UNREAD, SourceError
from gistmill.transforms.sources.pairs import PairsConfig, PairsSource
from tests.transforms.sources.pair_files import PAIRS, jsonl, read, texts, tsv, write_forms, write_parquet

GOOD = {"id": "good", "inputs": "Otters swim.", "targets": "Otters."}
EXPECTED = [(p["id"], p["inputs"], p["targets"]) for p in PAIRS]


@pytest.fixture(scope="module")
def forms(tmp_path_factory):
    return write_forms(tmp_path_factory.mktemp("forms"))


NAMES = [*(f"x.{form}{end}" for form in ("jsonl", "tsv") for end in ("", ".gz", ".bz2", ".zst")), "x.parquet"]


@pytest.mark.parametrize("range_bytes", [None, 100, 1500])
def test_every_form_gives_the_same_pairs_however_it_is_cut(forms, range_bytes):
    for name in NAMES:
        rows, ends, (file,) = read(forms[name], range_bytes=range_bytes)
        assert texts(rows) == EXPECTED, name
        assert rows[3].values == {**PAIRS[3], "document_id": "p3"} and rows[3].split == ""
        assert file.sha256 == UNREAD
        assert file.kind.startswith(name.split(".")[1])
        assert len(ends) > 5 or range_bytes != 100 or name not in ("x.jsonl", "x.tsv", "x.parquet")


def test_a_limit_counts_pairs_in_order(forms):
    cuts = itertools.product(["x.jsonl", "x.tsv", "x.tsv.gz", "x.parquet"], [1, 7, 8, 59, 60, 100], [None, 100])
    for name, limit, range_bytes in cuts:
        rows, _, (file,) = read(forms[name], limit=limit, range_bytes=range_bytes)
        assert texts(rows) == EXPECTED[:limit] and file.sha256 is None, (name, limit)


def test_a_limit_counts_over_files(tmp_path):
    (tmp_path / "a.tsv").write_bytes(tsv(PAIRS[:5]))
    (tmp_path / "b.jsonl").write_bytes(jsonl(PAIRS[5:9]))
    write_parquet(tmp_path / "c.parquet", PAIRS[9:], group=4)
    for limit in range(1, 15):
        rows, _, files = read(f"{tmp_path}/*", limit=limit)
        assert texts(rows) == EXPECTED[:limit]
        assert len(files) == (limit > 0) + (limit > 5) + (limit > 9)


def test_fields_have_names_and_lists_are_lines(tmp_path):
    rows = [{"key": n, "article": ["One.", "Two."], "summary": f"S{n}", "document_id": f"d{n % 2}"} for n in range(4)]
    (tmp_path / "a.jsonl").write_bytes(jsonl(rows))
    write_parquet(tmp_path / "b.parquet", rows)
    fields = {"id_field": "key", "inputs_field": "article", "targets_field": "summary"}
    for name in ("a.jsonl", "b.parquet"):
        found, _, _ = read(tmp_path / name, **fields)
        assert texts(found) == [(str(n), "One.\nTwo.", f"S{n}") for n in range(4)]
        assert found[1].values == {"id": "1", "inputs": "One.\nTwo.", "targets": "S1", "document_id": "d1"}
        assert [pair.document_id for pair in found] == ["d0", "d1", "d0", "d1"]


def test_without_ids_the_names_of_files_and_numbers_are_ids(tmp_path):
    (tmp_path / "d").mkdir()
    for empty in {}, {"id": ""}, {"id": " "}:
        rows = [{**empty, "inputs": f"In {n}.", "targets": "T."} for n in range(3)]
        (tmp_path / "a.jsonl").write_bytes(b"\n" + jsonl(rows))
        (tmp_path / "b.tsv").write_bytes(tsv(rows))
        write_parquet(tmp_path / "c.parquet", rows, group=2)
        found, _, _ = read(tmp_path / "a.jsonl", tmp_path / "b.tsv", tmp_path / "c.parquet")
        numbers = {"a.jsonl": (2, 3, 4), "b.tsv": (2, 3, 4), "c.parquet": (1, 2, 3)}
        assert [r.id for r in found] == [f"pairs-{name}-{n}" for name, of_file in numbers.items() for n in of_file]
        (tmp_path / "d" / "a.jsonl").write_bytes(jsonl(rows))
        found, _, _ = read(tmp_path / "a.jsonl", tmp_path / "d" / "a.jsonl")
        assert len({r.id for r in found}) == 6 and str(tmp_path) not in "".join(r.id for r in found)


BAD_LINES = [
    (b"no line", PairReason.BAD_ROW, "not JSON"),
    ({"inputs": "In."}, PairReason.NO_TEXT, "'targets'; the fields are 'inputs'; specify one with --targets-field"),
    ({"inputs": " \n", "targets": "T."}, PairReason.NO_TEXT, "'inputs' is empty"),
    ({"inputs": None, "targets": "T."}, PairReason.NO_TEXT, "'inputs' is empty"),
    ({"inputs": [], "targets": "T."}, PairReason.NO_TEXT, "'inputs' is empty"),
    ({"inputs": 7, "targets": "T."}, PairReason.BAD_ROW, "'inputs' is neither"),
    ({"inputs": ["a", 7], "targets": "T."}, PairReason.BAD_ROW, "'inputs' is neither"),
    ({"id": "a\u0000b", "inputs": "In.", "targets": "T."}, PairReason.BAD_ROW, "'id' is not a valid id"),
    ({"id": {"a": 1}, "inputs": "In.", "targets": "T."}, PairReason.BAD_ROW, "'id' is not a valid id"),
    ({"id": 1.5, "inputs": "In.", "targets": "T."}, PairReason.BAD_ROW, "'id' is not a valid id"),
    ({"id": "long", "inputs": "o" * 5000, "targets": "T."}, ReadReason.TOO_LARGE, "bytes long"),
]


def test_a_bad_line_is_a_reject_that_names_it(tmp_path):
    path = tmp_path / "x.jsonl"
    for line, reason, detail in BAD_LINES:
        path.write_bytes(jsonl([GOOD, line, {**GOOD, "id": "last"}]))
        first, bad, last = read(path, max_line_bytes=5000)[0]
        assert first.id == "good" and last.id == "last", detail
        assert isinstance(bad, Reject) and bad.reason is reason and bad.stage == "read" and bad.unit == "document"
        assert bad.detail.startswith("line 2: ") and detail in bad.detail and len(bad.detail) < 200


def test_a_reject_has_the_id_of_its_row_if_that_is_known(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(jsonl([GOOD, {"id": "mine", "inputs": "", "targets": "T."}, b"nothing"]))
    _, known, unknown = read(tmp_path / "x.jsonl")[0]
    assert known.id == "mine" and unknown.id == f"{tmp_path}/x.jsonl#{known.origin.offset + 46}"


def test_control_characters_and_lone_surrogates_do_not_reach_a_row(tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b'{"inputs": "a\\u0000b\\ud800c\\r\\nd", "targets": "T.\\u0085"}\n')
    (pair,) = read(tmp_path / "x.jsonl")[0]
    assert pair.inputs == "abc\nd" and pair.targets == "T.\n"


def test_a_tsv_row_of_another_width_is_a_reject(tmp_path):
    rows = b"T.\tx\tIn.\r\nT.\tIn.\r\nT.\tx\t\r\n\r\nT\xe9\tx\tIn.\r\na\tb\tc\td\r\n"
    (tmp_path / "x.tsv").write_bytes(b"\xef\xbb\xbftargets\tmore\tinputs\r\n" + rows)
    pair, short, empty, latin, long = read(tmp_path / "x.tsv")[0]
    assert (pair.inputs, pair.targets, pair.id) == ("In.", "T.", "pairs-x.tsv-2")
    assert {r.reason for r in (short, latin, long)} == {PairReason.BAD_ROW} and empty.reason is PairReason.NO_TEXT
    assert "2 cells, but the header has 3" in short.detail and "line 6" in latin.detail


def test_parquet_rows_without_text_and_without_utf_8_are_rejects(tmp_path):
    broken = pa.Array.from_buffers(pa.string(), 1, pa.array([b"caf\xe9"], pa.binary()).buffers())
    inputs = pa.chunked_array([["In.", None, "In."], broken, ["In."]]).combine_chunks()
    table = pa.table({"inputs": inputs, "targets": ["T.", "T.", " ", "T.", "T."], "id": [1, 2, 3, 4, None]})
    for group in (1, 2, 5):
        rows = read(write_parquet(tmp_path / f"x{group}.parquet", table, group=group))[0]
        assert [isinstance(row, Pair) for row in rows] == [True, False, False, False, True]
        assert rows[0].id == "1" and rows[4].id == f"pairs-x{group}.parquet-5"
        assert [r.reason for r in rows[1:4]] == [PairReason.NO_TEXT, PairReason.NO_TEXT, PairReason.BAD_ROW]
        assert rows[3].detail.startswith("row 4: ") and "utf-8" in rows[3].detail


def test_an_input_that_cannot_be_read_is_one_clear_line(tmp_path):
    other, key = jsonl([{"text": "a", "title": "b"}]), {"id_field": "key"}
    for name, content, options, message in (
        ("x.jsonl", other, {}, "no field 'inputs'; the fields are 'text', 'title'; specify one with --inputs-field"),
        ("x.jsonl", jsonl([GOOD]), key, "'key'; the fields are 'id', 'inputs', 'targets'; specify one with --id-"),
        ("x.tsv", b"id\tinputs\n1\tIn.\n", {}, "'targets'; the fields are 'id', 'inputs'; specify one with --targets-"),
        ("x.tsv", b"id\tinputs\tinputs\ttargets\n1\tA\tB\tC\n", {}, "has two columns named 'inputs'"),
        ("x.tsv", b"\n\n", {}, "the first line must contain the column names"),
        ("x.tsv", b"\xff\xfei\x00d\x00", {}, "not TSV in UTF-8"),
        ("x.jsonl", b"\x00\x01\x02", {}, "not JSON Lines in UTF-8"),
        ("x.jsonl", b"", {}, "is empty"),
        ("x.parquet", b"PAR1 and no more", {}, "x.parquet is not a Parquet file"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceError, match=message) as error:
            PairsSource.open([str(tmp_path / name)], PairsConfig(**options))
        assert "\n" not in str(error.value)


def test_a_parquet_column_that_holds_no_text_is_an_error(tmp_path):
    for kind in pa.int64(), pa.binary(), pa.struct([("a", pa.string())]), pa.list_(pa.int64()):
        table = pa.table({"inputs": pa.array([None], kind), "targets": ["T."]})
        with pytest.raises(SourceError, match="the column 'inputs' is .*, not text"):
            PairsSource.open([str(write_parquet(tmp_path / "x.parquet", table))], PairsConfig())


def test_two_options_cannot_name_one_field():
    with pytest.raises(ValueError, match="must differ"):
        PairsConfig(inputs_field="text", targets_field="text")


def test_files_of_pairs_have_four_columns(forms):
    assert PairsSource.open([str(forms["x.tsv"])], PairsConfig()).schema == PAIRS_SCHEMA


_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.text(max_size=4), max_size=3)
)
_ROWS = st.lists(
    st.one_of(
        st.dictionaries(st.sampled_from(["id", "inputs", "targets", "document_id", "x"]), _VALUES),
        st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"").replace(b"\0", b"") or b"x"),
    ),
    max_size=12,
)


@given(rows=_ROWS)
def test_every_line_is_a_pair_or_a_reject_wherever_ranges_end(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("law") / "x.jsonl"
    path.write_bytes(jsonl([GOOD, *rows]))
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows]
    wanted = 1 + sum(bool(line.removeprefix(codecs.BOM_UTF8).strip()) for line in lines)
    whole, cut = read(path)[0], read(path, range_bytes=30)[0]
    assert len(whole) == len(cut) == wanted
    for one, other in zip(whole, cut, strict=True):
        assert type(one) is type(other) and one.id == other.id
        if isinstance(one, Pair) and isinstance(other, Pair):
            assert one.values == other.values and one.inputs.strip() and one.targets.strip()
            json.dumps(one.values, ensure_ascii=False).encode("utf-8")


def test_a_folder_without_a_manifest_is_named(tmp_path):
    with pytest.raises(
        SourceError, match=f"^{tmp_path} is a folder without manifest.json, so it is not a published dataset$"
    ):
        PairsSource.open([str(tmp_path)], PairsConfig())
