"""Manifests and datasets made by hand."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gistmill.core.manifest import Manifest, PublishedFile


def made_manifest(**changes: Any) -> Manifest:
    """A manifest of a dataset without rows, but for ``changes``."""
    values: dict[str, Any] = {
        "recipe": "discofuse",
        "configuration": {},
        "code_version": "0.1.0",
        "versions": {},
        "models": (),
        "runner": "FnApiRunner",
        "start": datetime(2026, 1, 1, tzinfo=UTC),
        "end": datetime(2026, 1, 1, 1, tzinfo=UTC),
        "licence": "",
        "attribution": "",
        "evaluation": (),
        "sources": (),
        "damage": (),
        "counts": {},
        "machine_dependent": {},
        "columns": {},
        "files": (),
    }
    return Manifest(**values | changes)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Puts a manifest into a folder."""
    (folder / "manifest.json").write_text(json.dumps(manifest.to_json()), encoding="utf-8")


def shard(folder: Path, path: str, *, rows: int) -> PublishedFile:
    """The manifest's entry of a shard that is there; ``path`` is as in CONFIG/FORMAT/SPLIT-00000-of-00001."""
    config, form, name = path.split("/")[-3:]
    data = (folder / path).read_bytes()
    return PublishedFile(
        path=path,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        rows=rows,
        config=config,
        split=name.partition("-")[0],
        format=form,
    )
