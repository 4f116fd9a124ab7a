"""Texts for coreference, parsed, and the rows of GAP (Apache-2.0)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import unquote

from gistmill.rules.documents import Sentence
from gistmill.transforms.models import LoadedModel
from gistmill.transforms.parsing.plain import sentences_of


@dataclass(frozen=True, slots=True)
class Text:
    """A text with entities: ``spans`` are (start, end, entity) in characters of ``text``."""

    id: str
    title: str
    text: str
    spans: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GapRow:
    """A row of GAP: a pronoun and two names with whether the pronoun means them."""

    id: str
    title: str
    text: str
    pronoun: str
    offset: int
    names: tuple[tuple[int, int, bool], tuple[int, int, bool]]

    @property
    def feminine(self) -> bool:
        """Whether the pronoun is feminine."""
        return self.pronoun.lower() in ("she", "her", "hers")


Source = TypeVar("Source", Text, GapRow)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Source]):
    """A parsed text; ``offsets`` hold, for each sentence, where its tokens begin in the text."""

    source: Source
    sentences: tuple[Sentence, ...]
    offsets: tuple[tuple[int, ...], ...] = field(repr=False)


def read_gap(path: str | Path) -> list[GapRow]:
    """Reads a GAP file. The title is the page's, from the URL.

    Raises:
        ValueError: the file is not a GAP file, or a name is not where it says.
    """
    rows = []
    with open(path, encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        if not {"ID", "Text", "Pronoun-offset", "A-offset", "B-coref", "URL"} <= set(reader.fieldnames or ()):
            raise ValueError(f"{path} is not a GAP file: its columns are {reader.fieldnames}")
        for record in reader:
            names = []
            for name in "AB":
                start = int(record[f"{name}-offset"])
                if not record["Text"].startswith(record[name], start):
                    raise ValueError(f"{path}: {record['ID']}: {record[name]!r} is not at {start}")
                names.append((start, start + len(record[name]), record[f"{name}-coref"] == "TRUE"))
            title = unquote(record["URL"].rsplit("/", 1)[-1]).replace("_", " ")
            text = record["Text"].replace("``", ' "').replace("''", '" ')  # as the pages have them; offsets stay
            rows.append(
                GapRow(
                    record["ID"], title, text, record["Pronoun"], int(record["Pronoun-offset"]), (names[0], names[1])
                )
            )
    return rows


def parse(model: LoadedModel, sources: Sequence[Source]) -> Iterator[Parsed[Source]]:
    """Parses texts, each line as a paragraph of its own."""
    lines = [line for source in sources for line in source.text.split("\n")]
    docs = iter(model.nlp.pipe(lines, batch_size=64))
    for source in sources:
        sentences: list[Sentence] = []
        for number, _ in enumerate(source.text.split("\n")):
            sentences.extend(sentences_of(next(docs), paragraph=number))
        yield Parsed(source, tuple(sentences), token_offsets(source.text, sentences))


def token_offsets(text: str, sentences: Iterable[Sentence]) -> tuple[tuple[int, ...], ...]:
    """Returns where the tokens of each sentence begin in the text that they come from."""
    at = 0
    found = []
    for sentence in sentences:
        starts = []
        for token in sentence.tokens:
            start = text.index(token.text, at)
            starts.append(start)
            at = start + len(token.text)
        found.append(tuple(starts))
    return tuple(found)
