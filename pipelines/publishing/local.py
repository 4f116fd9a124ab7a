"""Publishing in a folder of this machine: files are staged in the workspace, and renamed into place together."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from gistmill.core.manifest import MANIFEST
from gistmill.core.manifest_entries import PublishedFile
from gistmill.pipelines.errors import OutputExists
from gistmill.pipelines.publishing.publication import Publication, Published, PublishError, publish_at, published_file
from gistmill.pipelines.workspaces.errors import WorkspaceError
from gistmill.pipelines.workspaces.local import Workspace, local_path
from gistmill.pipelines.workspaces.swap import put_in_place, sync_file, sync_folder, write_synced
from gistmill.transforms.io import sha256_of
from gistmill.transforms.sinks.formats import published_name
from gistmill.transforms.sinks.shards import ShardFile


def check_output(output: str | os.PathLike[str], *, overwrite: bool) -> None:
    """Checks that a dataset may be put at ``output``; worth asking before hours of work.

    Raises:
        OutputExists: a dataset is there and ``overwrite`` is false, or something is there that is not a dataset.
        WorkspaceError: it is not a local path, or may not be replaced.
    """
    place = local_path(output, "--output")
    if (place / MANIFEST).is_file():
        if not overwrite:
            raise OutputExists(f"{place} holds a dataset; --overwrite replaces it")
        if not os.access(place, os.W_OK):
            raise WorkspaceError(f"{place} cannot be replaced: there is no permission to write in it")
    elif place.is_dir():
        if any(place.iterdir()):
            raise OutputExists(
                f"{place} is not empty and does not hold a dataset ({MANIFEST} is missing); "
                "choose another folder or remove it"
            )
    elif place.exists():
        raise OutputExists(f"{place} is not a folder")


def publish(workspace: Workspace, publication: Publication) -> Published:
    """Publishes what the pipeline left in the workspace at ``workspace.output``. A replaced dataset is left in the
    workspace, which the caller closes. Raises as ``publish_at``."""
    return publish_at(_Folder(workspace), str(workspace.root), publication)


class _Folder:
    """A folder of this machine, as a Place."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._staging = workspace.staging

    @property
    def output(self) -> Path:
        return self._workspace.output

    def check(self, *, overwrite: bool) -> None:
        check_output(self.output, overwrite=overwrite)

    def begin(self) -> None:
        shutil.rmtree(self._staging, ignore_errors=True)
        self._staging.mkdir()

    def take_in(self, shard: ShardFile) -> PublishedFile:
        """Moves the shard."""
        name = published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
        place = self._staging / name
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            try:
                os.rename(shard.path, place)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                shutil.copyfile(shard.path, place)  # the workspace is on another file system
        except FileNotFoundError as error:
            raise PublishError(f"the shard {shard.path} ({name}) has vanished") from error
        sync_file(place)
        if place.stat().st_size != shard.bytes or sha256_of(str(place)) != shard.sha256:
            raise PublishError(f"{name} does not hold the bytes that were written; nothing was published")
        return published_file(shard, name)

    def write(self, name: str, text: str) -> PublishedFile:
        path = self._staging / name
        write_synced(path, text)
        return PublishedFile(path=name, bytes=path.stat().st_size, sha256=sha256_of(str(path)))

    def finish(self, manifest: str, files: Sequence[PublishedFile]) -> None:
        for folder, _, _ in os.walk(self._staging):
            sync_folder(Path(folder))
        write_synced(self._staging / MANIFEST, manifest)
        put_in_place(self._staging, self.output, aside=self._workspace.aside)
