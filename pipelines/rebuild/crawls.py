"""Months of a crawl: finding and downloading their files, and the signatures for comparison with later months.

The layout is Common Crawl's, https://commoncrawl.org/news-crawl: BASE/crawl-data/CC-NEWS/YYYY/MM/warc.paths.gz lists
the WARC files of a month by their paths below BASE. There is no list of months, and files have no checksums. Therefore,
a file must have the length stated by the server, and if it changes there before it is complete, it is downloaded again
from the start. Each downloaded file is read in full, which verifies gzip's checksums. A damaged file is downloaded a
second time; if it is still damaged, the copy on the server is at fault, and jobs treat the file like any damaged file.

work/crawls/NAME.paths                  the files that jobs read for the source NAME
work/crawls/cc-news/2026-09/*.warc.gz   the files of a month
work/crawls/cc-news/2026-09/files.json  their sizes and tags from the server, and the documents in files read in full
signatures/datasets/NAME/2026-09/       a manifest and the signature files of a dataset that reads the crawl
signatures/annotated/NAME/2026-09/      the same for the annotations of a source
signatures/datasets/NAME/2026-07..2026-09/   the same for a version with several months

Signatures are stored when a version is published, and are never removed by a rebuild.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import posixpath
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from apache_beam.io.filesystems import FileSystems

from gistmill.core.addresses import public_name
from gistmill.core.manifest import MANIFEST, CrawlEntry, Manifest, ManifestError
from gistmill.core.options import Options, option
from gistmill.core.records import Damage
from gistmill.core.values import custom, one_of, whole
from gistmill.pipelines import stores as store
from gistmill.pipelines.disk import sync, write_synced
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.job import configure
from gistmill.pipelines.rebuild.download import SERVER, DownloadError, check_room, download, in_threads, matching
from gistmill.pipelines.rebuild.dumps import RemoteFile, Say
from gistmill.pipelines.rebuild.layout import children, copy_file, key_of, read, remove, write
from gistmill.pipelines.web import Session, described_at, read_if_there, session
from gistmill.rules.recipe import Recipe
from gistmill.transforms.duplicates.minhash import NONE, DuplicatesConfig
from gistmill.transforms.duplicates.signatures import SignaturesError, files_of_signatures, signature_files
from gistmill.transforms.io import is_url, join, open_input, read_chunks, size_of
from gistmill.transforms.sources.files.ranges import InputFile, SourceError, entries_of, text_of
from gistmill.transforms.sources.warc.page import write_note
from gistmill.transforms.sources.warc.records import framed_records
from gistmill.transforms.sources.warc.source import WarcConfig, check_warc

NEWEST = "newest"
_FOLDERS = {"cc-news": "crawl-data/CC-NEWS"}
_LIST = "warc.paths.gz"
_SEARCHED = 12  # number of past months searched for the newest
_PIECE = 64 << 20  # bytes of a file in a store that are read per attempt
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\.warc(\.gz)?")
_MONTH = r"[0-9]{4}-(0[1-9]|1[0-2])"
_MONTHS = rf"{NEWEST}|{_MONTH}(\.\.{_MONTH})?(,\s*{_MONTH}(\.\.{_MONTH})?)*"
_STORE = r"(gs|s3)://[^/\s,?#]+(/[^/\s,?#]+)*"


class CrawlError(JobFailed):
    """A month does not exist or its list cannot be used; the message is one line for the user."""


def _months(value: Any) -> tuple[str, ...]:
    parts = [str(v) for v in value] if isinstance(value, (list, tuple)) else re.split(r",\s*", str(value))
    if parts == [NEWEST]:
        return (NEWEST,)
    if not parts or not all(re.fullmatch(rf"{_MONTH}(\.\.{_MONTH})?", part) for part in parts):
        raise ValueError(f"expected months such as 2026-09 or 2026-07..2026-09, or {NEWEST}")
    found = set[str]()
    for part in parts:
        begin, end = (int(month[:4]) * 12 + int(month[5:]) - 1 for month in (part[:7], part[-7:]))
        if end < begin:
            raise ValueError(f"expected a range that does not end before {part[:7]}")
        found |= set(map(_name_of, range(begin, end + 1)))
    return tuple(sorted(found))


def _name_of(number: int) -> str:
    """Returns the name of a month from its number since year 0."""
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


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
BASE = matching(f"{SERVER.pattern}|{_STORE}", "URL", "a URL such as https://data.commoncrawl.org or s3://commoncrawl")


@dataclass(frozen=True, kw_only=True)
class CrawlConfig(Options):
    """The months of a crawl to download, and their location."""

    GROUP: ClassVar[str] = "crawl"

    crawl: str | None = option(one_of(*_FOLDERS), required=True, help="name of the crawl")
    months: tuple[str, ...] = option(
        MONTHS,
        default=(NEWEST,),
        help="months to use: one, a list, or a range such as 2026-07..2026-09; newest: the last complete month "
        "for which a list exists",
    )
    base: str = option(
        replace(BASE, is_secret=True),
        default="https://data.commoncrawl.org",
        help="location of the crawl, in Common Crawl's layout: an HTTP, s3:// or gs:// URL",
    )
    connections: int = option(whole(1, 16), default=2, help="number of files to download at once")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlMonth:
    """A month of a crawl, as described by its list."""

    entry: CrawlEntry  # the month's entry for manifests
    files: tuple[str, ...]  # file names without repetitions, in the order of the list
    folder: str  # URL of their folder


def find_months(
    web: Session, config: CrawlConfig, *, now: datetime, say: Say = lambda line: None
) -> tuple[CrawlMonth, ...]:
    """Returns the requested months in order, with their files; ``newest`` is the last month completed by ``now``.

    Raises:
        CrawlError: a month's list does not exist or cannot be used.
        WebError, StoreError: the location does not respond.
    """
    this, found = now.year * 12 + now.month - 1, list[CrawlMonth]()
    if config.months == (NEWEST,):
        for name in (_name_of(this - n) for n in range(1, _SEARCHED + 1)):
            if month := _month(web, config, name):
                return (month,)
            say(f"{config.crawl} has no list for {name}")
        where = public_name(config.base)
        raise CrawlError(f"{config.crawl} has no list for any of the last {_SEARCHED} months at {where}")
    for name in config.months:
        if (month := _month(web, config, name)) is None:
            raise CrawlError(f"{config.crawl} has no list for {name}: {public_name(_folder(config, name))}/{_LIST}")
        found.append(month)
    if config.months[-1] >= _name_of(this):
        say(f"{config.months[-1]} is not over, so its list may grow and a later rebuild will make another version")
    return tuple(found)


def _folder(config: CrawlConfig, month: str) -> str:
    return f"{config.base}/{_FOLDERS[config.crawl or '']}/{month.replace('-', '/')}"


def _month(web: Session, config: CrawlConfig, month: str) -> CrawlMonth | None:
    """Returns the month, or None if it has no list. As names become paths, names from other months are refused."""
    folder = _folder(config, month)
    place = f"{folder}/{_LIST}"
    url = public_name(place)
    if _is_in_store(place):
        there = store.retrying(f"look up {url}", lambda: size_of(place)) is not None
        data = store.retrying(f"read {url}", lambda: b"".join(read_chunks(place))) if there else None
    else:
        data = read_if_there(web, place)
    if data is None:
        return None
    try:
        text = text_of(data, url)
        entries = list(dict.fromkeys(entries_of(text, url)))
    except SourceError as error:
        raise CrawlError(str(error)) from None
    for entry in entries:
        if f"{config.base}/{posixpath.dirname(entry)}" != folder or not _FILE.fullmatch(posixpath.basename(entry)):
            raise CrawlError(f"{url} lists {entry[:80]!r}, which is not a WARC file from this month")
    digest = hashlib.sha256(text).hexdigest()
    about = CrawlEntry(crawl=config.crawl or "", month=month, url=url, sha256=digest, files=len(entries))
    return CrawlMonth(entry=about, files=tuple(map(posixpath.basename, entries)), folder=folder)


def _is_in_store(url: str) -> bool:
    return is_url(url) and not url.startswith(("http://", "https://"))


def bring(
    months: Sequence[CrawlMonth], listing: Path, *, config: CrawlConfig, limit: int | None, say: Say = lambda line: None
) -> None:
    """Downloads the files of the given months, and writes a list of them for jobs.

    Args:
        months: the result of ``find_months``.
        listing: path of the list for jobs, in the folder for crawls.
        limit: number of documents from all months after which no more files are downloaded; None for all files.
        say: called with messages for the user.

    Raises:
        DownloadError, StoreError, WebError: a file could not be downloaded completely, or the disk is full.
    """
    root = listing.parent
    with session() as web:
        files = [(of, name) for month in months for of in [_Month(month, root, web, say)] for name in month.files]
        documents, needed = 0, []
        try:
            # all together, or one at a time until there are enough documents
            for part in [[file] for file in files] if limit else [files]:
                sizes = in_threads(lambda file: file[0].describe(file[1]), part, config.connections)
                check_room(root, sum(sizes))
                documents += sum(in_threads(lambda file: file[0].bring(file[1]), part, config.connections))
                needed += part
                if limit and documents >= limit:
                    break
        except OSError as error:
            raise DownloadError(f"{root}: {error.strerror or error}") from error
    write_note(str(listing), [month.entry for month in months])
    write_synced(listing, "".join(f"{(month.folder / name).relative_to(root)}\n" for month, name in needed))


class _Month:
    """The files of a month in a local folder."""

    def __init__(self, month: CrawlMonth, root: Path, web: Session, say: Say) -> None:
        self.web, self.say, self.url = web, say, month.folder
        self.folder = root / month.entry.crawl / month.entry.month
        self.folder.mkdir(parents=True, exist_ok=True)
        self.known = read(str(self.folder / "files.json")) or {}  # by name; stored for later processes
        self._lock = threading.Lock()

    def describe(self, name: str) -> int:
        """Returns a file's size in bytes if it must be downloaded, else 0. Removes local copies of other versions."""
        if self._is_read(name):
            return 0
        url, here = f"{self.url}/{name}", self.folder / name
        if _is_in_store(url):
            found = store.retrying(f"look up {url}", lambda: FileSystems.get_filesystem(url).metadata(url))
            now = {"size": found.size_in_bytes, "tag": str(found.last_updated_in_seconds)}
        else:
            now = dict(zip(("size", "tag"), described_at(self.web, url), strict=True))
        before = self.known.get(name, {})
        if {**before, **now} != before:
            here.unlink(missing_ok=True)
            here.with_name(f"{name}.part").unlink(missing_ok=True)
        self._note(name, now)
        return 0 if here.exists() else int(now["size"])

    def bring(self, name: str) -> int:
        """Downloads a file and reads it in full; returns its number of documents."""
        if not self._is_read(name):
            documents, damage = self._come(name)
            if damage:
                self.say(f"{name}: {damage}; downloading it again")
                (self.folder / name).unlink()
                documents, damage = self._come(name)
            if damage:
                self.say(f"{name} is damaged on the server: {damage}")
            self._note(name, {**self.known[name], "documents": documents})
        return int(self.known[name]["documents"])

    def _is_read(self, name: str) -> bool:
        """Whether a file exists and was read in full."""
        known = self.known.get(name, {})
        return "documents" in known and RemoteFile(name=name, size=known["size"]).is_in(self.folder)

    def _note(self, name: str, value: dict[str, Any]) -> None:
        with self._lock:
            if self.known.get(name) != value:
                self.known[name] = value
                write_synced(self.folder / "files.json", json.dumps(self.known, indent=1, sort_keys=True) + "\n")

    def _come(self, name: str) -> tuple[int, str]:
        """Downloads a file. Returns its number of documents, and a description of its first damage or ""."""
        file, place = RemoteFile(name=name, size=self.known[name]["size"]), self.folder / name
        if not _is_in_store(self.url):
            download([file], self.folder, places=[self.url], say=self.say)
        elif not file.is_in(self.folder):
            _copy(f"{self.url}/{name}", place, file.size)
            self.say(f"downloaded {name} ({file.size:,} bytes)")
        try:
            kind = check_warc(InputFile(str(place), file.size, 0))
        except SourceError as error:
            place.unlink()
            raise DownloadError(str(error)) from None
        documents, damage = 0, ""
        with open(place, "rb") as handle:
            for framed in framed_records(handle, str(place), kind, cap=WarcConfig.max_page_bytes):
                if isinstance(framed, Damage):
                    damage = damage or f"{framed.message} (byte {framed.offset:,})"
                else:
                    documents += framed.is_document
        return documents, damage


def _copy(url: str, place: Path, size: int) -> None:
    """Downloads the missing part of a file from a store. Raises StoreError, DownloadError."""

    def piece() -> bytes:
        with open_input(url) as file:
            file.seek(handle.tell())
            return file.read(_PIECE)

    part = place.with_name(f"{place.name}.part")
    with open(part, "ab", buffering=0) as handle:
        while data := store.retrying(f"read {url}", piece):
            handle.write(data)
        os.fsync(handle)
        if handle.tell() != size:
            part.unlink()
            raise DownloadError(f"{url} has {handle.tell():,} bytes, not {size:,}")
    os.replace(part, place)
    sync(place.parent)


def signatures_for(
    recipe: type[Recipe[Any]], values: dict[str, Any], *, folder: str, months: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, str], str]:
    """Returns options that make a job compare its documents with older months, and keep its signatures for later ones.

    Args:
        recipe, values: the job's recipe and options.
        folder: folder with the signatures of older months.
        months: the months that the job reads, in order; empty if it does not read a crawl.

    Returns:
        The options with ``keep_signatures``; these with ``duplicates_against`` for the older months; hashes of the
        older signatures, by months; and where to store the job's own once its version is published, or "" if it does
        not remove duplicates.

    Raises:
        ConfigError: an option is invalid, or the older signatures cannot be compared with the job's.
    """
    config = configure(recipe, values, complete=False).find(DuplicatesConfig) if months else None
    if config is None or config.deduplicate == NONE:
        return values, values, {}, ""
    spans = ((span, re.fullmatch(rf"({_MONTH})(?:\.\.({_MONTH}))?", span)) for span in children(folder))
    before = sorted(span for span, match in spans if match and (match[3] or match[1]) < months[0])  # oldest first
    older = {span: manifest for span in before if (manifest := _manifest(join(folder, span)))}
    places = [join(folder, span) for span in older]
    try:
        signature_files(places, config.bands)
    except SignaturesError as error:
        raise ConfigError(f"{error}; or remove {folder} to skip the comparison with earlier months") from None
    own = {**values, "keep_signatures": True}
    against = {"duplicates_against": [*(config.duplicates_against or ()), *places]} if places else {}
    keys = {span: key_of([file.sha256 for file in manifest.files]) for span, manifest in older.items()}
    return own, {**own, **against}, keys, join(folder, "..".join(dict.fromkeys((months[0], months[-1]))))


def keep(found: str, kept: str) -> None:
    """Stores the signatures, if any, of the dataset ``found`` at ``kept``. Raises StoreError, OSError."""
    manifest, before = _manifest(found), _manifest(kept)
    files = tuple(files_of_signatures(manifest)) if manifest else ()
    if manifest is None or not files or (before and before.files == files):
        return
    remove(kept)
    for file in files:
        copy_file(join(found, *file.path.split("/")), join(kept, *file.path.split("/")))
    write(join(kept, MANIFEST), dataclasses.replace(manifest, files=files).to_json())


def _manifest(place: str) -> Manifest | None:
    value = read(join(place, MANIFEST))
    try:
        return None if value is None else Manifest.from_json(value)
    except ManifestError as error:
        raise ConfigError(f"{place}: {error}") from None
