"""Near-duplicates with known copies, and the memory of 100,000 documents: both by the real command.

    python -m benchmarks.duplicates [--documents 100000] [--workers 1] [--threshold 0.8] [--seed 1]
    python -m benchmarks.duplicates --signatures 10000000 [--workers 2] [--temp-dir DIR]

The first table counts pairs: of the copies that are put beside a text, how many are found with it (recall), and of the
pairs that are put together, how many are copies of one text (precision); look-alikes have a similarity just below the
threshold. Memory is resident, summed over the process tree. The last line is one JSON object.

``--signatures`` measures the search alone, on so many synthetic signatures and on a tenth of them: see
``benchmarks/duplicates_signatures.py``. Ten million take 9 GB of disk.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.duplicates_data import Made, known_copies, paragraphs, short_documents
from benchmarks.duplicates_signatures import expected, removals
from benchmarks.measuring import machine, table
from benchmarks.memory import peak_resident
from benchmarks.slice import slice_path


def run(made: Sequence[Made], folder: Path, *, workers: int, threshold: float) -> tuple[dict[int, int], int, float]:
    """Runs the command over documents; returns for each document, by number, the one that stays, and bytes and seconds.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    source, output = folder / "documents.jsonl", folder / "out"
    with source.open("w", encoding="utf-8") as file:
        for number, document in enumerate(made):
            file.write(json.dumps({"id": number, "text": document.text}) + "\n")
    peak, seconds = peak_resident(
        [
            sys.executable,
            "-m",
            "gistmill",
            "lead-bias",
            "--source",
            "jsonl",
            "--input",
            str(source),
            "--output",
            str(output),
            "--keep-boilerplate",
            "--languages",
            "any",
            "--deduplicate",
            "near",
            "--duplicate-threshold",
            str(threshold),
            "--workers",
            str(workers),
        ]
    )
    stays = {number: number for number in range(len(made))}
    for path in (output / "rejects").glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for reject in map(json.loads, lines):
                if reject["stage"] == "deduplicate":
                    stays[_number(reject["id"])] = _number(reject["detail"].removesuffix(" stays"))
                elif reject["unit"] == "document" and reject["stage"] != "recipe":
                    raise ValueError(f"{reject['id']} was not looked at: {reject['reason']}")
    return stays, peak, seconds


def _number(id_: str) -> int:
    return int(id_.rpartition("-")[2])


def score(made: Sequence[Made], stays: dict[int, int]) -> tuple[dict[str, list[int]], int, int]:
    """Returns for each kind (copies found with their text, all), and of the pairs put together the right ones and
    all."""
    bases = {d.base: number for number, d in enumerate(made) if d.kind == "base"}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    groups: dict[int, list[int]] = defaultdict(list)
    for number, document in enumerate(made):
        groups[stays[number]].append(number)
        if document.kind != "base":
            kinds[document.kind][0] += stays[number] == stays[bases[document.base]]
            kinds[document.kind][1] += 1
    right = together = 0
    for group in groups.values():
        together += len(group) * (len(group) - 1) // 2
        right += sum(n * (n - 1) // 2 for n in Counter(made[n].base for n in group if made[n].copy).values())
    return kinds, right, together


def quality(made: Sequence[Made], stays: dict[int, int]) -> tuple[list[Sequence[str]], dict[str, Any]]:
    """Returns the rows of the first table, and recall and precision."""
    kinds, right, together = score(made, stays)
    copies = {k for d in made if d.copy for k in [d.kind]} - {"base"}
    rows: list[Sequence[str]] = [
        (kind, "copy" if kind in copies else "alike", str(total), str(found), f"{found / total:.4f}")
        for kind, (found, total) in sorted(kinds.items(), key=lambda item: (item[0] not in copies, item[0]))
    ]
    found, total = (sum(kinds[k][i] for k in copies) for i in (0, 1))
    return rows, {"recall": found / total, "precision": right / together if together else 1.0, "copies": total}


def search(documents: int, *, workers: int, temp_dir: Path | None) -> dict[str, Any]:
    """Searches synthetic signatures; returns what was measured.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    module = [sys.executable, "-m", "benchmarks.duplicates_signatures"]
    with tempfile.TemporaryDirectory(dir=temp_dir) as folder:
        subprocess.run([*module, "make", folder, "--documents", str(documents)], check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak, seconds = peak_resident([*module, "find", folder, "--workers", str(workers)])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        disk = sum(p.stat().st_size for p in Path(folder).rglob("*") if p.is_file())
        stays = expected(documents)
        removed = list(removals(Path(folder)))
    planted = int((stays != np.arange(len(stays))).sum())
    right = sum(stays[number] == kept for number, kept in removed)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "documents": documents,
        "peak_bytes": peak,
        "disk_bytes": disk,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "documents_per_second": documents / seconds,
        "planted": planted,
        "recall": right / planted,
        "precision": right / max(1, len(removed)),
    }


def report_search(documents: int, *, workers: int, temp_dir: Path | None) -> dict[str, Any]:
    """Prints the table of ``--signatures``; returns what was measured."""
    runs = [search(n, workers=workers, temp_dir=temp_dir) for n in (documents // 10, documents)]
    header = ("signatures", "documents/s", "s", "CPU s", "peak", "disk", "planted", "recall", "precision")
    rows = [
        (
            f"{r['documents']:,}",
            f"{r['documents_per_second']:,.0f}",
            f"{r['seconds']:,.0f}",
            f"{r['cpu_seconds']:,.0f}",
            f"{r['peak_bytes'] / 1e6:,.0f} MB",
            f"{r['disk_bytes'] / 1e9:,.1f} GB",
            f"{r['planted']:,}",
            f"{r['recall']:.4f}",
            f"{r['precision']:.4f}",
        )
        for r in runs
    ]
    print(table(header, rows))
    return {"workers": workers, "signatures": runs}


def main(argv: Iterable[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="of the second table")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--signatures", type=int, default=None, help="search so many synthetic signatures instead")
    parser.add_argument("--temp-dir", type=Path, default=None, help="where signatures are put")
    args = parser.parse_args(argv)
    print(machine())
    if args.signatures is not None:
        print(json.dumps(report_search(args.signatures, workers=args.workers, temp_dir=args.temp_dir)))
        return
    source = paragraphs(slice_path())
    header = ("kind", "is a", "documents", "with the text", "share")
    result: dict[str, Any] = {"threshold": args.threshold, "workers": args.workers}
    sets = {
        "known": known_copies(source, threshold=args.threshold, seed=args.seed),
        "many": list(short_documents(source, args.documents, seed=args.seed)),
    }
    for name, made in sets.items():
        with tempfile.TemporaryDirectory() as folder:
            stays, peak, seconds = run(made, Path(folder), workers=args.workers, threshold=args.threshold)
        rows, measured = quality(made, stays)
        print(f"\n{len(made):,} documents, {sum(len(d.text.split()) for d in made) / len(made):,.0f} words each")
        print(table(header, rows))
        print(
            f"recall {measured['recall']:.4f}, precision {measured['precision']:.4f}; "
            f"{peak / 1e6:,.0f} MB, {seconds:,.0f} s"
        )
        result[name] = {**measured, "documents": len(made), "peak_bytes": peak, "seconds": seconds}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
