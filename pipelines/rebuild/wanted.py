"""A file to download, and the checksums of what has come of it: they are computed while it comes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

_READ_BYTES = 1 << 20


@dataclass(slots=True, eq=False, kw_only=True)
class Wanted:
    """A file to download. Until it is whole, ``NAME.part`` lies in its place.

    Attributes:
        urls: where each mirror has it, in the order of the mirrors.
        place: where it will be.
        size: how many bytes it has to have.
        sha1, sha256: checksums that it has to have, in hexadecimal digits; "" for one that is not known.
        summed: how many bytes the checksums are of.
    """

    urls: Sequence[str]
    place: Path
    size: int
    sha1: str = ""
    sha256: str = ""
    summed: int = field(default=0, init=False)
    taken: bool = field(default=False, init=False)
    is_owners: bool = field(default=False, init=False)  # whether one mirror gave all bytes of the part
    _sums: dict[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.forget_sums()

    @property
    def part(self) -> Path:
        """Where its bytes lie until it is whole."""
        return self.place.with_name(f"{self.place.name}.part")

    @property
    def is_there(self) -> bool:
        """Whether nothing is left to do."""
        return self.place.is_file() and self.place.stat().st_size == self.size

    def forget_sums(self) -> None:
        """Begins the checksums anew."""
        self._sums = {"sha256": hashlib.sha256()}
        if self.sha1:
            self._sums["sha1"] = hashlib.sha1(usedforsecurity=False)
        self.summed = 0

    def add_sums(self, data: bytes) -> None:
        """Adds the bytes that follow to the checksums."""
        for found in self._sums.values():
            found.update(data)
        self.summed += len(data)

    def read_sums(self, part: BinaryIO) -> None:
        """Computes the checksums of what a file has; it stands at its end afterwards."""
        self.forget_sums()
        part.seek(0)
        while data := part.read(_READ_BYTES):
            self.add_sums(data)

    @property
    def found_sha256(self) -> str:
        """The SHA-256 of what has come."""
        return str(self._sums["sha256"].hexdigest())

    @property
    def fault(self) -> str:
        """What is wrong with the checksums of what has come; "" if nothing is."""
        for name, said, wanted in (("sha1", "SHA-1", self.sha1), ("sha256", "SHA-256", self.sha256)):
            if wanted and (found := self._sums[name].hexdigest()) != wanted:
                return f"its {said} is {found}, not {wanted}"
        return ""
