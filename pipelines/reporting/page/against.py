"""A dataset beside the version before it, from both manifests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules.manifest import Manifest
from rules.recipes import RECIPES


@dataclass(frozen=True, slots=True)
class Line:
    """A count of both versions."""

    name: str
    old: int
    new: int

    @property
    def change(self) -> str:
        """The difference, with its sign; in per cent where the old count is not 0."""
        return f"{self.new - self.old:+,}" + (f" ({100 * (self.new / self.old - 1):+.1f}%)" if self.old else "")


@dataclass(frozen=True, slots=True)
class Changes:
    """When the version before was published, by which version of gistmill, and the counts beside it."""

    end: str
    code_version: str
    lines: tuple[Line, ...]


def against(old: Manifest, new: Manifest) -> Changes | None:
    """Returns the counts of both; None where another recipe made the old one."""
    if old.recipe != new.recipe:
        return None
    return Changes(old.end.isoformat(timespec="seconds"), old.code_version, tuple(_lines(old, new)))


def _lines(old: Manifest, new: Manifest) -> Iterator[Line]:
    reads = RECIPES[new.recipe].READS
    for part in ("read", "used"):
        yield Line(f"{reads} {part}", *(m.counts.get("documents", {}).get(part, 0) for m in (old, new)))
    groups = ["documents/rejected", *(f"{k}/{c}" for k in RECIPES[new.recipe].DISTRIBUTIONS for c in new.rows())]
    for config, rows in new.rows().items():
        yield Line(f"rows in {config}", old.rows().get(config, 0), rows)
    for group in groups[: 1 + len(new.rows())]:  # of the first distribution: connectives are too many to read
        before, after = old.counts.get(group, {}), new.counts.get(group, {})
        for name in sorted({*before, *after}, key=lambda n: (-after.get(n, 0), n)):
            yield Line(
                f"{group.replace('documents/rejected', 'rejected')}: {name}", before.get(name, 0), after.get(name, 0)
            )
