"""Names of files and folders in a run's workspace."""

from __future__ import annotations

import uuid

from gistmill.transforms.io import join

LOCK = "lock"


class WorkspaceLayout:
    """Paths of everything in the workspace ``root``, a folder or a URL supported by Beam's file systems.

    Attributes:
        lock: file that names the output of the run; locked by the driver with flock while it runs.
        fingerprint: file with the settings that must be unchanged for ``--resume``.
        results: file that the pipeline writes last and the publisher reads.
        spool: folder for chunks of inputs that cannot be split.
        spills: folder for spills.
        ranges: folder for markers of finished ranges.
        progress: folder for the workers' heartbeats.
        shards: folder for finished shards.
        sketches: folder for results of a first pass: sketches, scores, and documents that may still be dropped.
        duplicates: folder for lists of duplicates, one file per range.
        comparison: folder for data passed between the steps of a search over all documents.
        evaluation: folder for the n-grams of evaluation texts.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.lock, self.fingerprint, self.results = (join(root, n) for n in (LOCK, "fingerprint.json", "results.json"))
        self.spool, self.spills, self.ranges = (join(root, name) for name in ("spool", "spills", "ranges"))
        self.progress, self.shards, self.sketches = (join(root, name) for name in ("progress", "shards", "sketches"))
        self.duplicates, self.comparison = join(root, "duplicates"), join(root, "comparison")
        self.evaluation = join(root, "evaluation")

    def material(self, option: str) -> str:
        """Copy of the file specified by a recipe option."""
        return join(self.root, "materials", option)

    def marker(self, range_key: str) -> str:
        """Marker of a finished range."""
        return join(self.ranges, f"{range_key}.json")

    def sketch_marker(self, range_key: str) -> str:
        """Marker of a range finished by a first pass."""
        return join(self.sketches, f"{range_key}.json")

    def new_sketch(self, range_key: str, extension: str) -> str:
        """A new, unique path for a first pass's file about a range; other attempts at the range get other paths."""
        return join(self.sketches, f"{range_key}-{uuid.uuid4().hex}.{extension}")

    def new_comparison(self, extension: str) -> str:
        """A new, unique path for a file of a search over all documents."""
        return join(self.comparison, f"{uuid.uuid4().hex}.{extension}")

    def duplicates_of(self, range_key: str) -> str:
        """File that lists the duplicates among a range's documents."""
        return join(self.duplicates, f"{range_key}.json")

    def ranks_of(self, range_key: str) -> str:
        """File that gives the location of the ranks of a range's pairs."""
        return join(self.root, "ranks", f"{range_key}.json")

    def new_spill(self, range_key: str) -> str:
        """A new, unique path for a spill; other attempts at the range get other paths."""
        return join(self.spills, f"{range_key}-{uuid.uuid4().hex}.spill")

    def new_shard(self, extension: str) -> str:
        """A new, unique path for a shard; other attempts at the shard get other paths."""
        return join(self.shards, f"{uuid.uuid4().hex}.{extension}")
