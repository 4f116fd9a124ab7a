"""The options of the source ``wikipedia``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import option
from gistmill.core.values import list_of, whole
from gistmill.transforms.sources.config import FilesConfig


@dataclass(frozen=True, kw_only=True)
class PagesConfig(FilesConfig):
    """Which pages of a wiki are read, in whatever form."""

    namespaces: tuple[int, ...] = option(
        list_of(whole(0)), default=(0,), metavar="N,N", help="MediaWiki namespaces to keep"
    )


@dataclass(frozen=True, kw_only=True)
class WikipediaConfig(PagesConfig):
    """How exports are read. A range of plain text has four times as many bytes as one of compressed text.

    Attributes (not options):
        max_page_bytes: a page over this size is rejected as TOO_LARGE and never held in memory.
        max_gap_bytes: text without any page tag over this size is an error (a decompression bomb).
    """

    RANGE_BYTES: ClassVar[int] = 4 << 20

    max_page_bytes: int = 16 << 20
    max_gap_bytes: int = 256 << 20

    def check(self) -> None:
        """Raises ValueError for sizes that are not positive, or do not go together."""
        self.check_sizes("max_page_bytes", "max_gap_bytes")
        if self.max_gap_bytes < self.max_page_bytes:
            raise ValueError(f"max_gap_bytes ({self.max_gap_bytes}) is below max_page_bytes ({self.max_page_bytes})")
