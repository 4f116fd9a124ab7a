"""Metadata of a dump: the note on its download, and URLs of its pages."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from gistmill.core.json_value import Count, JsonValue, read_as
from gistmill.core.manifest import DumpEntry, ExportFile
from gistmill.rules.wiki.page import language_of_wiki
from gistmill.transforms.io import exists, read_json, write_json
from gistmill.transforms.sources.files.ranges import SourceError

DUMPS, EXPORTS = "dumps", "exports"
_ENDING = ".dump.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpNote:
    """The content of a note.

    Attributes:
        file: the name of the file.
        wiki: such as ``enwiki``.
        date: of the dump, YYYYMMDD.
        url: where the file came from.
        layout: DUMPS or EXPORTS.
        size: bytes; 0 in notes of old versions.
        sha1: in hexadecimal digits, as the server of DUMPS published it; "" for EXPORTS.
        sha256: of the download; "" if it was not computed.
    """

    file: str
    wiki: str
    date: str
    url: str
    layout: str = DUMPS
    size: Count = 0
    sha1: str = ""
    sha256: str = ""


def note_of(path: str) -> str:
    """Returns the path of the note of a file."""
    return f"{path}{_ENDING}"


def write_note(path: str, note: DumpNote) -> None:
    """Writes the note of the file ``path``."""
    write_json(note_of(path), dataclasses.asdict(note), indent=1)


def read_note(path: str) -> DumpNote | None:
    """Returns the note of the file ``path``; None where it has none.

    Raises:
        SourceError: the note cannot be read.
    """
    place = note_of(path)
    if not exists(place):
        return None
    try:
        note: DumpNote = read_as(DumpNote, JsonValue(read_json(place), place))
    except ValueError as error:
        raise SourceError(f"{place} is not a note on a dump: {error}") from None
    return note


def dump_entries(paths: Iterable[str]) -> list[DumpEntry]:
    """Returns the content of the files' notes: an entry for each file of a dump, and one for all files of an export.
    Files without a note say nothing.

    Args:
        paths: of the files, in order.

    Raises:
        SourceError: a note cannot be read.
    """
    found: dict[tuple[str, ...], DumpEntry] = {}
    for note in filter(None, map(read_note, paths)):
        if note.layout == DUMPS:
            found[(note.file, note.url)] = DumpEntry(
                file=note.file, wiki=note.wiki, date=note.date, url=note.url, sha1=note.sha1
            )
            continue
        folder = note.url.rpartition("/")[0]
        key = (note.wiki, note.date, folder)
        before = found.get(key) or DumpEntry(
            file="", wiki=note.wiki, date=note.date, url=folder, sha1="", layout=note.layout
        )
        file = ExportFile(name=note.file, size=note.size, sha256=note.sha256)
        found[key] = dataclasses.replace(before, files=(*before.files, file))
    return [*found.values()]


_WIKIPEDIA = re.compile(r"(?P<language>[a-z][a-z_]*)wiki[-_]")
_LONGEST_BASE = 500
_PLAIN = ";@$!*(),/~:"  # characters that MediaWiki leaves as they are in the address of a title


def page_address(base: str, title: str, revision: str = "") -> str:
    """Returns the URL of a revision of a page: that of its title, with ``oldid``. A page that is renamed keeps it.

    Args:
        base: the URL of the wiki's main page, such as ``https://en.wikipedia.org/wiki/Main_Page``: the element ``base``
            of a dump's ``siteinfo``. The title replaces everything after its last ``/`` or ``title=``.
        title: of the page.
        revision: id of the revision; anything but digits is left out.

    Returns:
        The URL; "" if the base is not a URL of a wiki, or the title is empty.
    """
    if not title or not _is_base(base):
        return ""
    cut = max(base.rfind("/"), base.rfind("title=") + len("title=") - 1)
    address = base[: cut + 1] + quote(title.replace(" ", "_"), safe=_PLAIN, errors="replace")
    if not (revision.isascii() and revision.isdigit()):
        return address
    return f"{address}{'&' if '?' in base else '?'}oldid={revision}"


def base_of_dump(file: str) -> str:
    """Returns a ``base`` for ``page_address`` of the name of a dump's file; "" if it names no Wikipedia.

    Args:
        file: such as ``enwiki-20260901-pages-articles-multistream.xml.bz2``.
    """
    found = _WIKIPEDIA.match(file)
    return f"https://{found['language'].replace('_', '-')}.wikipedia.org/wiki/" if found else ""


def languages_of(bases: Iterable[str]) -> frozenset[str]:
    """Returns the codes of the languages of wikis, of the addresses of pages there; others have none."""
    return frozenset(filter(None, map(language_of_wiki, bases)))


def _is_base(base: str) -> bool:
    if len(base) > _LONGEST_BASE or not base.isprintable() or " " in base:
        return False
    try:
        parts = urlsplit(base)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and bool(parts.path)
