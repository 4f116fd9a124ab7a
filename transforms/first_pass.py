"""The first of two passes over the ranges of an input: files of what was found in each range, and markers for --resume.

All ranges are looked through in any order; what is found out of all of them together decides in the second pass.
A Found is the files of a range, or of a part of it: ``range_key``, and ``sizes``, the bytes of each file by path.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindows

from gistmill.core.records import RangeEnd
from gistmill.transforms.heartbeat import Heartbeat
from gistmill.transforms.io import list_files, read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout

W = TypeVar("W")  # writes the files of a range; its ``close`` ends them and returns a Found


@dataclass(slots=True)
class _OpenRange:
    writer: Any
    documents: int = 0
    end: RangeEnd | None = None

    @property
    def complete(self) -> bool:
        return self.end is not None and self.documents == self.end.documents


class LookThrough(beam.DoFn, Generic[W]):
    """Documents, Rejects and RangeEnds in, Founds out; a range whose documents have all come gets a marker."""

    def __init__(self, workspace: str) -> None:
        self._layout = WorkspaceLayout(workspace)

    @abstractmethod
    def writer(self, range_key: str) -> W:
        """Returns a writer for a range, whose files have names of their own."""

    @abstractmethod
    def take(self, writer: W, element: Any) -> None:
        """Writes what is to be known of a document; a Reject or a RangeEnd is given, too."""

    @abstractmethod
    def to_json(self, found: Any) -> Mapping[str, Any]:
        """Returns what a writer has given as plain JSON values."""

    def setup(self) -> None:
        self._heartbeat = Heartbeat.of(self._layout)

    def start_bundle(self) -> None:
        self._open: dict[str, _OpenRange] = {}

    def process(self, element: Any) -> Iterator[Any]:
        key = element.range_key if isinstance(element, RangeEnd) else element.origin.range_key
        current = self._open.get(key)
        if current is None:
            current = self._open[key] = _OpenRange(self.writer(key))
        self.take(current.writer, element)
        if isinstance(element, RangeEnd):
            current.end = element
        else:
            current.documents += 1
            self._heartbeat.update(compared=1)
        if current.complete:
            made = self._open.pop(key).writer.close()
            write_json(self._layout.sketch_marker(key), self.to_json(made))
            yield made

    def finish_bundle(self) -> Iterator[Any]:
        for current in self._open.values():
            yield GlobalWindows.windowed_value_at_end_of_window(current.writer.close())
        self._open = {}
        self._heartbeat.flush()


class SetLookedThroughAside(beam.DoFn):
    """Ranges in; those still to be looked through go on, the Founds of the others go to the output ``KNOWN``. A resumed
    run has such: all ranges take part, also those whose rows are written, so that what is decided stays the same.

    Args:
        workspace: root of the run's workspace.
        from_json: makes a Found of what ``LookThrough.to_json`` gave.
    """

    KNOWN = "known"

    def __init__(self, workspace: str, from_json: Callable[[Any], Any]) -> None:
        self._layout, self._from_json = WorkspaceLayout(workspace), from_json

    def setup(self) -> None:
        there = list_files(self._layout.sketches)
        self._known: dict[str, Any] = {}
        for path in there:
            if path.endswith(".json"):
                try:
                    found = self._from_json(read_json(path))
                except (AttributeError, KeyError, TypeError, ValueError):
                    continue
                if all(there.get(name) == size for name, size in found.sizes.items()):
                    self._known[found.range_key] = found

    def process(self, element: Any) -> Iterator[Any]:
        found = self._known.get(element.key)
        yield element if found is None else beam.pvalue.TaggedOutput(self.KNOWN, found)
