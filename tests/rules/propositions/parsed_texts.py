"""Texts for the tests of propositions, with the parses that the shipped models give.

    python -m tests.rules.propositions.parsed_texts

writes `texts/parses.jsonl` anew: the parse and the coreference links of each text in the files beside it
(tests/cases.py), and of the examples of rules. What stands below a text is in `stated.txt` its statements, in `facts.txt`
those of one fact each, in `unasserted.txt` the clauses that it does not assert.
"""

from collections.abc import Iterator
from pathlib import Path

from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.propositions.facts import RULES
from gistmill.rules.propositions.reductions import OPTIONAL
from tests.cases import Case
from tests.cases import cases as of_file
from tests.rules.discofuse import parsed_cases
from tests.testing import document

FOLDER = Path(__file__).parent / "texts"
PARSES = FOLDER / "parses.jsonl"


def cases(name: str) -> list[Case]:
    """Returns the cases of a file, in order."""
    return of_file(FOLDER / f"{name}.txt")


def parsed_text(text: str, *, title: str = "") -> AnnotatedDocument:
    """Returns a text of the files as the models parse it."""
    found = parsed_cases.stored(PARSES)[text]
    return document(found.sentences, clusters=found.clusters, title=title)


def written() -> Iterator[str]:
    """Yields the lines of `parses.jsonl`."""
    texts = [case.text for path in sorted(FOLDER.glob("*.txt")) for case in cases(path.stem)]
    examples = (text for rule in (*RULES, *OPTIONAL) for text in (rule.refuses, rule.passes))
    yield from parsed_cases.annotate(dict.fromkeys((*texts, *examples)))


if __name__ == "__main__":
    PARSES.write_text("".join(written()), encoding="utf-8")
