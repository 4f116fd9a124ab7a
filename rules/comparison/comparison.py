"""What changed between two published datasets of a recipe. docs/diff.md explains it, and its form in JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.rules.comparison.drift import Drift
from gistmill.rules.comparison.lengths import Spread

DIFF_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two datasets.

    Attributes:
        place: folder or URL.
        end: when it was published, in ISO 8601.
        code_version: version of gistmill.
        rows: number of rows by configuration.
        splits: the same by configuration and split, as in ``full/train``.
        read, used: documents, or pairs of a job on rows.
        bytes: of all files.
    """

    place: str
    end: str
    code_version: str
    rows: Mapping[str, int]
    splits: Mapping[str, int]
    read: int
    used: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """What became of the documents that have rows.

    Attributes:
        old, new: how many there are.
        added, removed: those that one dataset has.
        revised: those of another revision.
        remade: those of the same revision that have other rows: by other code, models or options, or a new title.
        same: the others.
    """

    old: int
    new: int
    added: int
    removed: int
    revised: int
    remade: int
    same: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of the rows of a group: of a configuration, a split or a type. A row is known by its id.

    Attributes:
        old, new: how many there are.
        same: every column is equal.
        found_elsewhere: only columns differ that say where the text was found, as ``file`` and ``revision``.
        changed: another column differs.
        added, removed: rows that one dataset has.
        came, left: rows that are in another group of the other dataset, such as another split.
    """

    old: int = 0
    new: int = 0
    same: int = 0
    found_elsewhere: int = 0
    changed: int = 0
    added: int = 0
    removed: int = 0
    came: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChange:
    """What became of the rows of a configuration.

    Attributes:
        all: of all rows.
        splits: by split.
        types: by value of the column ``by``.
        by: the column of types; "" where there is none.
        columns: in how many rows each column differs, where there are any.
        new_columns, lost_columns: those that one dataset has, or has with another type.
    """

    all: Change
    splits: Mapping[str, Change]
    types: Mapping[str, Change]
    by: str
    columns: Mapping[str, int]
    new_columns: tuple[str, ...]
    lost_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A distribution of both datasets.

    Attributes:
        kind: as in stats.json, such as ``types``; of lengths the column.
        config: the configuration.
        drift: how far it moved.
        values: (value, old, new): counts, the value first whose share moved most.
    """

    kind: str
    config: str
    drift: Drift
    values: tuple[tuple[str, int, int], ...]

    def shares(self) -> tuple[tuple[str, float, float], ...]:
        """Returns (value, old, new) with shares from 0 to 1 in the place of counts."""
        old, new = (sum(counts) or 1 for counts in list(zip(*self.values, strict=True))[1:]) if self.values else (1, 1)
        return tuple((value, before / old, now / new) for value, before, now in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Words of the texts of a column; of lists, their items.

    Attributes:
        config, column: whose texts.
        old, new: where the lengths lie.
        moved: their distribution, in classes of about a tenth of the old rows.
    """

    config: str
    column: str
    old: Spread
    new: Spread
    moved: Moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """What was rejected for a reason.

    Attributes:
        unit: what was read: ``documents``, ``sentences``, ``pairs``, or a group such as ``profiles/cnndm``.
        reason: its name.
        old, new: how often.
        old_read, new_read: of how many.
    """

    unit: str
    reason: str
    old: int
    new: int
    old_read: int
    new_read: int

    @property
    def old_share(self) -> float:
        """From 0 to 1; 0 where nothing was read."""
        return self.old / self.old_read if self.old_read else 0.0

    @property
    def new_share(self) -> float:
        """From 0 to 1; 0 where nothing was read."""
        return self.new / self.new_read if self.new_read else 0.0


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that decides about the content, and differs.

    Attributes:
        what: ``code``, ``package``, ``model``, ``arithmetic``, ``option`` or ``input``.
        name: of the package, model, option or input.
        old, new: its value in words; "" where a dataset has none.
    """

    what: str
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What an upload has to move that keeps another place the same as the dataset.

    Attributes:
        bytes: of all files, the manifest among them.
        same_path: of files that have path and SHA-256 of an old one.
        same_content: of other files whose SHA-256 an old file has.
        moved_files: of all other files: what a tool moves that knows whole files.
        moved_chunks: of those, in chunks that no changed old file has: what a tool moves that knows chunks. None where
            files were not read.
    """

    bytes: int
    same_path: int
    same_content: int
    moved_files: int
    moved_chunks: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What the rows of both datasets say.

    Attributes:
        documents: None where the rows have no ids of documents.
        rows: by configuration.
        lengths: of the columns with texts.
    """

    documents: Documents | None
    rows: Mapping[str, ConfigChange]
    lengths: tuple[Lengths, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What changed between two datasets.

    Attributes:
        recipe: of both.
        old, new: the datasets.
        causes: what decides about the content and differs.
        distributions: those of stats.json.
        rejected: by unit and reason, the reason first whose share moved most.
        content: what the rows say; None where they were not read.
        unread: why they were not read; "" where they were.
        transfer: what an upload moves.
        guards: the bounds that the new dataset breaks, one line each.
    """

    recipe: str
    old: Side
    new: Side
    causes: tuple[Cause, ...]
    distributions: tuple[Moved, ...]
    rejected: tuple[Rejected, ...]
    transfer: Transfer
    content: Content | None = None
    unread: str = ""
    guards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the form of DIFF_VERSION."""
        return {"diff_version": DIFF_VERSION, **dataclasses.asdict(self)}
