"""Random examples of a DiscoFuse dataset, for reading: original, split, and what the verdict says of a fresh parse.

    python -m benchmarks.split_audit --dataset FOLDER [--n 200] [--seed 1] [--config full] [--out SHEET.tsv|SHEET.md]

Every discourse type gives the same number of examples, as far as it has them. The two sentences of each split are
parsed again, on their own, and judged as the rules judge theirs: a sentence that fails there was kept on the strength
of the original's parse, and is worth a look. The columns `understandable` and `grammatical` are left for the reader.
The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pyarrow.parquet as pq

from benchmarks.measuring import table
from pipelines.fusion import parse_rows
from published.dataset import Dataset
from rules.discofuse import verdicts
from rules.discofuse.config import DiscoFuseConfig
from rules.discofuse.parse import Parse
from rules.hashing import unit_interval
from rules.verdict import Reason
from transforms.models import LoadedModel, load_model
from transforms.sinks.tfrecord import Example, read_tfrecords

# What a row must have to be read, and what the checks need.
_TEXTS = (
    "id",
    "discourse_type",
    "connective_string",
    "inputs",
    "targets",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
)
_SHEET = (
    "number",
    "type",
    "connective",
    "original",
    "first",
    "second",
    "checks",
    "understandable",
    "grammatical",
    "id",
)


@dataclass(frozen=True, slots=True)
class Audited:
    """An example and the reasons for which a fresh parse of its first and second sentence would be refused."""

    row: Mapping[str, str]
    checks: tuple[Reason | None, Reason | None]

    @property
    def failed(self) -> str:
        """The failed checks as text: "first: NO_VERB"; empty if there are none."""
        return "; ".join(f"{name}: {r.name}" for name, r in zip(("first", "second"), self.checks, strict=True) if r)


def rows_of(folder: Path, config: str) -> Iterator[dict[str, str]]:
    """Yields the rows of a configuration, over all its splits, from its Parquet files or else its TFRecords.

    Raises:
        ValueError: the folder is no dataset, or has no such configuration in a format that can be read.
    """
    files = Dataset(folder).manifest.files
    for form, read in (("parquet", _parquet_rows), ("tfrecord", _tfrecord_rows)):
        paths = [folder / f.path for f in files if f.config == config and f.format == form]
        if paths:
            for path in paths:
                yield from read(path)
            return
    raise ValueError(f"{folder} has no Parquet files or TFRecords of a configuration {config!r}")


def _parquet_rows(path: Path) -> Iterator[dict[str, str]]:
    for batch in pq.ParquetFile(path).iter_batches(columns=list(_TEXTS)):
        yield from batch.to_pylist()


def _tfrecord_rows(path: Path) -> Iterator[dict[str, str]]:
    for record in read_tfrecords(str(path)):
        features = Example.FromString(record).features.feature
        yield {name: features[name].bytes_list.value[0].decode("utf-8") for name in _TEXTS}


def draw(rows: Iterable[Mapping[str, str]], *, n: int, seed: str) -> list[Mapping[str, str]]:
    """Draws ``n`` rows by a hash of seed and id, evenly over the types; what one type lacks goes to the others."""
    by_type: dict[str, list[tuple[float, str, Mapping[str, str]]]] = defaultdict(list)
    for row in rows:
        by_type[row["discourse_type"]].append((unit_interval(seed, row["id"]), row["id"], row))
    queues = [sorted(found, key=lambda item: item[:2])[:n] for _, found in sorted(by_type.items())]
    chosen: list[Mapping[str, str]] = []
    for place in range(max(map(len, queues), default=0)):
        chosen.extend(q[place][2] for q in queues if place < len(q))
    return sorted(chosen[:n], key=lambda row: (row["discourse_type"], row["id"]))


def audit(rows: Sequence[Mapping[str, str]], model: LoadedModel, config: DiscoFuseConfig) -> list[Audited]:
    """Judges both sentences of every row on a parse of their own."""
    pairs = [(r["incoherent_first_sentence"], r["incoherent_second_sentence"]) for r in rows]
    out = []
    for row, sentences in zip(rows, parse_rows(pairs, model, tokenized=True), strict=True):
        first, second = (
            verdicts.of_sentence(Parse(s).words, min_tokens=config.min_sentence_tokens, ascii_only=config.ascii_only)
            for s in sentences
        )
        out.append(Audited(row, (first, second)))
    return out


def summary(found: Sequence[Audited]) -> dict[str, Any]:
    """The figures of the last line."""
    kinds = Counter(a.row["discourse_type"] for a in found)
    failed = Counter(r.name for a in found for r in a.checks if r)
    clean = sum(not a.failed for a in found)
    return {
        "n": len(found),
        "passed": clean,
        "share_passed": round(clean / len(found), 4) if found else 0.0,
        "per_type": dict(sorted(kinds.items())),
        "failed": dict(failed.most_common()),
    }


def write_tsv(found: Sequence[Audited], stream: TextIO) -> None:
    """Writes one line an example, to be opened as a spreadsheet."""
    out = csv.writer(stream, delimiter="\t", lineterminator="\n")
    out.writerow(_SHEET)
    for number, item in enumerate(found, start=1):
        row = item.row
        sentences = row["incoherent_first_sentence"], row["incoherent_second_sentence"]
        out.writerow(
            (
                number,
                row["discourse_type"],
                row["connective_string"],
                _line(row["targets"]),
                *sentences,
                item.failed,
                "",
                "",
                row["id"],
            )
        )


def write_markdown(found: Sequence[Audited], stream: TextIO) -> None:
    """Writes a few lines an example, to be read from top to bottom."""
    for number, item in enumerate(found, start=1):
        row = item.row
        connective = f" ({row['connective_string']})" if row["connective_string"] else ""
        stream.write(
            f"**{number}. {row['discourse_type']}{connective}** {row['id']}\n\n"
            f"- original: {_line(row['targets'])}\n- first: {row['incoherent_first_sentence']}\n"
            f"- second: {row['incoherent_second_sentence']}\n"
            + (f"- checks: {item.failed}\n" if item.failed else "")
            + "- understandable: \n- grammatical: \n\n"
        )


def _line(text: str) -> str:
    return " ".join(text.split())


def sheet_path(text: str) -> Path:
    """The type of ``--out``."""
    path = Path(text)
    if path.suffix not in (".tsv", ".md"):
        raise argparse.ArgumentTypeError(f"{text!r} ends in neither .tsv nor .md")
    return path


def main(argv: Sequence[str] | None = None) -> int:
    """Prints or writes the sheet, then a table of types and failed checks."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.split_audit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dataset", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--n", type=int, default=200, help="examples to draw (default: 200)")
    parser.add_argument("--seed", default="1", help="another seed draws other examples (default: 1)")
    parser.add_argument("--config", default="full", help="configuration of the dataset (default: full)")
    parser.add_argument(
        "--out",
        type=sheet_path,
        default=None,
        metavar="SHEET",
        help="a .tsv or .md file for the sheet (default: standard output, as Markdown)",
    )
    parser.add_argument("--spacy-model", default=None, metavar="MODEL")
    args = parser.parse_args(argv)
    if args.n < 1:
        parser.error(f"--n: {args.n} is not at least 1")
    try:
        chosen = draw(rows_of(args.dataset, args.config), n=args.n, seed=args.seed)
    except ValueError as error:
        parser.error(str(error))
    found = audit(chosen, load_model(args.spacy_model), DiscoFuseConfig())
    if args.out is None:
        write_markdown(found, sys.stdout)
    else:
        with args.out.open("w", encoding="utf-8", newline="") as stream:
            (write_tsv if args.out.suffix == ".tsv" else write_markdown)(found, stream)
    figures = summary(found)
    failed = Counter(a.row["discourse_type"] for a in found if a.failed)
    print(
        table(
            ("type", "drawn", "checks failed"),
            [(t, str(number), str(failed[t])) for t, number in figures["per_type"].items()],
        )
    )
    print("failed: " + (", ".join(f"{k} {v}" for k, v in figures["failed"].items()) or "none"))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
