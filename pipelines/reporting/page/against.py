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
    """When the version before was published, by which version of gistmill, and its counts beside those of now.

    Attributes:
        totals: what was read and used, and the rows of each configuration.
        parts: rejects by reason, and rows by type.
    """

    end: str
    code_version: str
    totals: tuple[Line, ...]
    parts: tuple[Line, ...]


def against(old: Manifest, new: Manifest) -> Changes | None:
    """Returns the counts of both; None where another recipe made the old one."""
    if old.recipe != new.recipe:
        return None
    end = old.end.isoformat(timespec="seconds")
    return Changes(end, old.code_version, tuple(_totals(old, new)), tuple(_parts(old, new)))


def _totals(old: Manifest, new: Manifest) -> Iterator[Line]:
    recipe = RECIPES[new.recipe]
    for part in ("read", "used"):
        yield Line(f"{recipe.READS} {part}", *(m.counts.get("documents", {}).get(part, 0) for m in (old, new)))
    for config, rows in new.rows().items():
        yield Line(f"rows in {config}", old.rows().get(config, 0), rows)


def _parts(old: Manifest, new: Manifest) -> Iterator[Line]:
    yield from _group(old, new, "documents/rejected", "rejected")
    # the first distribution of a recipe is the short one; what follows, such as connectives, is too long to read
    for kind in list(RECIPES[new.recipe].DISTRIBUTIONS)[:1]:
        for config in new.rows():
            yield from _group(old, new, f"{kind}/{config}", config)


def _group(old: Manifest, new: Manifest, group: str, heading: str) -> Iterator[Line]:
    before, after = old.counts.get(group, {}), new.counts.get(group, {})
    for name in sorted({*before, *after}, key=lambda n: (-after.get(n, 0), n)):
        yield Line(f"{heading}: {name}", before.get(name, 0), after.get(name, 0))
