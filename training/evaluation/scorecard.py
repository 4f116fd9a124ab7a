"""The scores of systems on the same rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """Scores of one or several systems.

    Attributes:
        systems: name -> metric -> value; shares are in per cent.
        intervals: name -> metric -> bounds of the 95% interval, for those that have one.
    """

    systems: Mapping[str, Mapping[str, float]]
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the scorecard as JSON has it."""
        return {"systems": self.systems, "intervals": self.intervals}

    def write(self, path: str) -> None:
        """Writes the scorecard as JSON."""
        Path(path).write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")

    def table(self) -> str:
        """Returns the scores as a table to read."""
        return json.dumps(self.to_json(), indent=2)
