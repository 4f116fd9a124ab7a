"""Downloads a file of known size and SHA-1 from several mirrors at once, and goes on where it was interrupted.

Requests and urllib3 make the connections. What they leave to their users is here: dividing a file between mirrors,
going on within a piece after a broken connection, and hashing in order while other pieces still come.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.rebuild.partial import PIECE_BYTES, Partial, paths_of
from gistmill.pipelines.web import BUSY, FAILURES, TIMEOUT, RedirectRefused, Response, plain_reason, session

# Failures of a mirror, one after the other and without a byte in between, after which it is left out.
PATIENCE = 6
_LONGEST_PAUSE = 60.0
_READ_BYTES = 256 << 10
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class DownloadError(JobFailed):
    """A file could not be downloaded whole; the text is one line for the user."""


class _Unusable(Exception):
    """A mirror has another file, or none."""


class _WrongSum(Exception):
    """All pieces are there, and are not the file."""


@dataclass(slots=True, eq=False)
class _Mirror:
    """A place of the file, and what was learnt of its server.

    Attributes:
        url: of the file.
        validator: its ETag or date there, which ``If-Range`` sends back; "" before the first answer.
        ranges: whether the server answers requests for ranges.
        failures: failures since the last byte came.
        fault: why it is left out; "" while it is used.
    """

    url: str
    validator: str = ""
    ranges: bool = True
    failures: int = 0
    fault: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """What messages call it."""
        return public_name(self.url)


def download(
    urls: Sequence[str],
    place: Path,
    *,
    size: int,
    sha1: str,
    connections: int = 2,
    piece_bytes: int = PIECE_BYTES,
    pause: float = 1.0,
    hosts: Iterable[str] = (),
    say: Callable[[str], object] = lambda line: None,
) -> None:
    """Brings a file to ``place``, whole and verified, or leaves what was finished for the next call.

    Args:
        urls: where the file is; all are used at once.
        place: where it will be; nothing is done if it is there.
        size, sha1: what it has to have.
        connections: to each of the servers at once. Wikimedia allows two.
        piece_bytes: what a connection asks for at once.
        pause: seconds after the first failure of a mirror; each further one doubles it.
        hosts: where a server may redirect to, besides itself.
        say: gets lines for a person.

    Raises:
        DownloadError: no mirror has the file, or what they have has another SHA-1.
        OSError: the folder cannot be written, or the disk is full.
    """
    if place.is_file() and place.stat().st_size == size:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    # A wrong sum does not tell whose piece was wrong, so each mirror has to give the whole file then.
    found = ""
    for group in [list(urls), *([url] for url in urls)]:
        mirrors = [_Mirror(url) for url in group]
        try:
            transfer = _Transfer(
                mirrors, place, size=size, sha1=sha1, piece_bytes=piece_bytes, pause=pause, hosts=hosts
            )
            transfer.run(connections)
        except _WrongSum as wrong:
            found = str(wrong)
            say(f"{place.name}: the SHA-1 is {found}, not {sha1}; it is downloaded again from one server")
        except DownloadError:
            if not found:
                raise
        else:
            return
        finally:
            for mirror in mirrors:
                if mirror.fault:
                    say(f"left out: {mirror.fault}")
    raise DownloadError(f"{place.name}: every mirror gives a file of another SHA-1 than {sha1}, such as {found}")


class _Transfer:
    """One attempt with some mirrors."""

    def __init__(
        self,
        mirrors: Sequence[_Mirror],
        place: Path,
        *,
        size: int,
        sha1: str,
        piece_bytes: int,
        pause: float,
        hosts: Iterable[str],
    ) -> None:
        self._mirrors, self._sha1, self._pause = mirrors, sha1, pause
        self._web = session(tries=1, hosts=hosts)  # tries are counted here, for each mirror
        self._partial = Partial(place, size=size, identity=sha1, piece_bytes=piece_bytes)
        self._reached: dict[int, int] = {}  # how far a piece came before its connection broke
        self._over = threading.Event()
        self._failure: OSError | None = None

    def run(self, connections: int) -> None:
        """Downloads, verifies and puts in place. Raises as ``download``, and _WrongSum."""
        threads = [
            threading.Thread(target=self._work, args=(m,), name="download", daemon=True)
            for m in self._mirrors
            for _ in range(connections)
        ]
        try:
            for thread in threads:
                thread.start()
            found = self._hash(threads)
            if found == self._sha1:
                self._partial.keep()
            else:
                self._partial.discard()
                raise _WrongSum(found)
        finally:
            self._over.set()
            for thread in threads:
                thread.join(TIMEOUT[1] + 5)
            self._partial.close()

    def _hash(self, threads: Sequence[threading.Thread]) -> str:
        """Hashes the pieces in their order, as they come."""
        digest = hashlib.sha1()
        for piece in range(self._partial.count):
            while not self._partial.wait_for(piece, 0.2):
                if self._failure:
                    raise self._failure
                if not any(t.is_alive() for t in threads) and not self._partial.has(piece):
                    raise DownloadError("; ".join(dict.fromkeys(m.fault for m in self._mirrors)))
            digest.update(self._partial.read(piece))
        return digest.hexdigest()

    def _work(self, mirror: _Mirror) -> None:
        """What a connection does: a piece after the other, until there are none or the mirror is left out."""
        while not self._over.is_set() and not mirror.fault and self._partial.missing:
            piece = self._partial.take()
            if piece is None:  # another connection has the last ones, and may fail
                self._over.wait(0.05)
                continue
            try:
                self._fetch(mirror, piece)
            except _Unusable as error:
                mirror.fault = str(error)
            except RedirectRefused as error:
                mirror.fault = f"{mirror.name}: {error}"
            except (*FAILURES, _Busy) as error:
                self._pause_after(mirror, error)
            except OSError as error:
                self._failure = error
                return
            finally:
                self._partial.give_back(piece)

    def _pause_after(self, mirror: _Mirror, error: Exception) -> None:
        mirror.failures += 1
        if mirror.failures >= PATIENCE:
            mirror.fault = f"{mirror.name}: {plain_reason(error)}"
            return
        wait = error.seconds if isinstance(error, _Busy) and error.seconds is not None else 0.0
        self._over.wait(min(_LONGEST_PAUSE, max(wait, self._pause * 2 ** (mirror.failures - 1))))

    def _fetch(self, mirror: _Mirror, piece: int) -> None:
        """Brings a piece; from a server without ranges the whole file, by one connection."""
        if not mirror.ranges:
            with mirror.lock:
                if not self._partial.has(piece) and not self._over.is_set():
                    self._stream(mirror, piece)
            return
        start, end = self._partial.bounds(piece)
        start = self._reached.get(piece, start)
        headers = {"Range": f"bytes={start}-{end - 1}"}
        if mirror.validator:
            headers["If-Range"] = mirror.validator
        with self._get(mirror, headers) as answer:
            if answer.status_code == 200:
                mirror.ranges = False
                return
            self._check_range(mirror, answer, start)
            for data in self._bytes(answer, mirror):
                self._partial.write(data[: end - start], start)
                start += len(data)
                self._reached[piece] = start
        if start >= end:
            self._partial.finish(piece)

    def _stream(self, mirror: _Mirror, wanted: int) -> None:
        with self._get(mirror, {}) as answer:
            if answer.status_code != 200:
                raise _Unusable(f"{mirror.name}: HTTP status {answer.status_code} where 200 was expected")
            if int(answer.headers.get("Content-Length", self._partial.size)) != self._partial.size:
                raise _Unusable(f"{mirror.name} has {answer.headers['Content-Length']} bytes, not {self._partial.size}")
            position, piece = 0, 0
            for data in self._bytes(answer, mirror):
                self._partial.write(data[: self._partial.size - position], position)
                position += len(data)
                while piece < self._partial.count and self._partial.bounds(piece)[1] <= position:
                    self._partial.finish(piece)
                    piece += 1

    @contextlib.contextmanager
    def _get(self, mirror: _Mirror, headers: dict[str, str]) -> Iterator[Response]:
        """An answer that has bytes of the file that was asked for before. Raises _Busy, _Unusable."""
        headers = {**headers, "Accept-Encoding": "identity"}
        with self._web.get(mirror.url, headers=headers, timeout=TIMEOUT, stream=True) as answer:
            if answer.status_code in BUSY:
                raise _Busy(answer)
            if answer.status_code not in (200, 206):
                raise _Unusable(f"{mirror.name}: HTTP status {answer.status_code}")
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise _Unusable(f"{mirror.name} is sent in the coding {answer.headers['Content-Encoding']}")
            found = _validator(answer)
            if mirror.validator and found and found != mirror.validator:
                raise _Unusable(f"{mirror.name} changed while it was read")
            mirror.validator = found or mirror.validator
            yield answer

    def _check_range(self, mirror: _Mirror, answer: Response, start: int) -> None:
        said = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if not said or int(said[1]) != start or int(said[3]) != self._partial.size:
            raise _Unusable(
                f"{mirror.name} sends {answer.headers.get('Content-Range', 'an unknown range')} of a file that should "
                f"have {self._partial.size} bytes"
            )

    def _bytes(self, answer: Response, mirror: _Mirror) -> Iterator[bytes]:
        """The bytes as they are sent: a file that ends in .bz2 is not to be unpacked."""
        for data in answer.raw.stream(_READ_BYTES, decode_content=False):
            if self._over.is_set():
                return
            mirror.failures = 0
            yield data


class _Busy(Exception):
    """The server asks for patience; ``seconds`` if it says for how long."""

    def __init__(self, answer: Response) -> None:
        super().__init__(f"HTTP status {answer.status_code}")
        said = answer.headers.get("Retry-After", "")
        self.seconds = float(said) if said.isdigit() else None


def _validator(answer: Response) -> str:
    """What ``If-Range`` may send: a strong ETag, else the date (RFC 9110, section 13.1.5)."""
    tag = answer.headers.get("ETag", "")
    return answer.headers.get("Last-Modified", "") if not tag or tag.startswith("W/") else tag


def leftovers(folder: Path, name: str) -> list[Path]:
    """Returns what an interrupted download of a file has left in a folder."""
    return [path for path in paths_of(folder / name) if path.exists()]
