"""The annotated corpora GUM and LitBank (annotations CC BY 4.0)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.coref_data import Parsed, Text
from gistmill.rules.documents import Token

# The genres of GUM whose texts may be used by anybody (CC BY, CC BY-SA, public domain).
GUM_GENRES = ("academic", "bio", "court", "interview", "news", "speech", "textbook", "voyage")
_ENTITY = re.compile(r"\((\d+)-[^()]*(\))?|(\d+)\)")


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
