"""Datasets that benchmarks make on the spot, with manifests as published ones have them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.statistics import Column


def entry(folder: Path, path: str, rows: int) -> PublishedFile:
    """Returns the entry of the shard ``CONFIG/parquet/SPLIT-00000-of-00001.parquet`` of a folder."""
    data = (folder / path).read_bytes()
    config, _, name = path.split("/")
    return PublishedFile(
        path=path,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        rows=rows,
        config=config,
        split=name.partition("-")[0],
        format="parquet",
    )


def write_manifest(folder: Path, files: Sequence[PublishedFile], columns: Sequence[Column]) -> None:
    """Writes the manifest of a dataset with one configuration, whose shards are there."""
    empty: dict[str, Any] = dict.fromkeys(("models", "evaluation", "sources", "damage"), ())
    empty |= {n: {} for n in ("configuration", "versions", "machine_dependent")}
    empty |= dict.fromkeys(("code_version", "runner", "licence", "attribution"), "")
    rows: dict[str, int] = {}
    for file in files:
        rows[file.split] = rows.get(file.split, 0) + (file.rows or 0)
    now, config = datetime(2026, 1, 1, tzinfo=UTC), files[0].config
    manifest = Manifest(
        recipe="made",
        start=now,
        end=now,
        counts={f"rows/{config}": rows},
        columns={config: tuple(columns)},
        files=tuple(files),
        **empty,
    )
    (folder / MANIFEST).write_text(json.dumps(manifest.to_json()), encoding="utf-8")
