"""Profiles in YAML: the built-in ones (the files next to this module), and parsing of user-defined profiles."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import yaml

from gistmill.core.values import custom, nearest
from gistmill.rules.wikitransfer.example import Profile, profile_of

BUILT_IN = ("cnndm", "xsum", "reddit", "bigpatent")


def profiles(value: Any) -> tuple[dict[str, Any], ...]:
    """Returns each profile as a mapping with all its values.

    Args:
        value: comma-separated string, or list, of names in BUILT_IN; list items may also be mappings of values.

    Raises:
        ValueError: a profile is invalid; the message names the profile in one line.
    """
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    found = [_profile(p) for p in parts]
    names = [p.name for p in found]
    if not found:
        raise ValueError("expected at least one profile")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two profiles are named {name!r}")
    return tuple(p.to_values() for p in found)


_NAMES = f"({'|'.join(BUILT_IN)})"
PROFILES = custom(
    profiles,
    pattern=f"{_NAMES}(,{_NAMES})*",
    metavar="NAMES",
    allowed=f"{', '.join(BUILT_IN)}, or YAML files, comma-separated",
    reads_yaml=True,
)


def dump_profile(profile: Profile) -> str:
    """Returns the profile as the content of a YAML file."""
    return yaml.safe_dump(profile.to_values(), sort_keys=False)


def _profile(part: Any) -> Profile:
    if isinstance(part, Profile):
        return part
    if isinstance(part, Mapping):
        return _checked(part, f"profile {part.get('name', part)!r}")
    name = part.strip() if isinstance(part, str) else ""
    if name not in BUILT_IN:
        raise ValueError(f"expected {', '.join(BUILT_IN)} or a .yaml file{nearest(name, BUILT_IN)}")
    values = yaml.safe_load(files(__name__).joinpath(f"{name}.yaml").read_bytes())
    return _checked({"name": name, **values}, name)


def _checked(values: Mapping[str, Any], where: str) -> Profile:
    try:
        return profile_of({str(k).replace("-", "_"): v for k, v in values.items()})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
