"""Snapshots as Wikimedia Enterprise has them, for the tests: pages of exports, rendered, as lines and archives."""

from __future__ import annotations

import gzip
import html
import io
import json
import re
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.parsoid_pages import parsoid_html

SOME_HTML = parsoid_html(
    "The '''otter''' swims well. It eats fish.\n\n== Range ==\nIt lives in Europe. It sleeps there."
)


def line(
    number: int,
    title: str = "",
    text: str | None = SOME_HTML,
    *,
    version: int | None = None,
    ns: int = 0,
    **more: object,
) -> bytes:
    """Returns a line of a snapshot, without its end. ``more``: other keys, in the place of those that it has."""
    title = title or f"Page {number}"
    values = {
        "name": title,
        "identifier": number,
        "date_modified": "2020-01-02T03:04:05Z",
        "version": {"identifier": version or number + 9000, "comment": "x", "editor": {"identifier": 77}},
        "url": f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}",
        "namespace": {"name": "Article", "identifier": ns},
        "in_language": {"name": "English", "identifier": "en"},
        "main_entity": {"identifier": "Q1", "url": "https://www.wikidata.org/entity/Q1"},
        "is_part_of": {"name": "Wikipedia", "identifier": "enwiki", "url": "https://en.wikipedia.org"},
        "article_body": {"html": text, "wikitext": "x"},
        "license": [{"name": "Creative Commons Attribution Share Alike 4.0", "identifier": "CC-BY-SA-4.0"}],
    }
    return json.dumps(values | more, ensure_ascii=False).encode("utf-8", "surrogatepass")


def of_export(pages: Iterable[bytes]) -> list[bytes]:
    """Returns the lines of a snapshot of the same wiki as the export that has these page elements."""
    return [_of_page(element.decode()) for element in pages]


def _of_page(element: str) -> bytes:
    page, revision = re.findall(r"<id>(\d+)</id>", element)[:2]
    title, text, namespace, time = (_inside(element, tag) for tag in ("title", "text", "ns", "timestamp"))
    redirect = re.search(r'<redirect title="([^"]*)"', element)
    body = f'<link rel="mw:PageProp/redirect" href="./{redirect[1]}"/>' if redirect else parsoid_html(text)
    return line(int(page), title, body, version=int(revision), ns=int(namespace), date_modified=time)


def _inside(element: str, tag: str) -> str:
    found = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", element, re.DOTALL)
    return html.unescape(found[1]) if found else ""


def joined(lines: Iterable[bytes]) -> bytes:
    """Returns lines as a text."""
    return b"".join(each + b"\n" for each in lines)


def archive(members: Sequence[bytes | tarfile.TarInfo], *, form: int = tarfile.PAX_FORMAT) -> bytes:
    """Returns a tar archive of files, each given as its text, or of other members."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for number, member in enumerate(members):
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member)
                continue
            info = tarfile.TarInfo(f"enwiki_namespace_0_{number}.ndjson")
            info.size = len(member)
            tar.addfile(info, io.BytesIO(member))
    return out.getvalue()


def write_archive(path: Path, lines: Sequence[bytes], *, members: int = 2) -> Path:
    """Writes a snapshot as it is offered: a tar.gz of files of lines."""
    size = -(-len(lines) // members)
    parts = [joined(lines[at : at + size]) for at in range(0, len(lines), size)]
    path.write_bytes(gzip.compress(archive(parts)))
    return path
