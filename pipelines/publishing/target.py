"""Targets of a dataset: a folder of this machine, or a place in an object store.

Each has its checks, the workspace that suits it, and its way to publish.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apache_beam.io.filesystems import FileSystems

from gistmill.core.manifest import MANIFEST, Manifest, ManifestError, PublishedFile
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import JobFailed, OutputExists, WorkspaceError
from gistmill.pipelines.publishing.publication import (
    AT_TOP,
    Publication,
    Published,
    PublishError,
    publish_at,
    published_file,
    summary,
)
from gistmill.pipelines.workspaces.lease import SETTLING_SECONDS, Lease
from gistmill.pipelines.workspaces.local import Workspace, check_is_utf8, local_path
from gistmill.pipelines.workspaces.own import new_run_id
from gistmill.pipelines.workspaces.own import prefix_of as names_prefix_of
from gistmill.pipelines.workspaces.remote import RemoteRoot
from gistmill.pipelines.workspaces.swap import put_in_place, sync_file, sync_folder, write_synced
from gistmill.transforms.io import create, is_url, read_chunks, sha256_of
from gistmill.transforms.sinks.shards import ShardFile, published_name


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


DATA = "data-"


def check_store_output(output: str, *, overwrite: bool) -> None:
    """Checks that a dataset may be put at the URL ``output``.

    Raises:
        OutputExists: a dataset is there and ``overwrite`` is false, or something is there that is not a dataset.
        StoreError: the store or the bucket does not answer, or denies access.
    """
    names = {n.removeprefix(f"{output}/") for n in store.retrying(f"read {output}", lambda: store.names_below(output))}
    if MANIFEST in names:
        if not overwrite:
            raise OutputExists(f"{output} holds a dataset; --overwrite replaces it")
    elif strange := sorted(n for n in names if not n.startswith(DATA) and n not in AT_TOP):
        raise OutputExists(f"{output} holds {strange[0]} and no dataset ({MANIFEST} is missing); choose another place")


def upload(
    root: str, output: str, publication: Publication, *, run_id: str, still_ours: Callable[[], None]
) -> Published:
    """Publishes what the pipeline left in the workspace ``root`` (a folder or a URL) at the URL ``output``.

    Args:
        root: root of the workspace.
        output: URL of the dataset.
        publication: what is to be published.
        run_id: names the prefix of the files; no other run has it.
        still_ours: raises when another run has taken this one for dead and begun to write.

    Raises: as ``publish_at``.
    """
    return publish_at(_Prefix(output, run_id, still_ours), root, publication)


def prefix_of(run_id: str) -> str:
    """Where a run puts its files, inside the output."""
    return f"{DATA}{run_id}/"


class _Prefix:
    """A prefix of a store, as a Place."""

    def __init__(self, output: str, run_id: str, still_ours: Callable[[], None]) -> None:
        self.output = output
        self._prefix = prefix_of(run_id)
        self._still_ours = still_ours
        self._at_top: dict[str, str] = {}  # URL -> text; readers of the old dataset see these names

    def check(self, *, overwrite: bool) -> None:
        check_store_output(self.output, overwrite=overwrite)

    def begin(self) -> None:
        """The prefix is new; a run that has lost its lease writes nothing there."""
        self._still_ours()

    def take_in(self, shard: ShardFile) -> PublishedFile:
        """Copies the shard and reads it back."""
        path = self._prefix + published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
        url = f"{self.output}/{path}"

        def copy() -> None:
            if shard.path.partition("://")[0] == url.partition("://")[0]:
                FileSystems.copy([shard.path], [url])
            else:
                with create(url) as file:
                    for chunk in read_chunks(shard.path):
                        file.write(chunk)
            if sha256_of(url) != shard.sha256:
                raise PublishError(f"{url} does not hold the bytes that were written")

        store.retrying(f"publish {url}", copy)
        return published_file(shard, path)

    def write(self, name: str, text: str) -> PublishedFile:
        path = name if name in AT_TOP else f"{self._prefix}{name}"
        url = f"{self.output}/{path}"
        if name in AT_TOP:
            self._at_top[url] = text
        else:
            store.write_text(url, text)
        data = text.encode("utf-8", "backslashreplace")
        return PublishedFile(path=path, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())

    def finish(self, manifest: str, files: Sequence[PublishedFile]) -> None:
        self._still_ours()
        for url, text in {**self._at_top, f"{self.output}/{MANIFEST}": manifest}.items():
            store.write_text(url, text)
        # what an old dataset, or a run that died while it published, has left
        known = {f"{self.output}/{f.path}" for f in files} | {f"{self.output}/{MANIFEST}"}
        store.remove(n for n in store.names_below(self.output) if n not in known)


LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Publishes the workspace ``root`` at ``output``, both URLs, as the run ``run_id``, to which the launcher has left
    ``lease`` (the URL of the object). It travels in the graph.
    """

    root: str
    output: str
    run_id: str
    lease: str
    publication: Publication
    settling: float = SETTLING_SECONDS

    def __call__(self, results: str) -> str:
        """Publishes, then removes the workspace. Once is enough: a second call, as after a worker that died before it
        could say that it was done, finds the dataset and returns.

        Args:
            results: what the step before has written; that it was is all that matters.

        Returns:
            A line for the log.

        Raises:
            ConservationError, DamagedInputError, EmptyDatasetError, OutputExists, PublishError, StoreError, BusyError:
                nothing was published; what is in the workspace stays for ``--resume``.
        """
        lease = Lease.take(self.lease, run_id=self.run_id, settling=self.settling)
        try:
            if self._published():
                line = f"{self.output}: published before"
            else:
                line = summary(
                    upload(self.root, self.output, self.publication, run_id=self.run_id, still_ours=lease.check)
                )
            RemoteRoot(self.root, "").close()
        finally:
            lease.release()
        LOG.info("%s", line)
        return line

    def _published(self) -> bool:
        there = store.read_json(f"{self.output}/{MANIFEST}")
        try:
            files = Manifest.from_json(there).files if there is not None else ()
        except ManifestError:  # another gistmill's; this run would have written one that it can read
            return False
        return any(f.path.startswith(prefix_of(self.run_id)) for f in files)


class LocalTarget:
    """A folder of this machine."""

    def __init__(self, output: str) -> None:
        self._output = output

    def check(self, *, overwrite: bool) -> None:
        """Raises OutputExists, WorkspaceError or StoreError when nothing can be published there."""
        check_output(self._output, overwrite=overwrite)

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> LocalHold:
        """Makes or resumes a workspace. Raises WorkspaceError or StoreError."""
        created = Workspace.create(self._output, fingerprint=fingerprint, temp_dir=temp_dir, resume=resume)
        return LocalHold(created)


class LocalHold:
    """A workspace whose dataset goes to a folder of this machine."""

    def __init__(self, workspace: Workspace) -> None:
        self.note = workspace.note
        self._workspace = workspace

    @property
    def root(self) -> str | os.PathLike[str]:
        """Folder or URL that the transforms get."""
        return self._workspace.root

    def publish(self, publication: Publication) -> Published:
        """Publishes what the pipeline left in the workspace. Raises as ``publish_at``."""
        return publish(self._workspace, publication)

    def publisher(self, publication: Publication) -> Publisher:
        """Returns the last step of a graph, for a job that no driver waits for. Raises JobFailed for a folder."""
        raise JobFailed("a job that no driver waits for cannot publish in a folder of this machine")

    def leave(self, job: str) -> None:
        """Nothing ends the hold but ``close``."""

    def close(self, *, keep: bool = False) -> str:
        """Ends the hold; with ``keep`` what ``--resume`` can use stays, and a line says so."""
        return self._workspace.close(keep=keep)


class StoreTarget:
    """A place in an object store.

    Args:
        output: URL of the dataset.
        workers_elsewhere: the workers are not on this machine, so the workspace has to be in the store too.
    """

    def __init__(self, output: str, *, workers_elsewhere: bool) -> None:
        self._output = output.rstrip("/")
        self._elsewhere = workers_elsewhere
        check_is_utf8(output, "--output")
        scheme, _, path = self._output.partition("://")
        self._parent, _, self._name = path.rpartition("/")
        if not self._parent or not self._name:
            raise WorkspaceError(f"--output {output}: name a folder inside the bucket, like {scheme}://bucket/corpus")
        self._parent = f"{scheme}://{self._parent}"

    def check(self, *, overwrite: bool) -> None:
        check_store_output(self._output, overwrite=overwrite)

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> StoreHold:
        run_id = new_run_id()
        # who resumes says that the job before is dead
        lease = Lease.take(f"{self._parent}/{names_prefix_of(self._name)}lease.json", run_id=run_id, from_left=resume)
        try:
            return StoreHold(self._output, lease, run_id, self._inner(run_id, fingerprint, temp_dir, resume))
        except BaseException:
            lease.release()
            raise

    def _inner(
        self, run_id: str, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool
    ) -> Workspace | RemoteRoot:
        if temp_dir is not None and not is_url(temp_dir) and self._elsewhere:
            raise WorkspaceError(f"--temp-dir {temp_dir}: the workers are on other machines; name a place in the store")
        if self._elsewhere or (temp_dir is not None and is_url(temp_dir)):
            parent = (temp_dir or self._parent).rstrip("/")
            # in a shared place the output's whole URL tells whose the folder is
            return RemoteRoot.create(parent, self._key(), run_id=run_id, fingerprint=fingerprint, resume=resume)
        place = Path(temp_dir or tempfile.gettempdir()) / self._key()
        return Workspace.create(place, fingerprint=fingerprint, resume=resume)

    def _key(self) -> str:
        return f"{self._name}-{hashlib.blake2b(self._output.encode(), digest_size=6).hexdigest()}"


Target = LocalTarget | StoreTarget  # where a dataset goes


class StoreHold:
    """A workspace, here or in the store, whose dataset goes to the store, with the lease on the output."""

    def __init__(self, output: str, lease: Lease, run_id: str, inner: Workspace | RemoteRoot) -> None:
        self.note = inner.note
        self._output, self._lease, self._run_id, self._inner = output, lease, run_id, inner

    @property
    def root(self) -> str | os.PathLike[str]:
        return self._inner.root

    def publish(self, publication: Publication) -> Published:
        root, still_ours = str(self.root), self._lease.check
        return upload(root, self._output, publication, run_id=self._run_id, still_ours=still_ours)

    def publisher(self, publication: Publication) -> Publisher:
        return Publisher(
            root=str(self.root),
            output=self._output,
            run_id=self._run_id,
            lease=self._lease.path,
            publication=publication,
        )

    def leave(self, job: str) -> None:
        self._lease.leave(job)

    def close(self, *, keep: bool = False) -> str:
        try:
            return self._inner.close(keep=keep)
        finally:
            self._lease.release()


Held = LocalHold | StoreHold  # a workspace that is held until `close`


def target_of(output: str, *, workers_elsewhere: bool) -> Target:
    """Returns the target that ``--output`` names."""
    return StoreTarget(output, workers_elsewhere=workers_elsewhere) if is_url(output) else LocalTarget(output)
