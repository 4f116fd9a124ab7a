"""A dataset beside the version before it, from both manifests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmill.core.manifest import Manifest
from gistmill.rules.recipes import RECIPES


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
    recipe = RECIPES[new.recipe]
    for part in ("read", "used"):
        yield Line(f"{recipe.READS} {part}", *(m.counts.get("documents", {}).get(part, 0) for m in (old, new)))
    for config, rows in new.rows().items():
        yield Line(f"rows in {config}", old.rows().get(config, 0), rows)
    yield from _group(old, new, "documents/rejected", "rejected")
    # the first distribution of a recipe is the short one; what follows, such as connectives, is too long to read
    for kind in list(recipe.DISTRIBUTIONS)[:1]:
        for config in new.rows():
            yield from _group(old, new, f"{kind}/{config}", config)


def _group(old: Manifest, new: Manifest, group: str, heading: str) -> Iterator[Line]:
    before, after = old.counts.get(group, {}), new.counts.get(group, {})
    for name in sorted({*before, *after}, key=lambda n: (-after.get(n, 0), n)):
        yield Line(f"{heading}: {name}", before.get(name, 0), after.get(name, 0))
