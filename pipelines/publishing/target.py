"""Targets of a dataset: a folder of this machine, or a place in an object store.

Each has its checks, the workspace that suits it, and its way to publish.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.publishing.local import check_output, publish
from gistmill.pipelines.publishing.publication import Publication, Published
from gistmill.pipelines.publishing.remote import check_store_output, upload
from gistmill.pipelines.publishing.unattended import Publisher
from gistmill.pipelines.workspaces.errors import WorkspaceError
from gistmill.pipelines.workspaces.lease import Lease
from gistmill.pipelines.workspaces.local import Workspace
from gistmill.pipelines.workspaces.names import new_run_id, prefix_of
from gistmill.pipelines.workspaces.remote import RemoteRoot
from gistmill.transforms.io import is_url


class Held(Protocol):
    """A workspace that is held until ``close``, and knows where its dataset goes."""

    note: str

    @property
    def root(self) -> str | os.PathLike[str]:
        """Folder or URL that the transforms get."""

    def publish(self, publication: Publication) -> Published:
        """Publishes what the pipeline left in the workspace. Raises as ``publish_at``."""

    def publisher(self, publication: Publication) -> Publisher:
        """Returns the last step of a graph, for a job that no driver waits for. Raises JobFailed for a folder."""

    def leave(self, job: str) -> None:
        """Leaves the workspace to ``job``, whose last step ends the hold (``Publisher``)."""

    def close(self, *, keep: bool = False) -> str:
        """Ends the hold; with ``keep`` what ``--resume`` can use stays, and a line says so."""


class Target(Protocol):
    """Where a dataset goes."""

    def check(self, *, overwrite: bool) -> None:
        """Raises OutputExists, WorkspaceError or StoreError when nothing can be published there."""

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> Held:
        """Makes or resumes a workspace. Raises WorkspaceError or StoreError."""


class LocalTarget:
    """A folder of this machine."""

    def __init__(self, output: str) -> None:
        self._output = output

    def check(self, *, overwrite: bool) -> None:
        """See Target."""
        check_output(self._output, overwrite=overwrite)

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> LocalHold:
        """See Target."""
        created = Workspace.create(self._output, fingerprint=fingerprint, temp_dir=temp_dir, resume=resume)
        return LocalHold(created)


class LocalHold:
    """A workspace whose dataset goes to a folder of this machine."""

    def __init__(self, workspace: Workspace) -> None:
        self.note = workspace.note
        self._workspace = workspace

    @property
    def root(self) -> str | os.PathLike[str]:
        """See Held."""
        return self._workspace.root

    def publish(self, publication: Publication) -> Published:
        """See Held."""
        return publish(self._workspace, publication)

    def publisher(self, publication: Publication) -> Publisher:
        """See Held."""
        raise JobFailed("a job that no driver waits for cannot publish in a folder of this machine")

    def leave(self, job: str) -> None:
        """See Held: nothing ends the hold but ``close``."""

    def close(self, *, keep: bool = False) -> str:
        """See Held."""
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
        scheme, _, path = self._output.partition("://")
        self._parent, _, self._name = path.rpartition("/")
        if not self._parent or not self._name:
            raise WorkspaceError(f"--output {output}: name a folder inside the bucket, like {scheme}://bucket/corpus")
        self._parent = f"{scheme}://{self._parent}"

    def check(self, *, overwrite: bool) -> None:
        """See Target."""
        check_store_output(self._output, overwrite=overwrite)

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> StoreHold:
        """See Target."""
        run_id = new_run_id()
        # who resumes says that the job before is dead
        lease = Lease.take(f"{self._parent}/{prefix_of(self._name)}lease.json", run_id=run_id, from_left=resume)
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
        if self._elsewhere or temp_dir is not None and is_url(temp_dir):
            parent = (temp_dir or self._parent).rstrip("/")
            # in a shared place the output's whole URL tells whose the folder is
            return RemoteRoot.create(parent, self._key(), run_id=run_id, fingerprint=fingerprint, resume=resume)
        place = Path(temp_dir or tempfile.gettempdir()) / self._key()
        return Workspace.create(place, fingerprint=fingerprint, resume=resume)

    def _key(self) -> str:
        return f"{self._name}-{hashlib.blake2b(self._output.encode(), digest_size=6).hexdigest()}"


class StoreHold:
    """A workspace, here or in the store, whose dataset goes to the store, with the lease on the output."""

    def __init__(self, output: str, lease: Lease, run_id: str, inner: Workspace | RemoteRoot) -> None:
        self.note = inner.note
        self._output, self._lease, self._run_id, self._inner = output, lease, run_id, inner

    @property
    def root(self) -> str | os.PathLike[str]:
        """See Held."""
        return self._inner.root

    def publish(self, publication: Publication) -> Published:
        """See Held."""
        root, still_ours = str(self.root), self._lease.check
        return upload(root, self._output, publication, run_id=self._run_id, still_ours=still_ours)

    def publisher(self, publication: Publication) -> Publisher:
        """See Held."""
        return Publisher(
            root=str(self.root),
            output=self._output,
            run_id=self._run_id,
            lease=self._lease.path,
            publication=publication,
        )

    def leave(self, job: str) -> None:
        """See Held."""
        self._lease.leave(job)

    def close(self, *, keep: bool = False) -> str:
        """See Held."""
        try:
            return self._inner.close(keep=keep)
        finally:
            self._lease.release()


def target_of(output: str, *, workers_elsewhere: bool) -> Target:
    """Returns the target that ``--output`` names."""
    return StoreTarget(output, workers_elsewhere=workers_elsewhere) if is_url(output) else LocalTarget(output)
