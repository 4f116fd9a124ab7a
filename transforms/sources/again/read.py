"""Reading: old rows and rejects go to spills at once, and documents that are read again become documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow.parquet as pq

from gistmill.core.records import RangeEnd, Row
from gistmill.transforms.io import open_input, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.files import gunzip_chunks
from gistmill.transforms.sinks.schema import RowCodec
from gistmill.transforms.sinks.spill_file import SpillFile, SpillWriter
from gistmill.transforms.sinks.spills import REJECTS, RangeResult
from gistmill.transforms.sources.again.ranges import Again, OldRejects, OldShard
from gistmill.transforms.sources.files.source import Reader
from gistmill.transforms.sources.ranges import Range

_BATCH_ROWS = 64


def read_range(place: Range, *, reader: Reader) -> Iterator[Any]:
    """Yields the RangeResult of old rows or rejects; or the documents and rejects of an Again, and their RangeEnd.

    Args:
        place: an OldShard, OldRejects or Again.
        reader: of the source that the dataset was made of.
    """
    if isinstance(place, OldShard):
        yield _finished(place.workspace, RangeResult(place.key, (_rows(place),), {}))
    elif isinstance(place, OldRejects):
        spills = (_rejects(place),) if place.paths else ()
        result = RangeResult(place.key, spills, dict(place.counts), place.damage, place.arithmetic)
        yield _finished(place.workspace, result)
    elif isinstance(place, Again):
        yield from read_again(place, reader)
    else:
        raise TypeError(f"{place!r} is not a range of this source")


def read_again(place: Again, reader: Reader) -> Iterator[Any]:
    """Yields the wanted ones of what is at a place, then a RangeEnd; the counts of the dataset have them as read."""
    documents = 0
    for element in reader(place.place):
        if not isinstance(element, RangeEnd) and element.id in place.ids:
            documents += 1
            yield element
    yield RangeEnd(place.place.key, documents, counts={"documents/read": -documents})


def _finished(workspace: str, result: RangeResult) -> RangeResult:
    """Leaves the marker of a range whose spills are written."""
    write_json(WorkspaceLayout(workspace).marker(result.range_key), result.to_json())
    return result


def _rows(place: OldShard) -> SpillFile:
    codec = RowCodec(place.schema)
    writer = SpillWriter(WorkspaceLayout(place.workspace).new_spill(place.key), f"{place.schema.name}/{place.split}")
    with open_input(place.path) as file:
        for batch in pq.ParquetFile(file).iter_batches(_BATCH_ROWS):
            for values in batch.to_pylist():
                writer.add(*codec.encode(Row(place.schema.name, values["id"], values)))
    return writer.close()


def _rejects(place: OldRejects) -> SpillFile:
    writer = SpillWriter(WorkspaceLayout(place.workspace).new_spill(place.key), REJECTS)
    for path in place.paths:
        for line in _lines(gunzip_chunks(path)):
            value = json.loads(line)
            if value["id"] not in place.again:
                key = f"{value['id']}\0{value['index'] + 1:010d}"
                writer.add(key.encode("utf-8", "backslashreplace"), line)
    return writer.close()


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
