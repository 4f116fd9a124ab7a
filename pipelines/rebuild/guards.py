"""Guards: a new version is compared with the one that is served, and what they find keeps it from being published.

A guard is a function of two datasets of one name; ``GUARDS`` lists them. Its bounds are options of ``GuardsConfig``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pipelines.errors import JobFailed
from pipelines.rebuild.places import CorpusPlace, read
from pipelines.rebuild.settings import GuardsConfig
from rules.manifest import MANIFEST, Manifest, ManifestError
from transforms.io import join


class GuardError(JobFailed):
    """A version is whole, and too different from the one that is served; the text is one line for the user."""


Guard = Callable[[Manifest, Manifest, GuardsConfig], Iterator[str]]


def rows_are_kept(old: Manifest, new: Manifest, bounds: GuardsConfig) -> Iterator[str]:
    """Yields a line for each split that has too few rows of what it had."""
    before, now = _rows(old), _rows(new)
    for split, count in before.items():
        if now.get(split, 0) < count * (1 - bounds.rows):
            yield f"{split} has {now.get(split, 0):,} rows, and had {count:,} (guards.rows: {bounds.rows:g})"


GUARDS: tuple[Guard, ...] = (rows_are_kept,)


def faults(
    place: CorpusPlace, *, old: str | None, new: str, datasets: Mapping[str, str], bounds: GuardsConfig
) -> list[str]:
    """Returns what the guards have against a version, one line each.

    Args:
        place: of the corpus.
        old: the version that is served; None before the first.
        new: the version to publish.
        datasets: the datasets of the new version; those that the old one has not cannot be compared.
        bounds: how much may change.
    """
    found = []
    for name in datasets:
        before, now = (None if v is None else _manifest(place.dataset(v, name)) for v in (old, new))
        if before is not None and now is not None:
            found += [f"{name}/{line}" for guard in GUARDS for line in guard(before, now, bounds)]
    return found


def _manifest(place: str) -> Manifest | None:
    value = read(join(place, MANIFEST))
    try:
        return None if value is None else Manifest.from_json(value)
    except ManifestError:  # of a newer gistmill
        return None


def _rows(manifest: Manifest) -> dict[str, int]:
    groups = ((k.removeprefix("rows/"), g) for k, g in manifest.counts.items() if k.startswith("rows/"))
    return {f"{config}/{split}": n for config, group in groups for split, n in group.items()}
