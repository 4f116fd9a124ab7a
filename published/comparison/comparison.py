"""What changed between two published datasets of a recipe, as docs/inspect.md explains it and ``gistmill diff --json``
has it; and the part of it that manifests and statistics say.
"""

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
# What became of the documents that have rows: added and removed are those that one dataset has; revised those of
# another revision; remade those of the same revision that have other rows, by other code, models or options, or a new
# title.
DOCUMENTS = ("old", "new", "added", "removed", "revised", "remade", "same")
# What became of the rows of a group, such as a split: of ``found_elsewhere`` only columns differ that say where the
# text was found, as ``file`` and ``revision``; rows that came and left are in another group of the other dataset.
CHANGES = ("old", "new", "same", "found_elsewhere", "changed", "added", "removed", "came", "left")
# Bytes that an upload has to move which keeps another place the same as the dataset: of all files, the manifest among
# them; of files that have path and SHA-256 of an old one; of others whose SHA-256 an old file has; and of the rest.
TRANSFER = ("bytes", "same_path", "same_content", "moved_files")


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
    """What became of the rows of a configuration.

    Attributes:
        all: CHANGES of all rows.
        splits: the same by split.
        types: the same by value of the column ``by``.
        by: the column of types; "" where there is none.
        columns: in how many rows each column differs, where there are any.
        new_columns, lost_columns: those that one dataset has, or has with another type.
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

    @classmethod
    def of(cls, kind: str, config: str, old: Counts, new: Counts) -> Moved:
        """Returns how a distribution moved; ``old`` and ``new`` are counts by value."""
        before, now = sum(old.values()) or 1, sum(new.values()) or 1

        def most(value: str) -> tuple[float, str]:
            return -abs(new.get(value, 0) / now - old.get(value, 0) / before), value

        values = tuple((v, old.get(v, 0), new.get(v, 0)) for v in sorted({*old, *new}, key=most))
        return cls(kind=kind, config=config, drift=drift(old, new), values=values)

    def shares(self) -> tuple[tuple[str, float, float], ...]:
        """Returns (value, old, new) with shares from 0 to 1 in the place of counts."""
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
    """Words of the texts of a column, or items of its lists; ``moved`` has classes of about a tenth of the old rows."""

    config: str
    column: str
    old: LengthDistribution
    new: LengthDistribution
    moved: Moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The rejects with a reason.

    Attributes:
        unit: the units read: ``documents``, ``sentences``, ``pairs``, or a group such as ``profiles/cnndm``.
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
class Content:
    """The content of the rows of both datasets.

    Attributes:
        documents: DOCUMENTS; None where the rows have no ids of documents.
        rows: by configuration.
        lengths: of the columns with texts.
    """

    documents: Counts | None
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
        content: the comparison of the rows; None if they were not read.
        unread: why they were not read; "" where they were.
        transfer: TRANSFER.
        guards: the bounds that the new dataset breaks, one line each.
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
        """Returns JSON values in the form of DIFF_VERSION."""
        return {"diff_version": DIFF_VERSION, **dataclasses.asdict(self)}


NAMESPACE = ReadReason.NAMESPACE.name
_REJECTED, _REASON = "/rejected", "rejected/"
_NOT_DECISIVE = frozenset({"input", "output", "overwrite", "resume", "temp_dir", "workers"})
_CODE = "source_sha256"
_DIGITS = 12  # of a SHA-256, for a person


def rejected(old: Manifest, new: Manifest) -> tuple[Rejected, ...]:
    """Returns the rejects of both datasets, those first whose share of the units read changed most."""
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
    """Returns of how many the rejects of a reason are a share.

    Pages of namespaces that nobody asked for count for their own reason alone: one layout of dumps has all namespaces,
    another some, and the shares of the other reasons are to be the same.
    """
    read = counts.get(unit, {}).get("read", 0)
    return read if reason == NAMESPACE else read - rejects_of(counts).get((unit, NAMESPACE), 0)


def rejects_of(counts: Mapping[str, Counts]) -> dict[tuple[str, str], int]:
    """Returns by unit and reason how often something was rejected.

    Documents, sentences and pairs have a group of their own, ``documents/rejected``. A unit of a recipe, such as
    ``profiles/cnndm``, has them among its counts, as ``rejected/REASON``.
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
    """Returns how the distributions of stats.json moved, the one first that moved most."""
    keys = {(k, config) for s in (old, new) for k, by_config in s.distributions.items() for config in by_config}
    found = []
    for kind, config in sorted(keys):
        shares = (s.distributions.get(kind, {}).get(config, ()) for s in (old, new))
        found.append(Moved.of(kind, config, *({share.value: share.count for share in group} for group in shares)))
    return tuple(sorted(found, key=lambda m: -m.drift.distance))


def causes(old: Manifest, new: Manifest) -> tuple[Cause, ...]:
    """Returns what decides about the content and differs: code, packages, models, arithmetic, options, inputs."""
    before, now = _deciding(old), _deciding(new)
    return tuple(
        Cause(what, name, before[what].get(name, ""), now[what].get(name, ""))
        for what in before
        for name in sorted({*before[what], *now[what]})
        if before[what].get(name) != now[what].get(name)
    )


def _deciding(manifest: Manifest) -> dict[str, dict[str, str]]:
    """What decides about the content of a dataset in words, by kind and name. Inputs are the dates of dumps, and how
    many other files of what size."""
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
    """The values of each name, sorted and with commas between them."""
    found: dict[str, set[str]] = {}
    for name, value in pairs:
        found.setdefault(name, set()).add(value)
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def _model(entry: ModelEntry) -> str:
    digest = entry.sha256 or hashlib.sha256(json.dumps(sorted(entry.files.items())).encode()).hexdigest()
    return " ".join(filter(None, (entry.version, entry.weights, digest[:_DIGITS])))
