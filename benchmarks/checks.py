"""What each check of the DiscoFuse rules does: how often it is asked, how often it refuses, and what it alone refuses.

    gistmill annotate --input DUMP --output annotated
    python -m benchmarks.checks annotated [FOLDER ...] --output checks.csv [--words N] [--rows rows.jsonl]

The rules run over stored parses once with every check recorded. Then each check that fires is taken out, one at a time,
and the sentences and pairs in which it fired are judged again: a function answers False or None; a way of it (a
statement that returns below an `if`, or an operand of an `or`) is left out. What comes, changes or goes is counted:

    asked    calls, of a way those of its function
    fires    answers True, a reason, or something; of a way, how often it decides
    gained   rows that come without it: what it alone refuses
    changed  rows that become other rows without it, such as one whose pronoun is replaced
    lost     rows that go without it: it lets them pass, or finds them
    broken   sentences and pairs at which the rules fail without it, as something counts on it
    role     by these figures: `refuses`, `lets pass`, `both`, `needed` if only `broken` counts, or `none`

A function without any effect may still refuse what others refuse as well. So in the end all of these are taken out at
once. Documents are taken in the order of a hash of their ids, of each folder until they have `--words`. The files are
written anew after each portion of them. Ctrl-C ends the measuring after the portion, and what was measured counts.
`--rows` writes rows that single checks refuse, and accepted ones, for `python -m benchmarks.check_readings`. The last
line is one JSON object.
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

from benchmarks import check_calls, check_effects, check_sites
from benchmarks.check_effects import Effect, Made, Unit
from benchmarks.check_sites import Check
from benchmarks.check_summary import summary
from gistmill.core.hashing import unit_interval
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.annotated import from_values
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import AnnotatedDocument

FIGURES = ("asked", "fires", "gained", "changed", "lost", "broken")
_WORDS_AT_ONCE = 50_000
_ROWS_EACH = 60  # examples of a check that are kept, at most
_ACCEPTED = 0.05  # of the accepted rows that are written
_UNCHANGED = DiscourseType.PAIR_NONE.name


class Measured:
    """The effects of all checks under one of the conventions.

    Attributes:
        effects: by the ids of the checks.
        together: of the functions without an effect, all taken out at once.
        totals: documents, words, units, rows, and of these the ``split`` ones, whose text is changed.
        accepted: some accepted rows with their units.
    """

    def __init__(self, conventions: str, checks: Sequence[Check]) -> None:
        self.config = DiscoFuseConfig(conventions=conventions)
        self.checks = checks
        self.effects = {check.id: Effect() for check in checks}
        self.together = Effect()
        self.totals: Counter[str] = Counter()
        self.accepted: list[tuple[Unit, Made]] = []
        self._fired: list[tuple[Unit, frozenset[str]]] = []

    def measure(self, documents: Sequence[AnnotatedDocument]) -> None:
        """Adds what the checks do on some documents."""
        units = list(check_effects.units(documents, self.config))
        recorder = check_effects.Recorder(check_sites.sources(), self.effects)
        fired = recorder.record(units, Splitter(self.config))
        for check in self.checks:
            at = [unit for unit, names in zip(units, fired, strict=True) if check.id in names]
            if at:
                check_effects.without([check], at, self.config, self.effects[check.id], keep=_ROWS_EACH)
        self._fired.extend(zip(units, fired, strict=True))
        self.totals.update(documents=len(documents), words=sum(map(words, documents)), units=len(units))
        for unit in units:
            split = [row for row in unit.rows if row.type != _UNCHANGED]
            self.totals.update(rows=len(unit.rows), split=len(split))
            self.accepted.extend((unit, r) for r in split if unit_interval("accepted", r.first + r.second) < _ACCEPTED)

    def finish(self) -> None:
        """Takes out at once the functions that have no effect alone."""
        gone = [check for check in self.checks if check.kind != "way" and self.effects[check.id].is_none]
        ids = {check.id for check in gone}
        at = [unit for unit, names in self._fired if not ids.isdisjoint(names)]
        check_effects.without(gone, at, self.config, self.together, keep=sys.maxsize)


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
        for document in sorted(rows, key=_place):
            if left <= 0:
                break
            chosen.append(document)
            left -= words(document)
    return sorted(chosen, key=_place)


def _place(document: AnnotatedDocument) -> float:
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
    named = check_calls.calls()
    totals = measured.totals
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(
            f"# python -m benchmarks.checks, conventions {measured.config.conventions}, {texts}: {totals['documents']} "
            f"documents, {totals['words']} words, {totals['rows']} rows, {totals['split']} of them split\n"
        )
        out = csv.writer(stream, lineterminator="\n")
        out.writerow(("check", "kind", "lines", "callers", *FIGURES, "role", "source"))
        for check in measured.checks:
            effect = measured.effects[check.id]
            callers = len(named.get(check.source.name, ())) if check.kind != "way" else ""
            asked = measured.effects[check.source.name].asked
            figures = (asked, *(getattr(effect, name) for name in FIGURES[1:]))
            out.writerow((check.id, check.kind, check.lines, callers, *figures, effect.role, check.text))


def write_rows(path: Path, measured: Measured) -> None:
    """Writes the rows that checks alone refuse and some accepted ones, where ``check`` is empty, as JSON lines."""
    with path.open("w", encoding="utf-8") as stream:
        for check in measured.checks:
            for unit, row in measured.effects[check.id].examples:
                stream.write(json.dumps(_record(check.id, unit, row)) + "\n")
        for unit, row in measured.together.examples:
            stream.write(json.dumps(_record("together", unit, row)) + "\n")
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
    parser.add_argument("--words", type=int, default=sys.maxsize, help="of each folder (default: all)")
    parser.add_argument("--conventions", choices=CONVENTIONS, default="extended", help="(default: extended)")
    args = parser.parse_args(argv)
    try:
        documents = read(args.folders, most=args.words)
    except DatasetError as error:
        parser.error(str(error))
    measured = Measured(args.conventions, check_sites.checks())
    texts = ", ".join(folder.name for folder in args.folders)
    stops: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: stops.append(number))
    for portion in _portions(documents):
        measured.measure(portion)
        write_table(args.output, measured, texts)
        if args.rows:
            write_rows(args.rows, measured)
        print(f"{measured.totals['words']:,} words, {measured.totals['rows']:,} rows", file=sys.stderr, flush=True)
        if stops:
            break
    signal.signal(signal.SIGINT, before)
    measured.finish()
    if args.rows:
        write_rows(args.rows, measured)
    lines, figures = summary(measured.checks, measured.effects, measured.totals, measured.together)
    print("\n".join(lines))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
