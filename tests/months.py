"""Two dumps of the slice of the English Wikipedia: a month, and the next one.

    python -m tests.months FOLDER

Of the articles of the next month 30 are changed, 10 new and 1 renamed, and 5 are deleted. The choice and the edits come
from hashes of page ids, so they are the same in every run. New articles are pages of the slice that the first month
leaves out. Prints the two paths.
"""

from __future__ import annotations

import argparse
import bz2
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.slice import slice_path
from gistmill.rules.wiki.wikitext import clean_wikitext
from gistmill.transforms.sources.wikipedia.export import is_disambiguation

CHANGED, DELETED, NEW, RENAMED = 30, 5, 10, 1
NAMES = ("enwiki-20260901-pages-articles-multistream.xml.bz2", "enwiki-20261001-pages-articles-multistream.xml.bz2")
PAGES_PER_STREAM = 10
_PAGE = re.compile(rb"  <page>.*?</page>\n", re.S)
_ID = re.compile(rb"<id>(\d+)</id>")
_TITLE = re.compile(rb"<title>(.*?)</title>")
_REVISION = re.compile(rb"(<revision>\s*<id>)(\d+)(</id>.*?<timestamp>)(.*?)(</timestamp>)", re.S)
_TEXT = re.compile(rb"(<text[^>]*>)(.*?)(</text>)", re.S)
_PROSE = re.compile(r"^[A-Z'][^\n|{}]{200,}\.$", re.M)  # a line that is a paragraph of prose and nothing else


@dataclass(frozen=True, slots=True, kw_only=True)
class Months:
    """Two dumps as lists of pages, in the order of their ids, and what became of whose page (by id)."""

    head: bytes
    first: Sequence[bytes]
    second: Sequence[bytes]
    changed: frozenset[int]
    deleted: frozenset[int]
    new: frozenset[int]
    renamed: frozenset[int]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Writes both as multistream dumps; returns their paths."""
        paths = (folder / NAMES[0], folder / NAMES[1])
        for path, pages in zip(paths, (self.first, self.second), strict=True):
            chunks = [b"".join(pages[i : i + PAGES_PER_STREAM]) for i in range(0, len(pages), PAGES_PER_STREAM)]
            path.write_bytes(b"".join(map(bz2.compress, (self.head, *chunks, b"</mediawiki>\n"))))
        return paths


def months(
    *,
    changed: int = CHANGED,
    deleted: int = DELETED,
    new: int = NEW,
    renamed: int = RENAMED,
    most_bytes: int | None = None,
) -> Months:
    """Returns two months of the slice.

    Args:
        changed, deleted, new, renamed: how many articles.
        most_bytes: leave out longer pages, for tests that have to be fast.

    Raises:
        ValueError: the slice has fewer articles than that.
    """
    whole = bz2.decompress(slice_path().read_bytes())
    pages = [p for p in _PAGE.findall(whole) if most_bytes is None or len(p) <= most_bytes]
    articles = sorted((p for p in pages if _is_article(p)), key=lambda page: _hash(_id(page)))
    sizes = (changed, deleted, new, renamed)
    if sum(sizes) > len(articles):
        raise ValueError(f"the slice has {len(articles)} such articles, fewer than {sum(sizes)}")
    groups, begin = [], 0
    for size in sizes:
        groups.append(frozenset(map(_id, articles[begin : begin + size])))
        begin += size
    to_change, to_delete, to_add, to_rename = groups
    second = (_next_month(p, to_change, to_rename) for p in pages if _id(p) not in to_delete)
    return Months(
        head=whole[: whole.index(b"  <page>")],
        first=[p for p in pages if _id(p) not in to_add],
        second=list(second),
        changed=to_change,
        deleted=to_delete,
        new=to_add,
        renamed=to_rename,
    )


def _next_month(page: bytes, changed: frozenset[int], renamed: frozenset[int]) -> bytes:
    page_id = _id(page)
    if page_id in renamed:
        return _TITLE.sub(rb"<title>\1 (renamed)</title>", page, count=1)
    return _edited(page) if page_id in changed else page


def _edited(page: bytes) -> bytes:
    """A paragraph of prose changes: it gains a sentence, loses its last one, or goes. Revision and time are new."""
    page_id = _id(page)
    text = html.unescape(_text(page))
    found = list(_PROSE.finditer(text))
    place = found[_hash(page_id) % len(found)]
    paragraph = place.group()
    shorter = paragraph.rpartition(". ")[0] + "."
    variants = (f"{paragraph} The article was revised in September.", shorter, "")
    made = variants[page_id % 3] if len(shorter) > 1 else variants[0]
    edited = text[: place.start()] + made + text[place.end() :]
    page = _TEXT.sub(lambda m: m[1] + html.escape(edited, quote=False).encode() + m[3], page, count=1)
    revision = str(1_300_000_000 + page_id).encode()
    return _REVISION.sub(lambda m: m[1] + revision + m[3] + b"2026-09-20T12:00:00Z" + m[5], page, count=1)


def _is_article(page: bytes) -> bool:
    text = html.unescape(_text(page))
    title = _TITLE.findall(page)[0].decode()
    if b"<redirect" in page or b"<ns>0</ns>" not in page or is_disambiguation(title, text):
        return False
    return bool(_PROSE.search(text)) and bool(clean_wikitext(text))


def _id(page: bytes) -> int:
    return int(_ID.findall(page)[0])


def _text(page: bytes) -> str:
    found = _TEXT.search(page)
    return found[2].decode() if found else ""


def _hash(number: int) -> int:
    return int.from_bytes(hashlib.sha256(str(number).encode()).digest()[:8], "big")


def main() -> None:
    """Writes the two dumps into the folder of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for path in months().write(folder):
        print(path)


if __name__ == "__main__":
    main()
