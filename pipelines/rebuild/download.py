"""Downloading dumps of wikis: ``gistmill download`` and the first stage of a rebuild.

Files of known size and checksum are downloaded from the mirrors in turn, and resumed after interruptions. This module
uses Requests and urllib3, because pooch and fsspec would restart a broken download from its first byte.

Wikimedia's servers allow three connections per client (https://dumps.wikimedia.org). "Wikimedia APIs/Access policy"
requires a contact in the User-Agent.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, TypeVar

from gistmill.core import text_output
from gistmill.core.addresses import HOST, WebAddress, hosts_of, public_name, servers_of, without_secrets
from gistmill.core.options import Option, Options, add_options, option, options_of
from gistmill.core.values import FOLDER, Kind, custom, list_of, one_of, whole
from gistmill.pipelines.disk import sync
from gistmill.pipelines.errors import CommandParser, ConfigError, JobFailed
from gistmill.pipelines.rebuild.dumps import AUTO, LAYOUTS, MIRRORS, Dump, RemoteFile, Say, find_dump
from gistmill.pipelines.runners.quiet import show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.web import FAILURES, TIMEOUT, BodyFailure, Response, Session, plain_reason, session, status_text
from gistmill.transforms.io import read_chunks
from gistmill.transforms.sources.wikipedia.dump import DumpNote, note_of, write_note

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_CONNECTIONS = 3
# Number of consecutive broken connections, at less than a fair rate, after which the next mirror is tried.
PATIENCE = 6
# A connection that is slower than this many bytes per second, over this many seconds, counts as broken.
_SLOWEST, _SLOW_SECONDS = 2048, 120.0
_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})")


class DownloadError(JobFailed):
    """A file could not be downloaded completely; the message is one line for the user."""


class _Unusable(Exception):
    """A mirror's file is missing or different."""


class _Broken(Exception):
    """A connection ended too early or is too slow."""


def is_wikimedia(url: str) -> bool:
    """Whether a URL is on one of Wikimedia's servers."""
    address = WebAddress.of(url)
    host = "" if address is None else address.host.rstrip(".")
    return any(f".{host}".endswith(f".{domain}") for domain in ("wikimedia.org", "wikipedia.org"))


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], count: int) -> list[Result]:
    """Calls a function for items in parallel and returns the results in order. Raises the exception of the first item
    that fails; items not yet started are skipped."""
    pool = ThreadPoolExecutor(count, thread_name_prefix="download")
    try:
        return [*pool.map(work, items)]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def check_room(root: Path, needed: int) -> None:
    """Raises DownloadError if that many bytes do not fit on the folder's disk; partial files in it count as free."""
    free = shutil.disk_usage(root).free + sum(p.stat().st_blocks * 512 for p in root.glob("**/*.part"))
    if needed > free:
        raise DownloadError(f"{root}: not enough disk space: {needed:,} bytes needed, {free:,} free")


def download(
    files: Iterable[RemoteFile],
    folder: Path,
    *,
    places: Sequence[str],
    connections: int = MOST_CONNECTIONS,
    pause: float = 1.0,
    servers: Iterable[str] = (),
    contact: str | None = None,
    done: Callable[[RemoteFile, str], object] = lambda file, sha256: None,
    say: Say = lambda line: None,
) -> None:
    """Downloads files to a folder and verifies them; partial files are kept as ``NAME.part`` for the next call.

    Args:
        files: the files to download; existing ones are kept.
        places: URLs of the folder on each mirror; if one fails for a file, the next is tried.
        connections: number of files to download at once; at most MOST_CONNECTIONS for Wikimedia's servers.
        pause: seconds to wait after a mirror's first failure, doubled after each further one.
        servers: other servers that a mirror may redirect to.
        contact: contact for the User-Agent.
        done: called with each file that has a checksum, and its SHA-256, just before the file is moved into place.

    Raises:
        DownloadError: a file is missing, or has another checksum, on all mirrors.
        OSError: the folder cannot be written, or the disk is full.
    """
    folder.mkdir(parents=True, exist_ok=True)
    left = [file for file in files if not file.is_in(folder)]
    most = MOST_CONNECTIONS if any(map(is_wikimedia, places)) else connections
    with session(tries=PATIENCE, pause=pause, servers=servers, contact=contact) as web:
        in_threads(_Download(web, folder, places, pause, done, say).bring, left, min(connections, most))


@dataclass(frozen=True, slots=True)
class _Download:
    web: Session
    folder: Path
    places: Sequence[str]
    pause: float
    done: Callable[[RemoteFile, str], object]
    say: Say

    def bring(self, file: RemoteFile) -> None:
        place, refused = self.folder / file.name, []
        part = place.with_name(f"{file.name}.part")
        with open(part, "ab") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DownloadError(f"another process is downloading {place}") from None
            for url in (f"{base}/{file.name}" for base in self.places):
                try:
                    sha256 = self._complete(url, file, handle)
                except (*FAILURES, _Unusable, _Broken) as error:
                    refused.append(f"{public_name(url)}: {plain_reason(error)}")
                    continue
                if sha256:
                    self.done(file, sha256)
                os.replace(part, place)
                sync(self.folder)
                for line in (
                    *(f"skipped {line}" for line in refused),
                    f"downloaded {file.name} ({file.size:,} bytes)",
                ):
                    self.say(line)
                return
            if not handle.seek(0, os.SEEK_END):
                part.unlink()
        raise DownloadError("; ".join(refused))

    def _complete(self, url: str, file: RemoteFile, part: BinaryIO) -> str:
        """Downloads the missing part of a file, reconnecting until PATIENCE connections have broken in a row. Returns
        the file's SHA-256, or "" if no checksum is known. Raises the mirror's error."""
        begun, broken = part.seek(0, os.SEEK_END) > 0, 0
        while (start := part.seek(0, os.SEEK_END)) != file.size:
            began = time.monotonic()
            try:
                self._append(url, part, start, file.size)
            except (BodyFailure, _Broken):
                is_fair = part.seek(0, os.SEEK_END) - start > _SLOWEST * (time.monotonic() - began + 1)
                broken = 1 if is_fair else broken + 1
                if broken == PATIENCE:
                    raise
                time.sleep(self.pause * 2 ** (broken - 1))
        os.fsync(part)
        if not file.sha1 and not file.sha256:
            return ""
        digests = hashlib.sha1(usedforsecurity=False), hashlib.sha256()
        for chunk in read_chunks(str(part.name)):
            for digest in digests:
                digest.update(chunk)
        sha1, sha256 = (digest.hexdigest() for digest in digests)
        problem = f"its SHA-1 is {sha1}, not {file.sha1}" if file.sha1 not in ("", sha1) else ""
        problem = f"its SHA-256 is {sha256}, not {file.sha256}" if file.sha256 not in ("", sha256) else problem
        if not problem:
            return sha256
        part.truncate(0)
        if not begun:
            raise _Unusable(problem)
        self.say(f"{file.name}: {problem}; downloading it from the start")
        return self._complete(url, file, part)

    def _append(self, url: str, part: BinaryIO, start: int, size: int) -> None:
        start = start if start < size else 0
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
        with self.web.get(url, headers=headers, timeout=TIMEOUT, stream=True) as answer:
            start = _check_answer(answer, start, size)
            part.truncate(start)
            since, came = time.monotonic(), 0
            while data := answer.raw.read1(256 << 10, decode_content=False):
                start, came, passed = start + len(data), came + len(data), time.monotonic() - since
                if start > size:
                    raise _Unusable(f"it has more than {size} bytes")
                part.write(data)
                if passed > _SLOW_SECONDS:
                    if came < _SLOWEST * passed:
                        raise _Broken(f"it is too slow: {came:,} bytes in {passed:.0f} s")
                    since, came = time.monotonic(), 0
        if start < size:
            raise _Broken("the connection was closed too early")


def _check_answer(answer: Response, start: int, size: int) -> int:
    """Returns the offset at which a response's bytes begin. Raises _Unusable if they are from another file or range."""
    if answer.status_code not in (200, 206):
        raise _Unusable(status_text(answer.status_code))
    if (coding := answer.headers.get("Content-Encoding", "identity")) != "identity":
        raise _Unusable(f"it is sent with the encoding {coding[:20]}")
    if answer.status_code == 200:  # the whole file
        if (length := answer.headers.get("Content-Length", str(size))) != str(size):
            raise _Unusable(f"it has {length[:20]} bytes, not {size}")
        return 0
    said = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if not said or int(said[1]) != start or int(said[3]) != size:
        raise _Unusable(f"the server sent {said[0] if said else 'an unknown range'} of a file of {size} bytes")
    return start


def matching(pattern: str, metavar: str, allowed: str) -> Kind:
    """Returns an option kind for texts that match a regular expression, without a trailing ``/``."""

    def parse(value: Any) -> str:
        text = str(value).rstrip("/")
        if not re.fullmatch(pattern, text):
            raise ValueError(f"expected {allowed}")
        return text

    schema = {"type": "string", "pattern": f"^({pattern})/?$"}
    return custom(parse, pattern=pattern, metavar=metavar, allowed=allowed, schema=schema)


def _date(value: Any) -> str:
    try:
        return datetime.strptime(str(value).replace("-", ""), "%Y%m%d").strftime("%Y%m%d")
    except ValueError:
        raise ValueError("expected a date such as 20260101") from None


WIKI = matching(r"[a-z][a-z0-9_]*wik[a-z]+", "WIKI", "a wiki such as enwiki")
CONTACT = matching(r"[^\s()<>@]+@[^\s()<>@]+\.[^\s()<>@]+|https?://[^\s()<>]+", "CONTACT", "an e-mail address or a URL")
# A user name and password are allowed, as private mirrors may require them.
SERVER = matching(
    rf"https?://([^\s,/?#@]*@)?({HOST})(:[0-9]{{1,5}})?(/[^\s,?#]+)*",
    "URL",
    "a URL such as https://dumps.wikimedia.org",
)
HOST_NAME = matching(HOST, "HOST", "a host such as dumps.wikimedia.org")
DATE = custom(
    _date,
    pattern=r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}",
    metavar="YYYYMMDD",
    allowed="a date as YYYYMMDD or YYYY-MM-DD",
    schema={"type": ["integer", "string"], "pattern": "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}$"},
)


@dataclass(frozen=True, kw_only=True)
class DumpConfig(Options):
    """The dump to download, and its location."""

    GROUP: ClassVar[str] = "dump"

    wiki: str | None = option(WIKI, required=True, help="name of the wiki, such as enwiki")
    layout: str = option(
        one_of(*LAYOUTS),
        default=AUTO,
        help="exports: MediaWiki Content File Exports; dumps: the older XML dumps; auto: exports, or dumps if "
        "no export is complete",
    )
    contact: str | None = option(
        CONTACT, help="your e-mail address or URL for the User-Agent header; Wikimedia's own servers require it"
    )
    mirrors: tuple[str, ...] = option(
        replace(list_of(SERVER), is_secret=True),
        default=MIRRORS,
        help="comma-separated servers with Wikimedia's file layout: the first one that responds determines which "
        "dump is complete and gives its checksums; if a server fails to provide a file, the next one is tried",
    )
    redirect_hosts: tuple[str, ...] | None = option(
        list_of(HOST_NAME),
        help="comma-separated hosts that a mirror may redirect to, on any port; if omitted, only the mirrors "
        "themselves",
    )
    date: str | None = option(DATE, help="date of the dump (default: the newest complete one)")
    connections: int = option(
        whole(1, 16),
        default=MOST_CONNECTIONS,
        help=f"number of files to download at once; from Wikimedia's own servers, at most {MOST_CONNECTIONS}",
    )

    def check(self) -> None:
        """Raises ValueError if there is no contact for one of Wikimedia's servers."""
        if self.contact is None and (servers := [mirror for mirror in self.mirrors if is_wikimedia(mirror)]):
            raise ValueError(
                f"contact is required for {hosts_of(servers)[0]}: Wikimedia requires an e-mail address or a URL in the "
                "User-Agent"
            )

    @property
    def servers(self) -> list[str]:
        """The servers that a mirror may redirect to."""
        return [*servers_of(self.mirrors), *(f"{host}:*" for host in self.redirect_hosts or ())]


def newest(config: DumpConfig, *, say: Say = lambda line: None) -> Dump:
    """Returns the dump selected by the options. Raises DumpError."""
    with session(servers=config.servers, contact=config.contact) as web:
        return find_dump(
            web,
            config.wiki or "",
            layout=config.layout,
            mirrors=config.mirrors,
            date=config.date,
            say=lambda line: say(f"{config.wiki}: {line}"),
        )


def fetch(dump: Dump, root: Path, *, config: DumpConfig, say: Say = lambda line: None) -> tuple[Path, ...]:
    """Downloads the files of a dump to ``WIKI/YYYYMMDD`` below ``root``, except those already there.

    A note next to each file of pages describes it; manifests of datasets made from the file include that description.

    Returns:
        The files of pages, in order.

    Raises:
        DownloadError: a file could not be downloaded, or the disk is full.
    """
    folder = root / dump.wiki / dump.date

    def note(file: RemoteFile, sha256: str) -> None:
        if file in dump.texts:
            url = public_name(f"{config.mirrors[0]}/{dump.folder}/{file.name}")
            about = {"file": file.name, "wiki": dump.wiki, "date": dump.date, "url": url, "layout": dump.layout}
            write_note(str(folder / file.name), DumpNote(**about, size=file.size, sha1=file.sha1, sha256=sha256))

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in dump.texts:
            place = folder / file.name
            if file.is_in(folder) and not Path(note_of(str(place))).exists():
                os.replace(place, f"{place}.part")  # from elsewhere, so that its checksum was not verified
        if left := [file for file in dump.files if not file.is_in(folder)]:
            check_room(folder, needed := sum(file.size for file in left))
            say(f"{dump.wiki}: downloading {len(left)} files of {dump.date} ({needed:,} bytes)")
        download(
            left,
            folder,
            places=[f"{mirror}/{dump.folder}" for mirror in config.mirrors],
            connections=config.connections,
            servers=config.servers,
            contact=config.contact,
            done=note,
            say=lambda line: say(f"{dump.wiki}: {line}"),
        )
    except OSError as error:
        raise DownloadError(f"{folder}: {error.strerror or error}") from error
    return tuple(folder / file.name for file in dump.texts)


_OUTPUT = "local folder; files are stored in its subfolder WIKI/YYYYMMDD"


def main(argv: Sequence[str]) -> int:
    """Downloads a dump; returns the exit code. Raises ConfigError if the command line is invalid."""
    parser = CommandParser("download")
    output = Option(name="output", kind=FOLDER, required=True, metavar="FOLDER", group="output", help=_OUTPUT)
    known = (*options_of(DumpConfig), output)
    add_options(parser, known)
    flags = parser.parse_args(list(argv))
    if missing := next((o for o in known if o.required and not getattr(flags, o.name)), None):
        raise ConfigError(f"{missing.flag} is required")
    config = parser.options(DumpConfig, flags)
    show_warnings()

    def say(line: str) -> None:
        text_output.log(f"gistmill download: {without_secrets(line)}")

    try:
        with exit_on_signals(lambda: "downloaded files are kept; run the same command to continue"):
            dump = newest(config, say=say)
            files = fetch(dump, Path(flags.output), config=config, say=say)
    except JobFailed as error:
        say(str(error))
        return 1
    made = {"wiki": dump.wiki, "date": dump.date, "layout": dump.layout, "files": list(map(str, files))}
    text_output.say(json.dumps(made), sys.stdout)
    return 0
