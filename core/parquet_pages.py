"""Limits on the decompressed size of untrusted Parquet files, enforced before Arrow reads them.

A file's footer states the size of its columns but may be wrong. Arrow allocates memory according to each page header,
so the headers are read first (https://parquet.apache.org/docs/file-format/data-pages/). With an encoding that repeats
values, a value may be as long as its dictionary or page, so the larger these are, the fewer rows are read at a time.
The bytes read are counted as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

_MOST_PAGE = 256 << 20  # uncompressed bytes in a page; writers use pages of 1 MiB
_MOST_VALUES = 1 << 26  # values in a page; a row may contain any number of them
_MOST_AT_ONCE = 512 << 20  # bytes that dictionaries may produce in a batch of rows
# Bytes that a row group may always decompress to, and bytes per compressed byte: text is compressed to a tenth of its
# size, a bomb to a thousandth.
_LARGE, _MOST_RATIO = 1 << 30, 100
_HEADER, _LONGEST_HEADER = 1 << 10, 16 << 20
_DICTIONARY_PAGE = 2
_REPEATING = frozenset((2, 7, 8))  # encodings: dictionary (old and new), byte array delta
_REMEDY = "refused as a decompression bomb; if you trust the file, write it again with smaller pages and row groups"


class ParquetBomb(ValueError):
    """A Parquet file would use an unreasonable amount of memory; the message is meant to follow the file name."""


def batches_of(
    parquet: Any,
    file: Any,
    rows: int = 1 << 16,
    *,
    groups: Sequence[int] | None = None,
    columns: Sequence[str] | None = None,
) -> Iterator[Any]:
    """Yields record batches of a Parquet file. All code that reads columns uses this function.

    Args:
        parquet: its ``pyarrow.parquet.ParquetFile``.
        file: the open file that ``parquet`` reads.
        rows: maximum number of rows in a batch.
        groups: row groups to read; None: all.
        columns: names of columns to read; None: all.

    Raises:
        ParquetBomb: a limit of this module is exceeded.
        OSError: the header of a page is damaged.
    """
    for group in range(parquet.metadata.num_row_groups) if groups is None else groups:
        found = parquet.metadata.row_group(group)
        if not found.num_rows:
            continue
        chunks = [
            chunk
            for chunk in map(found.column, range(found.num_columns))
            if columns is None or any(f"{chunk.path_in_schema}.".startswith(f"{name}.") for name in columns)
        ]
        held = sum(max(chunk.total_compressed_size, 0) for chunk in chunks)
        most = max(_LARGE, _MOST_RATIO * held)
        if (size := sum(chunk.total_uncompressed_size for chunk in chunks)) > most:
            raise ParquetBomb(f"row group {group} decompresses from {held:,} to {size:,} bytes; {_REMEDY}")
        longest = max((_longest_value(file, parquet, group, chunk) for chunk in chunks), default=0)
        at_once = max(1, min(rows, _MOST_AT_ONCE // max(1, longest)))
        size = 0
        for batch in parquet.iter_batches(at_once, row_groups=[group], columns=None if columns is None else [*columns]):
            if (size := size + batch.nbytes) > most:
                raise ParquetBomb(f"row group {group} decompresses from {held:,} to over {most:,} bytes; {_REMEDY}")
            yield batch


def table_of(
    parquet: Any, file: Any, *, groups: Sequence[int] | None = None, columns: Sequence[str] | None = None
) -> Any:
    """Returns the same data as ``batches_of`` as a ``pyarrow.Table``."""
    batches = [*batches_of(parquet, file, groups=groups, columns=columns)]
    empty = parquet.schema_arrow.empty_table()
    if batches:
        return type(empty).from_batches(batches)
    return empty if columns is None else empty.select([*columns])


def _longest_value(file: Any, parquet: Any, group: int, chunk: Any) -> int:
    """Returns the largest possible size in bytes of a value that its page does not bound; checks the pages."""
    what = f"column {chunk.path_in_schema!r} of row group {group}"
    schema = parquet.metadata.schema
    leaves = (schema.column(i) for i in range(len(schema)))
    repeated = any(leaf.path == chunk.path_in_schema and leaf.max_repetition_level for leaf in leaves)
    longest = total = 0
    for header in _headers(file, chunk, what):
        size = header[2]
        page = header.get(5) or header.get(7) or header.get(8) or {}
        if size > _MOST_PAGE:
            raise ParquetBomb(f"{what} contains a page of {size:,} bytes, above the limit of {_MOST_PAGE:,}; {_REMEDY}")
        if repeated and page.get(1, 0) > _MOST_VALUES:
            raise ParquetBomb(
                f"{what} contains a page of {page[1]:,} values, above the limit of {_MOST_VALUES:,}; {_REMEDY}"
            )
        encoding = page.get(4 if 8 in header else 2)
        if header.get(1) == _DICTIONARY_PAGE or encoding in _REPEATING:
            longest = max(longest, size)
        total += size
        if total > max(_LARGE, _MOST_RATIO * chunk.total_compressed_size):
            raise ParquetBomb(f"{what} decompresses to over {total:,} bytes, more than its footer declares; {_REMEDY}")
    return longest


def _headers(file: Any, chunk: Any, what: str) -> Iterator[dict[int, Any]]:
    """Yields the page headers of a column; their sizes are not negative."""
    start = chunk.data_page_offset
    if chunk.has_dictionary_page and chunk.dictionary_page_offset and 0 < chunk.dictionary_page_offset < start:
        start = chunk.dictionary_page_offset
    end = start + chunk.total_compressed_size
    while start < end:
        header, length = _header_at(file, start, what)
        if min(header.get(2, -1), header.get(3, -1)) < 0:
            raise OSError(f"{what} has a damaged page header")
        yield header
        start += length + header[3]


def _header_at(file: Any, offset: int, what: str) -> tuple[dict[int, Any], int]:
    """Returns the fields of the page header at an offset, by field number, and the header's length."""
    window = _HEADER
    while window <= _LONGEST_HEADER:
        if hasattr(file, "read_at"):
            data = file.read_at(window, offset)
        else:
            file.seek(offset)
            data = file.read(window)
        try:
            return _struct(data, 0)
        except IndexError:
            if len(data) < window:
                break
            window *= 16
    raise OSError(f"{what} has a damaged page header")


def _struct(data: bytes, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """Reads a struct in Thrift's compact protocol with the types used in page headers: booleans, integers, byte strings
    and structs. Returns its fields by number, and its end."""
    fields: dict[int, Any] = {}
    number = 0
    while head := data[at]:
        at += 1
        if head >> 4:
            number += head >> 4
        else:
            number, at = _integer(data, at)
        kind = head & 15
        value: Any = None
        if kind == 3:
            at += 1
        elif 4 <= kind <= 6:
            value, at = _integer(data, at)
        elif kind == 8:
            length, at = _varint(data, at)
            at += length
        elif kind == 12 and depth < 4:
            value, at = _struct(data, at, depth + 1)
        elif kind not in (1, 2):  # true and false take no bytes
            raise OSError("a page header is damaged")
        fields[number] = value
    return fields, at + 1


def _integer(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise OSError("a page header is damaged")
