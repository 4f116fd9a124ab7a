"""Months of a crawl: which are asked for, and the files of each, as the lists of the crawl name them.

The layout is Common Crawl's, https://commoncrawl.org/news-crawl: BASE/crawl-data/CC-NEWS/YYYY/MM/warc.paths.gz lists
the WARC files of a month, by their places below BASE. There is no list of months, and no checksum of a file.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from gistmill.core.addresses import public_name
from gistmill.core.manifest import CrawlEntry
from gistmill.core.options import Options, option
from gistmill.core.values import custom, one_of, whole
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.rebuild.fetching import SERVER
from gistmill.pipelines.web import Session, WebError, read
from gistmill.transforms.io import is_url, open_input, size_of
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.source import entries_of, text_of

NEWEST = "newest"
_FOLDERS = {"cc-news": "crawl-data/CC-NEWS"}
_LIST = "warc.paths.gz"
_SEARCHED = 12  # months before this one in which the newest is looked for
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.warc(\.gz)?")
_MONTH = r"[0-9]{4}-(0[1-9]|1[0-2])"
_MONTHS = rf"{NEWEST}|{_MONTH}(\.\.{_MONTH})?(,\s*{_MONTH}(\.\.{_MONTH})?)*"
_STORE = r"(gs|s3)://[^/\s,?#]+(/[^/\s,?#]+)*"


class CrawlError(JobFailed):
    """A month is not there, or its list cannot be used; the text is one line for the user."""


def _months(value: Any) -> tuple[str, ...]:
    parts = [str(v) for v in value] if isinstance(value, (list, tuple)) else re.split(r",\s*", str(value))
    if parts == [NEWEST]:
        return (NEWEST,)
    if not parts or not all(re.fullmatch(rf"{_MONTH}(\.\.{_MONTH})?", part) for part in parts):
        raise ValueError(f"expected months such as 2026-09 or 2026-07..2026-09, or {NEWEST}")
    return tuple(sorted({month for part in parts for month in _span(*part.split(".."))}))


def _span(first: str, last: str = "") -> Iterator[str]:
    begin, end = (int(m[:4]) * 12 + int(m[5:]) - 1 for m in (first, last or first))
    if end < begin:
        raise ValueError(f"expected a range of months that ends after {first}")
    yield from map(_name_of, range(begin, end + 1))


def _name_of(number: int) -> str:
    """The name of a month by its number since the year 0."""
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


def _base(value: Any) -> str:
    text = str(value).rstrip("/")
    if not re.fullmatch(f"{SERVER.pattern}|{_STORE}", text):  # a password may be in it
        raise ValueError("expected a URL such as https://data.commoncrawl.org or s3://commoncrawl")
    return text


MONTHS = custom(
    _months,
    pattern=_MONTHS,
    metavar="MONTHS",
    allowed=f"months as YYYY-MM, ranges of them, or {NEWEST}",
    schema={
        "anyOf": [
            {"type": "string", "pattern": f"^({_MONTHS})$"},
            {"type": "array", "items": {"type": "string", "pattern": rf"^{_MONTH}(\.\.{_MONTH})?$"}, "minItems": 1},
        ]
    },
)
BASE = replace(
    custom(
        _base,
        pattern=f"{SERVER.pattern}|{_STORE}",
        metavar="URL",
        allowed="a URL of HTTP, s3:// or gs://",
        schema={"type": "string", "pattern": f"^({SERVER.pattern}|{_STORE})/?$"},
    ),
    is_secret=True,
)


@dataclass(frozen=True, kw_only=True)
class CrawlConfig(Options):
    """Says which months of a crawl are fetched, and from where."""

    GROUP: ClassVar[str] = "crawl"

    crawl: str | None = option(one_of(*_FOLDERS), required=True, help="the crawl")
    months: tuple[str, ...] = option(
        MONTHS,
        default=(NEWEST,),
        help="the months: one, a list, or a range such as 2026-07..2026-09; newest: the last one that is over and has "
        "a list",
    )
    base: str = option(
        BASE,
        default="https://data.commoncrawl.org",
        help="where the crawl lies, in Common Crawl's layout: a URL of HTTP, s3:// or gs://",
    )
    connections: int = option(whole(1, 16), default=2, help="files that come at once")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlMonth:
    """A month of a crawl, as its list stood.

    Attributes:
        entry: what manifests say of it.
        files: the names of its files in the order of the list, each once.
        folder: URL of the folder that they are in.
    """

    entry: CrawlEntry
    files: tuple[str, ...]
    folder: str


def find_months(
    web: Session, config: CrawlConfig, *, now: datetime, say: Callable[[str], object] = lambda line: None
) -> tuple[CrawlMonth, ...]:
    """Returns the months that the options name, in order, with their files.

    Args:
        web: the session to ask with.
        config: the options.
        now: the time; the newest month is over by then.
        say: gets lines for a person.

    Raises:
        CrawlError: a month has no list, or a list that cannot be used.
        WebError, StoreError: the place does not answer.
    """
    this = now.year * 12 + now.month - 1
    if config.months != (NEWEST,):
        found = tuple(_month(web, config, month) for month in config.months)
        if config.months[-1] >= _name_of(this):
            say(f"{config.months[-1]} is not over: its list grows, and a later rebuild makes another version")
        return found
    for number in range(this - 1, this - 1 - _SEARCHED, -1):
        if (data := _list(web, config, _name_of(number))) is not None:
            return (_read(config, _name_of(number), data),)
        say(f"{config.crawl} has no list of {_name_of(number)}")
    raise CrawlError(f"{config.crawl} has no list of any of the last {_SEARCHED} months at {public_name(config.base)}")


def _folder(config: CrawlConfig, month: str) -> str:
    return f"{config.base}/{_FOLDERS[config.crawl or '']}/{month.replace('-', '/')}"


def _month(web: Session, config: CrawlConfig, month: str) -> CrawlMonth:
    data = _list(web, config, month)
    if data is None:
        raise CrawlError(f"{config.crawl} has no list of {month}: {public_name(_folder(config, month))}/{_LIST}")
    return _read(config, month, data)


def _list(web: Session, config: CrawlConfig, month: str) -> bytes | None:
    """The bytes of a month's list; None where there is none."""
    url = f"{_folder(config, month)}/{_LIST}"
    if is_in_store(url):
        return store.retrying(f"read {url}", lambda: _content(url))
    try:
        return read(web, url)
    except WebError as error:
        if error.status == 404:
            return None
        raise


def is_in_store(url: str) -> bool:
    """Whether a URL is of an object store, and not of HTTP."""
    return is_url(url) and not url.startswith(("http://", "https://"))


def _content(url: str) -> bytes | None:
    if size_of(url) is None:
        return None
    with open_input(url) as file:
        return file.read()


def _read(config: CrawlConfig, month: str, data: bytes) -> CrawlMonth:
    """The month that a list describes. Names become paths: one that is not of this month is refused."""
    folder = _folder(config, month)
    url = public_name(f"{folder}/{_LIST}")
    try:
        text = text_of(data, url)
        entries: Sequence[str] = list(dict.fromkeys(entries_of(text, url)))
    except SourceError as error:
        raise CrawlError(str(error)) from None
    own = folder.removeprefix(f"{config.base}/")
    for entry in entries:
        if posixpath.dirname(entry) != own or not _FILE.fullmatch(posixpath.basename(entry)):
            raise CrawlError(f"{url} names {entry[:80]!r}, which is not a WARC file of this month")
    return CrawlMonth(
        entry=CrawlEntry(
            crawl=config.crawl or "", month=month, url=url, sha256=hashlib.sha256(text).hexdigest(), files=len(entries)
        ),
        files=tuple(map(posixpath.basename, entries)),
        folder=folder,
    )
