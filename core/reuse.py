"""What a run took from an older dataset of ``gistmill annotate``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gistmill.core.json_value import JsonValue

REUSE: Final = "reuse"  # the group of these counts of documents
REUSED: Final = "reused"  # nothing of the document was parsed
REVISED: Final = "revised"  # some of its paragraphs were
PARSED: Final = "parsed"  # all of them were


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseEntry:
    """What a manifest says of it.

    Attributes:
        dataset: the older dataset: its URL, or the last part of its local path.
        sha256: of its manifest.json, in hexadecimal digits.
        documents: how many were REUSED, REVISED and PARSED.
    """

    dataset: str
    sha256: str
    documents: Mapping[str, int]

    def __str__(self) -> str:
        reused, revised, parsed = (f"{self.documents.get(kind, 0):,}" for kind in (REUSED, REVISED, PARSED))
        return f"{reused} came from {self.dataset}, {revised} were parsed in part, {parsed} whole"

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, value: JsonValue) -> ReuseEntry:
        """Reads what ``to_json`` gave. Raises JsonError."""
        return cls(
            dataset=value["dataset"].text(), sha256=value["sha256"].text(), documents=value["documents"].counts()
        )
