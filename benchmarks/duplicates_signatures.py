"""Synthetic signatures with planted duplicates, and the search for duplicates over them.

    python -m benchmarks.duplicates_signatures make FOLDER --documents 1000000
    python -m benchmarks.duplicates_signatures find FOLDER --workers 2
    python -m benchmarks.duplicates_signatures group FOLDER
    python -m benchmarks.duplicates_signatures join FOLDER --documents 1000000

``benchmarks.duplicates --signatures`` calls the first two and measures the second. The third groups the bands as
elements of Beam in this process, which the search does not do; the fourth finds the components of the planted pairs.
All end with their processor time and peak. There are no texts: a document is its hash, its bands and 20 shingles. Of
the documents 70% are their own, 10% are exact copies, 14% near copies (similarity 0.90 to their base, 0.82 to each
other), 1% near copies of one document, and 5% share three bands with another one but are not alike (0.6). Every
twentieth has one value in the first band.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import apache_beam as beam
import numpy as np
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.pipelines.runners.local import run_local
from gistmill.rules.duplicates.candidates import pack
from gistmill.rules.duplicates.components import Forest
from gistmill.rules.duplicates.documents import UNDATED
from gistmill.rules.duplicates.sketch import bands_for
from gistmill.rules.text.grams import mix
from gistmill.transforms.beam.given import Given
from gistmill.transforms.duplicates.files import (
    SHINGLE,
    SketchFile,
    band_column,
    from_json,
    read_columns,
    to_json,
    write_table,
)
from gistmill.transforms.duplicates.find import CompareSketches
from gistmill.transforms.duplicates.index import Sizes
from gistmill.transforms.duplicates.sketches import NEAR, DuplicatesConfig
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout

THRESHOLD = 0.8
BANDS = bands_for(THRESHOLD)
KEPT = (19 / 21) ** BANDS.rows  # the share of bands that a near copy has of its base
FILE = 100_000  # documents of a range
SHINGLES = 20
OWN, COPY, NEAR_COPY, HOT, ALIKE = range(5)
SHARES = (0.70, 0.80, 0.94, 0.95)


def bases(documents: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns for each document its kind and the document that it is made of, which comes before it: two arrays of
    shape (documents,), int64."""
    chance = _unit(np.arange(documents), 1)
    kinds = np.searchsorted(SHARES, chance, side="right")
    kinds[:1] = OWN
    own = np.flatnonzero(kinds == OWN)
    before = np.searchsorted(own, np.arange(documents))  # documents of their own before each
    chosen = own[(_unit(np.arange(documents), 2) * before).astype(np.int64)]
    return kinds, np.where(kinds == OWN, np.arange(documents), np.where(kinds == HOT, 0, chosen))


def expected(documents: int) -> np.ndarray:
    """Returns for each document the one that stays, of shape (documents,), int64."""
    kinds, base = bases(documents)
    return np.where(kinds == ALIKE, np.arange(documents), base)


def make(folder: Path, documents: int) -> None:
    """Writes the sketch files of documents, and files.json, which names them."""
    layout = WorkspaceLayout(str(folder))
    kinds, base = bases(documents)
    files = []
    for start in range(0, documents, FILE):
        mine = slice(start, min(documents, start + FILE))
        files.append(_write(layout, np.arange(documents)[mine], kinds[mine], base[mine]))
    write_json(str(folder / "files.json"), [to_json(f) for f in files])


def find(folder: Path, *, workers: int) -> None:
    """Runs the search over the sketch files of a folder."""
    files = [from_json(value) for value in read_json(str(folder / "files.json"))]
    search = CompareSketches(str(folder), DuplicatesConfig(deduplicate=NEAR, duplicate_threshold=THRESHOLD))
    Path(WorkspaceLayout(str(folder)).duplicates).mkdir()
    run_local(lambda pipeline: pipeline | Given(files) | search, options=PipelineOptions([]), workers=workers)


def group(folder: Path) -> None:
    """Groups the bands of the sketch files of a folder as elements of Beam."""
    files = [from_json(value) for value in read_json(str(folder / "files.json"))]

    def build(pipeline: beam.Pipeline) -> None:
        keyed = pipeline | Given(files) | beam.FlatMap(_keyed).with_output_types(tuple[bytes, int])
        _ = keyed | beam.GroupByKey() | beam.Map(lambda found: len(list(found[1]))) | beam.combiners.Count.Globally()

    run_local(build, options=PipelineOptions([]))


def _keyed(file: SketchFile) -> Iterator[tuple[bytes, int]]:
    for band, keys in enumerate(read_columns(file.table, [band_column(b) for b in range(BANDS.count)])):
        for number, key in enumerate(keys.tolist(), file.first):
            yield key.to_bytes(8, "big") + bytes([band]), number


def join(documents: int) -> None:
    """Finds the components of the planted pairs, which come in pieces and in random order."""
    stays = expected(documents)
    later = np.random.default_rng(1).permutation(np.flatnonzero(stays != np.arange(documents)))
    pieces = [pack(stays[mine], mine) for mine in np.array_split(later, max(1, len(later) // Sizes().piece))]
    started, forest = time.process_time(), Forest(documents)
    for piece in pieces:
        forest.join(piece)
    found = sum(len(numbers) for numbers, _ in forest.members([*range(0, documents, Sizes().chunk), documents]))
    print(f"{len(later):,} pairs, {found:,} documents: {time.process_time() - started:.2f} s of processor time")


def removals(folder: Path) -> Iterator[tuple[int, int]]:
    """Yields the documents that the search removed, each with the one that stays."""
    for path in sorted(Path(WorkspaceLayout(str(folder)).duplicates).glob("*.json")):
        for _, removed, _, kept in json.loads(path.read_text())["removed"]:
            yield int(removed), int(kept)


def _write(layout: WorkspaceLayout, numbers: np.ndarray, kinds: np.ndarray, base: np.ndarray) -> SketchFile:
    key = f"{numbers[0]:012d}"
    table, shingles = layout.new_sketch(key, "parquet"), layout.new_sketch(key, "shingles")
    Path(shingles).parent.mkdir(parents=True, exist_ok=True)
    made = np.sort(_shingles(numbers, kinds, base), axis=1)
    made.astype(SHINGLE).tofile(shingles)
    size = write_table(
        table,
        ids=[str(n).encode() for n in numbers.tolist()],
        offsets=numbers,
        dates=np.full(len(numbers), UNDATED),
        exact=_number(np.where(kinds == COPY, base, numbers), 3),
        counts=np.full(len(numbers), SHINGLES),
        bands=_bands(numbers, kinds, base),
    )
    return SketchFile(
        range_key=key,
        table=table,
        shingles=shingles,
        kept="",
        documents=len(numbers),
        first=int(numbers[0]),
        bands=BANDS.count,
        bytes=(size, made.nbytes, 0),
    )


def _bands(numbers: np.ndarray, kinds: np.ndarray, base: np.ndarray) -> np.ndarray:
    bands = np.empty((BANDS.count, len(numbers)), np.uint64)
    for band in range(BANDS.count):
        near = (kinds == NEAR_COPY) | (kinds == HOT)
        kept = near & (_unit(numbers, 100 + band) < KEPT) | (kinds == COPY) | (kinds == ALIKE) & (band % 12 == 1)
        bands[band] = _number(np.where(kept, base, numbers), 200 + band)
    bands[0, numbers % 20 == 7] = 7 << 60
    return bands


def _shingles(numbers: np.ndarray, kinds: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Near copies have one shingle of their own, those that are only alike have five."""
    places = np.arange(SHINGLES)
    first = (_unit(numbers, 4) * SHINGLES).astype(np.int64)
    changed = np.select([(kinds == NEAR_COPY) | (kinds == HOT), kinds == ALIKE], [1, 5], 0)
    other = (places - first[:, None]) % SHINGLES < changed[:, None]
    made = np.where(other, numbers[:, None], base[:, None])
    return (_number(made * SHINGLES + places, 5) >> np.uint64(32)).astype(np.uint32)


def _number(values: np.ndarray, salt: int) -> np.ndarray:
    return mix(mix(values.astype(np.uint64)) ^ np.uint64(salt))


def _unit(values: np.ndarray, salt: int) -> np.ndarray:
    return (_number(values, salt) >> np.uint64(11)).astype(np.float64) / 2**53


def main(argv: Iterable[str] | None = None) -> None:
    """Makes signatures, searches or groups them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("make", "find", "group", "join"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    if args.action == "make":
        make(args.folder, args.documents)
        return
    if args.action == "find":
        find(args.folder, workers=args.workers)
    elif args.action == "group":
        group(args.folder)
    else:
        join(args.documents)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"this process: {used.ru_utime + used.ru_stime:.1f} s of processor time, {used.ru_maxrss / 1000:,.0f} MB")


if __name__ == "__main__":
    main()
