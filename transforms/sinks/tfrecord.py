"""TFRecord files of tf.train.Example, without tensorflow: the message classes come from a descriptor pool of their own,
so that they cannot clash with tensorflow's when both are loaded."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from gistmill.core.dataset import ConfigSchema, item_type
from gistmill.core.framing import FramingError, tfrecord, tfrecords
from gistmill.transforms.sinks.cuts import Cutter
from gistmill.transforms.sinks.files import gunzip_chunks, open_gzip

STRETCH_BYTES = 2 * 1024 * 1024  # the longest that are compressed together, before compression
_LEAST, _MORE = 0.125, 0.375


def _make_example_class() -> Any:
    """Returns the class of tf.train.Example, as tensorflow/core/example/{example,feature}.proto define it."""
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="gistmill/example.proto", package="gistmill", syntax="proto3")

    def message(name: str, *fields: tuple[str, int, int, str]) -> descriptor_pb2.DescriptorProto:
        made = file.message_type.add(name=name)
        for number, (field_name, kind, label, type_name) in enumerate(fields, 1):
            made.field.add(name=field_name, number=number, type=kind, label=label, type_name=type_name or None)
        return made

    one, many = kinds.LABEL_OPTIONAL, kinds.LABEL_REPEATED
    message("BytesList", ("value", kinds.TYPE_BYTES, many, ""))
    message("FloatList", ("value", kinds.TYPE_FLOAT, many, ""))
    message("Int64List", ("value", kinds.TYPE_INT64, many, ""))
    names = (("bytes_list", "BytesList"), ("float_list", "FloatList"), ("int64_list", "Int64List"))
    feature = message("Feature", *((n, kinds.TYPE_MESSAGE, one, f".gistmill.{t}") for n, t in names))
    feature.oneof_decl.add(name="kind")
    for field in feature.field:
        field.oneof_index = 0
    features = message("Features", ("feature", kinds.TYPE_MESSAGE, many, ".gistmill.Features.FeatureEntry"))
    entry = features.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=kinds.TYPE_STRING, label=one)
    entry.field.add(name="value", number=2, type=kinds.TYPE_MESSAGE, label=one, type_name=".gistmill.Feature")
    message("Example", ("features", kinds.TYPE_MESSAGE, one, ".gistmill.Features"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("gistmill.Example"))


Example = _make_example_class()


def example_maker(schema: ConfigSchema) -> Callable[[Sequence[Any]], bytes]:
    """Returns a function that turns values, in the order of the columns, into a serialised tf.train.Example.

    Texts become bytes (UTF-8), whole numbers and booleans int64, other numbers float; None gives a feature without
    a value.
    """
    lists = {"string": "bytes_list", "int64": "int64_list", "bool": "int64_list", "float64": "float_list"}
    types = [(c.name, *item_type(c.type)) for c in schema.columns]
    columns = [(name, lists[scalar], scalar == "string", is_list) for name, scalar, is_list in types]

    def make(values: Sequence[Any]) -> bytes:
        example = Example()
        feature = example.features.feature
        for (name, kind, is_text, is_list), value in zip(columns, values, strict=True):
            target = getattr(feature[name], kind)
            if is_list and value:
                target.value.extend([v.encode("utf-8") for v in value] if is_text else value)
            elif is_list or value is None:
                target.SetInParent()
            else:
                target.value.append(value.encode("utf-8") if is_text else value)
        return example.SerializeToString(deterministic=True)

    return make


class TfrecordWriter:
    """Writes the rows of one configuration as gzipped TFRecords. Compression starts anew at rows that hashes of ids
    choose, so that the bytes after a row that changed soon are those of before."""

    def __init__(self, file: io.RawIOBase, schema: ConfigSchema) -> None:
        self._file = file
        self._id = [c.name for c in schema.columns].index("id")
        self._cutter = Cutter(least=_LEAST, more=_MORE)
        self._gzip = open_gzip(file)
        self._make = example_maker(schema)

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
