"""Blind sheets of the statements of several systems: what is drawn, what a reader sees, and what marks add up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.audit_readings import agreed, agreement_table, share_of
from benchmarks.audit_sheets import answers, name_of, read_filled, read_table, write_table
from benchmarks.measuring import table
from benchmarks.statement_systems import Made, Passage
from gistmill.core.hashing import unit_interval

QUESTIONS = ("stands_alone", "true", "grammatical")
ALL = "all three"
_SHEET = ("id", "statement", "title_of_page", "two_sentences_before", "sentence", *QUESTIONS, "note")
_KEY = ("id", "system", "resolved", "passage")
_RESOLVED = {"yes": True, "no": False, "": None}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A statement that is to be read.

    Attributes:
        example: its name in the sheets; equal statements of a sentence share one, and are read once.
        system: that made it.
        resolved: whether the system says that it stands alone; None of systems that do not say.
        text: it.
        passage: the sentence that it is made of.
    """

    example: str
    system: str
    resolved: bool | None
    text: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the key: the system of an example, and whether it says that the statement stands alone."""

    system: str
    resolved: bool | None


Key = Mapping[str, Sequence[Entry]]  # by the names of the examples
Reading = Mapping[str, Mapping[str, bool]]  # by the names of the examples, then by questions


def draw(passages: Sequence[Passage], systems: Mapping[str, Made], *, n: int, seed: str) -> list[Drawn]:
    """Draws one statement of each system from each of ``n`` sentences, by hashes of the seed.

    Sentences of which a system has no statement are passed over.

    Raises:
        ValueError: there are not so many sentences.
    """
    there = [k for k in range(len(passages)) if all(made[k] for made in systems.values())]
    if not 1 <= n <= len(there):
        raise ValueError(f"--n: {n} is not one of 1 to {len(there)}, the sentences of which all have statements")
    chosen = sorted(there, key=lambda k: unit_interval(seed, passages[k].id))[:n]
    return [_drawn(passages[k], system, made[k], seed) for k in chosen for system, made in systems.items()]


def _drawn(passage: Passage, system: str, statements: Sequence[Any], seed: str) -> Drawn:
    statement = min(statements, key=lambda s: unit_interval(seed, f"{passage.id} {s.text}"))
    text = " ".join(statement.text.split())
    return Drawn(name_of(f"{passage.id} {text}"), system, statement.resolved, text, passage)


def write(drawn: Sequence[Drawn], folder: Path, *, seed: str) -> None:
    """Writes the key and the sheets of two readings into a new folder.

    Raises:
        FileExistsError: the folder is there; marks in it are not overwritten.
    """
    folder.mkdir(parents=True)
    said = {value: word for word, value in _RESOLVED.items()}
    write_table(folder / "key.tsv", _KEY, sorted((d.example, d.system, said[d.resolved], d.passage.id) for d in drawn))
    once = {d.example: d for d in drawn}.values()
    for reading in ("1", "2"):
        shuffled = sorted(once, key=lambda d: unit_interval(f"{seed}-{reading}", d.example))
        write_table(folder / f"reading-{reading}.tsv", _SHEET, map(_line, shuffled))


def _line(drawn: Drawn) -> tuple[str, ...]:
    texts = (drawn.text, drawn.passage.title, drawn.passage.before, drawn.passage.text)
    return (drawn.example, *(" ".join(text.split()) for text in texts), *("",) * (len(QUESTIONS) + 1))


def read_key(path: Path) -> dict[str, list[Entry]]:
    """Returns the systems of the examples of a key.

    Raises:
        ValueError: the file cannot be read, or is not a key.
    """
    found: dict[str, list[Entry]] = {}
    for line in read_table(path, _KEY):
        if line["resolved"] not in _RESOLVED:
            raise ValueError(f"{path}: resolved is {line['resolved']!r}, and neither yes nor no")
        found.setdefault(line["id"], []).append(Entry(line["system"], _RESOLVED[line["resolved"]]))
    if not found:
        raise ValueError(f"{path} has no examples")
    return found


def read_sheet(path: Path, key: Key) -> dict[str, dict[str, bool]]:
    """Returns the marks of a filled sheet by the names of the examples; ``ALL`` says whether all are good.

    Raises:
        ValueError: the file cannot be read, its examples are not those of the key, or a mark is missing or unknown.
    """

    def marks(line: Mapping[str, str]) -> dict[str, bool]:
        found = answers(line, QUESTIONS)
        return dict(zip(QUESTIONS, found, strict=True)) | {ALL: all(found)}

    return read_filled(path, key, ("id", *QUESTIONS), marks)


def figures(key: Key, readings: Sequence[Reading]) -> dict[str, Any]:
    """Returns the shares of two readings by system, and how far they agree.

    Under "both readings" a statement is good if both readers say so. A system that says which of its statements stand
    alone has a second part, of those alone.
    """
    first, second = readings
    both = {name: {q: mark and second[name][q] for q, mark in marks.items()} for name, marks in first.items()}
    columns = {"reading 1": first, "reading 2": second, "both readings": both}
    parts = _parts(key)
    questions = (*QUESTIONS, ALL)
    return {
        "read": {part: len(names) for part, names in parts.items()},
        "shares": {
            part: {
                column: {q: share_of([of[n][q] for n in names]) for q in questions} for column, of in columns.items()
            }
            for part, names in parts.items()
        },
        "agreement": {q: agreed([first[n][q] for n in key], [second[n][q] for n in key]) for q in questions},
    }


def _parts(key: Key) -> dict[str, list[str]]:
    """The names of the examples of each system, and of those that it says stand alone."""
    parts: dict[str, list[str]] = {}
    for name, entry in _entries(key):
        parts.setdefault(entry.system, []).append(name)
        if entry.resolved:
            parts.setdefault(f"{entry.system}, resolved", []).append(name)
    return dict(sorted(parts.items()))


def _entries(key: Key) -> Iterable[tuple[str, Entry]]:
    return ((name, entry) for name, entries in key.items() for entry in entries)


def show(found: Mapping[str, Any]) -> str:
    """Returns the figures as tables."""
    header = ("system", "read", "reading", *(f"{q} %" for q in (*QUESTIONS, ALL)))
    return f"{table(header, list(_rows(found)))}\n\n{agreement_table(found['agreement'])}"


def _rows(found: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for part, columns in found["shares"].items():
        for column, by_question in columns.items():
            cells = (
                f"{100 * s['share']:.1f} ({100 * s['low']:.1f} to {100 * s['high']:.1f})" for s in by_question.values()
            )
            yield (part, str(found["read"][part]), column, *cells)
