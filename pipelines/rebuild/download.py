"""Downloads files of known size and checksum from several mirrors at once, and goes on where it was interrupted.

Requests and urllib3 make the connections. pooch and fsspec begin a broken download from its first byte, and know
neither mirrors nor what a redirect may do, so that is here.

Its servers allow three connections to a client (https://dumps.wikimedia.org). "Wikimedia APIs/Access policy" asks for a
contact in the User-Agent.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

from gistmill.core.addresses import WebAddress, public_name
from gistmill.pipelines.disk import sync
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.web import (
    BUSY,
    FAILURES,
    TIMEOUT,
    RedirectRefused,
    Response,
    Session,
    plain_reason,
    session,
    status_text,
    wait_of,
)

_READ_BYTES = 1 << 20


@dataclass(slots=True, eq=False, kw_only=True)
class Wanted:
    """A file to download. Until it is whole, ``NAME.part`` lies in its place.

    Attributes:
        urls: where each mirror has it, in the order of the mirrors.
        place: where it will be.
        size: how many bytes it has to have.
        sha1, sha256: checksums that it has to have, in hexadecimal digits; "" for one that is not known.
        summed: how many bytes the checksums are of.
    """

    urls: Sequence[str]
    place: Path
    size: int
    sha1: str = ""
    sha256: str = ""
    summed: int = field(default=0, init=False)
    taken: bool = field(default=False, init=False)
    is_owners: bool = field(default=False, init=False)  # whether one mirror gave all bytes of the part
    _sums: dict[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.forget_sums()

    @property
    def part(self) -> Path:
        """Where its bytes lie until it is whole."""
        return self.place.with_name(f"{self.place.name}.part")

    @property
    def is_there(self) -> bool:
        """Whether nothing is left to do."""
        return self.place.is_file() and self.place.stat().st_size == self.size

    def forget_sums(self) -> None:
        """Begins the checksums anew."""
        self._sums = {"sha256": hashlib.sha256()}
        if self.sha1:
            self._sums["sha1"] = hashlib.sha1(usedforsecurity=False)
        self.summed = 0

    def add_sums(self, data: bytes) -> None:
        """Adds the bytes that follow to the checksums."""
        for found in self._sums.values():
            found.update(data)
        self.summed += len(data)

    def read_sums(self, part: BinaryIO) -> None:
        """Computes the checksums of what a file has; it stands at its end afterwards."""
        self.forget_sums()
        part.seek(0)
        while data := part.read(_READ_BYTES):
            self.add_sums(data)

    @property
    def found_sha256(self) -> str:
        """The SHA-256 of what has come."""
        return str(self._sums["sha256"].hexdigest())

    @property
    def fault(self) -> str:
        """What is wrong with the checksums of what has come; "" if nothing is."""
        for name, said, wanted in (("sha1", "SHA-1", self.sha1), ("sha256", "SHA-256", self.sha256)):
            if wanted and (found := self._sums[name].hexdigest()) != wanted:
                return f"its {said} is {found}, not {wanted}"
        return ""


MOST_CONNECTIONS = 3
_DOMAINS = ("wikimedia.org", "wikipedia.org")


def is_wikimedia(url: str) -> bool:
    """Whether a URL is on a server of Wikimedia."""
    address = WebAddress.of(url)
    host = "" if address is None else address.host.rstrip(".")
    return any(host == domain or host.endswith(f".{domain}") for domain in _DOMAINS)


# Failures of a mirror, one after the other and without bytes at a fair rate in between, after which it is left out.
PATIENCE = 6
_LONGEST_PAUSE = 60.0
_LONG = 10.0  # seconds of a wait that a person is told of
_download_READ_BYTES = 256 << 10
_RANGE = re.compile(r"bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})")
# A connection that brings fewer bytes a second, over so many seconds, has failed as one that brings nothing.
_SLOWEST, _SLOW_SECONDS = 2048, 120.0


class DownloadError(JobFailed):
    """A file could not be downloaded whole; the text is one line for the user."""


class _Unusable(Exception):
    """A mirror has another file, or none."""


class _Passing(Exception):
    """An answer that may be better the next time; ``seconds`` if the server says when."""

    def __init__(self, said: str, seconds: float = 0.0) -> None:
        super().__init__(said)
        self.seconds = seconds


@dataclass(slots=True, eq=False)
class _Mirror:
    number: int
    failures: int = 0  # since the last byte came; those of connections that failed together are one
    failed: float = 0.0  # when it failed last
    rests: float = 0.0  # until then nothing is asked for
    faults: dict[Wanted, str] = field(default_factory=dict)  # why files cannot be had here


def download(
    files: Iterable[Wanted],
    *,
    connections: int = MOST_CONNECTIONS,
    pause: float = 1.0,
    servers: Iterable[str] = (),
    contact: str | None = None,
    done: Callable[[Wanted], object] = lambda file: None,
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Brings files to their places, whole and verified, or leaves what was finished for the next call.

    Args:
        files: what is wanted; what is there is left alone.
        connections: to each mirror at once; each brings a file. Wikimedia's get MOST_CONNECTIONS at most, together.
        pause: seconds after the first failure of a mirror; each further one doubles it.
        servers: where a mirror may redirect to, besides itself.
        contact: for the User-Agent.
        done: gets each file that came, whole and verified, just before it is put in its place.
        say: gets lines for a person.

    Raises:
        DownloadError: no mirror has a file, or what they have has another checksum.
        OSError: the folder cannot be written, or the disk is full.
    """
    left = [file for file in files if not file.is_there]
    for file in left:
        file.place.parent.mkdir(parents=True, exist_ok=True)
    web = session(tries=1, servers=servers, contact=contact)  # tries are counted here, for each mirror
    _Transfer(left, web=web, pause=pause, done=done, say=say).run(connections)


class _Transfer:
    def __init__(
        self,
        files: list[Wanted],
        *,
        web: Session,
        pause: float,
        done: Callable[[Wanted], object],
        say: Callable[[str], object],
    ) -> None:
        self._left, self._web, self._pause, self._done, self._say = files, web, pause, done, say
        self._mirrors = [_Mirror(number) for number in range(max((len(file.urls) for file in files), default=0))]
        self._owners: dict[Wanted, _Mirror] = {}  # gave the last bytes; others go on when it is left out
        self._wikimedia = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._changed = threading.Condition()
        self._over = threading.Event()
        self._failure: Exception | None = None

    def run(self, connections: int) -> None:
        threads = [
            threading.Thread(target=self._work, args=(mirror,), name="download", daemon=True)
            for mirror in self._mirrors
            for _ in range(connections)
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            self._over.set()
            for thread in threads:
                thread.join(TIMEOUT[1] + 5)
        for fault in dict.fromkeys(fault for mirror in self._mirrors for fault in mirror.faults.values()):
            self._say(f"left out: {fault}")
        if self._failure is not None or self._left:
            raise self._failure or DownloadError(f"{self._left[0].place} did not come")

    def _work(self, mirror: _Mirror) -> None:
        """What a connection does: a file after the other, until there is none that the mirror may have."""
        while (file := self._take(mirror)) is not None:
            url, began = file.urls[mirror.number], time.monotonic()
            try:
                with self._wikimedia if is_wikimedia(url) else contextlib.nullcontext():
                    began = time.monotonic()
                    if began >= mirror.rests:
                        self._fetch(mirror, file)
            except (_Unusable, RedirectRefused) as error:
                mirror.faults[file] = f"{public_name(url)}: {error}"
            except (*FAILURES, _Passing) as error:
                self._rest(mirror, file, error, began)
            except Exception as error:  # of the disk, or a fault of ours
                self._fail(error)
            finally:
                with self._changed:
                    file.taken = False
                    if file.is_there:
                        self._left.remove(file)
                    elif all(file in mirror.faults for mirror in self._mirrors):
                        self._fail(DownloadError("; ".join(mirror.faults[file] for mirror in self._mirrors)))
                    self._changed.notify_all()

    def _take(self, mirror: _Mirror) -> Wanted | None:
        with self._changed:
            while not self._over.is_set():
                able = [file for file in self._left if file not in mirror.faults]
                rests = mirror.rests - time.monotonic()
                for file in able if rests <= 0 else ():
                    owner = self._owners.get(file, mirror)
                    if not file.taken and (owner is mirror or file in owner.faults):
                        file.taken = True
                        return file
                if not able:
                    break
                self._changed.wait(min(0.2, rests) if rests > 0 else 0.2)
        return None

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._over.set()

    def _rest(self, mirror: _Mirror, file: Wanted, error: Exception, began: float) -> None:
        """Leaves a mirror alone for a while, or out for a file when it has failed too often."""
        with self._changed:
            now, asked = time.monotonic(), error.seconds if isinstance(error, _Passing) else 0.0
            if mirror.failed < began:  # else it has failed for another connection since this one began
                mirror.failures += 1
                mirror.failed = now
            if mirror.failures >= PATIENCE:
                mirror.faults[file] = f"{public_name(file.urls[mirror.number])}: {plain_reason(error)}"
            wait = max(asked, min(_LONGEST_PAUSE, self._pause * 2 ** (mirror.failures - 1)))
            mirror.rests = max(mirror.rests, now + wait)
        if asked > _LONG:
            self._say(f"{public_name(file.urls[mirror.number])}: {error}; it is asked again in {asked:.0f} s")

    def _fetch(self, mirror: _Mirror, file: Wanted) -> None:
        """Brings what lacks of a file, and puts it in its place if its checksums are right."""
        with open(file.part, "ab+", buffering=0) as part:
            try:
                fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DownloadError(f"another process is downloading {file.place}") from None
            if part.tell() <= file.size and file.summed != part.tell():
                file.read_sums(part)  # of what an earlier process has left
            if part.tell() != file.size:
                self._receive(mirror, file, part)
            if self._over.is_set():
                return
            fault = file.fault
            if not fault:
                os.fsync(part)
                self._done(file)
                os.replace(file.part, file.place)
                sync(file.place.parent)
                self._say(f"{file.place.name} is there ({file.size:,} bytes)")
                return
            file.part.unlink()
        if file.is_owners:
            raise _Unusable(fault)
        self._say(f"{file.place.name}: {fault}; it is downloaded from its first byte")

    def _receive(self, mirror: _Mirror, file: Wanted, part: BinaryIO) -> None:
        start = part.tell() if part.tell() < file.size else 0
        with self._get(file.urls[mirror.number], start) as answer:
            if answer.status_code == 200:  # all of it
                start = 0
            if start == 0:
                part.truncate(0)
                file.forget_sums()
            _check_size(answer, start, file.size)
            file.is_owners = start == 0 or (file.is_owners and self._owners.get(file) is mirror)
            since, came = time.monotonic(), 0
            while data := answer.raw.read1(_download_READ_BYTES, decode_content=False):
                if self._over.is_set():
                    return
                start, came, self._owners[file] = start + len(data), came + len(data), mirror
                passed = time.monotonic() - since
                if came >= _SLOWEST * (passed + 1):
                    mirror.failures = 0
                if passed > _SLOW_SECONDS:
                    if came < _SLOWEST * passed:
                        raise _Passing(f"it is too slow: {came:,} bytes came in {passed:.0f} s")
                    since, came = time.monotonic(), 0
                if start > file.size:
                    raise _Unusable(f"it has more than {file.size} bytes")
                view = memoryview(data)
                while view:
                    view = view[part.write(view) :]
                file.add_sums(data)
        if start < file.size:
            raise _Passing("the connection was closed too early")

    @contextlib.contextmanager
    def _get(self, url: str, start: int) -> Iterator[Response]:
        """An answer that has bytes of a file. Those of a file that ends in .bz2 are not to be unpacked."""
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
        with self._web.get(url, headers=headers, timeout=TIMEOUT, stream=True) as answer:
            if answer.status_code in BUSY:
                raise _Passing(status_text(answer.status_code), wait_of(answer))
            if answer.status_code not in (200, 206):
                raise _Unusable(status_text(answer.status_code))
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise _Unusable(f"it is sent in the coding {answer.headers['Content-Encoding']}")
            yield answer


def _check_size(answer: Response, start: int, size: int) -> None:
    """Raises _Unusable for an answer of another file, or of other bytes of it."""
    if answer.status_code == 200:
        if (length := answer.headers.get("Content-Length", str(size))) != str(size):
            raise _Unusable(f"it has {length[:20]} bytes, not {size}")
        return
    said = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if not said or int(said[1]) != start or int(said[3]) != size:
        raise _Unusable(f"the server sends {said[0] if said else 'an unknown range'} of a file of {size} bytes")


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def names_in(page: bytes) -> list[str]:
    """Returns the names of files and folders that a listing links to, each once, in its order.

    Of each link the last part of its path counts, so no name leads out of the folder. Links to other servers, to the
    folder above, and those that sort the listing are left out.
    """
    links = _Links()
    links.feed(page.decode("utf-8", "replace"))
    names = (_name(link) for link in links.found)
    return [*dict.fromkeys(name for name in names if name)]


def _name(link: str) -> str:
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return ""
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    if parts.scheme or parts.netloc or "/" in name or "\\" in name or not name.isprintable():
        return ""
    return "" if name in (".", "..") else name
