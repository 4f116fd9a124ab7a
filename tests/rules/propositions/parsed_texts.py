"""Texts for the tests of propositions, with the parses that the shipped models give.

    python -m tests.rules.propositions.parsed_texts

writes `texts/parses.jsonl` anew: the parse and the coreference links of each text in the files beside it. In
`texts/*.txt` a text stands on a line, and what a test expects of it in indented lines below: in `stated.txt` its
statements, in `unasserted.txt` the clauses that it does not assert. A line after `#` is a heading.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gistmill.rules.documents import AnnotatedDocument
from tests.rules.discofuse import parsed_cases
from tests.testing import document

FOLDER = Path(__file__).parent / "texts"
PARSES = FOLDER / "parses.jsonl"


class Case(NamedTuple):
    """A text, its heading and the lines below it."""

    heading: str
    text: str
    lines: tuple[str, ...]


def cases(name: str) -> list[Case]:
    """Returns the cases of a file, in order."""
    heading = ""
    found: list[Case] = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line[1:].strip()
        elif line.startswith(" "):
            last = found.pop()
            found.append(last._replace(lines=(*last.lines, line.strip())))
        elif line:
            found.append(Case(heading, line, ()))
    return found


def parsed_text(text: str, *, title: str = "") -> AnnotatedDocument:
    """Returns a text of the files as the models parse it."""
    found = parsed_cases.stored(PARSES)[text]
    return document(found.sentences, clusters=found.clusters, title=title)


def written() -> Iterator[str]:
    """Yields the lines of `parses.jsonl`."""
    yield from parsed_cases.annotate(case.text for path in sorted(FOLDER.glob("*.txt")) for case in cases(path.stem))


if __name__ == "__main__":
    PARSES.write_text("".join(written()), encoding="utf-8")
