"""Source ``annotated``: the Parquet files of a dataset that ``gistmill annotate`` wrote, read back as documents."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from rules.annotated import COLUMNS, from_values
from rules.records import AnnotatedDocument, RangeEnd
from transforms.given import Given
from transforms.sources.ranges import InputFile, Range, SourceError, SourceFile, expand_inputs, range_key, split_commas
from transforms.sources.wikipedia import SOURCES
from transforms.spread import Spread

# Documents are large (a row holds every token), so few are decoded at a time.
BATCH_ROWS = 8
_BLOCK = 1 << 20


def annotated_inputs(patterns: Sequence[str]) -> tuple[InputFile, ...]:
    """Returns the Parquet files that dataset folders, files or globs name.

    Raises:
        ValueError: a folder is not a published dataset of annotations, or nothing matches.
    """
    expanded: list[str] = []
    for pattern in split_commas(patterns):
        manifest = _manifest(pattern)
        if manifest is None:
            expanded.append(pattern)
            continue
        if manifest.get("recipe") != "annotate":
            raise ValueError(f"{pattern} is a dataset of {manifest.get('recipe')!r}, not of `gistmill annotate`")
        expanded.append(FileSystems.join(pattern, "default", "parquet", "*.parquet"))
    return expand_inputs(expanded)


def annotation_models(patterns: Sequence[str]) -> list[Mapping[str, Any]]:
    """Returns the models that made the annotations, as the manifests of the dataset folders have them, each once."""
    models: list[Mapping[str, Any]] = []
    for pattern in split_commas(patterns):
        models += [m for m in (_manifest(pattern) or {}).get("models", ()) if m not in models]
    return models


def _manifest(folder: str) -> Mapping[str, Any] | None:
    path = FileSystems.join(folder, "manifest.json")
    if not FileSystems.exists(path):
        return None
    with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        return json.load(file)


def plan_file(file: InputFile, *, limit: int | None = None) -> Iterator[Range | SourceFile]:
    """Yields a range for each row group of a file, then the file's checksum.

    Args:
        file: the file.
        limit: rows to read at most, in order.

    Raises:
        SourceError: it is not a Parquet file of annotations.
    """
    with _open(file.path) as handle:
        metadata = _metadata(handle, file.path)
        left = limit
        for group in range(metadata.num_row_groups):
            if left is not None and left <= 0:
                break
            rows, size = metadata.row_group(group).num_rows, metadata.row_group(group).total_byte_size
            yield Range(key=range_key(file.index, group), file=file.path, path=file.path, kind="annotated", start=group,
                        end=group + 1, size=size, last=group + 1 == metadata.num_row_groups,
                        max_documents=None if left is None else min(left, rows))
            left = None if left is None else left - rows
    yield SourceFile(file.path, file.size, _sha256(file.path), "annotated")


def read_range(piece: Range) -> Iterator[AnnotatedDocument | RangeEnd]:
    """Yields the documents of a row group, then its RangeEnd."""
    documents = 0
    with _open(piece.path) as handle:
        rows = pq.ParquetFile(handle).iter_batches(BATCH_ROWS, row_groups=list(range(piece.start, piece.end)))
        for batch in rows:
            for values in batch.to_pylist():
                if piece.max_documents is not None and documents == piece.max_documents:
                    break
                yield from_values(values, file=piece.file, offset=piece.start, range_key=piece.key)
                documents += 1
    yield RangeEnd(piece.key, documents)


class PlanAnnotated(beam.PTransform):
    """Makes the ranges; the SourceFiles come out under the tag of the other sources."""

    def __init__(self, files: Sequence[InputFile], *, limit: int | None = None) -> None:
        super().__init__()
        self._files = tuple(files)
        self._limit = limit

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        jobs = [self._files] if self._limit is not None else [(f,) for f in self._files]
        return (begin | "Files" >> Given(jobs) | "Spread" >> Spread(_first_path)
                | "RowGroups" >> beam.FlatMap(_plan, limit=self._limit).with_outputs(SOURCES, main="ranges"))


class ReadAnnotated(beam.PTransform):
    """Range -> AnnotatedDocument, and one RangeEnd each."""

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        return ranges | "Rows" >> beam.FlatMap(read_range)


def _first_path(files: tuple[InputFile, ...]) -> str:
    return files[0].path


def _plan(files: tuple[InputFile, ...], *, limit: int | None) -> Iterator[Range | beam.pvalue.TaggedOutput]:
    left = limit
    for file in files:
        for made in plan_file(file, limit=left):
            if isinstance(made, SourceFile):
                yield beam.pvalue.TaggedOutput(SOURCES, made)
                continue
            if left is not None:
                left -= made.max_documents or 0
            yield made


def _open(path: str):
    return FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED)


def _metadata(handle, path: str) -> pq.FileMetaData:
    try:
        parquet = pq.ParquetFile(handle)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is not a Parquet file: {error}") from None
    if missing := {c.name for c in COLUMNS} - set(parquet.schema_arrow.names):
        raise SourceError(f"{path} does not hold annotations: it has no column {sorted(missing)[0]!r}")
    return parquet.metadata


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with _open(path) as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
