"""Finding the newest complete dump of a wiki, in either layout, on its mirrors.

Wikimedia serves two layouts: content file exports, and the older XML dumps, which have been deprecated since January
2026. In both, a dump's folder is created when the dump is started, so its existence does not mean that the dump is
complete. ``latest`` folders are never read, because they may mix files from two dumps.

Exports are at other/mediawiki_content_current/WIKI/YYYY-MM-DD/xml/bzip2/. ``SHA256SUMS`` is written when an export is
complete. A file ``_SUCCESS`` is ignored, because users report complete exports without it in October 2026. The folders
of closed wikis and of exports in progress are empty.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from lxml import etree

from gistmill.core.addresses import public_name
from gistmill.core.json_value import JsonError, JsonValue, load
from gistmill.pipelines.errors import JobFailed, shorten
from gistmill.pipelines.web import NOT_THERE, Session, WebError, described_at, read, read_if_there
from gistmill.transforms.sources.files.ranges import in_pages
from gistmill.transforms.sources.wikipedia.dump import DUMPS, EXPORTS

Say = Callable[[str], object]  # called with messages for the user
MIRRORS = ("https://dumps.wikimedia.org",)
AUTO: Final = "auto"
LAYOUTS = (AUTO, EXPORTS, DUMPS)
_STATUS, _SUMS = "dumpstatus.json", "SHA256SUMS"
# The first job writes streams of a hundred pages, which can be read in parallel; the second is used if a dump lacks it.
# Jobs that recombine a large wiki's parts are not used: they finish later with the same pages, so choices would vary.
_JOBS = ("articlesmultistreamdump", "articlesdump")
_PART = re.compile(r"-p\d+p\d+\.")
_SHA1 = re.compile(r"[0-9a-f]{40}")
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](?:\./)?([A-Za-z0-9_.-]+)")
_PAGES = r"-p[0-9]{1,15}(?:p[0-9]{1,15}|r[0-9]{1,15}r[0-9]{1,15})\.xml\.bz2"
_LINK = re.compile(r"/?(?:[\w.-]+/)*(\w[\w.-]*)/?", re.ASCII)
_ONE_PAGE = re.compile(r"-p(?P<page>[0-9]+)r[0-9]+r(?P<last>[0-9]+)\.")


class DumpError(JobFailed):
    """There is no complete dump, or it cannot be determined; the message is one line for the user."""


class _NoDump(DumpError):
    """The first mirror that responds has no complete dump."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteFile:
    """A file on a server, with its hexadecimal checksums; "" for a checksum that the server does not publish."""

    name: str
    size: int
    sha1: str = ""
    sha256: str = ""

    def is_in(self, folder: Path) -> bool:
        """Whether the folder contains this file, judging by name and size."""
        place = folder / self.name
        return place.is_file() and place.stat().st_size == self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A complete dump."""

    wiki: str  # such as ``enwiki``
    date: str  # YYYYMMDD
    layout: str  # DUMPS or EXPORTS
    folder: str  # path of its files, relative to a mirror
    files: tuple[RemoteFile, ...]  # ordered by name or, in an export, by page; includes indexes

    @property
    def texts(self) -> tuple[RemoteFile, ...]:
        """The files that contain pages, without the indexes."""
        return tuple(file for file in self.files if ".xml" in file.name)


def find_dump(
    web: Session,
    wiki: str,
    *,
    layout: str = AUTO,
    mirrors: Sequence[str] = MIRRORS,
    date: str | None = None,
    say: Say = lambda line: None,
) -> Dump:
    """Returns the newest complete dump, or the dump of a given date. The first mirror that responds determines the dump
    and its files' sizes and checksums; otherwise any other mirror could invent a newer dump with its own checksums.

    Args:
        layout: EXPORTS, DUMPS or AUTO, which uses dumps only if there is no complete export.
        mirrors: URLs of the mirrors, without a trailing ``/``.
        date: YYYYMMDD; None for the newest.
        say: called with the layout chosen by AUTO, the dumps skipped and the mirrors that did not respond.

    Raises:
        DumpError: no mirror responds to all requests, or the first that does has no complete dump.
    """
    silent: list[str] = []
    for mirror in mirrors:
        for line in silent[-1:]:
            say(f"skipping a mirror: {line}")
        try:
            if layout == DUMPS:
                return _Dumps(web, mirror, wiki, say).newest(date)
            try:
                found = _Exports(web, mirror, wiki, say).newest(date)
            except _NoDump as error:
                if layout == EXPORTS:
                    raise
                say(f"using the XML dumps (layout: dumps): {error}")
                return _Dumps(web, mirror, wiki, say).newest(date)
        except WebError as error:
            silent.append(str(error))
            continue
        if layout == AUTO:
            say(f"using the content file export of {found.date} (layout: exports)")
        return found
    raise DumpError(f"no mirror lists the complete dumps of {wiki}: {silent[0]}")


@dataclass(frozen=True, slots=True)
class _Dumps:
    """A wiki's XML dumps on a mirror, described by dumpstatus.json files."""

    web: Session
    mirror: str
    wiki: str
    say: Say

    name = "dump"
    folder = "{}"  # the folder that lists a wiki's dates
    day = "%Y%m%d"  # the format of the date folders' names

    def newest(self, date: str | None) -> Dump:
        """Returns the newest complete dump, or the dump of a given date.

        Raises:
            _NoDump: there is none.
            WebError: the mirror does not respond. A dump with an unknown status is not skipped, because an older one
                would then seem to be the newest.
        """
        passed: list[str] = []
        tomorrow = datetime.now(UTC) + timedelta(days=1)  # allows for differing clocks
        for day in [datetime.strptime(date, "%Y%m%d")] if date else self._days():
            if day.date() > tomorrow.date():
                passed.append(f"{public_name(self.mirror)}: the {self.name} of {day:%Y%m%d} is in the future")
                self.say(passed[-1])
                continue
            try:
                return self.complete(day)
            except (WebError, DumpError) as error:
                if isinstance(error, WebError) and error.status != NOT_THERE:
                    raise
                passed.append(str(error))
            self.say(f"the {self.name} of {day:%Y%m%d} is not complete: {passed[-1]}")
        why = passed[0] if passed else f"none is listed at {public_name(self.mirror)}/{self.folder.format(self.wiki)}/"
        raise _NoDump(f"no complete {self.name} of {self.wiki} was found: {why}")

    def _days(self) -> list[datetime]:
        """Returns the dates listed by the mirror, newest first."""
        found = []
        for name in names_in(read_if_there(self.web, f"{self.mirror}/{self.folder.format(self.wiki)}/") or b""):
            with suppress(ValueError):
                day = datetime.strptime(name, self.day)
                found += [day] if day.strftime(self.day) == name else []
        return sorted(found, reverse=True)

    def complete(self, day: datetime) -> Dump:
        """Returns the dump of a date if it is complete according to the mirror. Raises WebError, DumpError."""
        date = f"{day:%Y%m%d}"
        folder = f"{self.wiki}/{date}"
        place = f"{self.mirror}/{folder}/{_STATUS}"
        url = public_name(place)
        try:
            status = JsonValue(load(io.BytesIO(read(self.web, place)), _STATUS), _STATUS)
            jobs = status["jobs"].fields()
            there = [name for name in _JOBS if name in jobs and jobs[name]["status"].text() != "skipped"]
            if not there:
                raise DumpError(f"{url} contains neither of the jobs {' and '.join(_JOBS)}")
            job = jobs[there[0]]
            if (state := job["status"].text()) != "done":
                raise DumpError(shorten(f"{url}: {there[0]} is {state}"))
            named = sorted(job["files"].fields().items())
            files = tuple(_file(name, value, f"{self.wiki}-{date}-") for name, value in named)
        except JsonError as error:  # a status file that is being written may not be valid JSON
            raise DumpError(shorten(f"{url}: {' '.join(str(error).split())}")) from None
        if not any(".xml" in file.name for file in files):
            raise DumpError(f"{url}: {there[0]} has no files")
        # if whole files exist, their parts are skipped, so that no page occurs twice
        whole = tuple(file for file in files if not _PART.search(file.name))
        once = whole if any(".xml" in file.name for file in whole) else files
        return Dump(wiki=self.wiki, date=date, layout=DUMPS, folder=folder, files=once)


class _Exports(_Dumps):
    """A wiki's content file exports on a mirror, with their SHA256SUMS files."""

    __slots__ = ()
    name = "export"
    folder = "other/mediawiki_content_current/{}"
    day = "%Y-%m-%d"

    def complete(self, day: datetime) -> Dump:
        """Returns the export of a date if SHA256SUMS lists exactly its folder's files. Raises WebError, DumpError."""
        folder = f"{self.folder.format(self.wiki)}/{day:%Y-%m-%d}/xml/bzip2"
        place = f"{self.mirror}/{folder}"
        url = public_name(f"{place}/")
        listed = names_in(read(self.web, f"{place}/"))
        if _SUMS not in listed:
            raise DumpError(f"{url} does not contain {_SUMS}")
        of_export = re.compile(re.escape(f"{self.wiki}-{day:%Y-%m-%d}") + _PAGES)
        sums: dict[str, str] = {}
        for line in read(self.web, f"{place}/{_SUMS}").decode("utf-8", "replace").splitlines():
            said = _LINE.fullmatch(line)
            if said is None or not of_export.fullmatch(said[2]):  # names become paths
                raise DumpError(f"{url}{_SUMS}: {line[:160]!r} is not the SHA-256 of a file in this export")
            if sums.setdefault(said[2], said[1].lower()) != said[1].lower():
                raise DumpError(f"{url}{_SUMS} lists {said[2]} twice, with different checksums")
        if not sums:
            raise DumpError(f"{url}{_SUMS} lists no files")
        if odd := sorted(set(filter(of_export.fullmatch, listed)) ^ sums.keys()):
            where = f"{odd[0]} is not in the folder" if odd[0] in sums else f"{odd[0]} is not listed"
            raise DumpError(f"{url}{_SUMS}: {where}")
        files = tuple(
            RemoteFile(name=name, size=described_at(self.web, f"{place}/{name}")[0], sha256=sums[name])
            for name in newest_revisions(sums)
        )
        return Dump(wiki=self.wiki, date=f"{day:%Y%m%d}", layout=EXPORTS, folder=folder, files=files)


def _file(name: str, value: JsonValue, prefix: str) -> RemoteFile:
    if not name.startswith(prefix) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):  # names become paths
        raise DumpError(f"{_STATUS} lists the file {name[:80]!r}, which is not part of this dump")
    size, sha1 = value["size"].whole(), value["sha1"].text().lower()
    if size < 1 or not _SHA1.fullmatch(sha1):
        raise DumpError(f"{_STATUS} gives no size or SHA-1 for {name}")
    return RemoteFile(name=name, size=size, sha1=sha1)


def newest_revisions(names: Iterable[str]) -> list[str]:
    """Returns the files of an export with the newest revision of each page, ordered by page.

    A page that is too large to share a file has its own files, ``-pPAGErFIRSTrLAST``. There should be only one, since
    exports contain one revision per page; if there are several, the one with the last revision is used.
    """
    last: dict[str, tuple[int, str]] = {}
    for name in names:
        page = _ONE_PAGE.search(name)
        key, revision = (page["page"], int(page["last"])) if page else (name, 0)
        last[key] = max((revision, name), last.get(key, (0, "")))
    return sorted((name for _, name in last.values()), key=in_pages)


def names_in(page: bytes) -> list[str]:
    """Returns the names of files and folders linked from a listing, without repetitions: only the last parts of paths
    on the same server, so that no name leads out of the folder."""
    tree = etree.HTML(page, etree.HTMLParser(encoding="utf-8")) if page.strip() else None
    links = [] if tree is None else map(_LINK.fullmatch, tree.xpath("//a/@href"))
    return list(dict.fromkeys(link[1] for link in links if link))
