"""Guards of a rebuild: each dataset of a new version is compared with that of the version which is served.

The bounds, and what they look at, are in rules/comparison/guards.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from gistmill.core.statistics import StatisticsError
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.rebuild.layout import CorpusPlace, is_dataset
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.validate import open_dataset
from gistmill.published.comparison.compare import compare
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.comparison.guards import GuardsConfig, broken, broken_alone


class GuardError(JobFailed):
    """A version is whole, and breaks a guard; the text is one line for the user."""


def faults(
    place: CorpusPlace, *, old: str | None, new: str, datasets: Mapping[str, str], bounds: GuardsConfig
) -> list[str]:
    """Returns what the guards have against a version, one line each.

    Args:
        place: of the corpus.
        old: the version that is served; None before the first.
        new: the version to publish.
        datasets: those of the new version. One that the old version has not, or made by another recipe, is held to the
            bounds alone that every version has to keep.
        bounds: of the corpus.
    """
    found = []
    for name in datasets:
        now = open_dataset(place.dataset(new, name))
        before = place.dataset(old, name) if old else ""
        lines = [
            *(_against(before, now, bounds) if before and is_dataset(before) else ()),
            *broken_alone(now.manifest, bounds),
        ]
        found += [f"{name}: {line}" for line in lines]
    return found


def _content(dataset: Dataset) -> set[str]:
    return {file.sha256 for file in dataset.manifest.files}


def _against(before: str, now: Dataset, bounds: GuardsConfig) -> list[str]:
    """What the guards say of a dataset beside the one before it."""
    try:
        old = open_dataset(before)
        if old.manifest.recipe != now.manifest.recipe or _content(old) == _content(now):
            return []
        return broken(compare(old, now, chunks=False), bounds)
    except (ConfigError, DatasetError, StatisticsError) as error:
        return [f"cannot be compared with the version before: {error}"]
    except OSError as error:
        return [f"cannot be compared with the version before: {reason_of(error)}"]
