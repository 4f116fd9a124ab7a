"""Where a dataset goes: a folder of this machine, or a place in an object store; each knows its checks, the work space
that suits it, and how to publish there.
"""
from __future__ import annotations

import hashlib
import os
import tempfile
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pipelines.running import store
from pipelines.running.lease import Lease
from pipelines.running.left import Publisher
from pipelines.running.publish import Published, check_output, publish
from pipelines.running.store_workspace import RemoteRoot
from pipelines.running.upload import check_store_output, upload
from pipelines.running.workspace import Workspace, WorkspaceError


class Held(Protocol):
    """A work space that is held until ``close``."""

    @property
    def root(self) -> str | os.PathLike[str]:
        """Folder or URL that the transforms get."""

    note: str

    def close(self, *, keep: bool = False) -> str:
        """Ends the hold; with ``keep`` what ``--resume`` can use stays, and a line says so."""


class Target(Protocol):
    """Where a dataset goes."""

    def check(self, *, overwrite: bool) -> None:
        """Raises OutputExistsError, WorkspaceError or StoreError when nothing can be published there."""

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> Held:
        """Makes or resumes a work space. Raises WorkspaceError or StoreError."""

    def publish(self, workspace: Held, **options: Any) -> Published:
        """Publishes what the pipeline left in the work space; options as for ``publish``."""


class LocalTarget:
    """A folder of this machine."""

    def __init__(self, output: str) -> None:
        self._output = output

    def check(self, *, overwrite: bool) -> None:
        """See Target."""
        check_output(self._output, overwrite=overwrite)

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> Workspace:
        """See Target."""
        return Workspace.create(self._output, fingerprint=fingerprint, temp_dir=temp_dir, resume=resume)

    def publish(self, workspace: Workspace, **options: Any) -> Published:
        """See Target."""
        return publish(workspace, **options)


class StoreTarget:
    """A place in an object store.

    Args:
        output: URL of the dataset.
        workers_elsewhere: the workers are not on this machine, so the work space has to be in the store too.
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

    def open(self, *, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> StoreWorkspace:
        """See Target."""
        run_id = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"
        # who resumes says that the job before is dead
        lease = Lease.take(f"{self._parent}/.{self._name}.gistmill-lease.json", run_id=run_id, from_left=resume)
        try:
            return StoreWorkspace(lease, run_id, self._inner(run_id, fingerprint, temp_dir, resume))
        except BaseException:
            lease.release()
            raise

    def _inner(self, run_id: str, fingerprint: Mapping[str, Any], temp_dir: str | None, resume: bool) -> Held:
        if temp_dir is not None and not store.is_url(temp_dir) and self._elsewhere:
            raise WorkspaceError(f"--temp-dir {temp_dir}: the workers are on other machines; name a place in the store")
        if self._elsewhere or temp_dir is not None and store.is_url(temp_dir):
            parent = (temp_dir or self._parent).rstrip("/")
            # in a shared place the output's whole URL tells whose the folder is
            return RemoteRoot.create(parent, self._key(), run_id=run_id, fingerprint=fingerprint, resume=resume)
        place = Path(temp_dir or tempfile.gettempdir()) / self._key()
        return Workspace.create(place, fingerprint=fingerprint, resume=resume)

    def _key(self) -> str:
        return f"{self._name}-{hashlib.blake2b(self._output.encode(), digest_size=6).hexdigest()}"

    def publisher(self, workspace: StoreWorkspace, **options: Any) -> Publisher:
        """Returns what the last step of a graph does when nobody waits for the job; options as for ``publish``."""
        return Publisher(root=str(workspace.root), output=self._output, run_id=workspace.run_id,
                         lease=workspace.lease.path, **options)

    def publish(self, workspace: StoreWorkspace, **options: Any) -> Published:
        """See Target."""
        return upload(str(workspace.root), self._output, run_id=workspace.run_id, still_ours=workspace.lease.check, **options)


class StoreWorkspace:
    """A work space, here or in the store, with the lease on the output."""

    def __init__(self, lease: Lease, run_id: str, inner: Held) -> None:
        self.lease = lease
        self.run_id = run_id
        self.note = inner.note
        self._inner = inner

    @property
    def root(self) -> str | os.PathLike[str]:
        """Folder or URL that the transforms get."""
        return self._inner.root

    def leave(self, job: str) -> None:
        """Leaves the work space and the lease to ``job``, whose last step ends both (``Publisher``)."""
        self.lease.leave(job)

    def close(self, *, keep: bool = False) -> str:
        """See Held."""
        try:
            return self._inner.close(keep=keep)
        finally:
            self.lease.release()


def target_of(output: str, *, workers_elsewhere: bool) -> Target:
    """Returns the target that ``--output`` names."""
    return StoreTarget(output, workers_elsewhere=workers_elsewhere) if store.is_url(output) else LocalTarget(output)
