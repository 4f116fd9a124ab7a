"""Reads blind what single checks of the DiscoFuse rules refuse, and says how often they are right.

    python -m benchmarks.check_readings draw rows.jsonl --out FOLDER [--each 20] [--accepted N] [--checks ID ...]
    python -m benchmarks.check_readings keep FOLDER --reader NAME --rules COMMIT --date DAY --output FILE.jsonl
    python -m benchmarks.check_readings score FILE.jsonl [MORE ...]

`draw` takes rows that `python -m benchmarks.checks --rows` wrote: for each check up to `--each` that it alone refuses,
and accepted ones between them. A row that several checks refuse alone, such as a function and its caller, is read once
and counts for all. FOLDER gets `sheet.tsv` for the reader, in which rows of all kinds stand in one order by chance, and
`key.jsonl`, which no reader opens. The sheet is filled as that of `python -m benchmarks.split_audit`: y or n under
`understandable` and `grammatical`, and a class of `fault` where one is n.

`keep` adds the marks of a filled sheet to a file of readings, which belongs into research/readings; the page there has
its form. `score` prints for each check how many of its refusals were right, as the row had a fault, with 95% intervals,
beside the faults of accepted rows. The last line of each is one JSON object.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import audit_sheets
from benchmarks.audit_readings import interval
from benchmarks.audit_sheets import FAULTS, Entry
from benchmarks.measuring import run_command, table
from gistmill.core.hashing import unit_interval

# What a line of a file of readings has, besides the marks.
ROW = ("document", "text", "first", "second", "type", "connective")
MARKS = ("understandable", "grammatical", "fault", "note")
MADE = ("checks", "reader", "date", "rules")
_SHEET, _KEY = "sheet.tsv", "key.jsonl"

Row = Mapping[str, Any]


def read_lines(path: Path, needed: Iterable[str]) -> list[dict[str, Any]]:
    """Returns the objects of a file of JSON lines.

    Raises:
        ValueError: it cannot be read, or a line lacks one of the ``needed`` keys.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}: line {number} is not JSON: {error}") from None
        missing = [key for key in needed if not isinstance(value, dict) or key not in value]
        if missing:
            raise ValueError(f"{path}: line {number} lacks {', '.join(missing)}")
        found.append(value)
    return found


def draw(
    rows: Iterable[Row], *, each: int, most: int, accepted: int, seed: str, only: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Draws rows by a hash of seed and text.

    Args:
        rows: with ``check``, the id of the one check that refuses it, "" for accepted ones, and the keys of ROW.
        each: rows of a check, at most.
        most: checks, those with most rows first.
        accepted: accepted rows.
        seed: another one draws other rows.
        only: the checks to choose from; all if empty.

    Returns:
        the rows in one order by chance, with ``checks``: the ids of all checks that refuse it alone.
    """
    texts: dict[str, Row] = {}
    refused: dict[str, set[str]] = defaultdict(set)
    of_check: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        name = _name(row)
        texts[name] = row
        if row["check"]:
            refused[name].add(row["check"])
        of_check[row["check"]].add(name)

    def place(name: str) -> tuple[float, str]:
        return unit_interval(seed, name), name

    chosen = set(sorted(of_check.get("", set()) - refused.keys(), key=place)[:accepted])
    named = {check: found for check, found in of_check.items() if check and (not only or check in only)}
    ranked = sorted(named, key=lambda check: (-len(named[check]), check))[:most]
    for check in reversed(ranked):  # the rarest first, as their rows may serve the others
        mine = sorted(named[check], key=place)
        taken = sum(name in chosen for name in mine)
        chosen.update([name for name in mine if name not in chosen][: max(0, each - taken)])
    return [
        {**{key: texts[name][key] for key in ROW}, "checks": sorted(refused[name])}
        for name in sorted(chosen, key=lambda name: unit_interval(f"{seed}-order", name))
    ]


def _name(row: Row) -> str:
    return json.dumps([row[key] for key in ("document", "text", "first", "second", "type")])


def write(drawn: Sequence[Row], folder: Path) -> None:
    """Writes the sheet and the key of drawn rows into a new folder.

    Raises:
        FileExistsError: the folder is there; marks in it are not overwritten.
    """
    folder.mkdir(parents=True)
    sheet = [
        {
            "id": _name(row),
            "targets": row["text"],
            "incoherent_first_sentence": row["first"],
            "incoherent_second_sentence": row["second"],
        }
        for row in drawn
    ]
    audit_sheets.write_sheet(sheet, folder / _SHEET, order="sheet")
    with (folder / _KEY).open("w", encoding="utf-8") as stream:
        for row in drawn:
            stream.write(json.dumps({"example": audit_sheets.name_of(_name(row)), **row}, ensure_ascii=False) + "\n")


def keep(folder: Path, *, reader: str, date: str, rules: str) -> list[dict[str, Any]]:
    """Returns the lines of a file of readings that a filled sheet makes, in the order of the key.

    Raises:
        ValueError: sheet or key cannot be read, or a mark is missing or unknown.
    """
    drawn = read_lines(folder / _KEY, ("example", "checks", *ROW))
    key = {row["example"]: Entry(row["example"], row["type"], row["connective"], "") for row in drawn}
    marks = audit_sheets.read_sheet(folder / _SHEET, key)
    notes = audit_sheets.read_notes(folder / _SHEET)
    return [
        {
            **{name: row[name] for name in ROW},
            "understandable": marks[row["example"]].understandable,
            "grammatical": marks[row["example"]].grammatical,
            "fault": marks[row["example"]].fault,
            "note": notes[row["example"]],
            "checks": row["checks"],
            "reader": reader,
            "date": date,
            "rules": rules,
        }
        for row in drawn
    ]


def score(readings: Iterable[Row]) -> dict[str, dict[str, float]]:
    """Returns for each check, and "" for accepted rows: how many rows were ``read``, how many had a fault (``right``:
    for them the refusal was), and the share of these with its interval, ``low`` and ``high``."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for row in readings:
        faulty = not (row["understandable"] and row["grammatical"])
        for check in row["checks"] or ("",):
            counts[check].append(faulty)
    found = {}
    for check, marks in sorted(counts.items()):
        low, high = interval(sum(marks), len(marks))
        share = sum(marks) / len(marks)
        found[check] = {
            "read": len(marks),
            "right": sum(marks),
            "share": round(share, 3),
            "low": round(low, 3),
            "high": round(high, 3),
        }
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.check_readings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="faults:\n" + "\n".join(f"  {name:12} {meaning}" for name, meaning in FAULTS.items()),
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="draw|keep|score")
    drawing = commands.add_parser("draw", help="write a blind sheet and its key")
    drawing.add_argument("rows", type=Path, nargs="+", metavar="ROWS.jsonl")
    drawing.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a new folder")
    drawing.add_argument("--each", type=int, default=20, help="rows of a check, at most (default: 20)")
    drawing.add_argument("--most", type=int, default=sys.maxsize, help="checks, those with most rows (default: all)")
    drawing.add_argument("--checks", nargs="+", default=[], metavar="ID", help="checks to choose from (default: all)")
    drawing.add_argument("--accepted", type=int, default=100, help="accepted rows between them (default: 100)")
    drawing.add_argument("--seed", default="1", help="another seed draws other rows (default: 1)")
    keeping = commands.add_parser("keep", help="add the marks of a filled sheet to a file of readings")
    keeping.add_argument("folder", type=Path, metavar="FOLDER")
    keeping.add_argument("--reader", required=True, help="who has read it")
    keeping.add_argument("--rules", required=True, metavar="COMMIT", help="whose rules made the rows")
    keeping.add_argument(
        "--date", type=datetime.date.fromisoformat, required=True, metavar="DAY", help="of the reading"
    )
    keeping.add_argument("--output", type=Path, required=True, metavar="FILE.jsonl")
    scoring = commands.add_parser("score", help="print how often each check was right")
    scoring.add_argument("readings", type=Path, nargs="+", metavar="FILE.jsonl")
    return parser


def _draw(args: argparse.Namespace) -> dict[str, Any]:
    if args.out.exists():
        raise ValueError(f"--out: {args.out} is there already")
    rows = [row for path in args.rows for row in read_lines(path, ("check", *ROW))]
    drawn = draw(rows, each=args.each, most=args.most, accepted=args.accepted, seed=args.seed, only=args.checks)
    if not drawn:
        raise ValueError("there are no rows to draw")
    write(drawn, args.out)
    checks = {check for row in drawn for check in row["checks"]}
    return {"drawn": len(drawn), "accepted": sum(not row["checks"] for row in drawn), "checks": len(checks)}


def _keep(args: argparse.Namespace) -> dict[str, Any]:
    lines = keep(args.folder, reader=args.reader, date=args.date.isoformat(), rules=args.rules)
    with args.output.open("a", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return {"kept": len(lines)}


def _score(args: argparse.Namespace) -> dict[str, Any]:
    readings = [row for path in args.readings for row in read_lines(path, (*ROW, *MARKS, *MADE))]
    found = score(readings)
    cells = [
        (
            check or "accepted rows",
            str(f["read"]),
            str(f["right"]),
            f"{f['share']:.2f} ({f['low']:.2f} to {f['high']:.2f})",
        )
        for check, f in sorted(found.items(), key=lambda item: (item[0] != "", -item[1]["share"], item[0]))
    ]
    print(table(("check", "read", "with a fault", "share"), cells))
    return {"checks": found}


def main(argv: Sequence[str] | None = None) -> int:
    """Draws, keeps or scores readings."""
    return run_command(_parser(), {"draw": _draw, "keep": _keep, "score": _score}, argv)


if __name__ == "__main__":
    sys.exit(main())
