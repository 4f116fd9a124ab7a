"""What each check of the DiscoFuse rules does: how often it is asked, how often it refuses, and what it alone refuses.

    gistmill annotate --input DUMP --output annotated
    python -m benchmarks.checks annotated [FOLDER ...] --output checks.csv [--words N] [--rows FILE] [--page FILE]

The checks are those of the tables (rules/discofuse/checks.py). The rules run over stored parses once with every check
recorded. Then each is taken out, one at a time, and the sentences and pairs in which it held are judged again:

    asked    how often it is asked
    refuses  how often it holds
    alone    rows that come without it: what it alone refuses
    changed  rows that become other rows without it, such as one whose pronoun is replaced
    lost     rows that go without it, as another split of the same text comes before them

Documents are taken in the order of a hash of their ids, of each folder until they have `--words`. The files are written
anew after each portion of them. Ctrl-C ends the measuring after the portion, and what was measured counts. `--rows`
writes rows that single checks refuse, and accepted ones, for `python -m benchmarks.check_readings`; `--page` writes the
table with the examples of the checks, docs/checks.md. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import csv
import json
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import check_effects
from benchmarks.check_effects import Effect, Made, Unit
from benchmarks.check_tables import tables
from benchmarks.measuring import table
from gistmill.core.hashing import unit_interval
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.annotated import from_values
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.documents import AnnotatedDocument

FIGURES = ("asked", "refuses", "alone", "changed", "lost")
RARE = 2_000  # a check that alone refuses fewer than one row in as many is rare
_WORDS_AT_ONCE = 50_000
_ROWS_EACH = 60  # examples of a check that are kept, at most
_ACCEPTED = 0.05  # of the accepted rows that are written
_UNCHANGED = DiscourseType.PAIR_NONE.name


class Measured:
    """The effects of all checks under one of the conventions.

    Attributes:
        effects: by the ids of the checks, in the order of the tables.
        totals: documents, words, units, rows, and of these the ``split`` ones, whose text is changed.
        accepted: some accepted rows with their units.
    """

    def __init__(self, conventions: str) -> None:
        self.config = DiscoFuseConfig(conventions=conventions)
        self.effects = {check.id: Effect() for found in tables() for check in found.checks}
        self.totals: Counter[str] = Counter()
        self.accepted: list[tuple[Unit, Made]] = []

    def measure(self, documents: Sequence[AnnotatedDocument]) -> None:
        """Adds what the checks do on some documents."""
        units = list(check_effects.units(documents, self.config))
        held = check_effects.record(units, self.config, self.effects)
        for id, effect in self.effects.items():
            at = [unit for unit, ids in zip(units, held, strict=True) if id in ids]
            if at:
                check_effects.take_out(id, at, self.config, effect, keep=_ROWS_EACH)
        self.totals.update(documents=len(documents), words=sum(map(words, documents)), units=len(units))
        for unit in units:
            split = [row for row in unit.rows if row.type != _UNCHANGED]
            self.totals.update(rows=len(unit.rows), split=len(split))
            self.accepted.extend((unit, r) for r in split if unit_interval("accepted", r.first + r.second) < _ACCEPTED)

    def described(self, texts: str) -> str:
        """What was measured, in words."""
        totals = self.totals
        return (
            f"conventions {self.config.conventions}, {texts}: {totals['documents']} documents, {totals['words']} "
            f"words, {totals['rows']} rows, {totals['split']} of them split"
        )


def words(document: AnnotatedDocument) -> int:
    """The words of a document: tokens with a letter or digit."""
    return sum(any(map(str.isalnum, t.text)) for s in document.sentences for t in s.tokens)


def read(folders: Iterable[Path], *, most: int) -> list[AnnotatedDocument]:
    """Returns documents of datasets of `gistmill annotate` in the order of a hash of their ids: of each dataset the
    first, until they have ``most`` words.

    Raises:
        DatasetError: a folder is no dataset.
    """
    chosen: list[AnnotatedDocument] = []
    for folder in folders:
        dataset = Dataset(folder)
        rows = (from_values(values) for split in dataset.splits() for values in dataset.rows(split))
        left = most
        for document in sorted(rows, key=_order):
            if left <= 0:
                break
            chosen.append(document)
            left -= words(document)
    return sorted(chosen, key=_order)


def _order(document: AnnotatedDocument) -> float:
    return unit_interval("checks", document.id)


def _portions(documents: Iterable[AnnotatedDocument]) -> Iterator[list[AnnotatedDocument]]:
    held: list[AnnotatedDocument] = []
    count = 0
    for document in documents:
        held.append(document)
        count += words(document)
        if count >= _WORDS_AT_ONCE:
            yield held
            held, count = [], 0
    if held:
        yield held


def write_table(path: Path, measured: Measured, texts: str) -> None:
    """Writes the table of the checks; its first line says what was measured."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(f"# python -m benchmarks.checks, {measured.described(texts)}\n")
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(("check", "reason", "module", *FIGURES))
        for module, _, checks in tables():
            for check in checks:
                figures = (getattr(measured.effects[check.id], name) for name in FIGURES)
                out.writerow((check.id, check.reason.name, _place(module.__name__), *figures))


def write_page(path: Path, measured: Measured, texts: str) -> None:
    """Writes the page of the checks: their reasons, figures and examples."""
    lines = [
        "# The checks of DiscoFuse",
        "",
        "A rule finds a place where a text can be split. Checks then look for what speaks against it, in the order of",
        "these tables; the first that holds gives the reason. Each is shown with a text that it alone refuses, and one",
        "that it lets pass. `alone` counts the rows that would come without it. `python -m benchmarks.checks --page`",
        f"writes this page. Measured: {measured.described(texts)}.",
    ]
    for module, _, checks in tables():
        lines += ["", f"## {_place(module.__name__)}", ""]
        lines += [
            "| check | reason | asked | refuses | alone | what it alone refuses | what it lets pass |",
            "|---|---|--:|--:|--:|---|---|",
        ]
        for check in checks:
            effect = measured.effects[check.id]
            cells = (f"`{check.id}`", f"`{check.reason.name}`", effect.asked, effect.refuses, effect.alone)
            lines.append(f"| {' | '.join(map(str, cells))} | {check.refuses} | {check.passes} |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _place(module: str) -> str:
    return module.partition(".discofuse.")[2]


def write_rows(path: Path, measured: Measured) -> None:
    """Writes the rows that checks alone refuse and some accepted ones, where ``check`` is empty, as JSON lines."""
    with path.open("w", encoding="utf-8") as stream:
        for id, effect in measured.effects.items():
            for unit, row in effect.examples:
                stream.write(json.dumps(_record(id, unit, row)) + "\n")
        for unit, row in measured.accepted:
            stream.write(json.dumps(_record("", unit, row)) + "\n")


def _record(check: str, unit: Unit, row: Made) -> dict[str, Any]:
    return {"check": check, "document": unit.document, "index": unit.index, "text": unit.text, **row._asdict()}


def main(argv: Sequence[str] | None = None) -> int:
    """Measures, writes the table and prints its summary."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.checks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="datasets of `gistmill annotate`")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.csv", help="the table")
    parser.add_argument("--rows", type=Path, metavar="FILE.jsonl", help="rows that single checks refuse")
    parser.add_argument("--page", type=Path, metavar="FILE.md", help="the table with the examples of the checks")
    parser.add_argument("--words", type=int, default=sys.maxsize, help="of each folder (default: all)")
    parser.add_argument("--conventions", choices=CONVENTIONS, default="extended", help="(default: extended)")
    args = parser.parse_args(argv)
    try:
        documents = read(args.folders, most=args.words)
    except DatasetError as error:
        parser.error(str(error))
    measured = Measured(args.conventions)
    texts = ", ".join(folder.name.removeprefix("annotated-") for folder in args.folders)
    stops: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: stops.append(number))
    for portion in _portions(documents):
        measured.measure(portion)
        write_table(args.output, measured, texts)
        if args.rows:
            write_rows(args.rows, measured)
        if args.page:
            write_page(args.page, measured, texts)
        print(f"{measured.totals['words']:,} words, {measured.totals['rows']:,} rows", file=sys.stderr, flush=True)
        if stops:
            break
    signal.signal(signal.SIGINT, before)
    figures = summary(measured)
    print(table(tuple(figures), [tuple(map(str, figures.values()))]))
    print(json.dumps(figures))
    return 0


def summary(measured: Measured) -> dict[str, int]:
    """Returns how much was measured, and how many checks refuse a row alone, rarely or never."""
    alone = [effect.alone + effect.changed for effect in measured.effects.values()]
    rare = measured.totals["rows"] / RARE
    return {
        **measured.totals,
        "checks": len(alone),
        "refuse rows alone": sum(n >= rare for n in alone),
        "rarely": sum(0 < n < rare for n in alone),
        "never": alone.count(0),
    }


if __name__ == "__main__":
    sys.exit(main())
