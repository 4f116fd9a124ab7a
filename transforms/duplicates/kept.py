"""Documents that a first pass keeps for the second, with the Rejects and the RangeEnd among them.

A workspace may lie in a store, where others may write too. So the file is data: whatever it holds, to read it runs
nothing. On the slice of enwiki that is no slower than pickles were.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from operator import attrgetter
from typing import Any, BinaryIO

import pyarrow as pa

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reason, Reject
from gistmill.rules.documents import CleanDocument, Section
from gistmill.transforms.io import open_input

_LENGTHS = struct.Struct("<2I")  # of the JSON, and of what it was packed to
_ORIGIN, _METADATA = attrgetter(*Origin.__slots__), attrgetter(*Metadata.__slots__)
_CODEC = pa.Codec("zstd", compression_level=1)


class KeptError(ValueError):
    """A file does not hold what a first pass has kept; the text is one line."""


def write_kept(file: BinaryIO, element: Any) -> None:
    """Writes a CleanDocument, Reject or RangeEnd at the end of a file. Raises TypeError for another class."""
    plain = json.dumps(_to_json(element), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    packed = _CODEC.compress(plain, asbytes=True)
    file.write(_LENGTHS.pack(len(plain), len(packed)) + packed)


def read_kept(path: str, reasons: Iterable[type[Reason]]) -> Iterator[CleanDocument | Reject | RangeEnd]:
    """Yields the elements of a file.

    Args:
        path: the file.
        reasons: the enumerations of the reasons that Rejects in it may have.

    Raises:
        KeptError: it holds something else.
        OSError: it cannot be opened.
    """
    by_name = {str(reason): reason for kind in reasons for reason in kind}  # as CleanReason.LANGUAGE
    with open_input(path) as file:
        while head := file.read(_LENGTHS.size):
            try:
                size, packed = _LENGTHS.unpack(head)
                plain = _CODEC.decompress(file.read(packed), decompressed_size=size, asbytes=True)
                yield _from_json(json.loads(plain.decode("utf-8", "surrogatepass")), by_name)
            except (ValueError, TypeError, OSError, RecursionError, struct.error) as error:
                said = " ".join(str(error).split())
                raise KeptError(f"{path} does not hold documents that a first pass has kept: {said}") from error


def _to_json(element: Any) -> list[Any]:
    if isinstance(element, RangeEnd):
        damage, arithmetic = map(astuple, element.damage), map(astuple, element.arithmetic)
        return ["end", element.range_key, element.documents, [*damage], dict(element.counts), [*arithmetic]]
    # a document has no earlier form yet: that is looked up by a later step
    if not isinstance(element, Reject) and not (isinstance(element, CleanDocument) and element.earlier is None):
        raise TypeError(f"a {type(element).__name__} cannot be kept for the second pass")
    *values, metadata = _ORIGIN(element.origin)
    origin = [*values, _METADATA(metadata)]
    if isinstance(element, Reject):
        details = (element.stage, element.detail, element.unit, element.index)
        return ["reject", origin, str(element.reason), *details]
    return ["document", origin, [(s.title, s.level, s.paragraphs) for s in element.sections]]


def _from_json(value: Any, reasons: Mapping[str, Reason]) -> CleanDocument | Reject | RangeEnd:
    match value:
        case ["document", origin, [*sections]]:
            return CleanDocument(_origin(origin), tuple(map(_section, sections)))
        case ["reject", origin, str(name), *details] if name in reasons:
            return Reject(_origin(origin), reasons[name], *_typed(details, str, str, str, int))
        case ["end", str(key), int(documents), [*damage], dict(counts), [*arithmetic]]:
            return RangeEnd(
                key,
                documents,
                tuple(Damage(*_typed(values, str, int, str)) for values in damage),
                dict(zip(counts, _typed([*counts.values()], *[int] * len(counts)), strict=True)),
                tuple(Arithmetic(*_typed(values, str, str, str, int)) for values in arithmetic),
            )
    raise ValueError(f"there is {str(value)[:80]!r}")


def _origin(value: Any) -> Origin:
    values = _typed(value, *[str] * 6, int, str, list)
    values[-1] = Metadata(**dict(zip(Metadata.__slots__, _typed(values[-1], *[str] * 7), strict=True)))
    return Origin(*values)


def _section(value: Any) -> Section:
    title, level, paragraphs = _typed(value, str, int, list)
    return Section(title, level, tuple(_typed(paragraphs, *[str] * len(paragraphs))))


def _typed(values: Any, *types: type) -> list[Any]:
    """Returns the values of a list that has just such ones."""
    if not isinstance(values, list) or [*map(type, values)] != [*types]:
        raise ValueError(f"there is {str(values)[:80]!r}")
    return values
