"""Publishing when nobody waits for a job: the launcher of a Dataflow template builds the graph and goes away, so the
last step of the graph publishes, from a worker.
"""
from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.running import store
from pipelines.running.lease import SETTLING_SECONDS, Lease
from pipelines.running.manifest import RunInfo
from pipelines.running.publish import MANIFEST, summary
from pipelines.running.store_workspace import RemoteRoot
from pipelines.running.upload import prefix_of, upload
from transforms.sinks.schema import DatasetSchema

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Publishes the work space ``root`` at ``output``, both URLs, as the run ``run_id``, to which the launcher has left
    ``lease`` (the URL of the object). It travels in the graph.
    """

    root: str
    output: str
    run_id: str
    lease: str
    schema: DatasetSchema
    formats: Sequence[str]
    run: RunInfo
    overwrite: bool
    allow_truncated: bool
    settling: float = SETTLING_SECONDS

    def __call__(self, results: str) -> str:
        """Publishes, then removes the work space. Once is enough: a second call, as after a worker that died before it
        could say that it was done, finds the dataset and returns.

        Args:
            results: what the step before has written; that it was is all that matters.

        Returns:
            A line for the log.

        Raises:
            ConservationError, DamagedInputError, OutputExistsError, PublishError, StoreError, BusyError: nothing was
                published; what is in the work space stays for ``--resume``.
        """
        lease = Lease.take(self.lease, run_id=self.run_id, settling=self.settling)
        try:
            if self._published():
                line = f"{self.output}: published before"
            else:
                line = summary(upload(
                    self.root, self.output, run_id=self.run_id, still_ours=lease.check, schema=self.schema,
                    formats=self.formats, run=self.run, overwrite=self.overwrite, allow_truncated=self.allow_truncated))
            RemoteRoot(self.root, "").close()
        finally:
            lease.release()
        LOG.info("%s", line)
        return line

    def _published(self) -> bool:
        there = store.read_json(f"{self.output}/{MANIFEST}")
        files = there.get("files", ()) if isinstance(there, dict) else ()
        return any(f["path"].startswith(prefix_of(self.run_id)) for f in files)
