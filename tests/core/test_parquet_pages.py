"""Parquet files that unpack to far more than they are: refused before Arrow takes the memory, whatever a footer says."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.core import parquet_pages
from gistmill.core.parquet_pages import ParquetBomb, batches_of, table_of

MEBI = 1 << 20
ROWS = 5000
TABLE = pa.table(
    {
        "id": [f"r{n}" for n in range(ROWS)],
        "text": [f"He said {n}. " * (n % 40) for n in range(ROWS)],
        "kind": [f"kind {n % 3}" for n in range(ROWS)],
        "tokens": [[f"w{i % 7}" for i in range(n % 9)] for n in range(ROWS)],
        "edit": [{"at": n, "new": None if n % 3 else "x"} for n in range(ROWS)],
        "part": [None if n % 3 else n / 7 for n in range(ROWS)],
    }
)


DELTAS = {"id": "DELTA_BYTE_ARRAY", "text": "DELTA_LENGTH_BYTE_ARRAY"}
PAGES = {"data_page_size": 1000, "row_group_size": 999, "write_page_index": True, "write_page_checksum": True}
WAYS: list[dict[str, Any]] = [
    {},
    {"compression": "none", "row_group_size": 700},
    {"compression": "gzip", "version": "1.0"},
    {"data_page_version": "2.0", "compression": "zstd"},
    PAGES,
    {"use_dictionary": False, "column_encoding": DELTAS},
    {"use_dictionary": ["text"], "write_statistics": False},
]


def test_sound_files_are_read_as_they_are() -> None:
    for options in WAYS:
        file = io.BytesIO()
        pq.write_table(TABLE, file, **options)
        parquet = pq.ParquetFile(file)
        assert table_of(parquet, file).equals(TABLE), options
        assert table_of(parquet, file, columns=["kind", "tokens"]).equals(TABLE.select(["kind", "tokens"])), options
        assert next(batch.num_rows for batch in batches_of(parquet, file, 300, groups=[0])) == 300, options
        assert pa.Table.from_batches(batches_of(parquet, file, 300)).equals(TABLE), options
    file = io.BytesIO()
    pq.write_table(TABLE.slice(0, 0), file)
    assert table_of(pq.ParquetFile(file), file, columns=["id"]).equals(TABLE.select(["id"]).slice(0, 0))


@pytest.mark.slow
def test_a_large_row_group_is_read() -> None:
    file = io.BytesIO()
    text = pa.array([f"{n:08d}" * 4096 for n in range(8192)])  # 256 MiB in one row group
    pq.write_table(pa.table({"text": text}), file, compression="zstd", use_dictionary=False)
    assert sum(batch.num_rows for batch in batches_of(pq.ParquetFile(file), file, 256)) == 8192


def bomb(path: Path, kind: str, unit: int = MEBI) -> Path:
    """Writes a small file whose column of texts unpacks to some hundred units."""
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": False, "write_statistics": False}
    if kind == "dictionary":  # a long word once, and its number in the rows
        text = pa.DictionaryArray.from_arrays(pa.array([0] * 400, pa.int32()), pa.array(["x" * unit]))
        options["use_dictionary"] = ["text"]
    elif kind == "delta":  # each value repeats the one before
        text, options["column_encoding"] = pa.array(["x" * unit] * 400), {"text": "DELTA_BYTE_ARRAY"}
    elif kind == "pages":
        text, options["data_page_size"] = pa.array(["x" * unit] * 400, pa.large_string()), 1
    else:
        text = pa.array(["x" * (300 * unit), "ok."], pa.large_string())
    pq.write_table(pa.table({"id": [f"r{n:03d}" for n in range(len(text))], "text": text}), path, **options)
    return path if kind != "footer" else with_lying_footer(path)


def with_lying_footer(path: Path) -> Path:
    """Makes the footer say that the texts have 1,000 bytes."""
    data, group = path.read_bytes(), pq.read_metadata(path).row_group(0)
    for size in group.column(1).total_uncompressed_size, group.total_byte_size:
        assert data.count(said := varint(size)) >= 1
        data = data.replace(said, varint(1000, len(said)))
    path.write_bytes(data)
    assert pq.read_metadata(path).row_group(0).total_byte_size == 1000
    return path


def varint(number: int, length: int = 0) -> bytes:
    """A number as Thrift writes it, in at least so many bytes."""
    number *= 2
    parts: list[int] = []
    while number or len(parts) < length:
        parts.append(number & 127)
        number >>= 7
    return bytes([*(part | 128 for part in parts[:-1]), parts[-1]])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["page", "footer", "pages", "dictionary", "delta"])
def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    for name, limit in ("_MOST_PAGE", 4 * MEBI), ("_LARGE", 16 * MEBI), ("_MOST_AT_ONCE", 4 * MEBI):
        monkeypatch.setattr(parquet_pages, name, limit)
    path = bomb(tmp_path / "bomb.parquet", kind)
    assert path.stat().st_size < 100_000
    with path.open("rb") as file:
        parquet, before = pq.ParquetFile(file), pa.total_allocated_bytes()
        assert table_of(parquet, file, columns=["id"]).num_rows > 1  # the other column is sound
        with pytest.raises(ParquetBomb, match="refused as a decompression bomb; if you trust the file"):
            for batch in batches_of(parquet, file):
                assert pa.total_allocated_bytes() - before < 48 * MEBI, batch
                del batch


# What reads its own files: the workspace of a run.
OWN = {"core/parquet_pages.py", "transforms/range_files.py"}


def test_nothing_reads_parquet_around_the_limits() -> None:
    root = Path(__file__).parents[2]
    reading = r"\.(iter_batches|read_row_groups?|scan_contents|to_table)\(|pq\.read_table\(|ParquetFile\(.*\)\.read\("
    arguments = ["git", "grep", "-lE", reading, "--", "*.py", ":!tests", ":!benchmarks", ":!research"]
    found = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=True)
    assert set(found.stdout.split()) == OWN


def test_a_damaged_page_header_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = bomb(tmp_path / "torn.parquet", "pages", unit=9)
    data, start = bytearray(path.read_bytes()), pq.read_metadata(path).row_group(0).column(1).data_page_offset
    for damage in b"\x00" * 30, b"\xff" * 30, b"\x19" * 30:
        data[start : start + 30] = damage
        path.write_bytes(data)
        with path.open("rb") as file, pytest.raises(OSError, match="damaged"):
            table_of(pq.ParquetFile(file), file)


_READ = """
import resource, sys
import pyarrow.parquet as pq
from gistmill.core import parquet_pages
from gistmill.core.parquet_pages import ParquetBomb, table_of
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(sys.argv[1], "rb") as file:
    try:
        table_of(pq.ParquetFile(file), file)
    except ParquetBomb as error:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["page", "footer"])
def test_a_bomb_takes_no_memory(tmp_path: Path, kind: str) -> None:
    path = bomb(tmp_path / "bomb.parquet", kind)
    done = subprocess.run([sys.executable, "-c", _READ, path], capture_output=True, text=True, check=True)
    kibibytes, _, said = done.stdout.partition(" ")
    assert int(kibibytes) < 50_000 and "a page of 314,57" in said and "bomb" in said
