"""The rows of TFRecord shards: gzipped tf.train.Example, read without tensorflow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from gistmill.core.framing import FramingError, gunzip, tfrecords
from gistmill.core.statistics import Column
from gistmill.core.tf_example import example_reader
from gistmill.published.files import DatasetError, read_chunks


def rows(file: BinaryIO, columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Yields the rows of a TFRecord shard in its order; the framing's checksums are checked.

    Args:
        file: the shard, at its beginning.
        columns: those to read.

    Yields:
        Of each row a dict from column to value, as ``example_reader`` reads it.

    Raises:
        DatasetError: the file is torn or damaged, or a row does not fit the columns. The text goes on from the name of
            the file, as in "is damaged".
    """
    try:
        yield from map(example_reader(columns), tfrecords(gunzip(read_chunks(file))))
    except FramingError as error:
        raise DatasetError(str(error)) from None
