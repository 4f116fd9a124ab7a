"""What the publisher needs besides a workspace."""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gistmill.pipelines.place import LocalPlace
from gistmill.pipelines.publication import Publication, Published, publish
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from tests.transforms.sinks.made import FORMATS, SCHEMA, elements, run

INFO = RunInfo(
    recipe="discofuse",
    title="A <small> fusion corpus",
    description="Sentences that fuse | or not.",
    config={"shards": 2},
    code_version="0.1.0",
    versions={"beam": "2.77.0"},
    models=({"name": "m", "sha256": "00"},),
    runner="local",
    start=datetime(2026, 1, 1, tzinfo=UTC),
    licence="cc-by-sa-4.0",
    attribution="Text from Wikipedia, CC BY-SA 4.0.",
)


@functools.cache
def _pipeline_output(documents: int, tag: str, formats: tuple[str, ...], shards: int) -> Path:
    """A workspace whose pipeline has run; the tests of publishing share it, each with a copy of its own."""
    folder = Path(tempfile.mkdtemp(prefix="gistmill-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    run(folder, list(elements(range(documents), tag=tag)), formats=formats, shards=shards)
    return folder


def locked(output, **options):
    """The place of an output, with a workspace; ``note`` is what was said of it."""
    place = LocalPlace(output)
    place.note = place.lock(**{"fingerprint": {}, **options})
    return place


def die(place):
    """The end of a process that could not clean up: its lock goes, its folders stay."""
    os.close(place._lock)
    place._lock = None


def finish_pipeline(
    root: str | os.PathLike[str],
    *,
    documents: int = 40,
    tag: str = "",
    formats: Sequence[str] = FORMATS,
    shards: int = 2,
) -> None:
    """Puts into a workspace what a pipeline over made-up documents leaves there."""
    made = _pipeline_output(documents, tag, tuple(formats), shards)
    shutil.copytree(made / "shards", Path(root, "shards"), dirs_exist_ok=True)
    value = read_json(WorkspaceLayout(str(made)).results)
    for shard in value["shards"]:
        shard["path"] = str(Path(root, "shards", Path(shard["path"]).name))
    write_json(WorkspaceLayout(str(root)).results, value)


def build(
    output: Path,
    *,
    documents: int = 40,
    tag: str = "",
    overwrite: bool = False,
    formats: Sequence[str] = FORMATS,
    stream: Sequence[Any] | None = None,
    temp_dir: Path | None = None,
    shards: int = 2,
    allow_truncated: bool = False,
    allow_empty: bool = False,
) -> Published:
    """A whole run: workspace, pipeline, publishing. With ``stream`` the pipeline runs over that."""
    place = locked(output, temp_dir=temp_dir, fingerprint={"tag": tag})
    try:
        if stream is None:
            finish_pipeline(place.root, documents=documents, tag=tag, formats=formats, shards=shards)
        else:
            run(place.root, stream, formats=formats, shards=shards)
        publication = Publication(
            schema=SCHEMA,
            formats=formats,
            run=INFO,
            overwrite=overwrite,
            allow_truncated=allow_truncated,
            allow_empty=allow_empty,
        )
        return publish(place, publication)
    finally:
        place.drop()


def check_whole(folder: Path) -> dict[str, Any]:
    """Asserts that a dataset is exactly what its manifest says, and returns the manifest."""
    content = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for file in content["files"]:
        data = (folder / file["path"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file["bytes"], file["sha256"]), file["path"]
    found = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert found == {f["path"] for f in content["files"]} | {"manifest.json"}
    return content
