"""The English Wikipedia slice shipped with gensim: 206 pages in one bz2 stream. The command prints its path."""

from __future__ import annotations

import bz2
import html
import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gistmill.rules.wiki.wikitext import clean_wikitext

NAME = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
LEAST_PRONOUNS, MOST_CHARACTERS = 4, 150_000
_PAGE = re.compile(r"<page>(.*?)</page>", re.S)
_TITLE = re.compile(r"<title>(.*?)</title>")
_BODY = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
_PERSONAL = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with entities; ``spans`` contains (start, end, entity), in characters of ``text``."""

    id: str
    title: str
    text: str
    spans: tuple[tuple[int, int, str], ...] = ()


def slice_path() -> Path:
    """Returns the path of the slice.

    Raises:
        FileNotFoundError: gensim is not installed, or no longer ships the file.
    """
    spec = importlib.util.find_spec("gensim")  # found, not imported: gensim itself is slow to load
    path = Path(spec.origin).parent / "test" / "test_data" / NAME if spec and spec.origin else None
    if path is None or not path.is_file():
        raise FileNotFoundError(f"{NAME} is missing; `make setup` installs gensim, which ships it")
    return path


def read_pages(path: str | Path) -> Iterator[Text]:
    """Yields the articles of an export (bz2; it may be cut off) that have a few personal pronouns."""
    with bz2.open(path, "rt", encoding="utf-8") as stream:
        export = stream.read()
    for page in _PAGE.finditer(export):
        title, body = _TITLE.search(page[1]), _BODY.search(page[1])
        if title is None or body is None or ":" in title[1] or "#redirect" in body[1][:30].lower():
            continue
        sections = clean_wikitext(html.unescape(body[1])[:MOST_CHARACTERS])
        text = "\n".join(p for s in sections for p in s.paragraphs)
        if len(_PERSONAL.findall(text)) >= LEAST_PRONOUNS:
            name = html.unescape(title[1])
            yield Text(name, name, text)


if __name__ == "__main__":
    try:
        print(slice_path())
    except FileNotFoundError as error:
        sys.exit(str(error))
