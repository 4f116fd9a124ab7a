"""Brings files of a crawl to a folder, and reads each through as it comes, while others come.

Nobody publishes checksums of these files. So a file has to have the length that the server names, and one that changes
there before it is whole comes from its first byte. gzip's own checksums are looked at once. A file that is damaged
comes a second time. If it is damaged then too, it is so where it comes from, and jobs treat it as any damaged file.

work/crawls/NAME.paths                  what the jobs read of the source of this name
work/crawls/cc-news/2026-09/*.warc.gz   the files of a month
work/crawls/cc-news/2026-09/files.json  what is known of them
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems

from gistmill.core.records import Damage
from gistmill.pipelines import stores as store
from gistmill.pipelines.disk import sync, write_synced
from gistmill.pipelines.rebuild.crawls import CrawlConfig, CrawlMonth, is_in_store
from gistmill.pipelines.rebuild.download import DownloadError, Wanted, download
from gistmill.pipelines.rebuild.layout import children, read, remove
from gistmill.pipelines.web import Session, described_at, session
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.ranges import InputFile, SourceError
from gistmill.transforms.sources.warc.page import is_document, write_note
from gistmill.transforms.sources.warc.records import framed_records
from gistmill.transforms.sources.warc.source import WarcConfig, check_warc

_PIECE = 64 << 20  # bytes of a file in a store that are read in one try


def listing_of(root: Path, source: str) -> Path:
    """Returns the place of the listing that jobs read; ``source``: the name of the source in the corpus."""
    return root / f"{source}.paths"


def bring(
    months: Sequence[CrawlMonth],
    root: Path,
    *,
    source: str,
    config: CrawlConfig,
    limit: int | None,
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Brings the files of months to their folders below ``root``, and lists them for the jobs.

    Args:
        months: what ``find_months`` returned.
        root: folder of crawls.
        source: the name of the source in the corpus.
        config: from where they come.
        limit: documents that are read of all months; files behind those that hold them do not come. None for all.
        say: gets lines for a person.

    Raises:
        DownloadError, StoreError, WebError: a file could not be had whole, or there is no room for it.
    """
    with session() as web:
        bringing = _Bringing(root, config, web, say)
        files = [_File(month, name) for month in months for name in month.files]
        try:
            needed = bringing.first(files, limit) if limit else bringing.all(files)
        except OSError as error:
            raise DownloadError(f"{root}: {error.strerror or error}") from error
    listing = listing_of(root, source)
    write_note(str(listing), [month.entry for month in months])
    write_synced(listing, "".join(f"{file.place(root).relative_to(root)}\n" for file in needed))


def tidy(root: Path, months: Iterable[CrawlMonth], *, keep: int) -> None:
    """Removes the files of months, but for those that were read last and the newest ``keep``; all if that is 0."""
    read_last = {(m.entry.crawl, m.entry.month) for m in months}
    for crawl in filter(lambda name: (root / name).is_dir(), children(str(root))):
        there = children(str(root / crawl))
        newest = there[len(there) - keep :] if keep else []
        for month in there:
            if month not in newest and not (keep and (crawl, month) in read_last):
                remove(str(root / crawl / month))


@dataclass(frozen=True, slots=True)
class _File:
    month: CrawlMonth
    name: str

    @property
    def url(self) -> str:
        return f"{self.month.folder}/{self.name}"

    def folder(self, root: Path) -> Path:
        return root / self.month.entry.crawl / self.month.entry.month

    def place(self, root: Path) -> Path:
        return self.folder(root) / self.name


@dataclass(slots=True)
class _Known:
    """What is known of the files of a month that are in a folder: size, tag of the server, and documents once a file
    was read through. It outlives the process."""

    path: Path
    values: dict[str, dict[str, Any]] = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.values = read(str(self.path)) or {}

    def set(self, name: str, value: dict[str, Any]) -> None:
        with self._lock:
            if self.values.get(name) != value:
                self.values[name] = value
                write_synced(self.path, json.dumps(self.values, indent=1, sort_keys=True) + "\n")


class _Bringing:
    def __init__(self, root: Path, config: CrawlConfig, web: Session, say: Callable[[str], object]) -> None:
        self._root, self._config, self._web, self._say = root, config, web, say
        self._known: dict[Path, _Known] = {}

    def all(self, files: Sequence[_File]) -> Sequence[_File]:
        """Brings all files, several at once, and returns them."""
        for file in files:
            self._known_of(file)
        pool = ThreadPoolExecutor(self._config.connections, thread_name_prefix="crawl")
        try:
            sizes = dict(zip(files, pool.map(self._described, files), strict=True))
            self._check_room(sum(size for file, size in sizes.items() if not file.place(self._root).exists()))
            waiting: deque[Future[int]] = deque(pool.submit(self._bring, file) for file in files)
            while waiting:
                waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return files

    def first(self, files: Sequence[_File], limit: int) -> Sequence[_File]:
        """Brings one file after the other until they hold ``limit`` documents, and returns these files."""
        documents, needed = 0, list[_File]()
        for file in files:
            size = self._described(file)
            self._check_room(0 if file.place(self._root).exists() else size)
            documents += self._bring(file)
            needed.append(file)
            if documents >= limit:
                break
        return needed

    def _known_of(self, file: _File) -> _Known:
        folder = file.folder(self._root)
        if folder not in self._known:
            self._known[folder] = _Known(folder / "files.json")
        return self._known[folder]

    def _is_read(self, file: _File) -> bool:
        """Whether a file is there and was read through."""
        known = self._known_of(file).values.get(file.name, {})
        place = file.place(self._root)
        return "documents" in known and place.is_file() and place.stat().st_size == known["size"]

    def _described(self, file: _File) -> int:
        """Returns the size of a file where it comes from. What is here of another file of its name is removed."""
        known, here = self._known_of(file), file.place(self._root)
        if self._is_read(file):
            return here.stat().st_size
        if is_in_store(url := file.url):
            found = store.retrying(f"look up {url}", lambda: FileSystems.get_filesystem(url).metadata(url))
            size, tag = found.size_in_bytes, str(found.last_updated_in_seconds)
        else:
            size, tag = described_at(self._web, url)
        before = known.values.get(file.name, {})
        if (before.get("size"), before.get("tag")) != (size, tag):
            here.unlink(missing_ok=True)
            here.with_name(f"{file.name}.part").unlink(missing_ok=True)
        known.set(file.name, {"size": size, "tag": tag})
        return size

    def _check_room(self, needed: int) -> None:
        parts = sum(p.stat().st_blocks * 512 for p in self._root.glob("*/*/*.part"))
        free = shutil.disk_usage(self._root).free + parts
        if needed > free:
            raise DownloadError(f"{self._root}: {needed:,} bytes are to come, and {free:,} are free")

    def _bring(self, file: _File) -> int:
        """Brings a file and reads it through; returns the number of its documents."""
        known = self._known_of(file)
        if self._is_read(file):
            return int(known.values[file.name]["documents"])
        place = file.place(self._root)
        self._come(file)
        documents, damage = _read_through(place)
        if damage:
            self._say(f"{file.name}: {damage}; it is downloaded again")
            place.unlink()
            self._come(file)
            documents, damage = _read_through(place)
        if damage:
            self._say(f"{file.name} is damaged where it comes from: {damage}")
        known.set(file.name, {**known.values[file.name], "documents": documents})
        return documents

    def _come(self, file: _File) -> None:
        size = self._known_of(file).values[file.name]["size"]
        wanted = Wanted(urls=[file.url], place=file.place(self._root), size=size)
        if not is_in_store(file.url):
            download([wanted], connections=1, say=self._say)
        elif not wanted.is_there:
            _copy(file.url, wanted)
            self._say(f"{file.name} is there ({size:,} bytes)")


def _copy(url: str, wanted: Wanted) -> None:
    """Brings what lacks of a file in a store. Raises StoreError, DownloadError."""
    with open(wanted.part, "ab", buffering=0) as part:
        while (start := part.tell()) < wanted.size:
            store.retrying(f"read {url}", lambda: part.write(_piece(url, part.tell())))
            if part.tell() == start:
                raise DownloadError(f"{url} ends after {start:,} bytes, and not after {wanted.size:,}")
        os.fsync(part)
    if wanted.part.stat().st_size != wanted.size:
        wanted.part.unlink()
        raise DownloadError(f"{url} has more than {wanted.size:,} bytes")
    os.replace(wanted.part, wanted.place)
    sync(wanted.place.parent)


def _piece(url: str, start: int) -> bytes:
    with open_input(url) as file:
        file.seek(start)
        return file.read(_PIECE)


def _read_through(place: Path) -> tuple[int, str]:
    """Returns the number of documents of a file, and the first damage of it or "". Raises DownloadError."""
    documents, damage, path = 0, "", str(place)
    try:
        kind = check_warc(InputFile(path, place.stat().st_size, 0))
    except SourceError as error:
        place.unlink()
        raise DownloadError(str(error)) from None
    with open(place, "rb") as handle:
        for framed in framed_records(handle, path, kind, cap=WarcConfig.max_page_bytes):
            if isinstance(framed, Damage):
                damage = damage or f"{framed.message} (byte {framed.offset:,})"
            else:
                documents += is_document(framed)
    return documents, damage
