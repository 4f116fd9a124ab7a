"""The samples of a dataset, from the files that its shards have beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.hashing import unit_interval
from gistmill.transforms.io import read_json
from gistmill.transforms.sinks.sampling import MOST, SALT, by_hash
from gistmill.transforms.sinks.shards import ShardFile
from gistmill.transforms.sinks.spills import REJECTS

_MOST_FILES = 64  # of a configuration; a large dataset has thousands


@dataclass(frozen=True, slots=True)
class Samples:
    """What was drawn.

    Attributes:
        rows: by configuration, then by type ("" where rows have none). A row holds its scalar columns; a text is cut
            behind LONGEST characters, and then ends in an ellipsis.
        rejects: by reason.
    """

    rows: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
    rejects: Mapping[str, Sequence[Mapping[str, Any]]]


NO_SAMPLES = Samples({}, {})


def read_samples(shards: Iterable[ShardFile]) -> Samples:
    """Returns the samples of the whole dataset. Of a configuration with many shards, those of some shards decide.

    Raises:
        OSError: a file of samples is missing.
    """
    files: dict[str, dict[str, float]] = {}
    for shard in shards:
        if shard.sample:
            chance = unit_interval(SALT, f"{shard.config}/{shard.split}/{shard.index}")
            files.setdefault(shard.config, {})[shard.sample] = chance
    drawn = {config: _merged(sorted(chances, key=chances.__getitem__)) for config, chances in files.items()}
    return Samples({c: labels for c, labels in drawn.items() if c != REJECTS}, drawn.get(REJECTS, {}))


def _merged(paths: Sequence[str]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Any]] = {}
    for path in paths[:_MOST_FILES]:
        for label, kept in read_json(path).items():
            found.setdefault(label, []).extend(kept)
    return {
        label: [values for _, _, values in sorted(kept, key=by_hash)[:MOST]] for label, kept in sorted(found.items())
    }
