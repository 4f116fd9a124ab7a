"""Addresses of HTTP: their parts, and what a message may show of a URL that holds a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from gistmill.core.public_names import public_name

HOST = r"[\w.-]+|\[[0-9A-Fa-f:.]+\]"
# What stands before a host in a URL: user and password, which may hold any other character.
_USER = r"(?:[^\s/?#@]*@)?"
_ADDRESS = re.compile(rf"(?P<scheme>https?)://{_USER}(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?(?=[/?#]|\Z)", re.I)
_IN_TEXT = re.compile(r"(?<![A-Za-z0-9+.-])(?!(?i:file):)[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A server of HTTP.

    Attributes:
        scheme: ``http`` or ``https``.
        host: a name in small letters, or a number of IP; of IPv6 in brackets.
        port: as the URL has it; "" for the usual one.
    """

    scheme: str
    host: str
    port: str

    @classmethod
    def of(cls, url: str) -> Self | None:
        """Returns the server of a URL; None for what is not a URL of HTTP with a host.

        Stricter than RFC 3986: libraries differ on what the host of an odd URL is, and none of them is odd.
        """
        found = _ADDRESS.match(url)
        return None if found is None else cls(found["scheme"].lower(), found["host"].lower(), found["port"] or "")

    def __str__(self) -> str:
        """Scheme, host and port: what a message shows of a URL whose path may be a key."""
        return f"{self.scheme}://{self.host}{self.port and ':'}{self.port}/..."


def hosts_of(urls: Iterable[str]) -> list[str]:
    """Returns the hosts of URLs of HTTP, each once."""
    return list(dict.fromkeys(address.host for address in map(WebAddress.of, urls) if address is not None))


def web_url(value: Any) -> str:
    """Returns the value if it is a URL of HTTP. Raises ValueError."""
    if not isinstance(value, str) or WebAddress.of(value) is None or value.split() != [value]:
        raise ValueError("expected a URL that begins with https:// or http://")
    return value


def without_secrets(text: str) -> str:
    """Returns a text for people in which no URL has user, password, query or fragment: those may hold keys."""
    return _IN_TEXT.sub(lambda found: _shown(found[0]), text)


def _shown(url: str) -> str:
    """A URL without secrets, even where a password has characters that should be escaped."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in ("http", "https"):
        return public_name(url)
    place, *more = re.split(r"[?#]", rest, maxsplit=1)
    if "@" not in place and "@" in "".join(more):  # is it a password that has a question mark?
        place = "..."
    return f"{scheme}://{place.rpartition('@')[2]}"
