"""The rows of TFRecord shards: gzipped tf.train.Example, read without tensorflow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.message import DecodeError

from gistmill.core.dataset import Column, item_type
from gistmill.core.framing import FramingError, gunzip, tfrecords
from gistmill.published.files import DatasetError, read_chunks

# The messages of tensorflow/core/example, in a pool and a package of their own: they cannot clash with tensorflow's.
_PROTO = """
name: "published/example.proto" package: "published" syntax: "proto3"
message_type { name: "Bytes" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_BYTES } }
message_type { name: "Floats" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_FLOAT } }
message_type { name: "Integers" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_INT64 } }
message_type {
  name: "Feature" oneof_decl { name: "kind" }
  field { name: "bytes" number: 1 label: LABEL_OPTIONAL type_name: ".published.Bytes" oneof_index: 0 }
  field { name: "floats" number: 2 label: LABEL_OPTIONAL type_name: ".published.Floats" oneof_index: 0 }
  field { name: "integers" number: 3 label: LABEL_OPTIONAL type_name: ".published.Integers" oneof_index: 0 }
}
message_type {
  name: "Features"
  field { name: "feature" number: 1 label: LABEL_REPEATED type_name: ".published.Features.FeatureEntry" }
  nested_type {
    name: "FeatureEntry" options { map_entry: true }
    field { name: "key" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
    field { name: "value" number: 2 label: LABEL_OPTIONAL type_name: ".published.Feature" }
  }
}
message_type {
  name: "Example" field { name: "features" number: 1 label: LABEL_OPTIONAL type_name: ".published.Features" }
}
"""
_KINDS = {"string": "bytes", "int64": "integers", "bool": "integers", "float64": "floats"}
_CASTS: dict[str, Callable[[Any], Any]] = {"string": bytes.decode, "int64": int, "bool": bool, "float64": float}


def _example() -> Any:
    pool = descriptor_pool.DescriptorPool()
    pool.Add(text_format.Parse(_PROTO, descriptor_pb2.FileDescriptorProto()))
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("published.Example"))


_EXAMPLE = _example()


def rows(file: BinaryIO, columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Yields the rows of a TFRecord shard in its order; the framing's checksums are checked.

    TFRecord holds less than Parquet: numbers that are not whole have single precision, and a list that is missing
    cannot be told from an empty one, so that it is read as empty.

    Args:
        file: the shard, at its beginning.
        columns: those to read.

    Yields:
        Of each row a dict from column to value: str, int, float, bool, None, or a list of one of them.

    Raises:
        DatasetError: the file is torn or damaged, or a row does not fit the columns. The text goes on from the name of
            the file, as in "is damaged".
    """
    readers = [(column.name, _reader(column)) for column in columns]
    try:
        for record in tfrecords(gunzip(read_chunks(file))):
            feature = _EXAMPLE.FromString(record).features.feature
            yield {name: read(feature[name]) if name in feature else _missing(name) for name, read in readers}
    except (FramingError, _UnfitError) as error:
        raise DatasetError(str(error)) from None
    except (DecodeError, UnicodeDecodeError) as error:
        raise DatasetError(f"holds something else than rows: {' '.join(str(error).split())}") from None


class _UnfitError(ValueError):
    """A row does not fit the columns."""


def _missing(name: str) -> Any:
    raise _UnfitError(f"has a row without the column {name!r}")


def _reader(column: Column) -> Callable[[Any], Any]:
    """Returns the function that makes the value of a column of a feature."""
    scalar, is_list = item_type(column.type)
    kind, cast = _KINDS[scalar], _CASTS[scalar]

    def read(feature: Any) -> Any:
        if feature.WhichOneof("kind") not in (kind, None):
            raise _UnfitError(f"has a row whose column {column.name!r} is not {column.type}")
        values = getattr(feature, kind).value
        if is_list:
            return [cast(value) for value in values]
        if len(values) > 1:
            raise _UnfitError(f"has a row with several values in the column {column.name!r}")
        return cast(values[0]) if values else None

    return read
