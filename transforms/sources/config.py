"""The options that sources share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import whole

_WANTED_RANGES = 32  # a small input is cut finer, so that it too keeps many workers busy


@dataclass(frozen=True, kw_only=True)
class SourceConfig(Options):
    """The options of every source."""

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(
        whole(1), unit="documents", help="read only the first N documents, in order of file and offset"
    )

    def check_sizes(self, *names: str) -> None:
        """Raises ValueError unless the values of these names, which are not options, are positive."""
        for name in names:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class FilesConfig(SourceConfig):
    """The options of sources that cut files into ranges of bytes.

    Class attributes:
        RANGE_BYTES: the most bytes of a range if ``range_bytes`` is not given.
    """

    RANGE_BYTES: ClassVar[int] = 16 << 20

    range_bytes: int | None = option(
        whole(1),
        unit="bytes",
        metavar="BYTES",
        help="compressed bytes that one worker reads at a time (default: from the size of the input)",
    )

    @property
    def most_range_bytes(self) -> int:
        """The most bytes that one range should have."""
        return self.range_bytes or self.RANGE_BYTES

    def target_bytes(self, size: int, *, smallest: int, ratio: int = 1) -> int:
        """Returns the bytes that each range of a file of ``size`` bytes should have.

        Args:
            size: bytes of the file.
            smallest: bytes under which a range is not worth its cost, unless ``range_bytes`` asks for fewer.
            ratio: bytes of the file for each byte that ``range_bytes`` counts, which are compressed ones.
        """
        upper = self.most_range_bytes * ratio
        return min(max(size // _WANTED_RANGES, min(smallest, upper)), upper)
