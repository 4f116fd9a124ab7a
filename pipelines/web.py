"""The one place that opens HTTP URLs, with its retries, redirects and messages."""

from __future__ import annotations

import logging
import re
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from gistmill.core.addresses import WebAddress, public_name, without_secrets
from gistmill.pipelines.errors import JobFailed, shorten
from gistmill.transforms.installed import installed

# Seconds until a connection is established, and between two pieces of an answer.
TIMEOUT = (20.0, 60.0)
# The longest wait that ``Retry-After`` is granted, in seconds.
LONGEST_WAIT = 600.0
# Seconds for a small file, from its head to its end, and for the head of any answer: time-outs are from byte to byte.
SMALL_SECONDS = 120.0
HEAD_SECONDS = 60.0
_MOST_BYTES = 64 << 20
_BUSY = (408, 425, 429, 500, 502, 503, 504)  # worth another try
NOT_THERE = 404
_LENGTH = re.compile(r"0*[1-9][0-9]{0,17}")

# Exceptions of reading a response, and of a request.
BodyFailure = urllib3.exceptions.HTTPError
FAILURES = (requests.RequestException, BodyFailure)
Response = requests.Response


class WebError(JobFailed):
    """A server does not answer, or lacks the requested file; the message is one line for the user.

    Attributes:
        status: the HTTP status; None where there was no answer.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RedirectRefused(requests.RequestException):
    """A server sends to a place where nothing is fetched from; the text says why."""


class Session(requests.Session):
    """A session that follows a redirect only by HTTP, never from HTTPS to HTTP, and to another server, which another
    port is too, only if that is one of ``servers``; five in a row at most. Its answers begin within ``TIMEOUT``. Raises
    RedirectRefused: at a request, for another redirect."""

    def __init__(self, servers: Iterable[str] = ()) -> None:
        super().__init__()
        self.max_redirects = 5
        self._servers = frozenset(server.lower() for server in servers)

    def get_redirect_target(self, resp: Response) -> str | None:
        """Returns where an answer redirects to, as an absolute URL; None for any other answer."""
        try:
            location = super().get_redirect_target(resp)
            if location is None:
                return None
            target, names_user = urljoin(resp.url, location), "@" in urlsplit(location).netloc
        except ValueError:  # no text, or no URL
            target, names_user = "", False
        resp.close()  # Requests would read the body to its end, and it may have none
        self._check(resp.url, "" if names_user else target)
        return target

    def _check(self, before: str, target: str) -> None:
        old, new = WebAddress.of(before), WebAddress.of(target)
        if old is None or new is None:
            scheme, colon, _ = target.partition(":")
            is_other = colon and scheme.isalnum() and not scheme.lower().startswith("http")
            said = f"{scheme}:" if is_other else "an odd URL"
            raise RedirectRefused(f"a redirect to {said} is not followed; only redirects to HTTP URLs are")
        if (old.scheme, new.scheme) == ("https", "http"):
            raise RedirectRefused(f"the redirect from HTTPS to {new} is not followed")
        if not {new.server, f"{new.host}:*"} & {old.server, *self._servers}:
            raise RedirectRefused(f"the redirect to {new} is not followed; redirect_hosts may name {new.host}")


class _PromptHead:
    """A connection that gives an answer up whose head takes too long."""

    def getresponse(self) -> Any:
        connection: Any = self
        late = threading.Event()

        def hang_up() -> None:
            late.set()
            with suppress(OSError, AttributeError):  # it is closed already
                connection.sock.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(HEAD_SECONDS, hang_up)
        timer.daemon = True
        timer.start()
        try:
            return super().getresponse()  # type: ignore[misc]
        finally:
            timer.cancel()
            if late.is_set():  # a head that was cut off may look like a short one
                raise TimeoutError  # of which urllib3 makes "Read timed out"


_CONNECTIONS = {
    "http": type("_Connection", (_PromptHead, urllib3.connection.HTTPConnection), {}),
    "https": type("_SecureConnection", (_PromptHead, urllib3.connection.HTTPSConnection), {}),
}


class _Adapter(HTTPAdapter):
    def get_connection_with_tls_context(self, *arguments: Any, **named: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*arguments, **named)
        pool.ConnectionCls = _CONNECTIONS[pool.scheme]
        return pool


class _Again(Retry):
    """Waits as long as ``Retry-After`` says, and ``LONGEST_WAIT`` at most; what cannot be read says nothing."""

    def get_retry_after(self, response: Any) -> float | None:
        try:
            said = super().get_retry_after(response)
        except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
            return None
        return None if said is None else min(said, LONGEST_WAIT)


def session(*, tries: int = 4, pause: float = 1.0, servers: Iterable[str] = (), contact: str | None = None) -> Session:
    """Returns a session that tries again, with growing pauses, and waits as long as ``Retry-After`` says: up to
    ``LONGEST_WAIT``.

    Args:
        tries: in all.
        pause: seconds before the third try; each later pause is twice as long.
        servers: hosts that a server may redirect to, other than itself: hosts at their usual ports, ``host:port``,
            ``host:*``.
        contact: for the User-Agent, which has Wikimedia's form: name/version (contact) library/version.
    """
    made = Session(servers)
    again = _Again(
        total=tries - 1, backoff_factor=pause / 2, backoff_max=30, status_forcelist=_BUSY, raise_on_status=False
    )
    for scheme in ("https://", "http://"):
        made.mount(scheme, _Adapter(max_retries=again, pool_maxsize=16))
    names = [f"gistmill/{installed('gistmill') or '0'}", f"({contact})" if contact else ""]
    made.headers["User-Agent"] = " ".join(filter(None, [*names, requests.utils.default_user_agent()]))
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings have whole URLs
    return made


@contextmanager
def _answer(web: Session, method: str, url: str, **headers: str) -> Iterator[Response]:
    try:
        with web.request(method, url, headers=headers, timeout=TIMEOUT, stream=True, allow_redirects=True) as answer:
            if answer.status_code != 200:
                raise WebError(f"{public_name(url)}: {status_text(answer.status_code)}", status=answer.status_code)
            yield answer
    except FAILURES as error:
        raise WebError(f"{public_name(url)}: {plain_reason(error)}") from None


def read(web: Session, url: str) -> bytes:
    """Returns the content of a small file. Raises WebError: it is not there, is over 64 MiB, takes longer than
    SMALL_SECONDS, or the server does not answer."""
    content, until = bytearray(), time.monotonic() + SMALL_SECONDS
    with _answer(web, "GET", url) as answer:
        while piece := answer.raw.read1(1 << 16, decode_content=True):
            content += piece
            if len(content) > _MOST_BYTES:
                raise WebError(f"{public_name(url)} is larger than {_MOST_BYTES >> 20} MiB")
            if time.monotonic() > until:
                raise WebError(f"{public_name(url)}: too slow: {len(content):,} bytes in {SMALL_SECONDS:.0f} s")
    return bytes(content)


def read_if_there(web: Session, url: str) -> bytes | None:
    """Returns the content of a small file; None if its server says that there is none. Raises WebError."""
    try:
        return read(web, url)
    except WebError as error:
        if error.status == NOT_THERE:
            return None
        raise


def described_at(web: Session, url: str) -> tuple[int, str]:
    """Returns how many bytes a file has, as its server says, and its ETag or "". Raises WebError: it is not there, is
    empty, the server does not say, or does not answer."""
    with _answer(web, "HEAD", url, **{"Accept-Encoding": "identity"}) as answer:
        length, tag = (answer.headers.get(name, "") for name in ("Content-Length", "ETag"))
    if not _LENGTH.fullmatch(length):
        raise WebError(f"{public_name(url)}: the server does not state its size")
    return int(length), tag


def status_text(status: int) -> str:
    """Returns the wording of an HTTP status for messages."""
    refused = ": the server refuses this client; Wikimedia's wants a `contact` that is yours" if status == 403 else ""
    return f"HTTP status {status}{refused}"


def ask_near(method: str, url: str, *, seconds: float) -> bytes:
    """Returns the answer of a local server, without the proxies that are set for the internet. Raises
    OSError: it does not answer, or with a status that is an error; the text is one line."""
    try:
        with session(tries=1) as web:
            web.trust_env = False
            with web.request(method, url, timeout=seconds) as answer:
                answer.raise_for_status()
                return answer.content
    except FAILURES as error:
        raise OSError(f"{public_name(url)}: {plain_reason(error)}") from None


# What Requests says of these has the URL, or a part of it. Among the reasons are wrong URLs of proxies.
_UNUSABLE = (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema, requests.exceptions.InvalidSchema)


def plain_reason(error: BaseException) -> str:
    """Returns what went wrong in one line, without the wrappers of the libraries and without secrets of URLs."""
    if isinstance(error, _UNUSABLE):
        return "the URL, or that of the proxy, cannot be used"
    reason: Any = error
    while inner := next((a for a in getattr(reason, "args", ()) if isinstance(a, BaseException)), None):
        reason = inner
    reason = getattr(reason, "reason", None) or reason
    text = " ".join(str(reason).split()) or type(reason).__name__
    return shorten(without_secrets(text.rpartition(": ")[2] if "Connection object" in text else text))
