"""XML dumps of a wiki, as ``dumpstatus.json`` describes them: WIKI/YYYYMMDD/dumpstatus.json, and the files beside it.

A folder ``latest`` may mix files of two dumps, so it is never read.
"""

from __future__ import annotations

import json
import re
from datetime import datetime

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.public_names import public_name
from gistmill.pipelines.rebuild.dump import Dump, DumpError, DumpFile
from gistmill.pipelines.web import Session, read
from gistmill.transforms.sources.wikipedia.dump import DUMPS

_STATUS = "dumpstatus.json"
# The job with streams of a hundred pages, which is read in parallel. The other one serves where a dump has none.
# Jobs that join the parts of a large wiki end later, with the same pages: a choice by what is there would change.
_JOBS = ("articlesmultistreamdump", "articlesdump")
_DATE = re.compile(r"[0-9]{8}")
_PART = re.compile(r"-p\d+p\d+\.")
_SHA1 = re.compile(r"[0-9a-f]{40}")


class DumpLayout:
    """See Layout."""

    name = "dump"

    def folder(self, wiki: str) -> str:
        """See Layout.folder."""
        return wiki

    def date_of(self, name: str) -> str:
        """See Layout.date_of."""
        try:
            return name if _DATE.fullmatch(name) and datetime.strptime(name, "%Y%m%d") else ""
        except ValueError:
            return ""

    def complete(self, web: Session, mirror: str, wiki: str, date: str) -> Dump:
        """See Layout.complete."""
        folder = f"{wiki}/{date}"
        place = f"{mirror}/{folder}/{_STATUS}"
        url = public_name(place)
        try:
            status = JsonValue(json.loads(read(web, place)), _STATUS)
            jobs = status["jobs"].fields()
            there = [name for name in _JOBS if name in jobs and jobs[name]["status"].text() != "skipped"]
            if not there:
                raise DumpError(f"{url} names none of the jobs {', '.join(_JOBS)}")
            job = jobs[there[0]]
            if (state := job["status"].text()) != "done":
                raise DumpError(f"{url}: {there[0]} is {state}")
            named = sorted(job["files"].fields().items())
            files = tuple(_file(name, value, f"{wiki}-{date}-") for name, value in named)
        except (ValueError, JsonError) as error:  # a status that is being written is not JSON
            raise DumpError(f"{url}: {' '.join(str(error).split())}") from None
        if not any(".xml" in file.name for file in files):
            raise DumpError(f"{url}: {there[0]} has no files")
        return Dump(wiki=wiki, date=date, layout=DUMPS, folder=folder, files=_once(files))


def _once(files: tuple[DumpFile, ...]) -> tuple[DumpFile, ...]:
    """The files without the parts of a file that is there whole too: no page may come twice."""
    whole = tuple(file for file in files if not _PART.search(file.name))
    return whole if any(".xml" in file.name for file in whole) else files


def _file(name: str, value: JsonValue, prefix: str) -> DumpFile:
    """Names become paths: one that is not of this dump is refused."""
    if not name.startswith(prefix) or not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        raise DumpError(f"{_STATUS} names the file {name[:80]!r}, which is not one of this dump")
    size, sha1 = value["size"].whole(), value["sha1"].text().lower()
    if size < 1 or not _SHA1.fullmatch(sha1):
        raise DumpError(f"{_STATUS} has no size or SHA-1 of {name}")
    return DumpFile(name=name, size=size, sha1=sha1)
