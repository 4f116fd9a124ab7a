"""The newest complete dump of a wiki, from the directories and ``dumpstatus.json`` of its mirrors.

The layout is that of https://dumps.wikimedia.org: WIKI/YYYYMMDD/dumpstatus.json, and the files beside it. A directory
appears when its dump is begun, and ``latest`` may mix files of two dumps; so neither says that a dump is complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.web import Session, WebError, read

MIRRORS = ("https://dumps.wikimedia.org",)
STATUS = "dumpstatus.json"
# The job with streams of a hundred pages, which is read in parallel. The other one serves where a dump has none.
# Jobs that join the parts of a large wiki end later, with the same pages: a choice by what is there would change.
_JOBS = ("articlesmultistreamdump", "articlesdump")
_FOLDER = re.compile(r'href="(?:[^"]*/)?(\d{8})/?"')
_PART = re.compile(r"-p\d+p\d+\.")
_SHA1 = re.compile(r"[0-9a-f]{40}")


class DumpError(JobFailed):
    """There is no complete dump, or none can be seen; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpFile:
    """A file of a dump: its name, its size in bytes, and its SHA-1 in hexadecimal digits."""

    name: str
    size: int
    sha1: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A complete dump.

    Attributes:
        wiki: such as ``enwiki``.
        date: YYYYMMDD.
        job: the job of the dump that made the files.
        files: the files in order of their names, indexes included.
    """

    wiki: str
    date: str
    job: str
    files: tuple[DumpFile, ...]

    def url(self, mirror: str, file: DumpFile) -> str:
        """Returns where a mirror has a file."""
        return f"{mirror}/{self.wiki}/{self.date}/{file.name}"


def find_dump(
    web: Session,
    wiki: str,
    *,
    mirrors: Sequence[str] = MIRRORS,
    date: str | None = None,
    say: Callable[[str], object] = lambda line: None,
) -> Dump:
    """Returns the newest complete dump, or that of a date. A mirror earlier in the list is believed first.

    Args:
        web: the session to ask with.
        wiki: such as ``enwiki``.
        mirrors: URLs below which the folders of the wikis lie, without ``/`` at the end.
        date: YYYYMMDD; None for the newest.
        say: gets lines for a person: dumps that were passed over, mirrors that did not answer.

    Raises:
        DumpError: no mirror answers, or none has a complete dump. A dump of which no mirror says anything is not passed
            over: an older one would seem to be the newest.
    """
    dates = [date] if date is not None else _dates(web, wiki, mirrors, say)
    passed: list[str] = []
    for candidate in dates:
        answered = False
        for mirror in mirrors:
            try:
                return _complete(web, mirror, wiki, candidate)
            except WebError as error:
                answered = answered or error.status == 404
                passed.append(str(error))
            except DumpError as error:
                answered = True
                passed.append(str(error))
        if not answered:
            raise DumpError(f"no mirror says whether the dump of {wiki} of {candidate} is complete: {passed[-1]}")
        say(f"the dump of {candidate} is not complete: {passed[-1]}")
    raise DumpError(f"there is no complete dump of {wiki}: {passed[0] if passed else 'no dump is listed'}")


def _dates(web: Session, wiki: str, mirrors: Iterable[str], say: Callable[[str], object]) -> list[str]:
    """The dates of the dumps that any mirror lists, the newest first."""
    found: set[str] = set()
    silent: list[str] = []
    listed = False
    for mirror in mirrors:
        try:
            page = read(web, f"{mirror}/{wiki}/").decode("utf-8", "replace")
        except WebError as error:
            silent.append(str(error))
            continue
        listed = True
        found.update(date for date in _FOLDER.findall(page) if _is_date(date))
    if not listed:
        raise DumpError(f"no mirror lists the dumps of {wiki}: {silent[0]}")
    for line in silent:
        say(f"a mirror is left out: {line}")
    return sorted(found, reverse=True)


def _is_date(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y%m%d")
    except ValueError:
        return False
    return True


def _complete(web: Session, mirror: str, wiki: str, date: str) -> Dump:
    """The dump of a date if the mirror says that its files are complete. Raises WebError, DumpError."""
    place = f"{mirror}/{wiki}/{date}/{STATUS}"
    url = public_name(place)
    try:
        status = JsonValue(json.loads(read(web, place)), STATUS)
        jobs = status["jobs"].fields()
        there = [name for name in _JOBS if name in jobs and jobs[name]["status"].text() != "skipped"]
        if not there:
            raise DumpError(f"{url} names none of the jobs {', '.join(_JOBS)}")
        job = jobs[there[0]]
        if (state := job["status"].text()) != "done":
            raise DumpError(f"{url}: {there[0]} is {state}")
        files = tuple(_file(name, value, f"{wiki}-{date}-") for name, value in sorted(job["files"].fields().items()))
    except (ValueError, JsonError) as error:  # a status that is being written is not JSON
        raise DumpError(f"{url}: {' '.join(str(error).split())}") from None
    if not any(".xml" in file.name for file in files):
        raise DumpError(f"{url}: {there[0]} has no files")
    return Dump(wiki=wiki, date=date, job=there[0], files=_once(files))


def _once(files: tuple[DumpFile, ...]) -> tuple[DumpFile, ...]:
    """The files without the parts of a file that is there whole too: no page may come twice."""
    whole = tuple(file for file in files if not _PART.search(file.name))
    return whole if any(".xml" in file.name for file in whole) else files


def _file(name: str, value: JsonValue, prefix: str) -> DumpFile:
    """Names become paths: one that is not of this dump is refused."""
    if not name.startswith(prefix) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise DumpError(f"{STATUS} names the file {name[:80]!r}, which is not one of this dump")
    size, sha1 = value["size"].whole(), value["sha1"].text().lower()
    if size < 1 or not _SHA1.fullmatch(sha1):
        raise DumpError(f"{STATUS} has no size or SHA-1 of {name}")
    return DumpFile(name=name, size=size, sha1=sha1)
