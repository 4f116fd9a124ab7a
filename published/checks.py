"""Checks of a published dataset against its manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from gistmill.core.framing import FramingError, count_lines, count_records, gunzip
from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.parquet_pages import ParquetBomb, batches_of
from gistmill.core.statistics import Column
from gistmill.published.files import Folder, read_chunks
from gistmill.rules.row_invariants import RowInvariant, invariants_of

_SHOWN = 5  # rows listed per file that violate a constraint


def problems(folder: Folder, manifest: Manifest) -> Iterator[str]:
    """Yields one line for each difference from the manifest.

    Every file must exist with its size, SHA-256 and number of rows, and there may be no other files. In the Parquet
    files, the ids of a split must be unique and sorted by their UTF-8 bytes, and no document may be in two splits of a
    configuration. Every row must satisfy gistmill.rules.row_invariants: edits must yield the row's text, and a
    synthetic document's targets must match its definition.

    Raises:
        OSError: the folder or the store cannot be read.
    """
    there = folder.sizes()
    whole: list[PublishedFile] = []
    for file in manifest.files:
        if file.path not in there:
            yield f"{file.path} is missing"
            continue
        try:
            same = there[file.path] == file.bytes and _sha256(folder, file.path) == file.sha256
        except OSError as error:  # no permission, or a link that leads out of the folder
            yield f"{file.path} cannot be read: {error.strerror or error}"
            continue
        if not same:
            yield f"{file.path} has changed: its bytes do not match the manifest"
            continue
        try:
            with folder.open(file.path) as opened:
                count, unfit = _measured(opened, file, manifest.columns.get(file.config, ()))
        except (OSError, ValueError) as error:  # the file was already damaged when the manifest was written
            yield f"{file.path} cannot be read: {error}"
            continue
        if unfit:
            yield f"{file.path} {unfit}"
            continue
        whole.append(file)
        if count != file.rows:
            yield f"{file.path} does not contain {file.rows} rows"
    known = {file.path for file in manifest.files} | {MANIFEST}
    for path in sorted(there.keys() - known):
        yield f"{path} is not in the manifest"
    yield from _wrong_ids(folder, whole)
    yield from _lawless(folder, manifest, whole)


def _measured(opened: BinaryIO, file: PublishedFile, columns: Sequence[Column]) -> tuple[int | None, str]:
    """Returns a file's number of rows (the manifest's if the format is unknown), and the column that a Parquet file
    lacks, or ""."""
    if file.format == "parquet":
        import pyarrow.parquet as pq

        from gistmill.published.shards import difference

        metadata = pq.ParquetFile(opened).metadata
        return metadata.num_rows, difference(metadata, None, columns)
    if file.format == "tfrecord":
        return count_records(gunzip(read_chunks(opened))), ""
    if file.format == "tsv":
        return count_lines(read_chunks(opened)) - 1, ""  # the header
    return count_lines(gunzip(read_chunks(opened))) if file.format == "jsonl" else file.rows, ""


def _wrong_ids(folder: Folder, files: Sequence[PublishedFile]) -> Iterator[str]:
    last: dict[tuple[str, str], bytes] = {}
    split_of: dict[tuple[str, str], str] = {}
    for file in sorted((f for f in files if f.format == "parquet"), key=lambda f: f.path):
        try:
            for row_id, document in _ids(folder, file.path):
                key = row_id.encode("utf-8")
                if key <= last.get((file.config, file.split), b""):
                    yield f"{file.path}: id {row_id!r} is out of order or repeated"
                last[file.config, file.split] = key
                if (other := split_of.setdefault((file.config, document), file.split)) != file.split:
                    yield f"{file.path}: document {document!r} is also in {other}"
        except ParquetBomb as error:
            yield f"{file.path}: {error}"


def _ids(folder: Folder, path: str) -> Iterator[tuple[str, str]]:
    """Yields (row id, document id); datasets of documents contain only the former."""
    import pyarrow.parquet as pq

    with folder.open(path) as opened:
        parquet = pq.ParquetFile(opened)
        names = ["id", "document_id"] if "document_id" in parquet.schema_arrow.names else ["id"]
        for batch in batches_of(parquet, opened, columns=names):
            yield from zip(batch[names[0]].to_pylist(), batch[names[-1]].to_pylist(), strict=True)


def _lawless(folder: Folder, manifest: Manifest, files: Sequence[PublishedFile]) -> Iterator[str]:
    """Yields the first rows in each file that violate a constraint, and the total number of violations.

    A split's rows are read from its Parquet files or, if there are none, from its TFRecord files.
    """
    in_parquet = {(file.config, file.split) for file in files if file.format == "parquet"}
    for file in files:
        if file.format != "parquet" and (file.format != "tfrecord" or (file.config, file.split) in in_parquet):
            continue
        try:
            with folder.open(file.path) as opened:
                for law, rows in _under_laws(opened, file, manifest.columns.get(file.config, ())):
                    found = 0
                    for row in rows:
                        if (problem := law.problem(row)) is not None:
                            found += 1
                            if found <= _SHOWN:
                                yield f"{file.path}: row {row['id']!r}: {problem}"
                    if found > _SHOWN:
                        yield f"{file.path}: {found:,} rows in total violate this constraint"
        except FramingError as error:  # its rows do not match its columns
            yield f"{file.path} {error}"
        except (OSError, ValueError) as error:
            yield f"{file.path} cannot be read: {' '.join(str(error).split())}"


def _under_laws(
    opened: BinaryIO, file: PublishedFile, columns: Sequence[Column]
) -> Iterator[tuple[RowInvariant, Iterator[dict[str, Any]]]]:
    """Yields each constraint that applies to the rows of a file, with the rows."""
    if file.format == "parquet":
        import pyarrow.parquet as pq

        parquet = pq.ParquetFile(opened)
        for law, names in invariants_of(parquet.schema_arrow.names):
            batches = batches_of(parquet, opened, columns=["id", *names])
            yield law, (row for batch in batches for row in batch.to_pylist())
    else:
        from gistmill.core.tf_example import rows_of

        for law, names in invariants_of([column.name for column in columns]):  # the file does not name its columns
            opened.seek(0)
            yield law, rows_of(read_chunks(opened), [column for column in columns if column.name in ("id", *names)])


def _sha256(folder: Folder, path: str) -> str:
    with folder.open(path) as opened:
        digest = hashlib.sha256()
        for chunk in read_chunks(opened):
            digest.update(chunk)
        return digest.hexdigest()
