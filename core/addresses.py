"""HTTP URLs: their parts, and how a message shows a URL that contains a key.

A dataset may come from strangers. Readers build paths from its names, for files that they read and for those that they
write, so a name is made of few characters, and none of them leads elsewhere on any disk or in any store.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
import stat
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Self

from gistmill.core.text_output import printable

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_LOCAL = re.compile(r"/|~|\.{1,2}/|.*/\.\.(/|\Z)", re.DOTALL)


def is_url(place: str) -> bool:
    """Whether the place has a scheme, and so is not a path of this machine. ``file://`` is a path."""
    found = _URL.match(place)
    return found is not None and found[1].lower() != "file"


def public_name(place: str) -> str:
    """Returns the name by which a published file calls an input or an output.

    Args:
        place: a path, a glob, or a URL.

    Returns:
        The last part of a local path or glob. A URL without user and password and, for ``http`` and
        ``https``, query and fragment: those may hold keys and signatures.
    """
    if not is_url(place):
        return posixpath.basename(place.rstrip("/")) or "/"
    scheme, _, rest = place.partition("://")
    authority, slash, path = rest.partition("/")
    if scheme.lower() in ("http", "https"):
        authority, path = (re.split(r"[?#]", part, maxsplit=1)[0] for part in (authority, path))
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def public_configuration(values: Mapping[str, object], *, places: Collection[str]) -> dict[str, object]:
    """Returns the options of a run as a manifest has them: JSON values in which local paths are their last parts.

    A rerun needs the options that decide about rows, and which inputs to look for: the configuration has the former
    unchanged, and of each input its name (public_name), whose size and SHA-256 are among the manifest's sources. The
    folders, except for the name of the output's folder, are the new machine's to choose.

    Args:
        values: the options, by name.
        places: names of the options whose texts are places, however they look. Any other text is one if it begins as a
            path does, or leads upwards.
    """
    return {name: _public(value, name in places) for name, value in values.items()}


def _public(value: object, place: bool) -> object:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(k): _public(v, False) for k, v in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_public(v, place) for v in value]
    text = str(value)
    return public_name(text) if place or is_url(text) or _LOCAL.match(text) or text.startswith("file:") else text


HOST = r"[\w.-]+|\[[0-9A-Fa-f:.]+\]"
# The part of a URL before the host: user and password, which may contain any other character.
_USER = r"(?:[^\s/?#@]*@)?"
_ADDRESS = re.compile(rf"(?P<scheme>https?)://{_USER}(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?(?=[/?#]|\Z)", re.I)
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")  # as a browser names them
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
        """Returns the server of a URL; None for anything but an HTTP URL with a host.

        Stricter than RFC 3986: libraries differ on what the host of an odd URL is, and none of them is odd.
        """
        found = _ADDRESS.match(url)
        return None if found is None else cls(found["scheme"].lower(), found["host"].lower(), found["port"] or "")

    @property
    def server(self) -> str:
        """Host and port; the host alone where the port is the usual one of its scheme."""
        usual = {"http": ("", "80"), "https": ("", "443")}[self.scheme]
        return self.host if self.port in usual else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        """Scheme, host and port, for messages about a URL whose path may be a key."""
        return f"{self.scheme}://{self.host}{self.port and ':'}{self.port}/..."


def hosts_of(urls: Iterable[str]) -> list[str]:
    """Returns the hosts of URLs of HTTP, each once."""
    return list(dict.fromkeys(address.host for address in map(WebAddress.of, urls) if address is not None))


def servers_of(urls: Iterable[str]) -> list[str]:
    """Returns the servers of URLs of HTTP, each once, with their ports where those are not the usual ones."""
    return list(dict.fromkeys(address.server for address in map(WebAddress.of, urls) if address is not None))


def web_url(value: Any) -> str:
    """Returns the value if it is a URL of HTTP. Raises ValueError."""
    if not isinstance(value, str) or WebAddress.of(value) is None or value.split() != [value]:
        raise ValueError("expected a URL beginning with https:// or http://")
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


def names_of(host: str, address: str) -> list[str]:
    """Returns the names by which a server may be asked: on a loopback address those of this machine alone, so that no
    page of the web whose name leads there (DNS rebinding) can read the answers; else "*".

    Args:
        host: the host that the user named.
        address: the address that is served.
    """
    found = ip_address(address)
    if not (getattr(found, "ipv4_mapped", None) or found).is_loopback:
        return ["*"]
    return list(dict.fromkeys([*_LOOPBACK, in_url(host).lower(), in_url(address)]))


def in_url(host: str) -> str:
    """Returns a host as a URL has it: an address of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


SECONDS = 10.0
_BUCKET = re.compile(r"\w+://[^/\s]+")
_told: set[str] = set()  # each bucket once: many workers and many files wait for the same


@contextlib.contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Prints a line on standard error if its block takes longer than SECONDS.

    Args:
        what: a place or an action there; nothing is printed if it names no store.
    """
    bucket = _BUCKET.search(what)
    if bucket is None:
        yield
        return
    timer = threading.Timer(SECONDS, _tell, [bucket[0]])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(bucket: str) -> None:
    if bucket in _told:
        return
    _told.add(bucket)
    with contextlib.suppress(OSError, ValueError):  # standard error is closed
        line = f"gistmill: {bucket} has not answered for {SECONDS:g} s; it may be tried for minutes more"
        print(printable(line), file=sys.stderr, flush=True)


_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def is_name(text: str) -> bool:
    """Whether a text can be the name of a configuration, split, format or file."""
    return _NAME.fullmatch(text) is not None


def is_path(text: str) -> bool:
    """Whether a text can be the path of a file below the folder of a dataset: names with slashes between them."""
    return all(map(is_name, text.split("/")))


def inside(folder: str | os.PathLike[str], path: str) -> str:
    """Returns the path of a file in a local folder with links resolved; the folder itself may be a link.

    Args:
        folder: the folder.
        path: below it; nothing need be there.

    Raises:
        OSError: a link leads out of the folder, or a device or pipe is there, which could be read without end.
    """
    root = os.path.realpath(folder)
    found = os.path.realpath(os.path.join(root, path))
    if os.path.commonpath([root, found]) != root:
        raise OSError(
            f"{path} links to a file outside the dataset's folder; copy the dataset with cp -rL, which resolves links"
        )
    try:
        mode = os.stat(found).st_mode
    except OSError:
        return found  # who opens it learns more
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(f"{path} is neither a file nor a folder")
    return found
