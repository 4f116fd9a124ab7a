"""Public coreference corpora, parsed: GAP (Apache-2.0), GUM and LitBank (annotations CC BY 4.0)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar
from urllib.parse import unquote

from gistmill.rules.documents import Sentence, Token
from gistmill.transforms.models import LoadedModel
from gistmill.transforms.parsing.plain import sentences_of

# The genres of GUM whose texts may be used by anybody (CC BY, CC BY-SA, public domain).
GUM_GENRES = ("academic", "bio", "court", "interview", "news", "speech", "textbook", "voyage")
_ENTITY = re.compile(r"\((\d+)-[^()]*(\))?|(\d+)\)")


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


def read_gum(folder: str | Path) -> Iterator[tuple[Text, bool]]:
    """Yields the texts of a checkout of GUM in the genres above, and whether each belongs to its dev or test part."""
    folder = Path(folder)
    held = set(
        re.findall(
            r"\* (\S+)",
            (folder / "splits.md").read_text(encoding="utf-8").partition("## dev")[2].partition("## train")[0],
        )
    )
    for path in sorted((folder / "dep").glob("GUM_*.conllu")):
        if path.stem.split("_")[1] in GUM_GENRES:
            yield _read_conllu(path), path.stem in held


def _read_conllu(path: Path) -> Text:
    title, text, spans, open_spans = "", "", [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# meta::title"):
            title = line.partition("= ")[2]
        elif line == "# newpar" and text:
            text = text.rstrip() + "\n"
        columns = line.split("\t")
        if len(columns) != 10 or not columns[0].isdigit():
            continue
        start, end = len(text), len(text) + len(columns[1])
        entity = next((f[7:] for f in columns[9].split("|") if f.startswith("Entity=")), "")
        for opened, single, closed in _ENTITY.findall(entity):
            if opened and single:
                spans.append((start, end, opened))
            elif opened:
                open_spans.append((start, opened))
            else:
                match = next(o for o in reversed(open_spans) if o[1] == closed)
                open_spans.remove(match)
                spans.append((match[0], end, closed))
        text += columns[1] + ("" if "SpaceAfter=No" in columns[9] else " ")
    return Text(path.stem, title, text, tuple(spans))


def read_litbank(folder: str | Path) -> Iterator[Text]:
    """Yields the texts of a checkout of LitBank."""
    for path in sorted((Path(folder) / "coref" / "brat").glob("*.ann")):
        spans = []
        for line in path.read_text(encoding="utf-8").splitlines():
            columns = line.split("\t")
            label, *place = columns[1].split(" ") if len(columns) > 1 else [""]
            if columns[0].startswith("T") and "-" in label:
                spans.append((int(place[0]), int(place[1]), label))
        yield Text(path.stem, "", path.with_suffix(".txt").read_text(encoding="utf-8"), tuple(spans))


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


def entity_heads(parsed: Parsed[Text]) -> dict[tuple[int, bool], str]:
    """Returns the entity of each annotated head: (place of the token in the document, whether the span is a
    coordination) -> entity.
    """
    starts = {o: (s, t) for s, offsets in enumerate(parsed.offsets) for t, o in enumerate(offsets)}
    bases = [0]
    for sentence in parsed.sentences:
        bases.append(bases[-1] + len(sentence.tokens))
    heads: dict[tuple[int, bool], tuple[int, str]] = {}
    for start, end, entity in parsed.source.spans:
        inside = [starts[o] for o in range(start, end) if o in starts]
        if not inside or len({s for s, _ in inside}) > 1:
            continue
        number = inside[0][0]
        tokens = parsed.sentences[number].tokens
        head = _root(tokens, inside[0][1], inside[-1][1] + 1)
        group = any(t.dep == "conj" and t.head == head for t in tokens[inside[0][1] : inside[-1][1] + 1])
        key = bases[number] + head, group
        # of two spans with one head the shorter: the other is a parse error
        if key not in heads or heads[key][0] > end - start:
            heads[key] = end - start, entity
    return {key: entity for key, (_, entity) in heads.items()}


def _root(tokens: Sequence[Token], start: int, end: int) -> int:
    for index in range(start, end):
        if not start <= tokens[index].head < end or tokens[index].head == index:
            return index
    return end - 1
