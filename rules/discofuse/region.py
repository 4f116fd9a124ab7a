"""The place of a half in its document."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.rules.documents import Mention


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens [start, end) of sentence ``sentence`` of the document."""

    sentence: int
    start: int
    end: int

    def holds(self, mention: Mention) -> bool:
        """Whether the mention lies in the region."""
        return mention.sentence == self.sentence and self.start <= mention.start and mention.end <= self.end
