"""Signatures in datasets: what a later run needs in order to compare its documents with those of this one.

A dataset has them as Parquet files, ``signatures/part-00000-of-00003.parquet``, with a row for each document that
deduplication looked at; a document with the words of one that stays has none. Columns:

    id        of the document, or of the one that stays in its place
    date      when it appeared, in microseconds since 1970
    exact     hash of its words
    stays     hash of the words of the document that ``id`` names
    band00... keys of its bands; none where only exact copies were looked for
    shingles  their numbers in ascending order
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass

import apache_beam as beam
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.parquet_pages import table_of
from gistmill.rules.duplicates import Bands
from gistmill.transforms.beam.transforms import Given, Spread
from gistmill.transforms.duplicates.files import SHINGLE, SketchFile, band_column, write_table
from gistmill.transforms.duplicates.grouping import Sketches
from gistmill.transforms.io import create, join, open_input, sha256_of
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.files import HashingFile
from gistmill.transforms.sinks.shards import SIGNATURES, ShardFile
from gistmill.transforms.sources.files.manifests import below, manifest_of
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.tables import read_table

_FORM = b"gistmill_signatures"  # key of the files' metadata
_VERSION = 1  # of the words, shingles, hashes and bands: two documents are compared only if both have the same


class SignaturesError(SourceError):
    """Signatures that cannot be used; the text is one line that names the dataset and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureFile:
    """A file of signatures: its place among all of them, the dataset, its path below it, and its SHA-256."""

    key: str
    dataset: str
    name: str
    sha256: str

    @property
    def path(self) -> str:
        """Path or URL of the file."""
        return join(self.dataset, *self.name.split("/"))


def signature_files(datasets: Sequence[str], bands: Bands | None) -> list[SignatureFile]:
    """Returns the files of signatures of datasets, in order.

    Args:
        datasets: their folders or URLs.
        bands: those that the signatures must have; None where exact copies alone are looked for.

    Raises:
        SignaturesError: one is not a dataset, has no signatures, or others than those of ``bands``.
    """
    found = []
    for number, dataset in enumerate(datasets):
        try:
            named = _named(dataset)
        except SourceError as error:
            raise SignaturesError(str(error)) from None
        if not named:
            raise SignaturesError(f"{dataset} has no signatures; a job writes them with --keep-signatures")
        for place, file in enumerate(named):
            key = f"{number:04d}-{place:06d}"
            found.append(SignatureFile(key=key, dataset=dataset, name=file.path, sha256=file.sha256))
        _check_form(dataset, found[-1].path, bands)
    return found


class ReadSignatures(beam.PTransform):
    """Files of signatures -> PCollection[SketchFile], of old documents.

    Args:
        workspace: root of the run's workspace.
        files: what ``signature_files`` returned.
    """

    def __init__(self, workspace: str, files: Sequence[SignatureFile]) -> None:
        super().__init__()
        self._layout, self._files = WorkspaceLayout(workspace), files

    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        files = begin | "Files" >> Given(self._files) | "Spread" >> Spread(lambda file: file.key)
        return files | "Read" >> beam.Map(_read, layout=self._layout)


def write_signatures(
    sketches: Sketches, chunk: int, gone: pa.Table | None, *, bands: Bands | None, layout: WorkspaceLayout
) -> ShardFile:
    """Writes the signatures of a chunk.

    Args:
        sketches: the list of all documents.
        chunk: which of them.
        gone: a row for each duplicate of the chunk: its ``number``, id and exact hash of the document that stays
            (``kept``, ``stays``), whether both have the ``same`` words. None where there is none.
        bands: those of the signatures; None where exact copies alone were looked for.
        layout: of the workspace.
    """
    names = ["id", "stays", "date", "exact", *map(band_column, range(sketches.band_count))]
    form = {"version": _VERSION, "bands": _shown(bands)}
    schema = pa.schema(
        [
            ("id", pa.binary()),
            ("stays", pa.uint64()),
            ("date", pa.int64()),
            *((name, pa.uint64()) for name in names[3:]),
            ("shingles", pa.list_(pa.uint32())),
        ],
        metadata={_FORM: json.dumps(form)},
    )
    file, rows = HashingFile(layout.new_shard("parquet")), 0
    places = range(sketches.chunks[chunk], sketches.chunks[chunk + 1])
    with pq.ParquetWriter(file, schema, compression="none", use_dictionary=False) as writer:
        for _, parts in itertools.groupby(places, key=lambda p: sketches.files[p].range_key):
            table = pa.concat_tables(_signatures(sketches, place, names, gone) for place in parts)
            writer.write_table(table.cast(schema).combine_chunks())
            rows += len(table)
    file.close()
    old = sum(sketches.files[first].old for first in sketches.chunks[:-1])
    return ShardFile(
        config=SIGNATURES,
        split=SIGNATURES,
        format="parquet",
        index=chunk - old,
        of=len(sketches.chunks) - 1 - old,
        path=file.path,
        rows=rows,
        bytes=file.size,
        sha256=file.sha256,
        first_id="",
        last_id="",
    )


def _signatures(sketches: Sketches, place: int, names: Sequence[str], gone: pa.Table | None) -> pa.Table:
    file, start = sketches.files[place], int(sketches.starts[place])
    rows = read_table(file.table, [*names, "count"])
    kept = np.ones(len(rows), bool)
    if gone is not None:
        mine = (gone["number"].to_numpy() >= start) & (gone["number"].to_numpy() < start + len(rows))
        mine_gone = gone.filter(pa.array(mine))
        numbers = mine_gone["number"].to_numpy() - start
        kept[numbers[mine_gone["same"].to_numpy()]] = False
        ids = np.array(rows["id"].to_pylist(), object)
        ids[numbers] = mine_gone["kept"].to_pylist()
        stays = rows["stays"].to_numpy().copy()
        stays[numbers] = mine_gone["stays"].to_numpy()
        rows = rows.set_column(0, "id", pa.array(ids.tolist(), pa.binary())).set_column(1, "stays", pa.array(stays))
    values = np.zeros(0, SHINGLE)
    if file.shingles:
        with open_input(file.shingles) as data:
            values = np.frombuffer(data.read(), SHINGLE)
    ends = np.cumsum([0, *rows["count"].to_pylist()]).astype(np.int32)
    shingles = pa.ListArray.from_arrays(pa.array(ends), pa.array(values))
    return rows.drop_columns("count").append_column("shingles", shingles).filter(pa.array(kept))


def _read(file: SignatureFile, *, layout: WorkspaceLayout) -> SketchFile:
    """Copies signatures into the workspace, in the form of the first pass."""
    if sha256_of(file.path) != file.sha256:
        raise SignaturesError(f"{file.path} does not hold the bytes that its dataset's manifest names")
    table, shingles = layout.new_comparison("parquet"), layout.new_comparison("shingles")
    rows, counts, written = [], [np.zeros(0, np.int64)], 0
    with open_input(file.path) as source, create(shingles) as target:
        parquet = pq.ParquetFile(source)
        names = [name for name in parquet.schema_arrow.names if name != "shingles"]
        for group in range(parquet.num_row_groups):
            found = table_of(parquet, source, groups=[group])
            lists = found["shingles"].combine_chunks()
            data = lists.flatten().to_numpy().astype(SHINGLE)
            target.write(data.tobytes())
            written += data.nbytes
            counts.append(lists.value_lengths().to_numpy().astype(np.int64))
            rows.append(found.select(names))
        whole = pa.concat_tables([parquet.schema_arrow.empty_table().select(names), *rows]).combine_chunks()
    keys = [whole[name].to_numpy() for name in names if name.startswith("band")]
    size = write_table(
        table,
        ids=whole["id"].combine_chunks(),
        offsets=np.arange(len(whole)),
        dates=whole["date"].to_numpy(),
        exact=whole["exact"].to_numpy(),
        stays=whole["stays"].to_numpy(),
        counts=np.concatenate(counts),
        bands=np.array(keys, np.uint64).reshape(len(keys), len(whole)),
    )
    return SketchFile(
        range_key=file.key,
        table=table,
        shingles=shingles,
        kept="",
        documents=len(whole),
        first=0,
        bands=len(keys),
        bytes=(size, written, 0),
        old=True,
    )


def _named(dataset: str) -> list[PublishedFile]:
    """The files of signatures that a dataset has."""
    manifest = manifest_of(dataset)
    if manifest is None:
        raise SignaturesError(f"{dataset} is not a dataset: it has no {MANIFEST}")
    named = files_of_signatures(manifest)
    for file in named:
        below(dataset, file.path)
    return named


def files_of_signatures(manifest: Manifest) -> list[PublishedFile]:
    """Returns the files of signatures among the files of a dataset."""
    return [file for file in manifest.files if f"{SIGNATURES}/part-" in file.path]


def _shown(bands: Bands | None) -> list[int] | None:
    return [bands.count, bands.rows] if bands else None


def _check_form(dataset: str, path: str, bands: Bands | None) -> None:
    try:
        with open_input(path) as file:
            form = json.loads((pq.read_schema(file).metadata or {})[_FORM])
            version, found = form["version"], form["bands"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SignaturesError(f"{path} does not hold signatures: {error}") from None
    if version != _VERSION:
        raise SignaturesError(f"{dataset} has signatures of version {version}, not {_VERSION}; build it anew")
    if bands is not None and found != _shown(bands):
        which = "another --duplicate-threshold" if found else "exact copies only"
        raise SignaturesError(f"{dataset} has signatures for {which}; use the options that its manifest names")
