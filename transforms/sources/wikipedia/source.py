"""Source ``wikipedia``: MediaWiki export XML (plain, bz2, gzip, zstd, xz)."""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from gistmill.core.manifest_entries import DumpEntry
from gistmill.core.options import WIKITEXT
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.files.bz2_blocks import streams_at
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, expand_inputs
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader, one_byte
from gistmill.transforms.sources.wikipedia.address import base_of_dump, languages_of
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.detect import BZ2, SPOOLED, check_input
from gistmill.transforms.sources.wikipedia.dump import dump_entries
from gistmill.transforms.sources.wikipedia.plan import plan_files
from gistmill.transforms.sources.wikipedia.read import read_range


class WikipediaSource(FilesSource[WikipediaConfig]):
    """MediaWiki export XML."""

    NAME = "wikipedia"
    DEDUPLICATE = "none"
    HELP = "MediaWiki export XML (plain, gz, bz2, zst, xz)"
    CONFIG = WikipediaConfig
    MARKUPS = frozenset({WIKITEXT})
    PROVENANCE = Provenance(
        "cc-by-sa-4.0",
        "The text comes from Wikipedia, by its contributors, under CC BY-SA 4.0. `url` leads to each article, "
        "and `revision` names its version; where `url` is empty, `title` names the article. The history of an article "
        "lists its authors.",
    )

    @classmethod
    def open(cls, patterns: Sequence[str], config: WikipediaConfig) -> Self:
        """See Source.open."""
        source = cls(expand_inputs(patterns), config)
        found = (check_input(file).base or base_of_dump(posixpath.basename(file.path)) for file in source.files)
        source.languages = languages_of(found)
        return source

    @classmethod
    def dumps(cls, patterns: Sequence[str]) -> list[DumpEntry]:
        """See Source.dumps."""
        return dump_entries(file.path for file in expand_inputs(patterns))

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """See FilesSource.range_at: the blocks of a bz2 dump, or a page of a plain one."""
        kind, base, namespaces = check_input(file)
        end = streams_at(file.path, offset) if kind == BZ2 else offset + 1
        if kind in SPOOLED or end is None:
            return None
        return replace(one_byte(file, kind, offset), end=end, base=base, namespaces=namespaces)

    def planner(self, workspace: str) -> Planner:
        """See FilesSource.planner; chunks of what cannot be read in parts go to ``spool/`` in the folder of the run."""
        return functools.partial(plan_files, workspace=workspace, config=self.config)

    def reader(self) -> Reader:
        """See FilesSource.reader."""
        return functools.partial(read_range, config=self.config)
