"""Pages of a Wikipedia export as texts without labels."""

from __future__ import annotations

import bz2
import html
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.coref_data import Text
from gistmill.rules.wiki.wikitext import clean_wikitext

LEAST_PRONOUNS, MOST_CHARACTERS = 4, 150_000
_PAGE = re.compile(r"<page>(.*?)</page>", re.S)
_TITLE = re.compile(r"<title>(.*?)</title>")
_BODY = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
_PERSONAL = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)


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
