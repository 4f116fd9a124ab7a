"""Publishing when no driver waits for a job: the launcher of a Dataflow template builds the graph and ends, so the last
step of the graph publishes, from a worker.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from gistmill.core.manifest import MANIFEST, Manifest, ManifestError
from gistmill.pipelines import stores as store
from gistmill.pipelines.publishing.publication import Publication, summary
from gistmill.pipelines.publishing.remote import prefix_of, upload
from gistmill.pipelines.workspaces.lease import SETTLING_SECONDS, Lease
from gistmill.pipelines.workspaces.remote import RemoteRoot

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
