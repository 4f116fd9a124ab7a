"""The changes between two published datasets of a recipe, as described in docs/inspect.md and printed by ``gistmill
diff --json``; and the changes that follow from their manifests and statistics."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.core.manifest import Manifest, ModelEntry
from gistmill.core.statistics import Statistics
from gistmill.published.comparison.drift import Drift, drift
from gistmill.rules.documents import ReadReason

DIFF_VERSION = 2
Counts = Mapping[str, int]
# Changes in documents that contain rows. Added and removed ones are in only one dataset; revised ones have another
# revision; remade ones have different rows for the same revision: other code, models or options, or a new title.
DOCUMENTS = ("old", "new", "added", "removed", "revised", "remade", "same")
# Changes in the rows of a group, such as a split. Rows ``found_elsewhere`` differ only in columns that state where the
# text was found, such as ``file`` and ``revision``; rows that came or left are in another group of the other dataset.
CHANGES = ("old", "new", "same", "found_elsewhere", "changed", "added", "removed", "came", "left")
# Bytes to upload to bring a copy of the old dataset up to date: all files, including the manifest; files with the path
# and SHA-256 of an old one; other files with the SHA-256 of an old one; and the rest.
TRANSFER = ("bytes", "same_path", "same_content", "moved_files")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two datasets.

    Attributes:
        place: its folder or URL.
        end: the publication time, in ISO 8601.
        code_version: the gistmill version.
        rows: the number of rows by configuration.
        splits: the number of rows by configuration and split, such as ``full/train``.
        read, used: the number of documents, or of pairs for a job on rows.
        bytes: the total size of its files.
    """

    place: str
    end: str
    code_version: str
    rows: Counts
    splits: Counts
    read: int
    used: int
    bytes: int

    @classmethod
    def of(cls, place: str, manifest: Manifest) -> Side:
        """Returns the summary of a dataset from its manifest."""
        documents = manifest.counts.get("documents", {})
        rows = {g.removeprefix("rows/"): counts for g, counts in manifest.counts.items() if g.startswith("rows/")}
        return cls(
            place=place,
            end=manifest.end.isoformat(timespec="seconds"),
            code_version=manifest.code_version,
            rows=manifest.rows(),
            splits={f"{config}/{split}": n for config, counts in rows.items() for split, n in counts.items()},
            read=documents.get("read", 0),
            used=documents.get("used", 0),
            bytes=sum(file.bytes for file in manifest.files),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChange:
    """The changes in a configuration's rows.

    Attributes:
        all: CHANGES for all rows.
        splits: the same by split.
        types: the same by value of the column ``by``.
        by: the type column; "" if there is none.
        columns: the number of rows in which each column differs, if not 0.
        new_columns, lost_columns: columns that are only in one dataset, or are of another type in the other.
    """

    all: Counts
    splits: Mapping[str, Counts]
    types: Mapping[str, Counts]
    by: str
    columns: Counts
    new_columns: tuple[str, ...]
    lost_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A distribution in both datasets.

    Attributes:
        kind: its name in stats.json, such as ``types``; for lengths, the column.
        config: the configuration.
        drift: how far it moved.
        values: (value, old, new), with counts; the value whose share changed most comes first.
    """

    kind: str
    config: str
    drift: Drift
    values: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, kind: str, config: str, old: Counts, new: Counts) -> Moved:
        """Returns how a distribution moved; ``old`` and ``new`` are counts by value."""
        before, now = sum(old.values()) or 1, sum(new.values()) or 1

        def most(value: str) -> tuple[float, str]:
            return -abs(new.get(value, 0) / now - old.get(value, 0) / before), value

        values = tuple((v, old.get(v, 0), new.get(v, 0)) for v in sorted({*old, *new}, key=most))
        return cls(kind=kind, config=config, drift=drift(old, new), values=values)

    def shares(self) -> tuple[tuple[str, float, float], ...]:
        """Returns (value, old, new) with shares from 0 to 1 instead of counts."""
        before, now = sum(old for _, old, _ in self.values) or 1, sum(new for _, _, new in self.values) or 1
        return tuple((value, old / before, new / now) for value, old, new in self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthDistribution:
    """The distribution of lengths: number of ``rows``, their ``mean``, and percentiles."""

    rows: int
    mean: float
    p10: int
    median: int
    p90: int
    p99: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """The lengths of a column's texts in words, or of its lists in items; ``moved`` uses classes of about a tenth of
    the old rows each."""

    config: str
    column: str
    old: LengthDistribution
    new: LengthDistribution
    moved: Moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The rejects with a reason.

    Attributes:
        unit: the unit: ``documents``, ``sentences``, ``pairs``, or a group such as ``profiles/cnndm``.
        reason: its name.
        old, new: the number of rejects.
        old_read, new_read: the number of units read.
    """

    unit: str
    reason: str
    old: int
    new: int
    old_read: int
    new_read: int

    @property
    def old_share(self) -> float:
        """The share in the old dataset, from 0 to 1; 0 if nothing was read."""
        return self.old / self.old_read if self.old_read else 0.0

    @property
    def new_share(self) -> float:
        """The share in the new dataset, from 0 to 1; 0 if nothing was read."""
        return self.new / self.new_read if self.new_read else 0.0


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference that can affect the content.

    Attributes:
        what: ``code``, ``package``, ``model``, ``arithmetic``, ``option`` or ``input``.
        name: the package, model, option or input.
        old, new: its value as text; "" if a dataset lacks it.
    """

    what: str
    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A comparison of the rows of both datasets.

    Attributes:
        documents: DOCUMENTS; None if the rows contain no document ids.
        rows: changes by configuration.
        lengths: the lengths of the text columns.
    """

    documents: Counts | None
    rows: Mapping[str, ConfigChange]
    lengths: tuple[Lengths, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The changes between two datasets.

    Attributes:
        recipe: the recipe of both.
        old, new: the datasets.
        causes: differences that can affect the content.
        distributions: the distributions in stats.json.
        rejected: by unit and reason; the reason whose share changed most comes first.
        content: the comparison of the rows; None if they were not read.
        unread: the reason why they were not read, or "".
        transfer: TRANSFER.
        guards: the bounds that the new dataset violates, one line each.
    """

    recipe: str
    old: Side
    new: Side
    causes: tuple[Cause, ...]
    distributions: tuple[Moved, ...]
    rejected: tuple[Rejected, ...]
    transfer: Counts
    content: Content | None = None
    unread: str = ""
    guards: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the format of DIFF_VERSION."""
        return {"diff_version": DIFF_VERSION, **dataclasses.asdict(self)}


NAMESPACE = ReadReason.NAMESPACE.name
_REJECTED, _REASON = "/rejected", "rejected/"
_NOT_DECISIVE = frozenset({"input", "output", "overwrite", "resume", "temp_dir", "workers"})
_CODE = "source_sha256"
_DIGITS = 12  # of a SHA-256, for display


def rejected(old: Manifest, new: Manifest) -> tuple[Rejected, ...]:
    """Returns the rejects of both datasets; those whose share of the units read changed most come first."""
    before, now = (rejects_of(m.counts) for m in (old, new))
    found = [
        Rejected(
            unit=unit,
            reason=reason,
            old=before.get((unit, reason), 0),
            new=now.get((unit, reason), 0),
            old_read=read_for(reason, unit, old.counts),
            new_read=read_for(reason, unit, new.counts),
        )
        for unit, reason in {*before, *now}
    ]
    return tuple(sorted(found, key=lambda r: (-abs(r.new_share - r.old_share), -r.new, r.unit, r.reason)))


def read_for(reason: str, unit: str, counts: Mapping[str, Counts]) -> int:
    """Returns the number of units of which a reason's rejects are a share.

    Pages in unwanted namespaces count only for their own reason: some dump layouts contain all namespaces and others
    only some, which must not affect the shares of the other reasons.
    """
    read = counts.get(unit, {}).get("read", 0)
    return read if reason == NAMESPACE else read - rejects_of(counts).get((unit, NAMESPACE), 0)


def rejects_of(counts: Mapping[str, Counts]) -> dict[tuple[str, str], int]:
    """Returns the number of rejects by unit and reason.

    For documents, sentences and pairs they are in separate groups, such as ``documents/rejected``; for a recipe's own
    unit, such as ``profiles/cnndm``, among its counts, as ``rejected/REASON``.
    """
    found = {}
    for group, of_group in counts.items():
        for name, number in of_group.items():
            if group.endswith(_REJECTED):
                found[group.removesuffix(_REJECTED), name] = number
            elif name.startswith(_REASON):
                found[group, name.removeprefix(_REASON)] = number
    return found


def distributions(old: Statistics, new: Statistics) -> tuple[Moved, ...]:
    """Returns the changes in the distributions of stats.json, the largest first."""
    keys = {(k, config) for s in (old, new) for k, by_config in s.distributions.items() for config in by_config}
    found = []
    for kind, config in sorted(keys):
        shares = (s.distributions.get(kind, {}).get(config, ()) for s in (old, new))
        found.append(Moved.of(kind, config, *({share.value: share.count for share in group} for group in shares)))
    return tuple(sorted(found, key=lambda m: -m.drift.distance))


def causes(old: Manifest, new: Manifest) -> tuple[Cause, ...]:
    """Returns the differences that can affect the content: code, packages, models, arithmetic, options, inputs."""
    before, now = _deciding(old), _deciding(new)
    return tuple(
        Cause(what, name, before[what].get(name, ""), now[what].get(name, ""))
        for what in before
        for name in sorted({*before[what], *now[what]})
        if before[what].get(name) != now[what].get(name)
    )


def _deciding(manifest: Manifest) -> dict[str, dict[str, str]]:
    """Returns the text of everything that determines a dataset's content, by kind and name. Inputs are the dates of
    dumps, and the number and size of other files."""
    of_dumps = {name for dump in manifest.dumps for name in dump.names}
    others = {
        source.name: f"{source.size:,} bytes, {(source.sha256 or 'not read whole')[:_DIGITS]}"
        for source in manifest.sources
        if source.name not in of_dumps
    }
    return {
        "code": {"gistmill": f"{manifest.code_version} ({manifest.versions.get(_CODE, '')[:_DIGITS]})"},
        "package": {name: version for name, version in manifest.versions.items() if name != _CODE},
        "model": {entry.name: _model(entry) for entry in manifest.models},
        "arithmetic": _joined((entry.library, f"{entry.version} {entry.kernel}") for entry in manifest.arithmetic),
        "option": {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
            for name, value in manifest.configuration.items()
            if name not in _NOT_DECISIVE
        },
        "input": {**_joined((dump.wiki, dump.date) for dump in manifest.dumps), **others},
    }


def _joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns the values for each name, sorted and separated by commas."""
    found: dict[str, set[str]] = {}
    for name, value in pairs:
        found.setdefault(name, set()).add(value)
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def _model(entry: ModelEntry) -> str:
    digest = entry.sha256 or hashlib.sha256(json.dumps(sorted(entry.files.items())).encode()).hexdigest()
    return " ".join(filter(None, (entry.version, entry.weights, digest[:_DIGITS])))
