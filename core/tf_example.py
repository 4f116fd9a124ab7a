"""Conversion between rows and tf.train.Example without TensorFlow; ``core/framing.py`` reads and writes the records.

An example stores less than Parquet: floats are single precision, and a missing list is indistinguishable from an empty
one, so it is read as empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.message import DecodeError

from gistmill.core.framing import FramingError, gunzip, tfrecord, tfrecords
from gistmill.core.statistics import Column, item_type

# The messages of tensorflow/core/example, in a separate pool and package so that they cannot clash with TensorFlow's.
_PROTO = """
name: "gistmill/example.proto" package: "gistmill" syntax: "proto3"
message_type { name: "BytesList" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_BYTES } }
message_type { name: "FloatList" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_FLOAT } }
message_type { name: "Int64List" field { name: "value" number: 1 label: LABEL_REPEATED type: TYPE_INT64 } }
message_type {
  name: "Feature" oneof_decl { name: "kind" }
  field { name: "bytes_list" number: 1 label: LABEL_OPTIONAL type_name: ".gistmill.BytesList" oneof_index: 0 }
  field { name: "float_list" number: 2 label: LABEL_OPTIONAL type_name: ".gistmill.FloatList" oneof_index: 0 }
  field { name: "int64_list" number: 3 label: LABEL_OPTIONAL type_name: ".gistmill.Int64List" oneof_index: 0 }
}
message_type {
  name: "Features"
  field { name: "feature" number: 1 label: LABEL_REPEATED type_name: ".gistmill.Features.FeatureEntry" }
  nested_type {
    name: "FeatureEntry" options { map_entry: true }
    field { name: "key" number: 1 label: LABEL_OPTIONAL type: TYPE_STRING }
    field { name: "value" number: 2 label: LABEL_OPTIONAL type_name: ".gistmill.Feature" }
  }
}
message_type {
  name: "Example" field { name: "features" number: 1 label: LABEL_OPTIONAL type_name: ".gistmill.Features" }
}
"""
_KINDS = {"string": "bytes_list", "int64": "int64_list", "bool": "int64_list", "float64": "float_list"}
# protobuf will reject True as an int64
_WRITTEN: dict[str, Callable[[Any], Any]] = {"string": str.encode, "bool": int}
_CASTS: dict[str, Callable[[Any], Any]] = {"string": bytes.decode, "int64": int, "bool": bool, "float64": float}


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(text_format.Parse(_PROTO, descriptor_pb2.FileDescriptorProto()))
Example: Any = message_factory.GetMessageClass(_POOL.FindMessageTypeByName("gistmill.Example"))


def records_of(columns: Sequence[Column]) -> Callable[[Iterable[Sequence[Any]]], bytes]:
    """Returns a function that converts rows, whose values are in column order, to consecutive TFRecords of
    tf.train.Example.

    Text becomes bytes (UTF-8), integers and booleans become int64, other numbers become float; None becomes a feature
    without a value.
    """
    types = [(column.name, *item_type(column.type)) for column in columns]
    makers = [(name, _KINDS[scalar], _WRITTEN.get(scalar), is_list) for name, scalar, is_list in types]

    def make(values: Sequence[Any]) -> bytes:
        example = Example()
        feature = example.features.feature
        for (name, kind, written, is_list), value in zip(makers, values, strict=True):
            target = getattr(feature[name], kind)
            if is_list and value:
                target.value.extend(map(written, value) if written else value)
            elif is_list or value is None:
                target.SetInParent()
            else:
                target.value.append(written(value) if written else value)
        return tfrecord(example.SerializeToString(deterministic=True))

    return lambda rows: b"".join(map(make, rows))


def rows_of(chunks: Iterable[bytes], columns: Sequence[Column]) -> Iterator[dict[str, Any]]:
    """Yields the rows of a TFRecord shard in order, each as a dict from column to value; see ``example_reader``.

    Args:
        chunks: chunks of the gzip-compressed shard.
        columns: the columns to read.

    Raises:
        FramingError: the shard is truncated or damaged, or a row does not match the columns.
    """
    return map(example_reader(columns), tfrecords(gunzip(chunks)))


def example_reader(columns: Sequence[Column]) -> Callable[[bytes], dict[str, Any]]:
    """Returns a function that converts a serialised tf.train.Example to a dict from column to value: str, int, float,
    bool, None, or a list of one of these. It raises FramingError if a record does not match the columns."""
    readers = [(column.name, _value_reader(column)) for column in columns]

    def read(record: bytes) -> dict[str, Any]:
        try:
            feature = Example.FromString(record).features.feature
            return {name: value(feature[name]) if name in feature else _missing(name) for name, value in readers}
        except (DecodeError, UnicodeDecodeError) as error:
            raise FramingError(f"does not contain rows: {' '.join(str(error).split())}") from None

    return read


def _missing(name: str) -> Any:
    raise FramingError(f"contains a row without the column {name!r}")


def _value_reader(column: Column) -> Callable[[Any], Any]:
    scalar, is_list = item_type(column.type)
    kind, cast = _KINDS[scalar], _CASTS[scalar]

    def read(feature: Any) -> Any:
        if feature.WhichOneof("kind") not in (kind, None):
            raise FramingError(f"contains a row whose column {column.name!r} is not {column.type}")
        values = getattr(feature, kind).value
        if is_list:
            return [cast(value) for value in values]
        if len(values) > 1:
            raise FramingError(f"contains a row with several values in the column {column.name!r}")
        return cast(values[0]) if values else None

    return read
