"""A blind audit of the splits of DiscoFuse datasets: examples for two readers, and what their marks add up to.

    python -m benchmarks.split_audit draw --dataset FOLDER [FOLDER ...] --out AUDIT [--n 200] [--seed 1] [--config full]
    python -m benchmarks.split_audit read AUDIT/key.tsv AUDIT/reading-1.tsv [AUDIT/reading-2.tsv]
    python -m benchmarks.split_audit marks first.jsonl [second.jsonl]

`draw` takes the same number of examples of every discourse type, as far as it has them. PAIR_NONE is left out, as its
text is not changed. The two sheets hold the same examples in two orders, with neither type nor row, for two readers, or
for one on two days. The key, which no reader opens, says what they are.

A reader writes y or n under `understandable` (the two sentences can be understood, and are true to the original) and
under `grammatical` (no error that the original has not; spaces around marks do not count). Where one is n, `fault`
names the class. `read` prints the shares with 95% intervals beside their bars, the readers' agreement, and the faults
by class and type. `marks` prints the same of marks that `gistmill explore` exported; of two exports, it reads the rows
that both mark. The last line of each is one JSON object.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import audit_readings, audit_sheets
from benchmarks.audit_sheets import FAULTS, Entry
from benchmarks.measuring import run_command, table
from gistmill.core.hashing import unit_interval
from gistmill.published.dataset import Dataset
from gistmill.rules.discofuse.candidate import DiscourseType

# What a row must have to be read, and what the checks need.
_TEXTS = (
    "id",
    "discourse_type",
    "connective_string",
    "targets",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
)
_UNCHANGED = DiscourseType.PAIR_NONE.name


def rows_of(folder: Path, config: str) -> Iterator[dict[str, str]]:
    """Yields the rows of a configuration, over all its splits.

    Raises:
        ValueError: the folder is not a dataset, or has no such configuration.
    """
    dataset = Dataset(folder)
    for split in dataset.splits(config):
        yield from dataset.rows(split, config, _TEXTS)


def draw(rows: Iterable[Mapping[str, str]], *, n: int, seed: str) -> list[Mapping[str, str]]:
    """Draws ``n`` rows by a hash of seed and id, evenly over the types; what one type lacks goes to the others.

    Rows whose text is not changed are left out.
    """
    by_type: dict[str, list[tuple[float, str, Mapping[str, str]]]] = defaultdict(list)
    for row in rows:
        if row["discourse_type"] != _UNCHANGED:
            by_type[row["discourse_type"]].append((unit_interval(seed, row["id"]), row["id"], row))
    queues = [sorted(found, key=lambda item: item[:2])[:n] for _, found in sorted(by_type.items())]
    chosen: list[Mapping[str, str]] = []
    for place in range(max(map(len, queues), default=0)):
        chosen.extend(q[place][2] for q in queues if place < len(q))
    return sorted(chosen[:n], key=lambda row: (row["discourse_type"], row["id"]))


def write(rows: Sequence[Mapping[str, str]], folder: Path, *, seed: str) -> None:
    """Writes the key and the sheets of two readings into a new folder.

    Raises:
        ValueError: two rows have one id, as when a dataset is given twice.
        FileExistsError: the folder is there; marks in it are not overwritten.
    """
    twice = [row_id for row_id, number in Counter(row["id"] for row in rows).items() if number > 1]
    if twice:
        raise ValueError(f"the datasets share rows, such as {twice[0]}")
    folder.mkdir(parents=True)
    audit_sheets.write_key(rows, folder / "key.tsv")
    for reading in ("1", "2"):
        audit_sheets.write_sheet(rows, folder / f"reading-{reading}.tsv", order=f"{seed}-{reading}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.split_audit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="faults:\n" + "\n".join(f"  {name:12} {meaning}" for name, meaning in FAULTS.items()),
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="draw|read|marks")
    drawing = commands.add_parser("draw", help="write a key and two blind sheets")
    drawing.add_argument("--dataset", type=Path, nargs="+", required=True, metavar="FOLDER")
    drawing.add_argument("--out", type=Path, required=True, metavar="AUDIT", help="a new folder for key and sheets")
    drawing.add_argument("--n", type=int, default=200, help="examples to draw (default: 200)")
    drawing.add_argument("--seed", default="1", help="another seed draws other examples (default: 1)")
    drawing.add_argument("--config", default="full", help="configuration of the datasets (default: full)")
    reading = commands.add_parser("read", help="print what filled sheets add up to")
    reading.add_argument("key", type=Path, metavar="KEY.tsv")
    reading.add_argument("first", type=Path, metavar="SHEET.tsv")
    reading.add_argument("second", type=Path, nargs="?", metavar="SHEET.tsv")
    marks = commands.add_parser("marks", help="print what marks of gistmill explore add up to")
    marks.add_argument("exports", type=Path, nargs="+", metavar="MARKS.jsonl", help="of one reader or of two")
    return parser


def _draw(args: argparse.Namespace) -> dict[str, Any]:
    if args.n < 1:
        raise ValueError(f"--n: {args.n} is not at least 1")
    if args.out.exists():
        raise ValueError(f"--out: {args.out} is there already")
    rows = (row for folder in args.dataset for row in rows_of(folder, args.config))
    chosen = draw(rows, n=args.n, seed=args.seed)
    if not chosen:
        raise ValueError("--dataset: there are no rows whose text is changed")
    write(chosen, args.out, seed=args.seed)
    types = Counter(row["discourse_type"] for row in chosen)
    print(table(("type", "drawn"), [(kind, str(number)) for kind, number in types.items()]))
    return {"n": len(chosen), "per_type": types}


def _read(args: argparse.Namespace) -> dict[str, Any]:
    key = audit_sheets.read_key(args.key)
    paths = [path for path in (args.first, args.second) if path is not None]
    return _shown(key, [audit_sheets.read_sheet(path, key) for path in paths])


def _marks(args: argparse.Namespace) -> dict[str, Any]:
    if len(args.exports) > 2:
        raise ValueError(f"MARKS.jsonl: {len(args.exports)} readers are more than two")
    exports = [audit_sheets.read_marks(path) for path in args.exports]
    both = sorted(exports[0].keys() & exports[-1].keys())
    if not both:
        raise ValueError("the readers have marked no row in common")
    if alone := sum(len(found) - len(both) for found in exports):
        print(f"{alone} marks of rows that the other reader has not marked are left out")
    key = {name: exports[0][name][0] for name in both}
    return _shown(key, [{name: found[name][1] for name in both} for found in exports])


def _shown(key: Mapping[str, Entry], read: Sequence[audit_sheets.Reading]) -> dict[str, Any]:
    """Prints what one or two readings add up to, and returns it."""
    readings = {f"reading {n}": reading for n, reading in enumerate(read, start=1)}
    found = audit_readings.figures(key, readings)
    print(audit_readings.show(found))
    print("\n".join(["", *audit_readings.faulty_lines(key, read)]))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Draws or reads an audit, or reads marks."""
    return run_command(_parser(), {"draw": _draw, "read": _read, "marks": _marks}, argv)


if __name__ == "__main__":
    sys.exit(main())
