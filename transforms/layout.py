"""Names inside a run's workspace."""

from __future__ import annotations

import uuid

from gistmill.transforms.io import join

LOCK = "lock"


class WorkspaceLayout:
    """Where everything is in the workspace ``root``, a folder or a URL that Beam's file systems know.

    Attributes:
        lock: file that says which output the workspace is of; held by the driver with flock while it lives.
        fingerprint: file of what has to be equal for ``--resume``.
        results: file written last by the pipeline, read by the publisher.
        spool: folder of the chunks of inputs that cannot be read in parts.
        spills: folder of the spills.
        ranges: folder of the markers of finished ranges.
        progress: folder of the workers' heartbeats.
        shards: folder of the finished shards.
        sketches: folder for results of a first pass: sketches, scores, and documents until it is known which of them
            stay.
        duplicates: folder of the duplicates found, a file for each range.
        comparison: folder for data passed between the steps of a search over all documents.
        evaluation: folder of the n-grams of evaluation texts.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.lock, self.fingerprint, self.results = (join(root, n) for n in (LOCK, "fingerprint.json", "results.json"))
        self.spool, self.spills, self.ranges = (join(root, name) for name in ("spool", "spills", "ranges"))
        self.progress, self.shards, self.sketches = (join(root, name) for name in ("progress", "shards", "sketches"))
        self.duplicates, self.comparison = join(root, "duplicates"), join(root, "comparison")
        self.evaluation = join(root, "evaluation")

    def material(self, option: str) -> str:
        """Copy of the file that an option of the recipe names."""
        return join(self.root, "materials", option)

    def marker(self, range_key: str) -> str:
        """Marker of a finished range."""
        return join(self.ranges, f"{range_key}.json")

    def sketch_marker(self, range_key: str) -> str:
        """Marker of a range that a first pass has looked through."""
        return join(self.sketches, f"{range_key}.json")

    def new_sketch(self, range_key: str, extension: str) -> str:
        """A name for a file about a range's documents that no other attempt at the range will use."""
        return join(self.sketches, f"{range_key}-{uuid.uuid4().hex}.{extension}")

    def new_comparison(self, extension: str) -> str:
        """A name for a file of a search over all documents that no other attempt at the step will use."""
        return join(self.comparison, f"{uuid.uuid4().hex}.{extension}")

    def duplicates_of(self, range_key: str) -> str:
        """File that names the duplicates among the documents of a range."""
        return join(self.duplicates, f"{range_key}.json")

    def ranks_of(self, range_key: str) -> str:
        """File that says where the ranks of a range's pairs are."""
        return join(self.root, "ranks", f"{range_key}.json")

    def new_spill(self, range_key: str) -> str:
        """A name for a spill that no other attempt at the range will use."""
        return join(self.spills, f"{range_key}-{uuid.uuid4().hex}.spill")

    def new_shard(self, extension: str) -> str:
        """A name for a shard file that no other attempt at the shard will use."""
        return join(self.shards, f"{uuid.uuid4().hex}.{extension}")
