"""Source ``table``: CSV, TSV and Parquet are read as the same rows are as JSON Lines; nothing is lost in silence."""

import bz2
import csv
import datetime
import gzip
import io
import lzma

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from gistmill.core import parquet_pages
from gistmill.core.records import Reject
from gistmill.rules.documents import ReadReason
from gistmill.transforms.sources.documents import DocumentsConfig, TableSource
from gistmill.transforms.sources.files.ranges import SourceError
from tests.commands import leftovers, manifest, succeed
from tests.transforms.sources import reading

ROWS = [
    {"id": f"r{n}", "text": f'He said "{n}",\nand left; it rained.\n\nA second\tparagraph.', "title": f"Title {n}"}
    for n in range(20)
]


def table(rows, delimiter):
    made = io.StringIO()
    writer = csv.DictWriter(made, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return made.getvalue().encode()


def parquet(rows, **options):
    made = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), made, **options)
    return made.getvalue()


FORMS = {
    "csv": table(ROWS, ","),
    "csv with a mark": b"\xef\xbb\xbf" + table(ROWS, ","),
    "csv with semicolons": table(ROWS, ";"),
    "tsv": table(ROWS, "\t"),
    "csv, gzip": gzip.compress(table(ROWS, ",")),
    "csv, bz2": bz2.compress(table(ROWS, ",")),
    "csv, zstd": zstandard.compress(table(ROWS, ",")),
    "csv, xz": lzma.compress(table(ROWS, ",")),
    "parquet": parquet(ROWS),
    "parquet, many groups": parquet(ROWS, row_group_size=3),
}


def read_bytes(tmp_path, content, **options):
    """The elements, and the RangeEnds."""
    (tmp_path / "input.dat").write_bytes(content)
    return reading.read(TableSource, [tmp_path / "input.dat"], **options)[:2]


def test_every_form_gives_the_same_documents(tmp_path):
    for form, content in FORMS.items():
        for range_bytes in None, 64:
            elements, ends = read_bytes(tmp_path, content, range_bytes=range_bytes)
            assert [(e.id, e.text, e.origin.title, e.origin.offset) for e in elements] == [
                (row["id"], row["text"], row["title"], number) for number, row in enumerate(ROWS)
            ], form
            assert not any(end.damage for end in ends), form
            assert (len(ends) > 1) == (form == "parquet, many groups" and range_bytes == 64)
        for limit in 1, 3, 7, 20, 99:
            elements, _ = read_bytes(tmp_path, content, limit=limit, range_bytes=64)
            assert [e.id for e in elements] == [row["id"] for row in ROWS[:limit]], form


def test_columns_are_chosen_by_name_and_ids_are_made_of_file_and_number(tmp_path):
    rows = [{"body": "It rained.", "head": "Rain", "at": datetime.date(2020, 1, 2)}, {"body": "B.", "head": None}]
    fields = {"text_field": "body", "title_field": "head", "date_field": "at", "id_field": "nothing"}
    (first, second), _ = read_bytes(tmp_path, parquet(rows), **fields)
    assert (first.id, first.origin.title) == ("table-input.dat-1", "Rain")
    assert first.origin.metadata.published == "2020-01-02"
    assert (second.id, second.origin.title) == ("table-input.dat-2", "")


def test_an_empty_id_is_none(tmp_path):
    rows = zip(("7", "", "\t ", None), "abcd", strict=True)
    for content in (
        b'id,text\r\n7,a\r\n,b\r\n  ,c\r\n"",d\r\n',
        b"id\ttext\n7\ta\n\tb\n \tc\n\td\n",
        b"id;text\n7;a\n;b\n\xc2\xa0;c\n;d\n",
        parquet([{"id": id_, "text": text} for id_, text in rows]),
    ):
        elements, _ = read_bytes(tmp_path, content)
        made = [("7", "a"), *((f"table-input.dat-{number}", text) for number, text in ((2, "b"), (3, "c"), (4, "d")))]
        assert [(e.id, e.text) for e in elements] == made, content


def test_a_list_of_paragraphs_is_a_text(tmp_path):
    (document,), _ = read_bytes(tmp_path, parquet([{"text": ["One.", "Two."]}]))
    assert document.text == "One.\n\nTwo."


def test_a_bad_row_is_rejected_alone(tmp_path):
    bad_line, empty = ReadReason.BAD_LINE, ReadReason.EMPTY_PAGE
    for line, reason, detail in (
        (b"r1", bad_line, "row 2: 1 cells, but the header has 2"),
        (b"r1,a,b", bad_line, "row 2: 3 cells, but the header has 2"),
        (b"r1,caf\xe9", bad_line, "row 2: not UTF-8"),
        (b"r1,  ", empty, "row 2: 'text' is empty"),
    ):
        (first, bad, last), ends = read_bytes(tmp_path, b"id,text\nr0,a\n\n" + line + b"\nr2,c\n")
        assert (first.text, last.text) == ("a", "c"), detail
        assert isinstance(bad, Reject) and (bad.reason, bad.detail, bad.stage) == (reason, detail, "read")
        assert not ends[0].damage, detail
    (bad, good), _ = read_bytes(tmp_path, parquet([{"id": "a", "text": None}, {"id": "b", "text": "It rained."}]))
    assert "'text' is neither a string nor a list" in bad.detail and good.id == "b"


def test_a_row_group_that_cannot_be_read_is_damage_and_others_are_read(tmp_path):
    content = bytearray(parquet(ROWS, row_group_size=10, compression="zstd", use_dictionary=False))
    metadata = pq.read_metadata(io.BytesIO(content))
    start = metadata.row_group(0).column(1).data_page_offset
    content[start : start + 60] = bytes(60)
    elements, ends = read_bytes(tmp_path, bytes(content))
    assert [e.id for e in elements][-10:] == [f"r{n}" for n in range(10, 20)]
    assert any("a row group cannot be read" in d.message for end in ends for d in end.damage)


def test_what_is_no_table_is_refused_by_name(tmp_path):
    for content, said in (
        (b"id,body,title\n1,a,b\n", "no field 'text'; the fields are 'id', 'body', 'title'; specify one with --text-"),
        (parquet([{"body": "a"}]), "no field 'text'; the fields are 'body'; specify one with --text-field$"),
        (b'{"text": "It rained."}\n', r"not a table .*; it looks like JSON Lines; did you mean --source jsonl\?$"),
        (b"It rained, and they left.\nThen it snowed.\n", r"; it looks like plain text; did you mean --source text\?$"),
        (b"%PDF-1.7\n", "but a PDF file; extract its text"),
        (b"PAR1 and no more", "is not a Parquet file"),
        (bytes(range(256)) * 4, r"not a table \(CSV, TSV or Parquet\)"),
    ):
        (tmp_path / "input").write_bytes(content)
        with pytest.raises(SourceError, match=said) as caught:
            TableSource.open([str(tmp_path / "input")], DocumentsConfig())
        assert str(caught.value).isprintable() and str(tmp_path / "input") in str(caught.value)


@pytest.mark.slow
def test_a_job_makes_rows_of_a_table(tmp_path):
    rows = [{"id": f"t{n}", "text": f"The bridge {n} was opened. It was painted in spring."} for n in range(30)]
    (tmp_path / "t.csv").write_bytes(table(rows, ","))
    options = ("--deduplicate", "none", "--quiet", "--workers", "2")
    succeed("articles", "--source", "table", "--input", tmp_path / "t.csv", "--output", tmp_path / "out", *options)
    made = pq.read_table(tmp_path / "out/default/parquet", columns=["id", "text", "document_id"]).to_pylist()
    assert manifest(tmp_path / "out")["counts"]["documents"] == {"read": 30, "used": 30}
    assert {row["document_id"]: row["text"] for row in made} == {row["id"]: row["text"] for row in rows}
    assert not leftovers(tmp_path)


def test_a_decompression_bomb_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_pages, "_MOST_PAGE", 1 << 20)
    rows = [{"id": "a", "text": "x " * (1 << 20)}, {"id": "b", "text": "It rained."}]
    with pytest.raises(
        SourceError, match=r"input\.dat: column 'text' .* refused as a decompression bomb; if you trust"
    ):
        read_bytes(tmp_path, parquet(rows, compression="zstd", use_dictionary=False))
