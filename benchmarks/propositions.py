"""Statements of one text by sentences alone, by clause splitters for spaCy and by Gistmill; and blind sheets of them.

    python -m benchmarks.propositions compare [--other PYTHON] [--input TEXTS.jsonl] [--clauses CLAUSES.tsv]
    python -m benchmarks.propositions draw --out AUDIT [--other PYTHON] [--n 100] [--input TEXTS.jsonl]
    python -m benchmarks.propositions read AUDIT/key.tsv AUDIT/reading-1.tsv AUDIT/reading-2.tsv

`compare` gives the same sentences to all systems. Coverage is the share of the content words of a sentence that some
statement has. A negation is lost where a statement has the word that it depends on, and no negation. Words are those
between white space, by processor time on one core, from text to statements: with the parse, without loading a model;
of sentences alone without a parse. --clauses adds the shares of asserted clauses whose content words all lie in one
statement: without words that stand in brackets in the table, and with them. The splitters run in a Python of their
own, that --other names; one that is not there is passed over. The texts are those of the slice that gensim ships.

`draw` takes sentences of which each of three systems has a statement, and of each one statement, by hashes. The two
sheets hold the same statements in two orders, without the system. A reader sees the title, the two sentences before
and the sentence, and says y or n to three questions: `stands_alone` (read alone, it says who and what it is about),
`true` (the text asserts it) and `grammatical`. `read` prints the shares of each system with 95% intervals, those of
Gistmill also where it says that a statement stands alone, and the readers' agreement. The last line of each is one JSON
object.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import statement_measures, statement_sheets
from benchmarks.language import words
from benchmarks.measuring import machine, median, run_command, table
from benchmarks.recipes import whole
from benchmarks.slice import slice_path
from benchmarks.statement_systems import (
    INSTALL,
    OWN,
    SENTENCES,
    Passage,
    Run,
    is_there,
    run_other,
    run_own,
    run_sentences,
    texts_of,
)
from gistmill.rules.documents import CleanDocument


def _documents(args: argparse.Namespace) -> list[CleanDocument]:
    documents = list(whole(slice_path()) if args.input is None else texts_of(args.input))[: args.documents]
    if not documents:
        raise ValueError(f"--input: {args.input} has no texts")
    return documents


def _splitters(names: Sequence[str], python: str) -> list[str]:
    """Those of some clause splitters that are there; of the others a line says how they are installed."""
    there = [name for name in names if is_there(name, python)]
    for name in names:
        if name not in there:
            print(f"{name} is not there: {INSTALL[name]}, and name that Python by --other")
    return there


def _compare(args: argparse.Namespace) -> dict[str, Any]:
    if args.rounds < 1:
        raise ValueError(f"--rounds: {args.rounds} is not at least 1")
    documents, splitters = _documents(args), _splitters(list(INSTALL), args.other)
    runs: dict[str, list[Run]] = {}
    versions: dict[str, str] = {}
    failed: dict[str, int] = {}
    for _ in range(args.rounds):
        passages, own = run_own(documents)
        runs.setdefault(SENTENCES, []).append(run_sentences(documents, passages))
        for name in splitters:
            other, said = run_other(name, args.other, passages)
            runs.setdefault(name, []).append(other)
            versions |= said["versions"]
            failed[name] = said["failed"]
        runs.setdefault(OWN, []).append(own)
    print(
        machine(("spacy", "lemminflect")),
        *(f"{name} {number}" for name, number in versions.items() if name != "spacy"),
        sep=", ",
    )
    figures = {name: _figures(passages, of, words(documents)) for name, of in runs.items()}
    made: dict[str, Any] = {"sentences": len(passages), "words": words(documents), "systems": figures}
    if args.clauses is not None:
        clauses, missing = statement_measures.read_clauses(args.clauses, passages)
        if not clauses:
            raise ValueError(f"--clauses: no sentence of {args.clauses} is in the texts")
        made |= {"clauses": len(clauses), "clauses of no sentence": missing}
        for name, of in runs.items():
            for column, brackets in (("clauses", False), ("with brackets", True)):
                figures[name][column] = statement_measures.clauses_kept(clauses, of[0].made, brackets=brackets)
    made["failed"] = {name: number for name, number in failed.items() if number}
    print(_shown(made))
    for name, number in made["failed"].items():
        print(f"{name} fails on {number} sentences, which count as without a statement")
    return made


def _figures(passages: Sequence[Passage], runs: Sequence[Run], number: int) -> dict[str, Any]:
    made = runs[0].made
    lost, negations = statement_measures.negations(passages, made)
    return {
        "statements": sum(map(len, made)) / len(passages),
        "covered": statement_measures.covered(passages, made),
        "negations lost": lost,
        "negations": negations,
        "words/s": number / median([run.seconds for run in runs]),
    }


def _shown(made: Mapping[str, Any]) -> str:
    shares = [name for name in ("clauses", "with brackets") if name in made["systems"][OWN]]
    cells = [
        (
            name,
            f"{f['statements']:.2f}",
            f"{100 * f['covered']:.1f}",
            *(f"{100 * f[share]:.1f}" for share in shares),
            f"{f['negations lost']} of {f['negations']}",
            f"{f['words/s']:,.0f}",
        )
        for name, f in made["systems"].items()
    ]
    header = ("system", "statements a sentence", "covered %", *(f"{s} %" for s in shares), "negations lost", "words/s")
    return f"{made['sentences']:,} sentences, {made['words']:,} words\n{table(header, cells)}"


def _draw(args: argparse.Namespace) -> dict[str, Any]:
    if args.out.exists():
        raise ValueError(f"--out: {args.out} is there already")
    documents = _documents(args)
    if not _splitters([args.splitter], args.other):
        raise ValueError(f"--splitter: {args.splitter} is not there")
    passages, own = run_own(documents)
    other, _ = run_other(args.splitter, args.other, passages)
    systems = {SENTENCES: run_sentences(documents, passages).made, args.splitter: other.made, OWN: own.made}
    drawn = statement_sheets.draw(passages, systems, n=args.n, seed=args.seed)
    statement_sheets.write(drawn, args.out, seed=args.seed)
    counts = {name: sum(d.system == name for d in drawn) for name in systems}
    print(table(("system", "drawn"), [(name, str(number)) for name, number in counts.items()]))
    return {"statements": len({d.example for d in drawn}), "drawn": counts}


def _read(args: argparse.Namespace) -> dict[str, Any]:
    key = statement_sheets.read_key(args.key)
    readings = [statement_sheets.read_sheet(path, key) for path in (args.first, args.second)]
    found = statement_sheets.figures(key, readings)
    print(statement_sheets.show(found))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.propositions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="compare|draw|read")
    comparing = commands.add_parser("compare", help="print what systems make of the same sentences")
    drawing = commands.add_parser("draw", help="write a key and two blind sheets")
    for command in (comparing, drawing):
        command.add_argument(
            "--other", default=sys.executable, metavar="PYTHON", help="has the splitters (default: this)"
        )
        command.add_argument("--input", type=Path, metavar="TEXTS.jsonl", help="lines with text, title, id")
        command.add_argument("--documents", type=int, help="so many of them (default: all)")
    comparing.add_argument("--clauses", type=Path, metavar="CLAUSES.tsv", help="article, sentence, clause, asserted")
    comparing.add_argument("--rounds", type=int, default=3, help="runs of each, in turn (default: 3)")
    drawing.add_argument("--out", type=Path, required=True, metavar="AUDIT", help="a new folder for key and sheets")
    drawing.add_argument("--splitter", choices=INSTALL, default=next(iter(INSTALL)), help="which of them is read")
    drawing.add_argument("--n", type=int, default=100, help="statements of each system (default: 100)")
    drawing.add_argument("--seed", default="1", help="another seed draws other sentences (default: 1)")
    reading = commands.add_parser("read", help="print what two filled sheets add up to")
    reading.add_argument("key", type=Path, metavar="KEY.tsv")
    reading.add_argument("first", type=Path, metavar="SHEET.tsv")
    reading.add_argument("second", type=Path, metavar="SHEET.tsv")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Compares systems, or draws or reads sheets."""
    return run_command(_parser(), {"compare": _compare, "draw": _draw, "read": _read}, argv)


if __name__ == "__main__":
    sys.exit(main())
