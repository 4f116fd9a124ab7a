"""TSV files as other programs read them: no quoting, as in the released DiscoFuse files."""

import ast
import csv
import re
from pathlib import Path

import duckdb
import pandas
import polars
import pytest

from gistmill.core.statistics import Column, ConfigSchema
from gistmill.pipelines.reporting.manifest import tsv_readers
from gistmill.transforms.sinks.tsv import TsvWriter, count_tsv

TEXTS = [
    '"An open quotation mark .',
    '" Quoted , " he said .',
    '"',
    "NA",
    "null",
    "It 's \\N , \\t and \\ .",
    "# no comment",
    "Être ou ne pas être , 日本 .",
]
LIBRARIES = {"csv": csv, "pandas": pandas, "polars": polars, "duckdb": duckdb}
DOCS = Path(__file__).parents[3] / "docs" / "dataset.md"


@pytest.fixture
def written(tmp_path):
    columns = (Column("text", "string", "."), Column("other", "string", "."), Column("flag", "bool", "."))
    path = tmp_path / "train-00000-of-00001.tsv"
    writer = TsvWriter(path.open("wb", buffering=0), ConfigSchema(name="full", columns=columns))
    for text in TEXTS:
        writer.add(["x", text, "", True], 0)
    writer.close()
    return path


def rows(table, name):
    if name == "duckdb":
        return [tuple(row) for row in table.fetchall()]
    return list(table.itertuples(index=False, name=None)) if name == "pandas" else table.rows()


@pytest.mark.parametrize("name", ["pandas", "polars", "duckdb"])
def test_the_line_of_the_card_reads_every_text_as_it_is(written, name):
    empty = "" if name == "pandas" else None
    table = eval(tsv_readers(str(written))[name], LIBRARIES)
    assert rows(table, name) == [("x", text, empty, 1) for text in TEXTS]
    assert count_tsv(str(written)) == len(TEXTS)


def test_a_reader_that_expects_quoting_does_not_find_the_end(written):
    with pytest.raises(pandas.errors.ParserError, match="EOF inside string"):
        pandas.read_csv(written, sep="\t")


def test_the_documentation_has_the_lines_of_the_card():
    (block,) = re.findall(r"```python\n(import csv\n.*?)```", DOCS.read_text(encoding="utf-8"), re.S)
    shown = [ast.unparse(line) for line in ast.parse(block).body if isinstance(line, ast.Expr)]
    lines = tsv_readers("discofuse-en/full/tsv/train-00000-of-00001.tsv").values()
    assert shown == [ast.unparse(ast.parse(line)) for line in lines]
