"""The one place that opens URLs of HTTP: what is tried again, where a redirect may lead, and what a message says."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from gistmill.core.addresses import WebAddress, without_secrets
from gistmill.core.public_names import public_name
from gistmill.pipelines.errors import JobFailed, shorten
from gistmill.transforms.code import installed

# Seconds until a connection stands, and between two pieces of an answer.
TIMEOUT = (20.0, 60.0)
# Answers that pass by themselves.
BUSY = frozenset((408, 425, 429, 500, 502, 503, 504))
# The longest wait that ``Retry-After`` is granted, in seconds.
LONGEST_WAIT = 600.0
_MOST_BYTES = 64 << 20
_MOST_REDIRECTS = 5


# What a request may raise, and the reading of an answer.
FAILURES = (requests.RequestException, urllib3.exceptions.HTTPError)
Response = requests.Response


class WebError(JobFailed):
    """A server does not answer, or has not what was asked for; the text is one line for the user.

    Attributes:
        status: the HTTP status; None where there was no answer.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RedirectRefused(requests.RequestException):
    """A server sends to a place where nothing is fetched from; the text says why."""


class Session(requests.Session):
    """A session that follows a redirect only by HTTP, never from HTTPS to HTTP, and to another host only if that is one
    of ``hosts``; five in a row at most.

    Raises:
        RedirectRefused: at a request, for another redirect.
    """

    def __init__(self, hosts: Iterable[str] = ()) -> None:
        super().__init__()
        self.max_redirects = _MOST_REDIRECTS
        self._hosts = frozenset(host.lower() for host in hosts)

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
            raise RedirectRefused(f"a redirect to {_scheme(target)} is not followed, only one to a URL of HTTP")
        if (old.scheme, new.scheme) == ("https", "http"):
            raise RedirectRefused(f"the redirect from HTTPS to {new} is not followed")
        if new.host not in {old.host, *self._hosts}:
            raise RedirectRefused(f"the redirect to {new} is not followed; redirect_hosts may name {new.host}")


def _scheme(url: str) -> str:
    scheme, colon, _ = url.partition(":")
    return f"{scheme}:" if colon and scheme.isalnum() and not scheme.lower().startswith("http") else "an odd URL"


class _Again(Retry):
    """Waits as long as ``Retry-After`` says, and ``LONGEST_WAIT`` at most; what cannot be read says nothing."""

    def get_retry_after(self, response: Any) -> float | None:
        try:
            said = super().get_retry_after(response)
        except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
            return None
        return None if said is None else min(said, LONGEST_WAIT)


def wait_of(answer: Response) -> float:
    """Returns how many seconds ``Retry-After`` asks for, ``LONGEST_WAIT`` at most; 0 where it says nothing."""
    return _Again().get_retry_after(answer.raw) or 0.0


def session(*, tries: int = 4, pause: float = 1.0, hosts: Iterable[str] = (), contact: str | None = None) -> Session:
    """Returns a session that tries again, with growing pauses, and waits as long as ``Retry-After`` says: up to
    ``LONGEST_WAIT``.

    Args:
        tries: in all.
        pause: seconds before the third try; each later pause is twice as long.
        hosts: where a server may redirect to, besides itself.
        contact: an e-mail address or URL for the User-Agent, which has Wikimedia's form: name/version (contact)
            library/version.
    """
    made = Session(hosts)
    again = _Again(
        total=tries - 1, backoff_factor=pause / 2, backoff_max=30, status_forcelist=BUSY, raise_on_status=False
    )
    for scheme in ("https://", "http://"):
        made.mount(scheme, HTTPAdapter(max_retries=again, pool_maxsize=16))
    names = [f"gistmill/{installed('gistmill') or '0'}", f"({contact})" if contact else ""]
    made.headers["User-Agent"] = " ".join(filter(None, [*names, requests.utils.default_user_agent()]))
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings have whole URLs
    return made


def read(web: Session, url: str) -> bytes:
    """Returns the content of a small file.

    Raises:
        WebError: it is not there, is over 64 MiB, or the server does not answer.
    """
    named = public_name(url)
    try:
        with web.get(url, timeout=TIMEOUT, stream=True) as answer:
            if answer.status_code != 200:
                raise WebError(f"{named}: {status_text(answer.status_code)}", status=answer.status_code)
            content = bytearray()
            for piece in answer.iter_content(1 << 16):
                content += piece
                if len(content) > _MOST_BYTES:
                    raise WebError(f"{named} is larger than {_MOST_BYTES >> 20} MiB")
            return bytes(content)
    except requests.RequestException as error:
        raise WebError(f"{named}: {plain_reason(error)}") from None


def described_at(web: Session, url: str) -> tuple[int, str]:
    """Returns how many bytes a file has, as its server says, and its ETag or "".

    Raises:
        WebError: it is not there, is empty, the server does not say, or does not answer.
    """
    named, headers = public_name(url), {"Accept-Encoding": "identity"}
    try:
        with web.head(url, headers=headers, timeout=TIMEOUT, allow_redirects=True) as answer:
            if answer.status_code != 200:
                raise WebError(f"{named}: {status_text(answer.status_code)}", status=answer.status_code)
            length, tag = (answer.headers.get(name, "") for name in ("Content-Length", "ETag"))
    except requests.RequestException as error:
        raise WebError(f"{named}: {plain_reason(error)}") from None
    if not (length.isascii() and length.isdigit() and int(length)):
        raise WebError(f"{named}: the server does not say how large it is")
    return int(length), tag


def status_text(status: int) -> str:
    """Returns what a message says of an HTTP status."""
    if status == 403:
        return "HTTP status 403: the server refuses this client; Wikimedia's wants a `contact` that is yours"
    return f"HTTP status {status}"


def ask_near(method: str, url: str, *, seconds: float) -> bytes:
    """Returns the answer of a server that is near: no proxy that is meant for the internet stands in the way.

    Raises:
        OSError: it does not answer, or with a status that is an error; the text is one line.
    """
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
