"""Places: URLs and paths, how messages and manifests show them without secrets, and safe names inside datasets.

Datasets may come from untrusted sources. Readers build paths from the names in a dataset, both to read and to write
files, so names may contain only characters that cannot lead to another folder on any disk or in any store.
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
    """Whether the place is a URL rather than a local path. ``file://`` counts as a path."""
    found = _URL.match(place)
    return found is not None and found[1].lower() != "file"


def public_name(place: str) -> str:
    """Returns the name of an input or output as published files show it.

    Args:
        place: a path, a glob, or a URL.

    Returns:
        The last component of a local path or glob, or the URL without user name and password; ``http`` and ``https``
        URLs also lose their query and fragment, which may contain keys and signatures.
    """
    if not is_url(place):
        return posixpath.basename(place.rstrip("/")) or "/"
    scheme, _, rest = place.partition("://")
    authority, slash, path = rest.partition("/")
    if scheme.lower() in ("http", "https"):
        authority, path = (re.split(r"[?#]", part, maxsplit=1)[0] for part in (authority, path))
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"


def public_configuration(values: Mapping[str, object], *, places: Collection[str]) -> dict[str, object]:
    """Returns a run's options as JSON values for the manifest, with local paths reduced to their last components.

    To repeat a run one needs the options that affect rows, which are kept unchanged, and the names of the inputs, whose
    sizes and SHA-256 hashes are listed in the manifest's sources. Folders differ between machines.

    Args:
        values: the options, by name.
        places: names of options whose values are always places. Other values count as places if they look like a URL
            or path.
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
# User name and password before the host; they may contain any other character.
_USER = r"(?:[^\s/?#@]*@)?"
_ADDRESS = re.compile(rf"(?P<scheme>https?)://{_USER}(?P<host>{HOST})(?::(?P<port>[0-9]{{1,5}}))?(?=[/?#]|\Z)", re.I)
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")  # as a browser names them
_IN_TEXT = re.compile(r"(?<![A-Za-z0-9+.-])(?!(?i:file):)[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An HTTP server.

    Attributes:
        scheme: ``http`` or ``https``.
        host: a lower-case name or an IP address; IPv6 addresses are in brackets.
        port: the port given in the URL; "" if none is given.
    """

    scheme: str
    host: str
    port: str

    @classmethod
    def of(cls, url: str) -> Self | None:
        """Returns the server of a URL, or None if it is not an HTTP URL with a host.

        This is stricter than RFC 3986, because libraries disagree about the host of unusual URLs.
        """
        found = _ADDRESS.match(url)
        return None if found is None else cls(found["scheme"].lower(), found["host"].lower(), found["port"] or "")

    @property
    def server(self) -> str:
        """Host and port, without the scheme's default port."""
        usual = {"http": ("", "80"), "https": ("", "443")}[self.scheme]
        return self.host if self.port in usual else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        """Scheme, host and port, for messages about a URL whose path may contain a key."""
        return f"{self.scheme}://{self.host}{self.port and ':'}{self.port}/..."


def hosts_of(urls: Iterable[str]) -> list[str]:
    """Returns the distinct hosts of HTTP URLs."""
    return list(dict.fromkeys(address.host for address in map(WebAddress.of, urls) if address is not None))


def servers_of(urls: Iterable[str]) -> list[str]:
    """Returns the distinct servers of HTTP URLs, with ports other than the scheme's default."""
    return list(dict.fromkeys(address.server for address in map(WebAddress.of, urls) if address is not None))


def web_url(value: Any) -> str:
    """Returns the value if it is an HTTP URL; raises ValueError otherwise."""
    if not isinstance(value, str) or WebAddress.of(value) is None or value.split() != [value]:
        raise ValueError("expected a URL beginning with https:// or http://")
    return value


def without_secrets(text: str) -> str:
    """Returns a text with the user name, password, query and fragment removed from every URL: they may contain keys."""
    return _IN_TEXT.sub(lambda found: _shown(found[0]), text)


def _shown(url: str) -> str:
    """A URL without secrets, even if its password contains unescaped special characters."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in ("http", "https"):
        return public_name(url)
    place, *more = re.split(r"[?#]", rest, maxsplit=1)
    if "@" not in place and "@" in "".join(more):  # probably a password with a question mark
        place = "..."
    return f"{scheme}://{place.rpartition('@')[2]}"


def names_of(host: str, address: str) -> list[str]:
    """Returns the host names that a server accepts: on a loopback address, only this machine's own, so that a web page
    whose name resolves to that address (DNS rebinding) cannot read the responses; otherwise ["*"].

    Args:
        host: the host given by the user.
        address: the address that the server listens on.
    """
    found = ip_address(address)
    if not (getattr(found, "ipv4_mapped", None) or found).is_loopback:
        return ["*"]
    return list(dict.fromkeys([*_LOOPBACK, in_url(host).lower(), in_url(address)]))


def in_url(host: str) -> str:
    """Returns a host as written in a URL, with brackets around an IPv6 address."""
    return f"[{host}]" if ":" in host else host


SECONDS = 10.0
_BUCKET = re.compile(r"\w+://[^/\s]+")
_told: set[str] = set()  # buckets already reported: many workers and files wait for the same one


@contextlib.contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Prints a line on standard error if the block takes longer than SECONDS.

    Args:
        what: a place, or an action that mentions one; nothing is printed if it does not mention a store.
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
        line = f"gistmill: no response from {bucket} for {SECONDS:g} s; retrying, possibly for several minutes"
        print(printable(line), file=sys.stderr, flush=True)


_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


def is_name(text: str) -> bool:
    """Whether a text is a valid name for a configuration, split, format or file."""
    return _NAME.fullmatch(text) is not None


def is_path(text: str) -> bool:
    """Whether a text is a valid path of a file in a dataset: names separated by slashes."""
    return all(map(is_name, text.split("/")))


def inside(folder: str | os.PathLike[str], path: str) -> str:
    """Returns the path of a file in a local folder, with links resolved. The folder itself may be a link.

    Args:
        folder: the folder.
        path: path relative to the folder; the file need not exist.

    Raises:
        OSError: a link points outside the folder, or the file is a device or pipe, which might never end.
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
        return found  # opening it will report the error
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(f"{path} is neither a file nor a folder")
    return found
