"""The end of the line that documents run along: rows and rejects go to sorted spill files, a set for each range.

Only RangeResults leave it: names of files and counts. A range whose documents have all come gets a marker, by which
``--resume`` knows it again.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindows

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, Outcome, RangeEnd, Reject, Row
from gistmill.core.statistics import ConfigSchema, DatasetSchema, item_type
from gistmill.transforms.beam.transforms import Counted, count
from gistmill.transforms.heartbeat import Heartbeat
from gistmill.transforms.io import list_files, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.jsonl import encode_reject
from gistmill.transforms.sinks.sort import SpillFile, SpillWriter

_SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "float64": (float, int), "bool": (bool,)}
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode


class RowError(ValueError):
    """A row does not fit the columns of its configuration: a fault in the recipe."""


class RowCodec:
    """Turns the rows of one configuration into bytes, and the bytes into values in the order of the columns.

    The bytes of a row depend on its values alone, so that a shard's size can decide where it ends.
    """

    def __init__(self, schema: ConfigSchema) -> None:
        self._config = schema.name
        self._names = frozenset(c.name for c in schema.columns) - {"id"}
        self._columns = [(c.name, c.type, _checker(c.type)) for c in schema.columns]

    def encode(self, row: Row) -> tuple[bytes, bytes]:
        """Returns the id and the values as bytes.

        Raises:
            RowError: a column is missing, unknown or of another type, or a text is not valid Unicode.
        """
        if row.values.keys() - {"id"} != self._names:
            missing = sorted(self._names - row.values.keys())
            unknown = sorted(row.values.keys() - {"id"} - self._names)
            raise RowError(f"row {row.id!r} of {self._config}: missing columns {missing}, unknown {unknown}")
        if not row.id:
            raise RowError(f"a row of {self._config} has no id: {dict(row.values)!r:.200}")
        values = []
        for name, column_type, fits in self._columns:
            value = row.id if name == "id" else row.values[name]
            if value is not None and not fits(value):
                raise RowError(f"row {row.id!r} of {self._config}: column {name} is {column_type}, not {value!r:.200}")
            values.append(value)
        try:
            return row.id.encode("utf-8"), _ENCODE(values).encode("utf-8")
        except UnicodeEncodeError as error:
            raise RowError(f"row {row.id!r} of {self._config}: not valid Unicode: {error}") from None

    @staticmethod
    def decode(value: bytes) -> list[Any]:
        """Returns the values that ``encode`` wrote, in the order of the columns."""
        return _DECODE(value.decode("utf-8"))


def codecs(schema: DatasetSchema) -> Mapping[str, RowCodec]:
    """Returns the codec of each configuration, by name."""
    return {c.name: RowCodec(c) for c in schema.configs}


def _checker(column_type: str) -> Callable[[Any], bool]:
    scalar, is_list = item_type(column_type)
    types = _SCALARS[scalar]

    def fits(value: Any) -> bool:
        return isinstance(value, types) and (scalar == "bool" or (value is not True and value is not False))

    exact = frozenset(types)  # a bool's type is not int

    def all_fit(values: Any) -> bool:
        if not isinstance(values, Sequence) or isinstance(values, str):
            return False
        return exact.issuperset(map(type, values)) or all(map(fits, values))

    return all_fit if is_list else fits


REJECTS = "rejects"
MEMORY_BYTES = 64 * 1024 * 1024
_ROW_OVERHEAD = 150  # a tuple of two bytes objects in a list


@dataclass(frozen=True, slots=True)
class RangeResult:
    """The result of a range, or of a part of it: spills, counts that add up over all ranges, damage, and arithmetic."""

    range_key: str
    spills: tuple[SpillFile, ...]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...] = ()
    arithmetic: tuple[Arithmetic, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RangeResult:
        """Returns what ``to_json`` gave.

        Raises:
            KeyError, TypeError: it is something else.
        """
        return cls(
            value["range_key"],
            tuple(SpillFile(**s) for s in value["spills"]),
            dict(value["counts"]),
            tuple(Damage(**d) for d in value["damage"]),
            tuple(Arithmetic(**a) for a in value["arithmetic"]),
        )


@dataclass(slots=True)
class _OpenRange:
    buckets: dict[str, list[tuple[bytes, bytes]]] = field(default_factory=dict)
    size: int = 0
    documents: int = 0
    end: RangeEnd | None = None
    counts: Counter[str] = field(default_factory=Counter)
    spills: list[SpillFile] = field(default_factory=list)

    def add(self, bucket: str, key: bytes, value: bytes) -> int:
        self.buckets.setdefault(bucket, []).append((key, value))
        size = len(key) + len(value) + _ROW_OVERHEAD
        self.size += size
        return size

    @property
    def complete(self) -> bool:
        return self.end is not None and self.documents == self.end.documents


class RangeTally:
    """Collects what belongs to the ranges of a bundle and writes it. Plain Python; WriteSpills wires it."""

    def __init__(
        self, layout: WorkspaceLayout, row_codecs: Mapping[str, RowCodec], *, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self._layout = layout
        self._codecs = row_codecs
        self._memory_bytes = memory_bytes
        self._bytes = 0
        self._open: dict[str, _OpenRange] = {}

    def add(self, element: Outcome | Reject | RangeEnd) -> RangeResult | None:
        """Takes an element in; returns the result of its range when that is complete (its marker is then written).

        Raises:
            TypeError: no stage has turned the element into one of these classes.
            ValueError: a row fits no configuration, or its document has no split.
        """
        key = element.range_key if isinstance(element, RangeEnd) else element.origin.range_key
        current = self._open.setdefault(key, _OpenRange())
        if isinstance(element, Outcome):
            self._add_outcome(current, element)
        elif isinstance(element, Reject):
            self._add_reject(current, element)
        else:
            current.end = element
            current.counts["documents/read"] += element.documents
            current.counts.update(element.counts)
        if current.complete:
            result = self._close(key)
            write_json(self._layout.marker(key), result.to_json())
            return result
        if self._bytes > self._memory_bytes:
            self._spill(max(self._open, key=lambda k: self._open[k].size))
        return None

    def finish(self) -> Iterator[RangeResult]:
        """Closes whatever is open, without markers."""
        for key in list(self._open):
            yield self._close(key)

    def _add_outcome(self, current: _OpenRange, outcome: Outcome) -> None:
        current.counts.update(outcome.counts)
        for reject in outcome.rejects:
            self._record(current, reject)
        if outcome.refused is not None:
            if outcome.rows:
                raise ValueError(f"document {outcome.id!r} is rejected ({outcome.refused.reason.name}) and has rows")
            self._add_reject(current, outcome.refused)
            return
        current.documents += 1
        current.counts["documents/used"] += 1
        if outcome.rows and not outcome.split:
            raise ValueError(f"document {outcome.id!r} has rows but no split")
        for row in outcome.rows:
            if row.config not in self._codecs:
                raise ValueError(f"row {row.id!r} is of an unknown configuration {row.config!r}")
            bucket = f"{row.config}/{outcome.split}"
            self._bytes += current.add(bucket, *self._codecs[row.config].encode(row))
            current.counts[f"rows/{bucket}"] += 1

    def _add_reject(self, current: _OpenRange, reject: Reject) -> None:
        if reject.unit != "document":
            raise ValueError(f"a {reject.unit} reject of {reject.id!r} is not inside an Outcome")
        current.documents += 1
        current.counts[f"documents/rejected/{reject.reason.name}"] += 1
        self._record(current, reject)

    def _record(self, current: _OpenRange, reject: Reject) -> None:
        current.counts[f"rejects/{reject.stage}/{reject.unit}/{reject.reason.name}"] += 1
        self._bytes += current.add(REJECTS, *encode_reject(reject))

    def _spill(self, key: str) -> None:
        current = self._open[key]
        for bucket, rows in sorted(current.buckets.items()):
            rows.sort()
            writer = SpillWriter(self._layout.new_spill(key), bucket)
            for row in rows:
                writer.add(*row)
            current.spills.append(writer.close())
        self._bytes -= current.size
        current.size = 0
        current.buckets = {}

    def _close(self, key: str) -> RangeResult:
        self._spill(key)
        current = self._open.pop(key)
        end = current.end or RangeEnd(key, 0)
        return RangeResult(key, tuple(current.spills), dict(sorted(current.counts.items())), end.damage, end.arithmetic)


class WriteSpills(beam.DoFn):
    """Outcome, Reject and RangeEnd in, RangeResult out.

    Args:
        workspace: root of the run's workspace.
        schema: configurations and columns of the dataset.
        memory_bytes: rows held before they are written; a range beyond it gets several spills.
    """

    def __init__(self, workspace: str, schema: DatasetSchema, *, memory_bytes: int = MEMORY_BYTES) -> None:
        self._layout = WorkspaceLayout(workspace)
        self._schema = schema
        self._memory_bytes = memory_bytes

    def setup(self) -> None:
        self._codecs = codecs(self._schema)
        self._heartbeat = Heartbeat.of(self._layout)

    def start_bundle(self) -> None:
        self._tally = RangeTally(self._layout, self._codecs, memory_bytes=self._memory_bytes)

    def process(self, element: Any) -> Iterable[RangeResult]:
        if not isinstance(element, (Outcome, Reject, RangeEnd)):
            raise TypeError(f"a {type(element).__name__} reached the writer: some stage is missing before it")
        result = self._tally.add(element)
        self._show(element)
        return () if result is None else (result,)

    def _show(self, element: Outcome | Reject | RangeEnd) -> None:
        """Counts documents, and the rows of all configurations, for those who watch."""
        documents, rows, rejects = 1, 0, 1
        if isinstance(element, RangeEnd):  # of the documents that the reader only counted
            documents = rejects = sum(n for key, n in element.counts.items() if key.startswith("documents/rejected/"))
        elif isinstance(element, Outcome):
            rejects, rows = int(element.refused is not None), len(element.rows)
        self._heartbeat.update(documents=documents, rows=rows, rejects=rejects)
        count(Counted.DOCUMENTS, documents)
        count(Counted.ROWS, rows)
        count(Counted.REJECTS, rejects)

    def finish_bundle(self) -> Iterator[Any]:
        for result in self._tally.finish():
            yield GlobalWindows.windowed_value_at_end_of_window(result)
        self._heartbeat.flush()


def finished_ranges(workspace: str) -> dict[str, RangeResult]:
    """Returns the finished ranges of a workspace by key; a marker that is torn, or whose spills are missing or of
    another size, does not count."""
    layout = WorkspaceLayout(workspace)
    sizes = list_files(layout.spills, ".spill")
    finished = {}
    for path in list_files(layout.ranges, ".json"):
        try:
            result = RangeResult.from_json(read_json(path))
        except (KeyError, TypeError, ValueError):
            continue
        if all(sizes.get(s.path) == s.bytes for s in result.spills):
            finished[result.range_key] = result
    return finished


class SetFinishedAside(beam.DoFn):
    """Ranges (anything with ``key``) in; those still to be read go on, the RangeResults of finished ones go to the
    output tagged ``FINISHED``."""

    FINISHED = "finished"

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace

    def setup(self) -> None:
        self._finished = finished_ranges(self._workspace)
        self._heartbeat = Heartbeat.of(WorkspaceLayout(self._workspace))

    def process(self, element: Any) -> Iterator[Any]:
        self._heartbeat.update(ranges=1)
        result = self._finished.get(element.key)
        yield element if result is None else beam.pvalue.TaggedOutput(self.FINISHED, result)

    def finish_bundle(self) -> None:
        self._heartbeat.flush()
