"""The texts whose anaphors were labelled by reading (research/data/coref_labels.jsonl.gz), from three public sources.

They are not in this repository. WIKITEXT is ``wiki.test.raw`` of WikiText-2 (raw characters), SQUAD one or more JSON
files of SQuAD 2.0, BBC the folder of the BBC News dataset of Greene and Cunningham (2006), with a folder a topic. A
text is an article: its first 3,500 words, in whole paragraphs, with typographic marks folded.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.coref_data import Text
from gistmill.rules.text.typography import fold

LABELS = Path(__file__).parent / "data" / "coref_labels.jsonl.gz"
MOST_WORDS = 3_500
_TITLE = re.compile(r"= ([^=].*[^=]) =")
# How WikiText sets tokens apart, undone in this order.
_JOINED = (
    (re.compile(r" @([-,.])@ "), r"\1"),
    (re.compile(r" ([.,;:!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$£€#]) "), r"\1"),
    (re.compile(r" ('s|'re|'ve|'d|'ll|'m|n't)\b"), r"\1"),
    (re.compile(r"s ' "), r"s' "),
)
_QUOTE = re.compile(r' ?(") ?')

# For each anaphor, "p" or "n" (pronoun, noun phrase) with the place of its head in the document: the places of the
# heads of what it means; none where it means nothing that was said before.
Answers = Mapping[str, Sequence[int]]


def read_answers(path: Path) -> dict[str, Any]:
    """Returns the answers by text."""
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return {record["id"]: record["answers"] for record in map(json.loads, lines)}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name the sources."""
    parser.add_argument("--wikitext", type=Path, required=True, metavar="FILE", help="wiki.test.raw of WikiText-2")
    parser.add_argument("--squad", type=Path, nargs="+", required=True, metavar="FILE", help="JSON files of SQuAD 2.0")
    parser.add_argument("--bbc", type=Path, required=True, metavar="FOLDER", help="folder of the BBC News dataset")


def read_texts(wikitext: Path, squad: Iterable[Path], bbc: Path) -> list[Text]:
    """Returns the texts that have labels.

    Raises:
        ValueError: a source lacks some of them.
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
