"""The sheets of the split audit: what a reader sees, what stays hidden from her, and her marks read back."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gistmill.core.hashing import text_digest, unit_interval

# What is wrong with a split, for counting. The words are the reader's guide too.
FAULTS: Mapping[str, str] = {
    "noun": "a part was put on the wrong noun or verb",
    "antecedent": "a replaced mention means another person or thing, or one of another kind",
    "form": "a replacement does not fit where it stands: article, number, quantifier, capital, possessive",
    "restriction": "a restrictive part was dropped, or carried along",
    "pronoun": "a pronoun is left over, doubled, or refers forward",
    "fragment": "no main verb or no subject; a verb, colon or preposition without what must follow it",
    "frame": "a comma, a frame of time or place, or an adverb was lost, or carried along",
    "scope": "a half asserts what the text does not: a purpose, a report, a condition, a question",
    "tense": "tense, mood or number of a verb is wrong",
    "other": "anything else; say what under `note`",
}
_QUESTIONS = ("understandable", "grammatical")
_SHEET = ("example", "original", "first", "second", *_QUESTIONS, "fault", "note")
_KEY = ("example", "type", "connective", "id")
M = TypeVar("M")
_MARKS = {"y": True, "yes": True, "1": True, "n": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the key: what a reader does not see.

    Attributes:
        example: the name of the example in every sheet.
        type, connective: of its row.
        id: of its row.
    """

    example: str
    type: str
    connective: str
    id: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What a reader says of an example; ``fault`` is "" where both marks are good."""

    understandable: bool
    grammatical: bool
    fault: str

    @property
    def both(self) -> bool:
        """Whether the example has no fault."""
        return self.understandable and self.grammatical


Reading = Mapping[str, Mark]  # by the names of the examples


def name_of(row_id: str) -> str:
    """Returns the name of an example in the sheets, from which nothing of its row can be told."""
    return f"x{text_digest(row_id) % 16**10:010x}"


def write_key(rows: Iterable[Mapping[str, str]], path: Path) -> None:
    """Writes the key of rows, ordered by names."""
    lines = [(name_of(r["id"]), r["discourse_type"], r["connective_string"], r["id"]) for r in rows]
    write_table(path, _KEY, sorted(lines))


def write_sheet(rows: Iterable[Mapping[str, str]], path: Path, *, order: str) -> None:
    """Writes the sheet of one reading; another ``order`` shuffles the rows of a dataset in another way."""
    shuffled = sorted(rows, key=lambda row: unit_interval(order, row["id"]))
    write_table(
        path,
        _SHEET,
        [
            (
                name_of(row["id"]),
                " ".join(row["targets"].split()),
                row["incoherent_first_sentence"],
                row["incoherent_second_sentence"],
                *("",) * (len(_QUESTIONS) + 2),
            )
            for row in shuffled
        ],
    )


def write_table(path: Path, header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    """Writes a tab-separated file."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, delimiter="\t", lineterminator="\n")
        out.writerow(header)
        out.writerows(lines)


def read_key(path: Path) -> dict[str, Entry]:
    """Returns the examples of a key by their names.

    Raises:
        ValueError: the file cannot be read, or is not a key.
    """
    found = {line["example"]: Entry(*(line[name] for name in _KEY)) for line in read_table(path, _KEY)}
    if not found:
        raise ValueError(f"{path} has no examples")
    return found


def read_sheet(path: Path, key: Mapping[str, Entry]) -> dict[str, Mark]:
    """Returns the marks of a filled sheet, by the names of the examples.

    Raises:
        ValueError: the file cannot be read, its examples are not those of the key, or a mark is missing or unknown.
    """
    return read_filled(path, key, ("example", *_QUESTIONS, "fault"), _mark)


def read_filled(
    path: Path, key: Collection[str], columns: Sequence[str], mark: Callable[[Mapping[str, str]], M]
) -> dict[str, M]:
    """Returns what a reader says of the examples of a key, by their names.

    Args:
        path: the filled sheet.
        key: the names of the examples.
        columns: those that the sheet must have; the first has the name.
        mark: returns what a line says; raises ValueError if it says nothing that can be counted.

    Raises:
        ValueError: the file cannot be read, its examples are not those of the key, or ``mark`` raises.
    """
    found: dict[str, M] = {}
    for line in read_table(path, columns):
        name = line[columns[0]]
        if name not in key:
            raise ValueError(f"{path}: the key has no example {name!r}")
        if name in found:
            raise ValueError(f"{path}: example {name} stands there twice")
        try:
            found[name] = mark(line)
        except ValueError as error:
            raise ValueError(f"{path}: example {name}: {error}") from None
    missing = [name for name in key if name not in found]
    if missing:
        raise ValueError(f"{path} lacks {len(missing)} of {len(key)} examples, the first is {missing[0]}")
    return found


def read_notes(path: Path) -> dict[str, str]:
    """Returns what a reader wrote under `note` in a sheet, by the names of the examples.

    Raises:
        ValueError: the file cannot be read, or has no notes.
    """
    return {line["example"]: " ".join(line["note"].split()) for line in read_table(path, ("example", "note"))}


def answers(line: Mapping[str, str], questions: Sequence[str]) -> list[bool]:
    """Returns the marks of a line under some questions.

    Raises:
        ValueError: a mark is missing or unknown.
    """
    marks = []
    for question in questions:
        text = line[question].strip().lower()
        if not text:
            raise ValueError(f"{question} has no mark; write y or n")
        if text not in _MARKS:
            raise ValueError(f"{question} is {text!r}, and neither y nor n")
        marks.append(_MARKS[text])
    return marks


def _mark(line: Mapping[str, str]) -> Mark:
    understandable, grammatical = answers(line, _QUESTIONS)
    mark = Mark(understandable, grammatical, line["fault"].strip().lower())
    if mark.both and mark.fault:
        raise ValueError(f"fault is {mark.fault!r}, but both marks are y")
    if not mark.both and mark.fault not in FAULTS:
        said = f"is {mark.fault!r}" if mark.fault else "is empty"
        raise ValueError(f"fault {said}; write one of {', '.join(FAULTS)}")
    return mark


def read_marks(path: Path) -> dict[str, tuple[Entry, Mark]]:
    """Returns the rows that an export of `gistmill explore` marks good or bad, by the names of the examples.

    A bad row counts as neither understandable nor grammatical. Its fault is the class that its note begins with, before
    a colon, or "other". Rows with a note alone are left out.

    Raises:
        ValueError: the file cannot be read, is not such an export, or marks a row twice or nothing.
    """
    found: dict[str, tuple[Entry, Mark]] = {}
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        for line in lines:
            entry = Entry(name_of(line["id"]), line["type"], line["connective"], line["id"])
            good, fault = line["mark"] == "good", line["note"].partition(":")[0].strip().lower()
            if not line["mark"]:
                continue
            if entry.example in found:
                raise ValueError(f"{path} marks {line['id']} twice; its configurations may share rows")
            found[entry.example] = entry, Mark(good, good, "" if good else fault if fault in FAULTS else "other")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not an export of gistmill explore: {error!r}") from None
    if not found:
        raise ValueError(f"{path} marks no row good or bad")
    return found


def read_table(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """Returns the lines of a tab-separated file with these columns, perhaps among others; spreadsheets may add a byte
    mark.

    Raises:
        ValueError: it cannot be read, is no such table, or lacks a column.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, delimiter="\t", restval="")
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise ValueError(f"{path} lacks the columns {', '.join(missing)}; they are separated by tabs")
            lines = list(reader)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not a table in UTF-8: {error}") from None
    return [line for line in lines if any(line[name].strip() for name in columns)]
