"""Small files over HTTP: they are tried again when a server is busy, and bounded in size."""

from __future__ import annotations

from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from pipelines.errors import JobFailed, shorten
from transforms.code import installed

# Seconds until a connection stands, and between two pieces of an answer.
TIMEOUT = (20.0, 60.0)
# Answers that pass by themselves.
BUSY = frozenset((408, 425, 429, 500, 502, 503, 504))
_MOST_BYTES = 64 << 20


class WebError(JobFailed):
    """A server does not answer, or has not what was asked for; the text is one line for the user.

    Attributes:
        status: the HTTP status; None where there was no answer.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def session(*, tries: int = 4, pause: float = 1.0) -> requests.Session:
    """Returns a session that tries again, with growing pauses, and waits as long as ``Retry-After`` says.

    Args:
        tries: in all.
        pause: seconds before the third try; each later pause is twice as long.
    """
    made = requests.Session()
    again = Retry(
        total=tries - 1, backoff_factor=pause / 2, backoff_max=30, status_forcelist=BUSY, raise_on_status=False
    )
    for scheme in ("https://", "http://"):
        made.mount(scheme, HTTPAdapter(max_retries=again, pool_maxsize=16))
    made.headers["User-Agent"] = f"gistmill/{installed('gistmill') or '0'} {requests.utils.default_user_agent()}"
    return made


def read(web: requests.Session, url: str) -> bytes:
    """Returns the content of a small file.

    Raises:
        WebError: it is not there, is over 64 MiB, or the server does not answer.
    """
    try:
        with web.get(url, timeout=TIMEOUT, stream=True) as answer:
            if answer.status_code != 200:
                raise WebError(f"{url}: HTTP status {answer.status_code}", status=answer.status_code)
            content = bytearray()
            for piece in answer.iter_content(1 << 16):
                content += piece
                if len(content) > _MOST_BYTES:
                    raise WebError(f"{url} is larger than {_MOST_BYTES >> 20} MiB")
            return bytes(content)
    except requests.RequestException as error:
        raise WebError(f"{url}: {plain_reason(error)}") from None


def plain_reason(error: BaseException) -> str:
    """Returns what went wrong in one line, without the wrappers of the libraries."""
    reason: Any = error
    while inner := next((a for a in getattr(reason, "args", ()) if isinstance(a, BaseException)), None):
        reason = inner
    reason = getattr(reason, "reason", None) or reason
    text = " ".join(str(reason).split()) or type(reason).__name__
    return shorten(text.rpartition(": ")[2] if "Connection object" in text else text)
