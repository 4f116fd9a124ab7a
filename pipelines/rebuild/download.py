"""Downloads files of known size and checksum from several mirrors at once, and goes on where it was interrupted.

Requests and urllib3 make the connections. pooch and fsspec begin a broken download from its first byte, and know
neither mirrors nor what a redirect may do, so that is here.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.rebuild.wanted import Wanted
from gistmill.pipelines.rebuild.wikimedia import MOST_CONNECTIONS, is_wikimedia
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
from gistmill.pipelines.workspaces.swap import sync_folder

# Failures of a mirror, one after the other and without a byte in between, after which it is left out.
PATIENCE = 6
_LONGEST_PAUSE = 60.0
_LONG = 10.0  # seconds of a wait that a person is told of
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
    hosts: Iterable[str] = (),
    contact: str | None = None,
    done: Callable[[Wanted], object] = lambda file: None,
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Brings files to their places, whole and verified, or leaves what was finished for the next call.

    Args:
        files: what is wanted; what is there is left alone.
        connections: to each mirror at once; each brings a file. Wikimedia's get MOST_CONNECTIONS at most, together.
        pause: seconds after the first failure of a mirror; each further one doubles it.
        hosts: where a mirror may redirect to, besides itself.
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
    web = session(tries=1, hosts=hosts, contact=contact)  # tries are counted here, for each mirror
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
                self._give_back(file)

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
                sync_folder(file.place.parent)
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
            for data in answer.raw.stream(_READ_BYTES, decode_content=False):
                if self._over.is_set():
                    return
                mirror.failures, self._owners[file] = 0, mirror
                start += len(data)
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
            raise _Unusable(f"it has {length} bytes, not {size}")
        return
    said = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if not said or int(said[1]) != start or int(said[3]) != size:
        raise _Unusable(f"the server sends {said[0] if said else 'an unknown range'} of a file of {size} bytes")
