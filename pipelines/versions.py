"""What decides the bytes of a dataset besides configuration and input: versions and checksums, for the manifest."""
from __future__ import annotations

import hashlib
import platform
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from transforms.models import ModelInfo

PACKAGES = ("apache-beam", "spacy", "mwparserfromhell", "lemminflect", "pyarrow", "protobuf", "trafilatura", "lxml", "htmldate",
            "justext", "resiliparse")


def code_version() -> dict[str, str]:
    """The version of gistmill, and a SHA-256 over its sources and data files: a development tree has one too."""
    digest = hashlib.sha256()
    for room in ("rules", "transforms", "pipelines"):
        for name, content in sorted(_walk(files(room), room)):
            digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return {"gistmill": installed("gistmill"), "source_sha256": digest.hexdigest()}


def installed(package: str) -> str:
    """The version of a package, "" when it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results depend on."""
    return {"python": platform.python_version(), **{p: installed(p) for p in PACKAGES}}


def model_record(model: ModelInfo) -> dict[str, Any]:
    """What the manifest says of a spaCy model."""
    return {"name": model.name, "version": model.version, "sha256": model.digest, "files": model.files}


def data_checksums(package: str) -> dict[str, str]:
    """SHA-256 of the data files of a package, by name."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in sorted(_walk(files(package), ""))
            if not name.endswith(".py")}


def _walk(folder: Traversable, prefix: str):
    for entry in folder.iterdir():
        name = f"{prefix}/{entry.name}" if prefix else entry.name
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _walk(entry, name)
        elif not entry.name.endswith(".pyc"):
            yield name, entry.read_bytes()
