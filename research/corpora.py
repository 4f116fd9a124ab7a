"""The annotated corpora GUM and LitBank (annotations CC BY 4.0), and texts whose anaphors were labelled by reading.

The labels of these texts are in data/coref_labels.jsonl.gz; the texts themselves are not in this repository. WIKITEXT
is ``wiki.test.raw`` from WikiText-2 (raw characters), SQUAD one or more SQuAD 2.0 JSON files, and BBC the folder of the
BBC News dataset (Greene and Cunningham 2006), with one subfolder per topic. A text is the first 3,500 words of an
article, in whole paragraphs, with typographic marks folded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.coref_gap import Parsed
from benchmarks.slice import Text
from gistmill.rules.documents import Token
from gistmill.rules.text.typography import fold

# The GUM genres whose texts anybody may use (CC BY, CC BY-SA, public domain).
GUM_GENRES = ("academic", "bio", "court", "interview", "news", "speech", "textbook", "voyage")
_ENTITY = re.compile(r"\((\d+)-[^()]*(\))?|(\d+)\)")

LABELS = Path(__file__).parent / "data" / "coref_labels.jsonl.gz"
MOST_WORDS = 3_500
_TITLE = re.compile(r"= ([^=].*[^=]) =")
# WikiText's token separators, undone in this order.
_JOINED = (
    (re.compile(r" @([-,.])@ "), r"\1"),
    (re.compile(r" ([.,;:!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$£€#]) "), r"\1"),
    (re.compile(r" ('s|'re|'ve|'d|'ll|'m|n't)\b"), r"\1"),
    (re.compile(r"s ' "), r"s' "),
)
_QUOTE = re.compile(r' ?(") ?')

# For each anaphor, keyed by "p" or "n" (pronoun, noun phrase) and the position of its head in the document: the
# positions of its antecedents' heads; empty if it has no antecedent.
Answers = Mapping[str, Sequence[int]]


def read_gum(folder: str | Path) -> Iterator[tuple[Text, bool]]:
    """Yields the texts of a GUM checkout in these genres, and whether each is in the dev or test part."""
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
    """Yields the texts of a LitBank checkout."""
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
    coordination) -> entity."""
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
        # of two spans with the same head, the shorter one: the other is a parse error
        if key not in heads or heads[key][0] > end - start:
            heads[key] = end - start, entity
    return {key: entity for key, (_, entity) in heads.items()}


def _root(tokens: Sequence[Token], start: int, end: int) -> int:
    for index in range(start, end):
        if not start <= tokens[index].head < end or tokens[index].head == index:
            return index
    return end - 1


def read_answers(path: Path) -> dict[str, Any]:
    """Returns the answers by text."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return {record["id"]: record["answers"] for record in map(json.loads, lines)}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name the sources."""
    parser.add_argument("--wikitext", type=Path, required=True, metavar="FILE", help="wiki.test.raw from WikiText-2")
    parser.add_argument("--squad", type=Path, nargs="+", required=True, metavar="FILE", help="SQuAD 2.0 JSON files")
    parser.add_argument("--bbc", type=Path, required=True, metavar="FOLDER", help="folder with the BBC News dataset")


def read_texts(wikitext: Path, squad: Iterable[Path], bbc: Path) -> list[Text]:
    """Returns the texts that have labels.

    Raises:
        ValueError: some texts are missing from the sources.
    """
    labelled = read_answers(LABELS)
    articles = [*_of_wikitext(wikitext), *_of_squad(squad), *_of_bbc(bbc)]
    texts = [Text(name, title, _text(paragraphs)) for name, title, paragraphs in articles if name in labelled]
    if missing := sorted(labelled.keys() - {t.id for t in texts}):
        raise ValueError(f"{len(missing)} texts with labels are in none of the sources: {', '.join(missing[:3])}, ...")
    return texts


def _text(paragraphs: Sequence[str]) -> str:
    kept, words = [], 0
    for paragraph in paragraphs:
        if words >= MOST_WORDS:
            break
        kept.append(fold(paragraph))
        words += len(paragraph.split())
    return "\n".join(kept)


def _of_wikitext(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    title, paragraphs = "", list[str]()
    for line in map(str.strip, path.read_text(encoding="utf-8").split("\n")):
        heading = _TITLE.fullmatch(line)
        if heading:
            yield f"wiki-{title}", title, paragraphs
            title, paragraphs = heading[1], []
        elif line and not line.startswith("= "):
            paragraphs.append(_joined(line))
    yield f"wiki-{title}", title, paragraphs


def _joined(line: str) -> str:
    for pattern, replacement in _JOINED:
        line = pattern.sub(replacement, line)
    made, opens = "", True
    for part in _QUOTE.split(line):
        if part == '"':
            made = made.rstrip() + (' "' if opens else '" ')
            opens = not opens
        else:
            made += part
    made = re.sub(r'" ([.,;:!?)])', r'"\1', made).replace('( "', '("')
    return re.sub(r"  +", " ", made).strip()


def _of_squad(paths: Iterable[Path]) -> Iterator[tuple[str, str, list[str]]]:
    articles: dict[str, dict[str, None]] = {}
    for path in paths:
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
            contexts = dict.fromkeys(p["context"] for p in article["paragraphs"])
            articles.setdefault(article["title"].replace("_", " "), {}).update(contexts)
    for title, paragraphs in articles.items():
        yield f"squad-{title}", title, list(paragraphs)


def _of_bbc(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    for path in sorted(folder.glob("*/*.txt")):
        title, *paragraphs = [p.strip() for p in path.read_text(encoding="latin-1").split("\n") if p.strip()]
        yield f"bbc-bbc/{path.parent.name}/{path.name}", title, paragraphs
