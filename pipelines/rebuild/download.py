"""Downloads files of known size and SHA-1 from several mirrors at once, and goes on where it was interrupted.

Requests and urllib3 make the connections. pooch and fsspec begin a broken download from its first byte, and know
neither mirrors nor what a redirect may do, so that is here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.web import BUSY, FAILURES, TIMEOUT, RedirectRefused, Response, plain_reason, session
from gistmill.pipelines.workspaces.swap import sync_folder

# Failures of a mirror, one after the other and without a byte in between, after which it is left out.
PATIENCE = 6
_LONGEST_PAUSE = 60.0
_READ_BYTES = 256 << 10
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class DownloadError(JobFailed):
    """A file could not be downloaded whole; the text is one line for the user."""


class _Unusable(Exception):
    """A mirror has another file, or none."""


class _Passing(Exception):
    """An answer that may be better the next time; ``seconds`` if the server says when."""

    def __init__(self, said: str, seconds: float = 0.0) -> None:
        super().__init__(said)
        self.seconds = seconds


@dataclass(slots=True, eq=False, kw_only=True)
class Wanted:
    """A file to download. Until it is whole, ``NAME.part`` lies in its place.

    Attributes:
        urls: where each mirror has it, in the order of the mirrors.
        place: where it will be.
        size, sha1: what it has to have; None for a SHA-1 that nobody publishes.
    """

    urls: Sequence[str]
    place: Path
    size: int
    sha1: str | None
    taken: bool = field(default=False, init=False)
    owner: _Mirror | None = field(default=None, init=False)  # gave the last bytes; others go on when it is left out
    is_owners: bool = field(default=False, init=False)  # whether all bytes of the part are the owner's

    @property
    def part(self) -> Path:
        """Where its bytes lie until it is whole."""
        return self.place.with_name(f"{self.place.name}.part")

    @property
    def is_there(self) -> bool:
        """Whether nothing is left to do."""
        return self.place.is_file() and self.place.stat().st_size == self.size


@dataclass(slots=True, eq=False)
class _Mirror:
    number: int
    failures: int = 0  # since the last byte came
    faults: dict[Wanted, str] = field(default_factory=dict)  # why files cannot be had here


def download(
    files: Iterable[Wanted],
    *,
    connections: int = 2,
    pause: float = 1.0,
    hosts: Iterable[str] = (),
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Brings files to their places, whole and verified, or leaves what was finished for the next call.

    Args:
        files: what is wanted; what is there is left alone.
        connections: to each mirror at once; each brings a file. Wikimedia allows two.
        pause: seconds after the first failure of a mirror; each further one doubles it.
        hosts: where a mirror may redirect to, besides itself.
        say: gets lines for a person.

    Raises:
        DownloadError: no mirror has a file, or what they have has another SHA-1.
        OSError: the folder cannot be written, or the disk is full.
    """
    left = [file for file in files if not file.is_there]
    for file in left:
        file.place.parent.mkdir(parents=True, exist_ok=True)
    _Transfer(left, pause=pause, hosts=hosts, say=say).run(connections)


class _Transfer:
    def __init__(
        self, files: list[Wanted], *, pause: float, hosts: Iterable[str], say: Callable[[str], object]
    ) -> None:
        self._left, self._pause, self._say = files, pause, say
        self._mirrors = [_Mirror(number) for number in range(max((len(file.urls) for file in files), default=0))]
        self._web = session(tries=1, hosts=hosts)  # tries are counted here, for each mirror
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
            pause = 0.0
            try:
                self._fetch(mirror, file)
            except (_Unusable, RedirectRefused) as error:
                mirror.faults[file] = f"{public_name(file.urls[mirror.number])}: {error}"
            except (*FAILURES, _Passing) as error:
                pause = self._pause_after(mirror, file, error)
            except Exception as error:  # of the disk, or a fault of ours
                self._fail(error)
            finally:
                self._give_back(file)
            self._over.wait(pause)

    def _take(self, mirror: _Mirror) -> Wanted | None:
        with self._changed:
            while not self._over.is_set():
                able = [file for file in self._left if file not in mirror.faults]
                for file in able:
                    owner = file.owner or mirror
                    if not file.taken and (owner is mirror or file in owner.faults):
                        file.taken = True
                        return file
                if not able:
                    break
                self._changed.wait(0.2)
        return None

    def _give_back(self, file: Wanted) -> None:
        with self._changed:
            file.taken = False
            if file.is_there:
                self._left.remove(file)
            elif all(file in mirror.faults for mirror in self._mirrors):
                self._fail(DownloadError("; ".join(mirror.faults[file] for mirror in self._mirrors)))
            self._changed.notify_all()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._over.set()

    def _pause_after(self, mirror: _Mirror, file: Wanted, error: Exception) -> float:
        """Returns how long the mirror is left alone, in seconds; leaves it out when it has failed too often."""
        mirror.failures += 1
        if mirror.failures >= PATIENCE:
            mirror.faults[file] = f"{public_name(file.urls[mirror.number])}: {plain_reason(error)}"
        wait = error.seconds if isinstance(error, _Passing) else 0.0
        return min(_LONGEST_PAUSE, max(wait, self._pause * 2 ** (mirror.failures - 1)))

    def _fetch(self, mirror: _Mirror, file: Wanted) -> None:
        """Brings what lacks of a file, and puts it in its place if its SHA-1 is right."""
        with open(file.part, "ab+", buffering=0) as part:
            try:
                fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DownloadError(f"another process is downloading {file.place}") from None
            if part.tell() != file.size:
                self._receive(mirror, file, part)
            if self._over.is_set():
                return
            part.seek(0)
            found = file.sha1 and hashlib.file_digest(part, "sha1").hexdigest()
            if found == file.sha1:
                os.fsync(part)
                os.replace(file.part, file.place)
                sync_folder(file.place.parent)
                self._say(f"{file.place.name} is there ({file.size:,} bytes)")
                return
            file.part.unlink()
        if file.is_owners:
            raise _Unusable(f"its SHA-1 is {found}, not {file.sha1}")
        self._say(f"{file.place.name}: its SHA-1 is {found}, not {file.sha1}; it is downloaded from its first byte")

    def _receive(self, mirror: _Mirror, file: Wanted, part: BinaryIO) -> None:
        start = part.tell() if part.tell() < file.size else 0
        with self._get(file.urls[mirror.number], start) as answer:
            if answer.status_code == 200:  # all of it
                start = 0
            if start == 0:
                part.truncate(0)
            _check_size(answer, start, file.size)
            file.is_owners = start == 0 or (file.is_owners and file.owner is mirror)
            for data in answer.raw.stream(_READ_BYTES, decode_content=False):
                if self._over.is_set():
                    return
                mirror.failures, file.owner = 0, mirror
                start += len(data)
                if start > file.size:
                    raise _Unusable(f"it has more than {file.size} bytes")
                view = memoryview(data)
                while view:
                    view = view[part.write(view) :]
        if start < file.size:
            raise _Passing("the connection was closed too early")

    @contextlib.contextmanager
    def _get(self, url: str, start: int) -> Iterator[Response]:
        """An answer that has bytes of a file. Those of a file that ends in .bz2 are not to be unpacked."""
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
        with self._web.get(url, headers=headers, timeout=TIMEOUT, stream=True) as answer:
            if answer.status_code in BUSY:
                said = answer.headers.get("Retry-After", "")
                raise _Passing(f"HTTP status {answer.status_code}", float(said) if said.isdigit() else 0.0)
            if answer.status_code not in (200, 206):
                raise _Unusable(f"HTTP status {answer.status_code}")
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise _Unusable(f"it is sent in the coding {answer.headers['Content-Encoding']}")
            yield answer


def _check_size(answer: Response, start: int, size: int) -> None:
    """Raises _Unusable for an answer of another file, or of other bytes of it."""
    if answer.status_code == 200:
        if (length := answer.headers.get("Content-Length", str(size))) != str(size):
            raise _Unusable(f"it has {length} bytes, not {size}")
        return
    said = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if not said or int(said[1]) != start or int(said[3]) != size:
        raise _Unusable(f"the server sends {said[0] if said else 'an unknown range'} of a file of {size} bytes")
