"""HTTP requests, with retries, limited redirects and one-line messages; all HTTP URLs are opened here."""

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

# Time-outs in seconds for connecting, and between two chunks of a response.
TIMEOUT = (20.0, 60.0)
# The longest wait accepted from ``Retry-After``, in seconds.
LONGEST_WAIT = 600.0
# Limits in seconds for receiving a small file's body, and for receiving any response's head; TIMEOUT restarts at every
# byte.
SMALL_SECONDS = 120.0
HEAD_SECONDS = 60.0
_MOST_BYTES = 64 << 20
_BUSY = (408, 425, 429, 500, 502, 503, 504)  # worth retrying
NOT_THERE = 404
_LENGTH = re.compile(r"0*[1-9][0-9]{0,17}")

# Exceptions raised while reading a response, and by a request.
BodyFailure = urllib3.exceptions.HTTPError
FAILURES = (requests.RequestException, BodyFailure)
Response = requests.Response


class WebError(JobFailed):
    """A server does not respond or does not have the requested file; the message is one line for the user.

    Attributes:
        status: the HTTP status; None if there was no response.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RedirectRefused(requests.RequestException):
    """A redirect was not followed; the message gives the reason."""


class Session(requests.Session):
    """A session that follows only HTTP(S) redirects: never from HTTPS to HTTP, to other hosts or ports only if they are
    listed in ``servers``, and at most five in a row. Requests raise RedirectRefused for any other redirect."""

    def __init__(self, servers: Iterable[str] = ()) -> None:
        super().__init__()
        self.max_redirects = 5
        self._servers = frozenset(server.lower() for server in servers)

    def get_redirect_target(self, resp: Response) -> str | None:
        """Returns the absolute URL that a response redirects to; None if it is not a redirect."""
        try:
            location = super().get_redirect_target(resp)
            if location is None:
                return None
            target, names_user = urljoin(resp.url, location), "@" in urlsplit(location).netloc
        except ValueError:  # not text, or not a URL
            target, names_user = "", False
        resp.close()  # Requests would read the whole body, which may be endless
        self._check(resp.url, "" if names_user else target)
        return target

    def _check(self, before: str, target: str) -> None:
        old, new = WebAddress.of(before), WebAddress.of(target)
        if old is None or new is None:
            scheme, colon, _ = target.partition(":")
            is_other = colon and scheme.isalnum() and not scheme.lower().startswith("http")
            said = f"{scheme}:" if is_other else "a malformed URL"
            raise RedirectRefused(f"a redirect to {said} is not followed; only redirects to HTTP URLs are")
        if (old.scheme, new.scheme) == ("https", "http"):
            raise RedirectRefused(f"the redirect from HTTPS to {new} is not followed")
        if not {new.server, f"{new.host}:*"} & {old.server, *self._servers}:
            raise RedirectRefused(
                f"the redirect to {new} is not followed; to allow it, add {new.host} to redirect_hosts"
            )


class _PromptHead:
    """A connection that drops a response if its head takes too long."""

    def getresponse(self) -> Any:
        connection: Any = self
        late = threading.Event()

        def hang_up() -> None:
            late.set()
            with suppress(OSError, AttributeError):  # the socket is already closed
                connection.sock.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(HEAD_SECONDS, hang_up)
        timer.daemon = True
        timer.start()
        try:
            return super().getresponse()  # type: ignore[misc]
        finally:
            timer.cancel()
            if late.is_set():  # a truncated head may look like a complete one
                raise TimeoutError  # urllib3 converts it to "Read timed out"


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
    """A retry policy that obeys ``Retry-After`` up to ``LONGEST_WAIT`` and ignores malformed values."""

    def get_retry_after(self, response: Any) -> float | None:
        try:
            said = super().get_retry_after(response)
        except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
            return None
        return None if said is None else min(said, LONGEST_WAIT)


def session(*, tries: int = 4, pause: float = 1.0, servers: Iterable[str] = (), contact: str | None = None) -> Session:
    """Returns a session that retries with growing pauses, or after ``Retry-After``, up to ``LONGEST_WAIT``.

    Args:
        tries: total number of attempts.
        pause: seconds before the third attempt; each later pause is twice as long.
        servers: other servers that redirects may lead to: ``host`` (on its default port), ``host:port`` or ``host:*``.
        contact: contact for the User-Agent, which follows Wikimedia's form: name/version (contact) library/version.
    """
    made = Session(servers)
    again = _Again(
        total=tries - 1, backoff_factor=pause / 2, backoff_max=30, status_forcelist=_BUSY, raise_on_status=False
    )
    for scheme in ("https://", "http://"):
        made.mount(scheme, _Adapter(max_retries=again, pool_maxsize=16))
    names = [f"gistmill/{installed('gistmill') or '0'}", f"({contact})" if contact else ""]
    made.headers["User-Agent"] = " ".join(filter(None, [*names, requests.utils.default_user_agent()]))
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings contain full URLs
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
    """Downloads a small file. Raises WebError if the file does not exist, is over 64 MiB or takes longer than
    SMALL_SECONDS, or if the server does not respond."""
    content, until = bytearray(), time.monotonic() + SMALL_SECONDS
    with _answer(web, "GET", url) as answer:
        while piece := answer.raw.read1(1 << 16, decode_content=True):
            content += piece
            if len(content) > _MOST_BYTES:
                raise WebError(f"{public_name(url)} is larger than {_MOST_BYTES >> 20} MiB")
            if time.monotonic() > until:
                raise WebError(f"{public_name(url)}: too slow ({len(content):,} bytes in {SMALL_SECONDS:.0f} s)")
    return bytes(content)


def read_if_there(web: Session, url: str) -> bytes | None:
    """Downloads a small file; returns None if the server reports that it does not exist. Raises WebError."""
    try:
        return read(web, url)
    except WebError as error:
        if error.status == NOT_THERE:
            return None
        raise


def described_at(web: Session, url: str) -> tuple[int, str]:
    """Returns a file's size in bytes as stated by the server, and its ETag or "". Raises WebError if the file does not
    exist or is empty, or if the server does not state its size or does not respond."""
    with _answer(web, "HEAD", url, **{"Accept-Encoding": "identity"}) as answer:
        length, tag = (answer.headers.get(name, "") for name in ("Content-Length", "ETag"))
    if not _LENGTH.fullmatch(length):
        raise WebError(f"{public_name(url)}: the server does not state its size")
    return int(length), tag


def status_text(status: int) -> str:
    """Describes an HTTP status for messages."""
    refused = ": access denied; Wikimedia servers require your own `contact`" if status == 403 else ""
    return f"HTTP status {status}{refused}"


def ask_near(method: str, url: str, *, seconds: float) -> bytes:
    """Returns the response of a local server, ignoring configured proxies. Raises OSError, with a one-line message, if
    there is no response or its status is an error."""
    try:
        with session(tries=1) as web:
            web.trust_env = False
            with web.request(method, url, timeout=seconds) as answer:
                answer.raise_for_status()
                return answer.content
    except FAILURES as error:
        raise OSError(f"{public_name(url)}: {plain_reason(error)}") from None


# Their messages contain all or part of the URL. One possible cause is an invalid proxy URL.
_UNUSABLE = (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema, requests.exceptions.InvalidSchema)


def plain_reason(error: BaseException) -> str:
    """Returns the cause of an error in one line, without wrapping exceptions or secrets from URLs."""
    if isinstance(error, _UNUSABLE):
        return "the URL or the proxy's URL is invalid"
    reason: Any = error
    while inner := next((a for a in getattr(reason, "args", ()) if isinstance(a, BaseException)), None):
        reason = inner
    reason = getattr(reason, "reason", None) or reason
    text = " ".join(str(reason).split()) or type(reason).__name__
    return shorten(without_secrets(text.rpartition(": ")[2] if "Connection object" in text else text))
