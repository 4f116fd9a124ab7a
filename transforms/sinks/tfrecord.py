"""TFRecord files of tf.train.Example."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import Any

from gistmill.core.framing import FramingError, tfrecord, tfrecords
from gistmill.core.statistics import ConfigSchema
from gistmill.core.tf_example import example_maker
from gistmill.transforms.sinks.cuts import Cutter
from gistmill.transforms.sinks.files import gunzip_chunks, open_gzip

STRETCH_BYTES = 2 * 1024 * 1024  # the longest that are compressed together, before compression
_LEAST, _MORE = 0.125, 0.375


class TfrecordWriter:
    """Writes the rows of one configuration as gzipped TFRecords. Compression starts anew at rows that hashes of ids
    choose, so that the bytes after a row that changed soon are those of before."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._cutter = Cutter(least=_LEAST, more=_MORE)
        self._gzip = open_gzip(file)
        self._make = example_maker(schema.columns)

    def add(self, values: list[Any], size: int) -> None:
        """Adds a row."""
        if self._cutter.begins(values[self._id], size / STRETCH_BYTES):
            self._gzip.flush(zlib.Z_FULL_FLUSH)
        self._gzip.write(tfrecord(self._make(values)))

    def close(self) -> None:
        """Ends the file."""
        self._gzip.close()
        self._file.close()


def read_tfrecords(path: str) -> Iterator[bytes]:
    """Yields the records of a gzipped TFRecord file.

    Raises:
        ValueError: the file is torn or damaged.
    """
    try:
        yield from tfrecords(gunzip_chunks(path))
    except FramingError as error:
        raise ValueError(f"{path} {error}") from None


def count_tfrecords(path: str) -> int:
    """Returns the number of records; raises as ``read_tfrecords``."""
    return sum(1 for _ in read_tfrecords(path))
