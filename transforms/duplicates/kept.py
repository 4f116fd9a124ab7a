"""The documents that a first pass keeps for the second: JSON, each compressed, behind its two lengths.

A workspace may lie in a store, where others may write too. So its files are data: whatever they hold, to read them runs
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
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.documents import CleanDocument, Section
from gistmill.transforms.io import open_input

_LENGTHS = struct.Struct("<2I")  # of the JSON, and of what it was packed to
_ORIGIN, _METADATA = attrgetter(*Origin.__slots__), attrgetter(*Metadata.__slots__)
_CODEC = pa.Codec("zstd", compression_level=1)


class KeptError(ValueError):
    """A file does not hold what a first pass has kept; the text is one line."""


class KeptWriter:
    """Writes CleanDocuments, Rejects and RangeEnds to a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, element: Any) -> None:
        """Writes an element. Raises TypeError for another class."""
        text = json.dumps(_to_json(element), ensure_ascii=False, separators=(",", ":"))
        plain = text.encode("utf-8", "surrogatepass")
        packed = _CODEC.compress(plain, asbytes=True)
        self._file.write(_LENGTHS.pack(len(plain), len(packed)) + packed)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._file.tell()

    def close(self) -> None:
        """Ends the file."""
        self._file.close()


def kept_elements(path: str, reasons: Iterable[type[Reason]]) -> Iterator[CleanDocument | Reject | RangeEnd]:
    """Yields the elements of a file.

    Args:
        path: the file.
        reasons: the enumerations of the reasons that Rejects in it may have.

    Raises:
        KeptError: it holds something else.
        OSError: it cannot be opened.
    """
    by_name = {_name_of(reason): reason for kind in reasons for reason in kind}
    with open_input(path) as file:
        while head := file.read(_LENGTHS.size):
            try:
                size, packed = _LENGTHS.unpack(head)
                plain = _CODEC.decompress(file.read(packed), decompressed_size=size, asbytes=True)
                yield _from_json(json.loads(plain.decode("utf-8", "surrogatepass")), by_name)
            except (ValueError, OSError, RecursionError, struct.error) as error:
                said = " ".join(str(error).split())
                raise KeptError(f"{path} does not hold documents that a first pass has kept: {said}") from error


def _name_of(reason: Reason) -> str:
    return f"{type(reason).__name__}.{reason.name}"


def _to_json(element: Any) -> list[Any]:
    # a document has no earlier form yet: that is looked up by a later step
    if isinstance(element, CleanDocument) and element.earlier is None:
        return ["document", _values(element.origin), [(s.title, s.level, s.paragraphs) for s in element.sections]]
    if isinstance(element, Reject):
        details = (element.stage, element.detail, element.unit, element.index)
        return ["reject", _values(element.origin), _name_of(element.reason), *details]
    if isinstance(element, RangeEnd):
        damage, arithmetic = map(astuple, element.damage), map(astuple, element.arithmetic)
        return ["end", element.range_key, element.documents, [*damage], dict(element.counts), [*arithmetic]]
    raise TypeError(f"a {type(element).__name__} cannot be kept for the second pass")


def _values(origin: Origin) -> list[Any]:
    *values, metadata = _ORIGIN(origin)
    return [*values, _METADATA(metadata)]


def _from_json(value: Any, reasons: Mapping[str, Reason]) -> CleanDocument | Reject | RangeEnd:
    match value:
        case ["document", origin, [*sections]]:
            return CleanDocument(_origin(origin), tuple(map(_section, sections)))
        case ["reject", origin, str(name), str(stage), str(detail), str(unit), int(index)]:
            if name not in reasons:
                raise ValueError(f"the reason {name[:80]!r} is unknown")
            return Reject(_origin(origin), reasons[name], stage, detail, unit, index)
        case ["end", str(key), int(documents), [*damage], {**counts}, [*arithmetic]]:
            damages, ways = tuple(map(_damage, damage)), tuple(map(_arithmetic, arithmetic))
            return RangeEnd(key, documents, damages, _counts(counts), ways)
    raise _unlike("an element", value)


def _origin(value: Any) -> Origin:
    match value:
        case [*texts, str(), int(), str(), [*metadata]] if _are_texts(texts, 5) and _are_texts(metadata, 7):
            values = (*value[:-1], Metadata(**dict(zip(Metadata.__slots__, metadata))))
            return Origin(**dict(zip(Origin.__slots__, values)))
    raise _unlike("an origin", value)


def _section(value: Any) -> Section:
    match value:
        case [str(title), int(level), [*paragraphs]] if _are_texts(paragraphs, len(paragraphs)):
            return Section(title, level, tuple(paragraphs))
    raise _unlike("a section", value)


def _counts(value: Mapping[Any, Any]) -> dict[str, int]:
    if {*map(type, value.values())} <= {int}:
        return dict(value)
    raise _unlike("counts", value)


def _damage(value: Any) -> Damage:
    match value:
        case [str(file), int(offset), str(message)]:
            return Damage(file, offset, message)
    raise _unlike("damage", value)


def _arithmetic(value: Any) -> Arithmetic:
    match value:
        case [str(library), str(version), str(kernel), int(threads)]:
            return Arithmetic(library, version, kernel, threads)
    raise _unlike("arithmetic", value)


def _are_texts(values: list[Any], count: int) -> bool:
    return len(values) == count and {*map(type, values)} <= {str}


def _unlike(what: str, value: Any) -> ValueError:
    return ValueError(f"{what} is {str(value)[:80]!r}")
