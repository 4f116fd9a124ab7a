"""The first pass: documents in, the files of their sketches out, a set for each range."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindows

from rules.duplicates.documents import text_of
from rules.duplicates.sketch import Bands, bands_for, sketch
from rules.records import AnnotatedDocument, CleanDocument, RangeEnd
from transforms.duplicates.files import SketchFile, SketchWriter, from_json, to_json
from transforms.sinks.layout import Layout, list_files, read_json, write_json
from transforms.sinks.runs import heartbeat

NONE, EXACT, NEAR = "none", "exact", "near"
MODES = (NONE, EXACT, NEAR)
DOCUMENTS = (CleanDocument, AnnotatedDocument)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatesConfig:
    """What counts as a duplicate.

    Attributes:
        mode: ``none``, ``exact`` (the same words) or ``near``.
        threshold: Jaccard similarity of the sets of word 5-shingles from which two documents are near-duplicates.

    Raises:
        ValueError: at construction, naming the value.
    """

    mode: str = NEAR
    threshold: float = 0.8

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"deduplicate must be one of {', '.join(MODES)}, not {self.mode!r}")
        bands_for(self.threshold)

    @property
    def bands(self) -> Bands | None:
        """How signatures are cut; None where there are none."""
        return bands_for(self.threshold) if self.mode == NEAR else None


@dataclass(slots=True)
class _OpenRange:
    writer: SketchWriter
    documents: int = 0
    end: RangeEnd | None = None

    @property
    def complete(self) -> bool:
        return self.end is not None and self.documents == self.end.documents


class SketchRanges(beam.DoFn):
    """Documents, Rejects and RangeEnds in, SketchFiles out; a range whose documents have all come gets a marker.

    Args:
        workspace: root of the run's work space.
        config: what counts as a duplicate.
        keep: whether the elements are written too, so that they need not be made a second time.
    """

    def __init__(self, workspace: str, config: DuplicatesConfig, *, keep: bool) -> None:
        self._layout = Layout(workspace)
        self._bands = config.bands
        self._keep = keep

    def setup(self) -> None:
        self._heartbeat = heartbeat(self._layout)

    def start_bundle(self) -> None:
        self._open: dict[str, _OpenRange] = {}

    def process(self, element: Any) -> Iterator[SketchFile]:
        key = element.range_key
        current = self._open.get(key)
        if current is None:
            current = self._open[key] = _OpenRange(SketchWriter(self._layout, key, self._bands, keep=self._keep))
        current.writer.keep(element)
        if isinstance(element, RangeEnd):
            current.end = element
        else:
            current.documents += 1
            self._heartbeat.update(compared=1)
        if isinstance(element, DOCUMENTS):
            current.writer.add(element, sketch(text_of(element), self._bands))
        if current.complete:
            made = self._open.pop(key).writer.close()
            write_json(self._layout.sketch_marker(key), to_json(made))
            yield made

    def finish_bundle(self) -> Iterator[Any]:
        for current in self._open.values():
            yield GlobalWindows.windowed_value_at_end_of_window(current.writer.close())
        self._open = {}
        self._heartbeat.flush()


class SetSketchedAside(beam.DoFn):
    """Ranges in; those still to be looked through go on, the SketchFiles of the others go to the output ``SKETCHED``. A
    resumed run has such: all ranges are compared, also those whose rows are written, so that the choice stays the
    same."""

    SKETCHED = "sketched"

    def __init__(self, workspace: str) -> None:
        self._layout = Layout(workspace)

    def setup(self) -> None:
        sizes = list_files(self._layout.sketches)
        self._sketched: dict[str, SketchFile] = {}
        for path in sizes:
            if path.endswith(".json"):
                try:
                    file = from_json(read_json(path))
                except (AttributeError, KeyError, TypeError, ValueError):
                    continue
                names = (file.table, file.shingles, file.kept)
                if all(not name or sizes.get(name) == size for name, size in zip(names, file.bytes)):
                    self._sketched[file.range_key] = file

    def process(self, element: Any) -> Iterator[Any]:
        file = self._sketched.get(element.key)
        yield element if file is None else beam.pvalue.TaggedOutput(self.SKETCHED, file)
