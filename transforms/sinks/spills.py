"""The last stage for documents: rows and rejects are written to sorted spill files, one set per range.

It emits only RangeResults, which contain file names and counts. A marker is written for each completed range, so that
``--resume`` can skip it.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apache_beam.metrics import Metrics
from typing_extensions import override

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.json_value import read_as
from gistmill.core.records import Damage, Outcome, RangeEnd, Reject, Row
from gistmill.core.statistics import ConfigSchema, DatasetSchema, item_type
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import WriteRanges, marked_ranges
from gistmill.transforms.sinks.formats import encode_reject
from gistmill.transforms.sinks.sort import SpillFile, SpillWriter

_SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "int64": (int,), "float64": (float, int), "bool": (bool,)}
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode


class RowError(ValueError):
    """A row does not fit the columns of its configuration: a bug in the recipe."""


class RowCodec:
    """A codec between the rows of one configuration and bytes; decoded values are in column order.

    The bytes of a row depend only on its values, so shard bounds may depend on their size.
    """

    def __init__(self, schema: ConfigSchema) -> None:
        self._config = schema.name
        self._names = frozenset(c.name for c in schema.columns) - {"id"}
        self._columns = [(c.name, c.type, _checker(c.type)) for c in schema.columns]

    def encode(self, row: Row) -> tuple[bytes, bytes]:
        """Returns the id and the values as bytes.

        Raises:
            RowError: a column is missing, unknown or of the wrong type, or a text is not valid Unicode.
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
                raise RowError(
                    f"row {row.id!r} of {self._config}: column {name} must be {column_type}, not {value!r:.200}"
                )
            values.append(value)
        try:
            return row.id.encode("utf-8"), _ENCODE(values).encode("utf-8")
        except UnicodeEncodeError as error:
            raise RowError(f"row {row.id!r} of {self._config}: not valid Unicode: {error}") from None

    @staticmethod
    def decode(value: bytes) -> list[Any]:
        """Returns the values that ``encode`` wrote, in column order."""
        return _DECODE(value.decode("utf-8"))


def _checker(column_type: str) -> Callable[[Any], bool]:
    scalar, is_list = item_type(column_type)
    types = _SCALARS[scalar]
    exact = frozenset(types)  # so a bool is not an int

    def fits(value: Any) -> bool:
        return type(value) in exact or (isinstance(value, types) and not isinstance(value, bool))

    def all_fit(values: Any) -> bool:
        if not isinstance(values, Sequence) or isinstance(values, str):
            return False
        return exact.issuperset(map(type, values)) or all(map(fits, values))

    return all_fit if is_list else fits


REJECTS = "rejects"
# For monitoring a job on a runner's web page. A retried bundle may count twice, so the conservation check uses the
# counts that travel as data.
_COUNTERS = {name: Metrics.counter("gistmill", name) for name in ("documents", "rows", "rejects")}
MEMORY_BYTES = 64 * 1024 * 1024
_ROW_OVERHEAD = 150  # a tuple of two bytes objects in a list


@dataclass(frozen=True, slots=True)
class RangeResult:
    """The result of a range or part of one: spills, counts that add up over all ranges, damage, and arithmetic."""

    range_key: str
    spills: tuple[SpillFile, ...]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...] = ()
    arithmetic: tuple[Arithmetic, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each spill in bytes, by path."""
        return {spill.path: spill.bytes for spill in self.spills}


class RangeWriter:
    """Collects the rows and rejects of a range in memory, and writes them to sorted spills.

    Args:
        layout: names the spills.
        range_key: the key of the range.
        row_codecs: the codec for each configuration.
        memory_bytes: the amount of rows held before writing; larger ranges are written to several spills.
    """

    def __init__(
        self, layout: WorkspaceLayout, range_key: str, *, row_codecs: Mapping[str, RowCodec], memory_bytes: int
    ) -> None:
        self._layout, self._codecs, self._memory_bytes = layout, row_codecs, memory_bytes
        self._end = RangeEnd(range_key, 0)
        self._buckets: dict[str, list[tuple[bytes, bytes]]] = {}
        self._bytes = 0
        self._counts: Counter[str] = Counter()
        self._spills: list[SpillFile] = []

    def take(self, element: Outcome | Reject | RangeEnd) -> None:
        """Adds an element.

        Raises:
            ValueError: a row matches no configuration, or its document is not in a split.
        """
        if isinstance(element, RangeEnd):
            self._end = element
            self._counts["documents/read"] += element.documents
            self._counts.update(element.counts)
        elif isinstance(element, Reject):
            self._refuse(element)
        else:
            self._counts.update(element.counts)
            for reject in element.rejects:
                self._add_reject(reject)
            if element.refused is not None:
                if element.rows:
                    reason = element.refused.reason.name
                    raise ValueError(f"document {element.id!r} is rejected ({reason}) but contains rows")
                self._refuse(element.refused)
            else:
                self._use(element)
        if self._bytes > self._memory_bytes:
            self._spill()

    def close(self) -> RangeResult:
        """Writes the remaining rows."""
        self._spill()
        counts, end = dict(sorted(self._counts.items())), self._end
        return RangeResult(end.range_key, tuple(self._spills), counts, end.damage, end.arithmetic)

    def _use(self, outcome: Outcome) -> None:
        self._counts["documents/used"] += 1
        if outcome.rows and not outcome.split:
            raise ValueError(f"document {outcome.id!r} contains rows but has no split")
        for row in outcome.rows:
            if row.config not in self._codecs:
                raise ValueError(f"row {row.id!r} belongs to the unknown configuration {row.config!r}")
            bucket = f"{row.config}/{outcome.split}"
            self._add(bucket, *self._codecs[row.config].encode(row))
            self._counts[f"rows/{bucket}"] += 1

    def _refuse(self, reject: Reject) -> None:
        if reject.unit != "document":
            raise ValueError(f"a {reject.unit} reject of {reject.id!r} must be inside an Outcome")
        self._counts[f"documents/rejected/{reject.reason.name}"] += 1
        self._add_reject(reject)

    def _add_reject(self, reject: Reject) -> None:
        self._counts[f"rejects/{reject.stage}/{reject.unit}/{reject.reason.name}"] += 1
        self._add(REJECTS, *encode_reject(reject))

    def _add(self, bucket: str, key: bytes, value: bytes) -> None:
        self._buckets.setdefault(bucket, []).append((key, value))
        self._bytes += len(key) + len(value) + _ROW_OVERHEAD

    def _spill(self) -> None:
        for bucket, rows in sorted(self._buckets.items()):
            writer = SpillWriter(self._layout.new_spill(self._end.range_key), bucket)
            for row in sorted(rows):
                writer.add(*row)
            self._spills.append(writer.close())
        self._buckets, self._bytes = {}, 0


class WriteSpills(WriteRanges):
    """Turns Outcomes, Rejects and RangeEnds into RangeResults. ``memory_bytes``: see RangeWriter."""

    def __init__(self, workspace: str, schema: DatasetSchema, *, memory_bytes: int = MEMORY_BYTES) -> None:
        row_codecs = {c.name: RowCodec(c) for c in schema.configs}
        super().__init__(workspace, functools.partial(RangeWriter, row_codecs=row_codecs, memory_bytes=memory_bytes))

    def process(self, element: Any) -> Iterator[RangeResult]:
        if not isinstance(element, (Outcome, Reject, RangeEnd)):
            raise TypeError(f"a {type(element).__name__} reached the writer: a stage before it is missing")
        return super().process(element)

    @override
    def marker(self, range_key: str) -> str:
        return self._layout.marker(range_key)

    @override
    def show(self, element: Outcome | Reject | RangeEnd) -> None:
        documents, rows, rejects = 1, 0, 1
        if isinstance(element, RangeEnd):  # for the documents that the reader only counted
            documents = rejects = sum(n for key, n in element.counts.items() if key.startswith("documents/rejected/"))
        elif isinstance(element, Outcome):  # rows of all configurations
            rejects, rows = int(element.refused is not None), len(element.rows)
        self._heartbeat.update(documents=documents, rows=rows, rejects=rejects)
        for name, amount in (("documents", documents), ("rows", rows), ("rejects", rejects)):
            _COUNTERS[name].inc(amount)


def finished_ranges(workspace: str) -> dict[str, RangeResult]:
    """Returns a workspace's finished ranges by key."""
    layout = WorkspaceLayout(workspace)
    return marked_ranges(layout.ranges, layout.spills, functools.partial(read_as, RangeResult))
