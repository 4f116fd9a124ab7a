"""Source ``wikipedia-html``: snapshots of Wikimedia Enterprise, which have pages as Parsoid's HTML."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Sequence
from typing import Self

import apache_beam as beam

from gistmill.core.options import PARSOID
from gistmill.transforms.sources.files.plan import PlanFiles
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, expand_inputs
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader, one_byte
from gistmill.transforms.sources.jsonl.lines import PLAIN
from gistmill.transforms.sources.jsonl.source import check_lines
from gistmill.transforms.sources.wikipedia.address import base_of_dump, languages_of
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from gistmill.transforms.sources.wikipedia_html.archive import form_of
from gistmill.transforms.sources.wikipedia_html.config import SnapshotConfig
from gistmill.transforms.sources.wikipedia_html.plan import plan_files
from gistmill.transforms.sources.wikipedia_html.read import read_range


class WikipediaHtmlSource(FilesSource[SnapshotConfig]):
    """Snapshots of Wikimedia Enterprise."""

    NAME = "wikipedia-html"
    DEDUPLICATE = WikipediaSource.DEDUPLICATE
    HELP = "snapshots of Wikimedia Enterprise: JSON Lines with HTML (plain, gz, bz2, zst, xz), or a tar of them"
    CONFIG = SnapshotConfig
    MARKUPS = frozenset({PARSOID})
    PROVENANCE = WikipediaSource.PROVENANCE

    @classmethod
    def open(cls, patterns: Sequence[str], config: SnapshotConfig) -> Self:
        """See Source.open."""
        files = expand_inputs(patterns)
        for file in files:
            if not form_of(file.path).is_archive:
                check_lines(file, "a snapshot of JSON Lines, or a tar archive of them")
        source = cls(files, config)
        source.languages = languages_of(base_of_dump(posixpath.basename(file.path)) for file in files)
        return source

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """See FilesSource.range_at: a line of a file of plain text."""
        return one_byte(file, PLAIN, offset) if form_of(file.path).is_plain else None

    def plan(self, workspace: str) -> beam.PTransform:
        """See Source.plan."""
        return PlanFiles(self.files, self.planner(workspace), together=True)

    def planner(self, workspace: str) -> Planner:
        """See FilesSource.planner; spooled chunks go to ``spool/`` in the folder of the run."""
        return functools.partial(plan_files, workspace=workspace, config=self.config)

    def reader(self) -> Reader:
        """See FilesSource.reader."""
        return functools.partial(read_range, config=self.config)
