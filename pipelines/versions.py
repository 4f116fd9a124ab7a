"""Versions and checksums for the manifest: they decide the bytes of a dataset besides configuration and input."""

from __future__ import annotations

import hashlib
import inspect
import platform
import sys
from importlib.resources import files
from typing import Any

from gistmill.rules.recipe import Recipe
from gistmill.transforms.code import installed
from gistmill.transforms.models import package_files

PACKAGES = (
    "apache-beam",
    "spacy",
    "thinc",
    "numpy",
    "mwparserfromhell",
    "lemminflect",
    "stopwordsiso",
    "pyarrow",
    "protobuf",
    "trafilatura",
    "lxml",
    "htmldate",
    "justext",
    "resiliparse",
    "icu4py",
)


def code_version() -> dict[str, str]:
    """The version of gistmill, and a SHA-256 over its sources and data files: a development tree has one too."""
    digest = hashlib.sha256()
    for room in ("core", "rules", "published", "transforms", "pipelines"):
        for name, content in sorted(package_files(files(f"gistmill.{room}"), room)):
            digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return {"gistmill": installed("gistmill"), "source_sha256": digest.hexdigest()}


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results depend on."""
    return {"python": platform.python_version(), **{p: installed(p) for p in PACKAGES}}


def recipe_versions(recipe: type[Recipe[Any]]) -> dict[str, str]:
    """What decides about the rows of a recipe that is not part of gistmill: the version of its package, where it is
    installed under the name of its module, and a SHA-256 of the module's source, or of the class in a notebook."""
    package = recipe.__module__.partition(".")[0]
    if package == "gistmill":
        return {}
    try:
        module = sys.modules[recipe.__module__]
        source = inspect.getsource(module if getattr(module, "__file__", None) else recipe)
    except (OSError, TypeError):  # as of a class that was typed into an interpreter
        source = ""
    found = {"recipe_sha256": hashlib.sha256(source.encode()).hexdigest() if source else ""}
    return {**found, **({package: version} if (version := installed(package)) else {})}
