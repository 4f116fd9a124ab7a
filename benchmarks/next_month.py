"""What the next month costs when the last one is reused, and how many bytes an upload of its datasets moves.

    python -m benchmarks.next_month [--rounds 3] [--pages 30,5,10,1] [--row-group-bytes 2097152,16777216]

The input is the slice and its next month (``benchmarks/months.py``). The first table has the processor time of
`annotate` with and without `--reuse`, and of `discofuse` over its dataset, which a rebuild makes of all documents
either way. The ratios, of `annotate` alone and of both jobs, leave out the time for one page: what it costs to begin.
The second table compares datasets of both months: rows that changed, and bytes in chunks that the old files lack.
`file` and `offset` change in every row that has them, because a new dump has another name and other places; the share
of rows that changed is given without them. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import in_turn, machine, median, processor_seconds, table, timed
from benchmarks.months import Months, months
from gistmill.core.chunks import chunks
from gistmill.published.dataset import Dataset

OF_THE_DUMP = frozenset({"file", "offset"})
FORMATS = {"annotate": "parquet", "discofuse": "parquet,tfrecord", "gap-sentences": "parquet,tfrecord"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A configuration of a recipe's dataset, in one format, of both months.

    Attributes:
        rows: of the second month.
        changed: share of them that the first month has not, but for the columns OF_THE_DUMP.
        size: bytes of the second month's files.
        moved: share of these bytes in chunks that the first month's files lack.
        read: processor seconds to read the second month's Parquet files; None of other formats.
    """

    recipe: str
    config: str
    format: str
    row_group_bytes: int
    rows: int
    changed: float
    size: int
    moved: float
    read: float | None


def measure_time(made: Months, folder: Path, *, rounds: int) -> dict[str, Any]:
    """Returns processor seconds of each kind of run, their ratios, documents parsed, and whether files are equal."""
    first, second = made.write(folder)
    smallest = min((page for page in made.second if b"<redirect" not in page), key=len)
    (folder / "one.xml.bz2").write_bytes(bz2.compress(made.head + smallest + b"</mediawiki>\n"))
    annotate(first, folder / "annotate-1")
    begin = ("--limit", 1, "--allow-empty")
    runs = {
        "begin": lambda: _used(folder / "one.xml.bz2", folder / "begin"),
        "whole": lambda: _used(second, folder / "whole"),
        "again": lambda: _used(second, folder / "annotate-2", "--reuse", folder / "annotate-1"),
        "begin_recipe": lambda: _used_by_recipe(folder / "annotate-2", folder / "recipe-begin", *begin),
        "recipe": lambda: _used_by_recipe(folder / "annotate-2", folder / "recipe"),
    }
    seconds = {name: median(times) for name, times in in_turn(runs, times=rounds).items()}
    whole, again = Dataset(folder / "whole").manifest, Dataset(folder / "annotate-2").manifest
    same = {f.path: f.sha256 for f in whole.files if f.format} == {f.path: f.sha256 for f in again.files if f.format}
    assert again.reuse is not None
    recipe = seconds["recipe"] - seconds["begin_recipe"]
    anew, reused = (seconds[name] - seconds["begin"] for name in ("whole", "again"))
    ratios = {"ratio": reused / anew, "ratio_rebuild": (reused + recipe) / (anew + recipe)}
    return {**seconds, **ratios, "same_files": same, "documents": dict(again.reuse.documents)}


def measure_uploads(folder: Path, *, row_group_bytes: int) -> Iterator[Upload]:
    """Yields what an upload moves, of recipes that read the two annotated datasets of ``folder``."""
    for recipe, formats in FORMATS.items():
        datasets = []
        for month in (1, 2):
            output = folder / f"{recipe}-{row_group_bytes}-{month}"
            source = ("--source", "annotated", "--input", folder / f"annotate-{month}")
            run(recipe, *source, "--output", output, "--formats", formats, "--row-group-bytes", row_group_bytes)
            datasets.append(Dataset(output))
        for config in datasets[1].configs:
            changed, rows = _changed(*(_rows(d, config) for d in datasets))
            for kind in formats.split(","):
                old, new = (_paths(d, config, kind) for d in datasets)
                size = sum(path.stat().st_size for path in new)
                yield Upload(
                    recipe=recipe,
                    config=config,
                    format=kind,
                    row_group_bytes=row_group_bytes,
                    rows=rows,
                    changed=changed,
                    size=size,
                    moved=_moved(old, new) / size,
                    read=_reading(new) if kind == "parquet" else None,
                )


def annotate(dump: Path, output: Path, *options: object) -> None:
    """Runs the job."""
    run("annotate", "--input", dump, "--output", output, "--overwrite", *options)


def run(*arguments: object) -> None:
    """Runs the command."""
    subprocess.run([sys.executable, "-m", "gistmill", *map(str, arguments)], check=True, capture_output=True)


def _used(dump: Path, output: Path, *options: object) -> float:
    return timed(lambda: annotate(dump, output, *options), clock=processor_seconds)


def _used_by_recipe(annotated: Path, output: Path, *options: object) -> float:
    source = ("--source", "annotated", "--input", annotated, *options)
    return timed(lambda: run("discofuse", *source, "--output", output, "--overwrite"), clock=processor_seconds)


def _paths(dataset: Dataset, config: str, kind: str) -> list[Path]:
    folder = Path(str(dataset.place))
    return [folder / f.path for f in dataset.manifest.files if f.config == config and f.format == kind]


def _rows(dataset: Dataset, config: str) -> pa.Table:
    return pa.concat_tables([pq.read_table(path) for path in _paths(dataset, config, "parquet")])


def _changed(old: pa.Table, new: pa.Table) -> tuple[float, int]:
    """The share of rows that changed, and the number of rows."""
    before, after = (list(map(_compared, rows.to_pylist())) for rows in (old, new))
    return len(set(after) - set(before)) / len(after), len(after)


def _compared(row: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in row.items() if name not in OF_THE_DUMP}, sort_keys=True)


def _moved(old: Sequence[Path], new: Sequence[Path]) -> int:
    """Bytes of the chunks of new files that old ones lack, each counted once."""
    known = {digest for path in old for digest, _ in chunks([path.read_bytes()])}
    fresh = {digest: size for path in new for digest, size in chunks([path.read_bytes()])}
    return sum(size for digest, size in fresh.items() if digest not in known)


def _reading(paths: Sequence[Path]) -> float:
    return min(timed(lambda: list(map(_read, paths)), clock=processor_seconds) for _ in range(3))


def _read(path: Path) -> pa.Table:
    return pq.read_table(path, use_threads=False)


def main() -> None:
    """Measures, and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind (default: 3)")
    parser.add_argument("--pages", default="30,5,10,1", metavar="N,N,N,N", help="changed, deleted, new and renamed")
    parser.add_argument("--most-bytes", type=int, metavar="N", help="leave out longer pages (default: none)")
    parser.add_argument("--row-group-bytes", default="2097152,16777216", metavar="N,N", help="sizes to compare")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        changed, deleted, new, renamed = map(int, arguments.pages.split(","))
        made = months(changed=changed, deleted=deleted, new=new, renamed=renamed, most_bytes=arguments.most_bytes)
        times = measure_time(made, Path(scratch), rounds=arguments.rounds)
        sizes = map(int, arguments.row_group_bytes.split(","))
        uploads = [upload for size in sizes for upload in measure_uploads(Path(scratch), row_group_bytes=size)]
    print(machine(("apache-beam", "spacy", "pyarrow")))
    runs = {
        "annotate, one page": "begin",
        "annotate": "whole",
        "annotate --reuse": "again",
        "discofuse, one page": "begin_recipe",
        "discofuse": "recipe",
    }
    print(table(("run", "CPU s"), [(name, f"{times[key]:.1f}") for name, key in runs.items()]))
    print(f"reused / anew, without the beginnings: annotate {times['ratio']:.2f}, with discofuse", end=" ")
    print(f"{times['ratio_rebuild']:.2f}; same files: {times['same_files']}")
    print(times["documents"])
    lines = [
        (
            f"{u.recipe} {u.config} {u.format} {u.row_group_bytes}",
            f"{u.rows:,}",
            f"{u.changed:.3f}",
            f"{u.size:,}",
            f"{u.moved:.3f}",
            f"{u.moved / u.changed:.2f}" if u.changed else "",
            f"{u.read * 1000:.1f}" if u.read is not None else "",
        )
        for u in uploads
    ]
    print(table(("dataset", "rows", "changed", "bytes", "moved", "moved / changed", "read, ms"), lines))
    print(json.dumps({"times": times, "uploads": [asdict(u) for u in uploads]}))


if __name__ == "__main__":
    main()
