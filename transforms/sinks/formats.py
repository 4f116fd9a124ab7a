"""The output formats, and where their files lie in a dataset folder."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gistmill.core.dataset import ConfigSchema
from gistmill.transforms.sinks.jsonl import JsonlWriter, count_jsonl
from gistmill.transforms.sinks.parquet import ParquetWriter, count_parquet
from gistmill.transforms.sinks.spills import REJECTS
from gistmill.transforms.sinks.tfrecord import TfrecordWriter, count_tfrecords
from gistmill.transforms.sinks.tsv import TsvWriter, count_tsv


class Writer(Protocol):
    """Writes the rows of one file."""

    def add(self, values: Any, size: int) -> None:
        """Adds a row: its values in the order of the columns (for the rejects, the line), and their size in the
        spills."""

    def close(self) -> None:
        """Ends the file and closes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format: the end of its file names, how to write it, how to count the rows of a file by reading it again."""

    extension: str
    open: Callable[[io.RawIOBase, ConfigSchema], Writer]
    count: Callable[[str], int]


FORMATS = {
    "parquet": Format(extension="parquet", open=ParquetWriter, count=count_parquet),
    "tfrecord": Format(extension="tfrecord.gz", open=TfrecordWriter, count=count_tfrecords),
    "tsv": Format(extension="tsv", open=TsvWriter, count=count_tsv),
}
SIGNATURES = "signatures"  # files that are not a configuration: transforms/duplicates/signatures.py
REJECTS_FORMAT = Format(extension="jsonl.gz", open=lambda file, _: JsonlWriter(file), count=count_jsonl)


def formats_named(names: Iterable[str], *, row_group_bytes: int | None = None) -> dict[str, Format]:
    """Returns formats by name; ``row_group_bytes`` is for Parquet (see ParquetWriter), None for its default."""
    parquet = functools.partial(ParquetWriter, row_group_bytes=row_group_bytes)
    return {n: replace(FORMATS[n], open=parquet) if n == "parquet" else FORMATS[n] for n in names}


def published_name(config: str, split: str, format_name: str, index: int, of: int) -> str:
    """Returns the path of a shard in the dataset folder; ``config`` is ``rejects`` for the rejects, ``signatures`` for
    signatures."""
    part = f"{index:05d}-of-{of:05d}"
    if config == SIGNATURES:
        return f"{SIGNATURES}/part-{part}.{FORMATS[format_name].extension}"
    if config == REJECTS:
        return f"{REJECTS}/part-{part}.{REJECTS_FORMAT.extension}"
    return f"{config}/{format_name}/{split}-{part}.{FORMATS[format_name].extension}"
