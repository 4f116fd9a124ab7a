"""MediaWiki Content File Exports of a wiki: its current pages, monthly, as files of bzip2 with a SHA-256 for each.

They lie at other/mediawiki_content_current/WIKI/YYYY-MM-DD/xml/bzip2/. ``SHA256SUMS`` is written when an export is
complete. ``_SUCCESS`` stands beside it, but users report complete exports of October 2026 without it, so it decides
nothing. Closed wikis and exports in progress have empty folders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from gistmill.core.public_names import public_name
from gistmill.pipelines.rebuild.dump import Dump, DumpError, DumpFile
from gistmill.pipelines.rebuild.listings import names_in
from gistmill.pipelines.web import Session, described_at, read
from gistmill.transforms.sources.files.ranges import in_pages
from gistmill.transforms.sources.wikipedia.dump import EXPORTS

_FOLDER = "other/mediawiki_content_current"
_SUMS = "SHA256SUMS"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](?:\./)?([A-Za-z0-9_.-]+)")
_PAGES = r"-p[0-9]{1,15}(?:p[0-9]{1,15}|r[0-9]{1,15}r[0-9]{1,15})\.xml\.bz2"
_ONE_PAGE = re.compile(r"-p(?P<page>[0-9]+)r[0-9]+r(?P<last>[0-9]+)\.")


class ExportLayout:
    """See Layout."""

    name = "export"

    def folder(self, wiki: str) -> str:
        """See Layout.folder."""
        return f"{_FOLDER}/{wiki}"

    def date_of(self, name: str) -> str:
        """See Layout.date_of."""
        try:
            return datetime.strptime(name, "%Y-%m-%d").strftime("%Y%m%d") if _DATE.fullmatch(name) else ""
        except ValueError:
            return ""

    def complete(self, web: Session, mirror: str, wiki: str, date: str) -> Dump:
        """See Layout.complete: every file that SHA256SUMS names is there, and it names every file."""
        day = datetime.strptime(date, "%Y%m%d").strftime("%Y-%m-%d")
        folder = f"{self.folder(wiki)}/{day}/xml/bzip2"
        url = public_name(f"{mirror}/{folder}/")
        listed = names_in(read(web, f"{mirror}/{folder}/"))
        if _SUMS not in listed:
            raise DumpError(f"{url} has no {_SUMS}")
        of_export = re.compile(re.escape(f"{wiki}-{day}") + _PAGES)
        sums = _sums(read(web, f"{mirror}/{folder}/{_SUMS}"), of_export, url)
        there = {name for name in listed if of_export.fullmatch(name)}
        if odd := sorted(there ^ sums.keys()):
            where = f"the folder has no {odd[0]}" if odd[0] in sums else f"it does not name {odd[0]}"
            raise DumpError(f"{url}{_SUMS}: {where}")
        files = tuple(
            DumpFile(name=name, size=described_at(web, f"{mirror}/{folder}/{name}")[0], sha256=sums[name])
            for name in newest_revisions(sums)
        )
        return Dump(wiki=wiki, date=date, layout=EXPORTS, folder=folder, files=files)


def newest_revisions(names: Iterable[str]) -> list[str]:
    """Returns the files of an export that hold the newest revision of each page, in order of their pages.

    A page that is too large for a file with others has its own, ``-pPAGErFIRSTrLAST``. The current revisions are one a
    page, so the page has one file. Of several files of a page the one with the last revision is taken.
    """
    last: dict[str, tuple[int, str]] = {}
    found = []
    for name in names:
        if of_page := _ONE_PAGE.search(name):
            revision = (int(of_page["last"]), name)
            last[of_page["page"]] = max(revision, last.get(of_page["page"], revision))
        else:
            found.append(name)
    return sorted([*found, *(name for _, name in last.values())], key=in_pages)


def _sums(content: bytes, of_export: re.Pattern[str], url: str) -> dict[str, str]:
    """The SHA-256 of each file. Names become paths: one that is not of this export is refused."""
    found: dict[str, str] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        said = _LINE.fullmatch(line)
        if said is None or not of_export.fullmatch(said[2]):
            raise DumpError(f"{url}{_SUMS}: {line[:160]!r} is not the SHA-256 of a file of this export")
        if found.setdefault(said[2], said[1].lower()) != said[1].lower():
            raise DumpError(f"{url}{_SUMS} names {said[2]} twice")
    if not found:
        raise DumpError(f"{url}{_SUMS} names no files")
    return found
