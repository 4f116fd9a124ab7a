"""Versions and checksums for the manifest: they decide the bytes of a dataset besides configuration and input."""

from __future__ import annotations

import hashlib
import platform
from importlib.resources import files

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
