"""Public names of places on a machine or in a store: a published file says enough to recognise a place, and no more."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence

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
        Of a local path or glob, the last part. A URL as it is, but for user and password and, of ``http`` and
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
