"""Profiles of WikiTransfer as YAML: those that come with gistmill (the files beside this one), and users' own."""
from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from rules.wikitransfer.profile import Profile, profile_of

BUILT_IN = ("cnndm", "xsum", "reddit", "bigpatent")


def profiles(value: Any) -> tuple[dict[str, Any], ...]:
    """Reads a comma list, or a YAML list, of names of BUILT_IN and of files; a YAML list may hold profiles themselves.

    Returns each profile as a mapping with all its values, so that they are in the manifest.

    Raises:
        ValueError: one line on what is wrong, and in which profile.
    """
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    found = [_profile(p) for p in parts]
    names = [p.name for p in found]
    if not found:
        raise ValueError("expected at least one profile")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two profiles have the name {name!r}")
    return tuple(p.to_values() for p in found)


def dump_profile(profile: Profile) -> str:
    """Returns the profile as the content of a file."""
    return yaml.safe_dump(profile.to_values(), sort_keys=False)


def _profile(part: Any) -> Profile:
    if isinstance(part, Mapping):
        return _checked(part, f"profile {part.get('name', part)!r}", "")
    name = part.strip() if isinstance(part, str) else ""
    if name in BUILT_IN:
        return _checked(yaml.safe_load(files(__name__).joinpath(f"{name}.yaml").read_bytes()), name, name)
    if not name.endswith((".yaml", ".yml")):
        near = difflib.get_close_matches(name, BUILT_IN, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"expected {', '.join(BUILT_IN)} or a .yaml file{hint}")
    try:
        values = yaml.safe_load(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{name} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, Mapping):
        raise ValueError(f"{name} does not hold a profile")
    return _checked(values, name, Path(name).stem)


def _checked(values: Mapping[str, Any], where: str, name: str) -> Profile:
    named = {"name": name, **values} if name else values
    try:
        return profile_of({str(k).replace("-", "_"): v for k, v in named.items()})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
