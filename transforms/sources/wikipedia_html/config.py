"""The options of the source ``wikipedia-html``."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.transforms.sources.jsonl.source import LinesConfig
from gistmill.transforms.sources.wikipedia.config import PagesConfig

TEXT_PER_BYTE = 8  # text for a compressed byte


@dataclass(frozen=True, kw_only=True)
class SnapshotConfig(PagesConfig, LinesConfig):
    """How snapshots are read. A range of plain text has eight times as many bytes as one of compressed text.

    Attributes (not options):
        max_line_bytes: a line has a page twice, as HTML and as wikitext, and all that is said of it.
    """

    max_line_bytes: int = 64 << 20
