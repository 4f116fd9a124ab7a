"""From finished shards to a dataset: checked, described, and put in place in one step."""
from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipelines.running.card import card
from pipelines.running.conservation import check_conservation, check_damage
from pipelines.running.manifest import PublishedFile, RunInfo, manifest
from pipelines.running.report import report
from pipelines.running.stats import statistics
from pipelines.running.swap import put_in_place, sync_file, sync_folder, write_synced
from pipelines.running.workspace import Workspace, local_path
from transforms.sinks.files import sha256_of
from transforms.sinks.formats import published_name
from transforms.sinks.merge import ShardFile
from transforms.sinks.results import Results, read_results
from transforms.sinks.schema import DatasetSchema

MANIFEST = "manifest.json"
CARD = "README.md"


class OutputExistsError(RuntimeError):
    """The output cannot be written, because of what is there; the text is one line for the user."""


class PublishError(RuntimeError):
    """A shard is not there, or not as it was written."""


@dataclass(frozen=True, slots=True)
class Published:
    """A published dataset: its folder or URL, and the content of its manifest."""

    folder: Path | str
    manifest: Mapping[str, Any]


def summary(published: Published) -> str:
    """Returns a line that says what was published, and what became of the documents."""
    counts = published.manifest["counts"]
    documents, refused = counts.get("documents", {}), counts.get("documents/rejected", {})
    rows = {k.removeprefix("rows/"): sum(v.values()) for k, v in counts.items() if k.startswith("rows/")}
    made = ", ".join(f"{n:,} rows in {config}" for config, n in sorted(rows.items())) or "no rows"
    return (f"{published.folder}: {documents.get('read', 0):,} documents read, {documents.get('used', 0):,} used, "
            f"{sum(refused.values()):,} rejected; {made}")


def check_output(output: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Checks that a dataset may be put at ``output``; worth asking before hours of work.

    Raises:
        OutputExistsError: a dataset is there and ``overwrite`` is false, or something is there that is no dataset.
        WorkspaceError: it is not a local path.
    """
    place = local_path(output, "--output")
    if (place / MANIFEST).is_file():
        if not overwrite:
            raise OutputExistsError(f"{place} holds a dataset; --overwrite replaces it")
    elif place.is_dir():
        if any(place.iterdir()):
            raise OutputExistsError(f"{place} is not empty and holds no dataset ({MANIFEST} is missing); "
                                    "choose another folder or remove it")
    elif place.exists():
        raise OutputExistsError(f"{place} is not a folder")


def publish(workspace: Workspace, *, schema: DatasetSchema, formats: Sequence[str], run: RunInfo,
            overwrite: bool = False, allow_truncated: bool = False) -> Published:
    """Publishes what the pipeline left in the work space at ``workspace.output``. A replaced dataset is left in the
    work space, which the caller closes.

    Raises:
        ConservationError, DamagedInputError, OutputExistsError, PublishError: nothing was published.
    """
    results = read_results(str(workspace.root))
    check_damage(results.damage, allow_truncated=allow_truncated)
    check_conservation(results, formats=formats)
    check_output(workspace.output, overwrite=overwrite)
    staging = workspace.staging
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    files = [_take_in(shard, staging) for shard in results.shards]
    for name, text in descriptions(results, run=run, schema=schema, files=files).items():
        path = staging / name
        write_synced(path, text)
        files.append(PublishedFile(path=name, bytes=path.stat().st_size, sha256=sha256_of(str(path))))
    for folder, _, _ in os.walk(staging):
        sync_folder(Path(folder))
    content = manifest(results, run=run, schema=schema, files=files, end=datetime.now(UTC))
    write_synced(staging / MANIFEST, as_json(content))
    put_in_place(staging, workspace.output, aside=workspace.aside)
    return Published(workspace.output, content)


def descriptions(results: Results, *, run: RunInfo, schema: DatasetSchema,
                 files: Sequence[PublishedFile]) -> dict[str, str]:
    """Returns the texts that describe a dataset of these shards, by file name."""
    return {
        CARD: card(results, run=run, schema=schema, files=files),
        "stats.json": as_json(statistics(results.counts)),
        "report.html": report(results, run=run),
    }


def _take_in(shard: ShardFile, staging: Path) -> PublishedFile:
    """Moves a shard to its place in the dataset."""
    name = published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
    place = staging / name
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        try:
            os.rename(shard.path, place)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            shutil.copyfile(shard.path, place)  # the work space is on another file system
    except FileNotFoundError as error:
        raise PublishError(f"the shard {shard.path} ({name}) has vanished") from error
    sync_file(place)
    if place.stat().st_size != shard.bytes or sha256_of(str(place)) != shard.sha256:
        raise PublishError(f"{name} does not hold the bytes that were written; nothing was published")
    return PublishedFile(path=name, bytes=shard.bytes, sha256=shard.sha256, rows=shard.rows, config=shard.config,
                         split=shard.split, format=shard.format)


def as_json(value: Any) -> str:
    """Returns JSON as the files of a dataset have it."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n"
