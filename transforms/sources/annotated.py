"""Source ``annotated``: Parquet files written by ``gistmill annotate``, read back as documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

import pyarrow.parquet as pq
from typing_extensions import override

from gistmill.core.records import RangeEnd
from gistmill.rules.annotated import COLUMNS, DIGESTS, from_values
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.recipe import DEFAULT
from gistmill.transforms.io import open_input
from gistmill.transforms.sources import rows
from gistmill.transforms.sources.base import (
    FilesSource,
    Provenance,
    SourceConfig,
    below,
    manifest_of,
    provenance_of,
    with_end,
)
from gistmill.transforms.sources.files.ranges import (
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    split_commas,
)
from gistmill.transforms.sources.files.sniff import HEAD_BYTES, PARQUET, looks_like
from gistmill.transforms.sources.lines import LinesConfig

# Each row contains all tokens of a document, so only a few are decoded at a time.
BATCH_ROWS = 8


def annotated_inputs(patterns: Sequence[str]) -> tuple[InputFile, ...]:
    """Returns the Parquet files in dataset folders, or matched by paths or globs.

    Raises:
        ValueError: a folder is not a published dataset of annotations, its manifest cannot be read, it contains no
            rows, or nothing matches.
    """
    sizes: dict[str, int] = {}
    others = []
    for pattern in split_commas(patterns):
        manifest = manifest_of(pattern)
        if manifest is None:
            others.append(pattern)
            continue
        if manifest.recipe != "annotate":
            raise SourceError(f"{pattern} is a dataset made by {manifest.recipe!r}, not by `gistmill annotate`")
        shards = [f for f in manifest.files if f.config == DEFAULT and f.format == "parquet"]
        if not shards:
            raise SourceError(f"{pattern} contains no rows in Parquet files")
        sizes |= {below(pattern, shard.path): shard.bytes for shard in shards}
    if others or not sizes:
        sizes |= {file.path: file.size for file in expand_inputs(others)}
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes)))


def plan_file(
    file: InputFile, config: SourceConfig, *, workspace: str = "", limit: int | None = None
) -> tuple[list[rows.RowRange], SourceFile, int]:
    """Returns a range per row group of a file, the file's manifest entry, and the number of rows up to the limit.

    Raises:
        SourceError: the file is not a Parquet file with annotations.
    """
    ranges, source, taken = rows.plan_file(_checked(file), LinesConfig(range_bytes=1), limit=limit)
    return ranges, replace(source, kind=AnnotatedSource.NAME), taken


def read_range(piece: FileRange, config: SourceConfig) -> Iterator[AnnotatedDocument | RangeEnd]:
    """Yields the documents in a row group, then its RangeEnd. Raises SourceError for a decompression bomb."""
    yield from with_end(piece, _documents(piece))


def _documents(piece: FileRange) -> Iterator[AnnotatedDocument]:
    with open_input(piece.path) as handle:
        parquet, groups = pq.ParquetFile(handle), range(piece.start, piece.end)
        for batch in rows.checked_batches(parquet, handle, piece.path, BATCH_ROWS, groups=groups):
            yield from (from_values(values, range_key=piece.key) for values in batch.to_pylist())


def _checked(file: InputFile) -> rows.RowFile:
    with open_input(file.path) as handle:
        try:
            names = set(pq.ParquetFile(handle).schema_arrow.names)
        except (OSError, ValueError) as error:
            handle.seek(0)
            found = looks_like(handle.read(HEAD_BYTES))
            problem = error if found in ("", PARQUET) else f"it looks like {found}"
            raise SourceError(f"{file.path} is not a Parquet file: {problem}") from None
    if missing := [c.name for c in COLUMNS if c.name not in names and c.name != DIGESTS]:
        raise SourceError(
            f"{file.path} contains no annotations, or was written by an earlier version; missing columns: "
            f"{', '.join(missing[:10])}"
        )
    return rows.RowFile(file.path, file.size, file.index, form=rows.PARQUET)


class AnnotatedSource(FilesSource[SourceConfig]):
    """A source that reads Parquet files written by ``gistmill annotate``."""

    NAME = "annotated"
    DEDUPLICATE = "none"
    HELP = "dataset folders written by `gistmill annotate`"
    DOCUMENT = AnnotatedDocument
    PLAN = plan_file
    READ = read_range

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: SourceConfig) -> Self:
        files = annotated_inputs(patterns)
        _checked(files[0])  # reports a wrong --source at once; planning checks all files
        return cls(files, config)

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """Returns the provenance in the manifests; files without one add nothing."""
        return provenance_of(m for m in map(manifest_of, split_commas(patterns)) if m is not None)
