"""Subsets of published datasets: a few training rows, chosen at random, as datasets of their own.

The rows of one seed are nested: those of a smaller subset are among those of a larger one, as the low-resource protocol
of WikiTransfer asks (section 4: "The 10 data point sets are subsets of the 100 data point sets").
"""

from __future__ import annotations

import dataclasses
import hashlib
import heapq
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from gistmill.core.manifest import MANIFEST, PublishedFile
from gistmill.published.dataset import Dataset
from gistmill.rules.curriculum.recipe import chance
from gistmill.training.data.source import Source
from gistmill.training.errors import SettingsError

_VALIDATION = "validation"


def chosen_ids(ids: Iterable[str], rows: int, seed: int) -> set[str]:
    """Returns ``rows`` of the ids, or all if there are fewer; their order does not matter."""
    return {key for _, key in heapq.nsmallest(rows, ((chance(seed, key), key) for key in ids))}


def write_subset(place: str, folder: Path, *, config: str | None, split: str, rows: int, seed: int) -> None:
    """Publishes a subset of a split, and the whole validation split, in ``folder``.

    Its manifest is that of the dataset with the subset's files and counts, so that licence and sources stay with the
    rows. What a run that was killed has left at the place is replaced.

    Args:
        place: path or URL of the dataset.
        folder: where the subset goes; it appears when it is complete.
        config: of the dataset; None: the first.
        split: which the rows are chosen from.
        rows: how many.
        seed: of the choice.

    Raises:
        SettingsError: there is no such dataset or split, or it has fewer rows.
        TrainingError: it cannot be read.
        OSError: the folder cannot be written to.
    """
    ids = Source(place, config=config, split=split, columns=("id",)).open()
    if ids.rows < rows:
        raise SettingsError(f"{place}: {split} has {ids.rows:,} rows, and the subset needs {rows:,}")
    chosen = pa.array(sorted(chosen_ids((row["id"] for row in ids.in_order()), rows, seed)))
    dataset = Dataset(place)
    name = config or dataset.configs[0]
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    written = [_copy(Source(place, config=name, split=split), part, name, chosen)]
    if split != _VALIDATION and _VALIDATION in dataset.splits(name):
        written.append(_copy(Source(place, config=name, split=_VALIDATION), part, name, None))
    manifest = dataclasses.replace(
        dataset.manifest,
        configuration={**dataset.manifest.configuration, "subset": {"split": split, "rows": rows, "seed": seed}},
        counts={f"rows/{name}": {file.split: file.rows or 0 for file in written}},
        machine_dependent={},
        columns={name: dataset.columns(name)},
        files=tuple(sorted(written, key=lambda file: file.path)),
    )
    content = json.dumps(manifest.to_json(), indent=2, ensure_ascii=False) + "\n"
    (part / MANIFEST).write_text(content, encoding="utf-8")
    part.rename(folder)


def _copy(source: Source, folder: Path, config: str, chosen: pa.Array | None) -> PublishedFile:
    """Writes the chosen rows of a split, or all, as one Parquet shard."""
    split = source.open()
    path = folder / config / "parquet" / f"{source.split}-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows, writer = 0, None
    for block in split.blocks:
        table = split.read([block])
        if chosen is not None:
            table = table.filter(pc.is_in(table["id"], value_set=chosen))
        writer = writer or pq.ParquetWriter(path, table.schema)
        if table.num_rows:
            writer.write_table(table)
        rows += table.num_rows
    if writer is not None:
        writer.close()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return PublishedFile(
        path=path.relative_to(folder).as_posix(),
        bytes=path.stat().st_size,
        sha256=digest,
        rows=rows,
        config=config,
        split=source.split,
        format="parquet",
    )
