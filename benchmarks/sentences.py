"""Boundaries of sentences in many languages, and speed: Gistmill beside bare ICU, and sentencex where it is installed.

    python -m benchmarks.sentences --data FOLDER [--documents all] [--rounds 5]

The folder has a file ``CODE.txt`` for each language: a sentence on a line, an empty line between documents. The
sentences of a document are joined as the language is written, and split again. F1 is that of the places where a
sentence ends inside a document. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from icu4py.breakers import SentenceBreaker

from benchmarks.measuring import in_turn, machine, median, table, timed
from gistmill.rules.languages.language import language_named
from gistmill.rules.text.sentences import splitter_for

Split = Callable[[str], list[str]]
HALVES = {"all": slice(None), "even": slice(0, None, 2), "odd": slice(1, None, 2)}


def documents_of(path: Path) -> list[list[str]]:
    """The documents of a file, each a list of sentences."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    documents = ([" ".join(line.split()) for line in block.split("\n") if line.strip()] for block in blocks)
    return [sentences for sentences in documents if sentences]


def ends(text: str, sentences: Sequence[str]) -> Iterator[int]:
    """Yields where the sentences end in the text that they are of, but for the last.

    Raises:
        ValueError: one is no part of the text, or not in this order.
    """
    at = 0
    for sentence in sentences[:-1]:
        at = text.index(sentence, at) + len(sentence)
        yield at


def f1_of(split: Split, documents: Sequence[Sequence[str]], joiner: str) -> float:
    """F1 of the boundaries that a splitter finds."""
    right = found = known = 0
    for sentences in documents:
        text = joiner.join(sentences)
        gold, ours = set(ends(text, sentences)), set(ends(text, split(text)))
        right, found, known = right + len(gold & ours), found + len(ours), known + len(gold)
    return 2 * right / (found + known) if found + known else 1.0


def splitters(code: str) -> Mapping[str, Split]:
    """The splitters of a language by name."""

    def bare(text: str) -> list[str]:
        pieces = (text[begin:end].strip() for begin, end in SentenceBreaker(text, code).segments())
        return [piece for piece in pieces if piece]

    found: dict[str, Split] = {"gistmill": splitter_for(code), "ICU": bare}
    if importlib.util.find_spec("sentencex") is not None:
        segment = importlib.import_module("sentencex").segment
        found["sentencex"] = lambda text: [piece for s in segment(code, text) if (piece := s.strip())]
    return found


def measured(path: Path, half: str, rounds: int) -> dict[str, tuple[float, float]]:
    """F1 and sentences a second of each splitter."""
    documents, language = documents_of(path)[HALVES[half]], language_named(path.stem)
    texts = [language.joiner.join(sentences) for sentences in documents]
    known = splitters(path.stem)

    def run_of(split: Split) -> Callable[[], float]:
        return lambda: timed(lambda: [split(text) for text in texts], clock=time.process_time)

    seconds = in_turn({name: run_of(split) for name, split in known.items()}, times=rounds)
    total = sum(map(len, documents))
    return {
        name: (f1_of(split, documents, language.joiner), total / median(seconds[name])) for name, split in known.items()
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder")
    parser.add_argument("--documents", choices=HALVES, default="all", help="which of them, by their place in the file")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args(argv)
    paths = sorted(args.data.glob("*.txt"))
    if not paths:
        parser.error(f"--data: {args.data} has no file CODE.txt")
    print(machine(("icu4py",)))
    rows = {path.stem: measured(path, args.documents, args.rounds) for path in paths}
    names = list(next(iter(rows.values())))
    cells = [(code, *(f"{row[n][0]:.3f} {row[n][1] / 1000:,.0f}k" for n in names)) for code, row in rows.items()]
    print(f"{args.documents} documents: F1, thousand sentences a second")
    print(table(("language", *names), cells))
    print(json.dumps({code: {n: {"f1": f, "rate": r} for n, (f, r) in row.items()} for code, row in rows.items()}))


if __name__ == "__main__":
    main()
