"""Dumps of a wiki: the newest complete one of either layout, from the folders of its mirrors.

Wikimedia serves two layouts: content file exports (exports.py), and the older XML dumps (dump_status.py), which are
deprecated since January 2026. In both a folder appears when its dump is begun, so it does not say that it is complete.

A folder ``latest`` may mix files of two dumps, so it is never read.

They lie at other/mediawiki_content_current/WIKI/YYYY-MM-DD/xml/bzip2/. ``SHA256SUMS`` is written when an export is
complete. ``_SUCCESS`` stands beside it, but users report complete exports of October 2026 without it, so it decides
nothing. Closed wikis and exports in progress have empty folders.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from gistmill.core.addresses import public_name
from gistmill.core.json_value import JsonError, JsonValue, load
from gistmill.pipelines.errors import JobFailed, shorten
from gistmill.pipelines.rebuild.download import names_in
from gistmill.pipelines.web import Session, WebError, described_at, read
from gistmill.transforms.sources.files.ranges import in_pages
from gistmill.transforms.sources.wikipedia.dump import DUMPS, EXPORTS


class DumpError(JobFailed):
    """There is no complete dump, or none can be seen; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpFile:
    """A file of a dump.

    Attributes:
        name: its name.
        size: bytes.
        sha1, sha256: in hexadecimal digits; "" for one that the server does not publish.
    """

    name: str
    size: int
    sha1: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A complete dump.

    Attributes:
        wiki: such as ``enwiki``.
        date: YYYYMMDD.
        layout: ``dumps`` or ``exports``.
        folder: where its files lie below a mirror.
        files: in order of their names or, of an export, of their pages; indexes included.
    """

    wiki: str
    date: str
    layout: str
    folder: str
    files: tuple[DumpFile, ...]

    @property
    def texts(self) -> tuple[DumpFile, ...]:
        """The files that hold pages, without the indexes."""
        return tuple(file for file in self.files if ".xml" in file.name)

    def url(self, mirror: str, file: DumpFile) -> str:
        """Returns where a mirror has a file."""
        return f"{mirror}/{self.folder}/{file.name}"


_STATUS = "dumpstatus.json"
# The job with streams of a hundred pages, which is read in parallel. The other one serves where a dump has none.
# Jobs that join the parts of a large wiki end later, with the same pages: a choice by what is there would change.
_JOBS = ("articlesmultistreamdump", "articlesdump")
_DATE = re.compile(r"[0-9]{8}")
_PART = re.compile(r"-p\d+p\d+\.")
_SHA1 = re.compile(r"[0-9a-f]{40}")


class DumpLayout:
    """The layout of XML dumps, with their dumpstatus.json."""

    name = "dump"

    def folder(self, wiki: str) -> str:
        """Returns the path of the folder that lists the dates of a wiki."""
        return wiki

    def date_of(self, name: str) -> str:
        """Returns the date, YYYYMMDD, that a name in it stands for; "" for any other name."""
        try:
            return name if _DATE.fullmatch(name) and datetime.strptime(name, "%Y%m%d") else ""
        except ValueError:
            return ""

    def complete(self, web: Session, mirror: str, wiki: str, date: str) -> Dump:
        """Returns the dump of a date if the mirror says that it is complete. Raises WebError, DumpError."""
        folder = f"{wiki}/{date}"
        place = f"{mirror}/{folder}/{_STATUS}"
        url = public_name(place)
        try:
            status = JsonValue(load(io.BytesIO(read(web, place)), _STATUS), _STATUS)
            jobs = status["jobs"].fields()
            there = [name for name in _JOBS if name in jobs and jobs[name]["status"].text() != "skipped"]
            if not there:
                raise DumpError(f"{url} names none of the jobs {', '.join(_JOBS)}")
            job = jobs[there[0]]
            if (state := job["status"].text()) != "done":
                raise DumpError(shorten(f"{url}: {there[0]} is {state}"))
            named = sorted(job["files"].fields().items())
            files = tuple(_file(name, value, f"{wiki}-{date}-") for name, value in named)
        except JsonError as error:  # a status that is being written is not JSON
            raise DumpError(shorten(f"{url}: {' '.join(str(error).split())}")) from None
        if not any(".xml" in file.name for file in files):
            raise DumpError(f"{url}: {there[0]} has no files")
        # the parts of a file that is there whole too are left out: no page may come twice
        whole = tuple(file for file in files if not _PART.search(file.name))
        once = whole if any(".xml" in file.name for file in whole) else files
        return Dump(wiki=wiki, date=date, layout=DUMPS, folder=folder, files=once)


def _file(name: str, value: JsonValue, prefix: str) -> DumpFile:
    """Names become paths: one that is not of this dump is refused."""
    if not name.startswith(prefix) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise DumpError(f"{_STATUS} names the file {name[:80]!r}, which is not one of this dump")
    size, sha1 = value["size"].whole(), value["sha1"].text().lower()
    if size < 1 or not _SHA1.fullmatch(sha1):
        raise DumpError(f"{_STATUS} has no size or SHA-1 of {name}")
    return DumpFile(name=name, size=size, sha1=sha1)


_FOLDER = "other/mediawiki_content_current"
_SUMS = "SHA256SUMS"
_exports_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE = re.compile(r"([0-9a-fA-F]{64}) [ *](?:\./)?([A-Za-z0-9_.-]+)")
_PAGES = r"-p[0-9]{1,15}(?:p[0-9]{1,15}|r[0-9]{1,15}r[0-9]{1,15})\.xml\.bz2"
_ONE_PAGE = re.compile(r"-p(?P<page>[0-9]+)r[0-9]+r(?P<last>[0-9]+)\.")


class ExportLayout:
    """The layout of content file exports, with their SHA256SUMS."""

    name = "export"

    def folder(self, wiki: str) -> str:
        return f"{_FOLDER}/{wiki}"

    def date_of(self, name: str) -> str:
        try:
            return datetime.strptime(name, "%Y-%m-%d").strftime("%Y%m%d") if _exports_DATE.fullmatch(name) else ""
        except ValueError:
            return ""

    def complete(self, web: Session, mirror: str, wiki: str, date: str) -> Dump:
        """Every file that SHA256SUMS names is there, and it names every file."""
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


Layout = DumpLayout | ExportLayout  # how a server lays out dumps


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


MIRRORS = ("https://dumps.wikimedia.org",)
AUTO: Final = "auto"
LAYOUTS = (AUTO, EXPORTS, DUMPS)
_NOT_THERE = 404


class _NoDump(DumpError):
    """The mirror that decides has no complete dump."""


def find_dump(
    web: Session,
    wiki: str,
    *,
    layout: str = AUTO,
    mirrors: Sequence[str] = MIRRORS,
    date: str | None = None,
    say: Callable[[str], object] = lambda line: None,
) -> Dump:
    """Returns the newest complete dump, or that of a date. The first mirror that answers decides which that is, and
    which sizes and checksums its files have: any other mirror could invent a newer one, with checksums of its own.

    Args:
        web: the session to ask with.
        wiki: such as ``enwiki``.
        layout: EXPORTS, DUMPS, or AUTO: exports, and dumps only where there is no complete export.
        mirrors: URLs below which the folders of the wikis lie, without ``/`` at the end.
        date: YYYYMMDD; None for the newest.
        say: gets lines for a person: the layout that AUTO takes, dumps that were passed over, mirrors that did not
            answer.

    Raises:
        DumpError: no mirror answers all questions, or the one that decides has no complete dump.
    """
    silent: list[str] = []
    for mirror in mirrors:
        for line in silent[-1:]:
            say(f"a mirror is left out: {line}")
        try:
            return _of_layout(web, wiki, layout, mirror, date, say)
        except WebError as error:
            silent.append(str(error))
    raise DumpError(f"no mirror says which dumps of {wiki} are complete: {silent[0]}")


def _of_layout(
    web: Session, wiki: str, layout: str, mirror: str, date: str | None, say: Callable[[str], object]
) -> Dump:
    if layout == DUMPS:
        return _newest(web, wiki, DumpLayout(), mirror, date, say)
    try:
        found = _newest(web, wiki, ExportLayout(), mirror, date, say)
    except _NoDump as error:
        if layout == EXPORTS:
            raise
        say(f"taking the XML dumps (layout: dumps), as {error}")
        return _newest(web, wiki, DumpLayout(), mirror, date, say)
    if layout == AUTO:
        say(f"taking the content file export of {found.date} (layout: exports)")
    return found


def _newest(
    web: Session, wiki: str, layout: Layout, mirror: str, date: str | None, say: Callable[[str], object]
) -> Dump:
    """Raises WebError: the mirror does not answer. A dump of which it says nothing is not passed over: an older one
    would seem to be the newest."""
    dates = {date} if date is not None else _dates(web, wiki, layout, mirror)
    passed: list[str] = []
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y%m%d")  # clocks differ
    for candidate in sorted(dates, reverse=True):
        if candidate > tomorrow:
            passed.append(f"{public_name(mirror)}: the {layout.name} of {candidate} is in the future")
            say(passed[-1])
            continue
        try:
            return layout.complete(web, mirror, wiki, candidate)
        except WebError as error:
            if error.status != _NOT_THERE:
                raise
            passed.append(str(error))
        except DumpError as error:
            passed.append(str(error))
        say(f"the {layout.name} of {candidate} is not complete: {passed[-1]}")
    why = passed[0] if passed else f"none is listed at {public_name(mirror)}/{layout.folder(wiki)}/"
    raise _NoDump(f"there is no complete {layout.name} of {wiki}: {why}")


def _dates(web: Session, wiki: str, layout: Layout, mirror: str) -> set[str]:
    """The dates of the dumps that a mirror lists."""
    try:
        names = names_in(read(web, f"{mirror}/{layout.folder(wiki)}/"))
    except WebError as error:
        if error.status != _NOT_THERE:
            raise
        return set()
    return set(filter(None, map(layout.date_of, names)))
