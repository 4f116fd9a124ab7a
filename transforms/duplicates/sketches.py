"""The first pass: documents in, the files of their sketches out, a set for each range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import apache_beam as beam
from apache_beam.transforms.window import GlobalWindows

from rules.duplicates.documents import text_of
from rules.duplicates.sketch import Bands, bands_for, sketch
from rules.options import Options, option
from rules.records import AnnotatedDocument, CleanDocument, RangeEnd
from rules.values import PATHS, SHARE, SWITCH, one_of
from transforms.beam.heartbeat import Heartbeat
from transforms.duplicates.files import SketchFile, SketchWriter, from_json, to_json
from transforms.io import list_files, read_json, write_json
from transforms.layout import WorkspaceLayout

NONE, EXACT, NEAR = "none", "exact", "near"
MODES = (NONE, EXACT, NEAR)
DOCUMENTS = (CleanDocument, AnnotatedDocument)


@dataclass(frozen=True, kw_only=True)
class DuplicatesConfig(Options):
    """Decides what counts as a duplicate."""

    GROUP: ClassVar[str] = "duplicates"

    deduplicate: str | None = option(
        one_of(*MODES),
        metavar="MODE",
        help="reject documents with the same words as an earlier one (exact), or nearly the same (near), or none; the "
        "earliest stays (default: near where the same text may come twice, as in a crawl; else none)",
    )
    duplicate_threshold: float = option(
        SHARE,
        default=0.8,
        metavar="J",
        help="share of word 5-grams (Jaccard similarity) from which two documents are nearly the same",
    )

    keep_signatures: bool = option(
        SWITCH,
        default=False,
        help="put signatures of all documents into the dataset, with which --duplicates-against compares later ones",
    )
    duplicates_against: tuple[str, ...] | None = option(
        replace(PATHS, metavar="DATASETS", allowed="datasets, comma-separated"),
        help="datasets with signatures: reject documents that are duplicates of theirs too",
    )

    def check(self) -> None:
        """Raises ValueError for a threshold that no bands can have."""
        bands_for(self.duplicate_threshold)

    @property
    def bands(self) -> Bands | None:
        """How signatures are cut; None where there are none."""
        return bands_for(self.duplicate_threshold) if self.deduplicate == NEAR else None


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
        workspace: root of the run's workspace.
        config: what counts as a duplicate.
        keep: whether the elements are written too, so that they need not be made a second time.
    """

    def __init__(self, workspace: str, config: DuplicatesConfig, *, keep: bool) -> None:
        self._layout = WorkspaceLayout(workspace)
        self._bands = config.bands
        self._keep = keep

    def setup(self) -> None:
        self._heartbeat = Heartbeat.of(self._layout)

    def start_bundle(self) -> None:
        self._open: dict[str, _OpenRange] = {}

    def process(self, element: Any) -> Iterator[SketchFile]:
        key = element.range_key if isinstance(element, RangeEnd) else element.origin.range_key
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
        self._layout = WorkspaceLayout(workspace)

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
