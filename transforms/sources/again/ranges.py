"""Ranges of a published dataset, whose rows are taken as they are, and of documents that are read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.dataset import ConfigSchema
from gistmill.core.records import Damage
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.ranges import Range


@dataclass(frozen=True, slots=True, kw_only=True)
class OldShard(Range):
    """A Parquet shard of the dataset: its ``path``, the ``schema`` of its configuration, its ``split``."""

    workspace: str
    path: str
    schema: ConfigSchema
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRejects(Range):
    """The rejects of the dataset, and what was counted over all documents.

    Attributes:
        workspace: folder of the run.
        paths: the parts, in order.
        again: ids of the documents that are read again; their rejects are left out.
        counts: of the dataset, without those documents.
        damage, arithmetic: as its manifest has them.
    """

    workspace: str
    paths: tuple[str, ...]
    again: frozenset[str]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...]
    arithmetic: tuple[Arithmetic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Again(Range):
    """Documents that are read again: those of the ``ids`` among what is at ``place``."""

    place: FileRange
    ids: frozenset[str]
