"""The parts of an annotation that a later run may take over: what decides the result of each, as manifests record it.

Two runs with an equal Part make equal results of equal texts: packages, Gistmill among them, models and options are the
same. The arithmetic (``core/arithmetic.py``) has its own entry in the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gistmill.core.json_value import Count, FromJson

CLEAN, PARSE, COREFERENCE = "clean", "parse", "coreference"
_SHOWN = 12  # digits of a SHA-256


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(FromJson):
    """What decides a part of an annotation.

    Attributes:
        packages: versions of Gistmill, of Python and of the packages that do it.
        options: their values by name.
        models: SHA-256 of the files of each model, by name.
    """

    packages: Mapping[str, str]
    options: Mapping[str, Any]
    models: Mapping[str, str]


def difference(old: Part | None, new: Part) -> str:
    """Returns in words the first thing in which two parts differ, "" where they are equal."""
    if old is None:
        return "it does not say what made it"
    if old.models != new.models:
        return f"the model differs: {_models(new)}, and there {_models(old)}"
    for what, before, after in (("option", old.options, new.options), ("package", old.packages, new.packages)):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                return f"the {what} {name} differs: {_shown(after.get(name))}, and there {_shown(before.get(name))}"
    return ""


def _models(part: Part) -> str:
    named = [f"{name} (SHA-256 {sha256[:_SHOWN]}...)" for name, sha256 in sorted(part.models.items())]
    return " and ".join(named) or "none"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "nothing" if value in (None, "") else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


REUSE: Final = "reuse"  # the group of these counts of documents
REUSED: Final = "reused"  # nothing of the document was parsed
REVISED: Final = "revised"  # some of its paragraphs were
PARSED: Final = "parsed"  # all of them were


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseEntry(FromJson):
    """What a manifest says of it.

    Attributes:
        dataset: the older dataset: its URL, or the last part of its local path.
        sha256: of its manifest.json, in hexadecimal digits.
        documents: how many were REUSED, REVISED and PARSED.
    """

    dataset: str
    sha256: str
    documents: Mapping[str, Count]

    def __str__(self) -> str:
        reused, revised, parsed = (f"{self.documents.get(kind, 0):,}" for kind in (REUSED, REVISED, PARSED))
        return f"{reused} came from {self.dataset}, {revised} were parsed in part, {parsed} whole"
