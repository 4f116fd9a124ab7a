"""Documents, and both passes over them in a pipeline."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.core.records import Origin, RangeEnd, Reject
from gistmill.pipelines.runners.quiet import quiet
from gistmill.rules.documents import CleanDocument, CleanReason, Section
from gistmill.transforms.beam.transforms import CreateConstants
from gistmill.transforms.duplicates.minhash import Deduplicate, DuplicatesConfig
from gistmill.transforms.sources.files.ranges import FileRange


def document(id: str, text: str, *, date: str = "", offset: int = 0) -> CleanDocument:
    """A document of one section; paragraphs are apart by blank lines."""
    origin = Origin(id, "made", id.title(), timestamp=date, offset=offset)
    return CleanDocument(origin, (Section("", 1, tuple(text.split("\n\n"))),))


def write_ranges(folder: Path, documents: Sequence[Any], *, ranges: int) -> list[FileRange]:
    """Deals documents and Rejects out to ranges, in order, with their offsets and range keys; an element knows its place."""
    folder.mkdir(parents=True, exist_ok=True)
    size = -(-len(documents) // ranges)
    made = []
    for number in range(ranges):
        key, start, end = f"00000-{number:015d}", number * size, (number + 1) * size
        mine = [_placed(d, key, start + i) for i, d in enumerate(documents[start:end])]
        path = folder / f"{key}.pickle"
        path.write_bytes(pickle.dumps([*mine, RangeEnd(key, len(mine))]))
        made.append(FileRange(key=key, file="in", path=str(path), kind="made", start=start, end=end, size=len(mine)))
    return made


def _placed(element: Any, key: str, offset: int) -> Any:
    return dataclasses.replace(element, origin=dataclasses.replace(element.origin, range_key=key, offset=offset))


def read(place: FileRange) -> Iterator[Any]:
    """Yields what was written."""
    yield from pickle.loads(Path(place.path).read_bytes())


def read_ranges(ranges: beam.PCollection) -> beam.PCollection:
    """PCollection[FileRange] -> its elements."""
    return ranges | "Read" >> beam.FlatMap(read)


def deduplicate(
    folder: Path,
    ranges: Sequence[FileRange],
    *,
    pending: Iterable[FileRange] | None = None,
    keep: bool = True,
    **config: Any,
) -> list[Any]:
    """Runs both passes; returns the elements of the pending ranges (all without any given)."""
    workspace = folder / "work"
    (workspace / "sketches").mkdir(parents=True, exist_ok=True)
    output = folder / "out.pickle"
    with quiet(), beam.Pipeline(runner=FnApiRunner()) as pipeline:
        everything = pipeline | "All" >> CreateConstants(list(ranges))
        wanted = pipeline | "Pending" >> CreateConstants(list(ranges if pending is None else pending))
        settings = DuplicatesConfig(**{"deduplicate": "near", **config})
        documents, _ = (everything, wanted) | Deduplicate(
            str(workspace), settings, read_ranges, keep=keep, reasons=(CleanReason,)
        )
        _ = documents | beam.combiners.ToList() | beam.Map(lambda found: output.write_bytes(pickle.dumps(found)))
    return pickle.loads(output.read_bytes())


def removed(elements: Iterable[Any]) -> dict[str, tuple[str, str]]:
    """Rejected duplicates by id: the reason and the document that stays."""
    return {
        e.id: (e.reason.name, e.detail.removesuffix(" stays"))
        for e in elements
        if isinstance(e, Reject) and e.stage == "deduplicate"
    }
