"""What changed between two published datasets of a recipe. docs/diff.md explains it, and its form in JSON."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.core.manifest import Manifest, ModelEntry
from gistmill.core.statistics import Statistics
from gistmill.published.comparison.drift import Drift, Spread, drift
from gistmill.rules.documents import ReadReason

DIFF_VERSION = 2


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
        moved_files: of all other files.
    """

    bytes: int
    same_path: int
    same_content: int
    moved_files: int


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


NAMESPACE = ReadReason.NAMESPACE.name
_REJECTED, _REASON = "/rejected", "rejected/"
_NOT_DECISIVE = frozenset({"input", "output", "overwrite", "resume", "temp_dir", "workers"})
_CODE = "source_sha256"
_DIGITS = 12  # of a SHA-256, for a person


def side(place: str, manifest: Manifest) -> Side:
    """Returns what is said of a dataset before anything is compared."""
    documents = manifest.counts.get("documents", {})
    rows = {g.removeprefix("rows/"): counts for g, counts in manifest.counts.items() if g.startswith("rows/")}
    return Side(
        place=place,
        end=manifest.end.isoformat(timespec="seconds"),
        code_version=manifest.code_version,
        rows=manifest.rows(),
        splits={f"{config}/{split}": n for config, counts in rows.items() for split, n in counts.items()},
        read=documents.get("read", 0),
        used=documents.get("used", 0),
        bytes=sum(file.bytes for file in manifest.files),
    )


def rejected(old: Manifest, new: Manifest) -> tuple[Rejected, ...]:
    """Returns what was rejected in either dataset, the reason first whose share of what was read moved most.

    Pages of namespaces that nobody asked for count as read for their own reason alone: one layout of dumps has all
    namespaces, another some, and the shares of the other reasons are to be the same.
    """
    before, now = (rejects_of(m.counts) for m in (old, new))
    found = [
        Rejected(
            unit=unit,
            reason=reason,
            old=before.get(unit, {}).get(reason, 0),
            new=now.get(unit, {}).get(reason, 0),
            old_read=read_for(reason, unit, old.counts),
            new_read=read_for(reason, unit, new.counts),
        )
        for unit in {*before, *now}
        for reason in {*before.get(unit, {}), *now.get(unit, {})}
    ]
    return tuple(sorted(found, key=lambda r: (-abs(r.new_share - r.old_share), -r.new, r.unit, r.reason)))


def read_for(reason: str, unit: str, counts: Mapping[str, Mapping[str, int]]) -> int:
    """Returns of how many the rejects of a reason are a share."""
    read = counts.get(unit, {}).get("read", 0)
    other = 0 if reason == NAMESPACE else rejects_of(counts).get(unit, {}).get(NAMESPACE, 0)
    return read - other


def rejects_of(counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """Returns by unit and reason how often something was rejected.

    Documents, sentences and pairs have a group of their own, ``documents/rejected``. A unit of a recipe, such as
    ``profiles/cnndm``, has them among its counts, as ``rejected/REASON``.
    """
    found: dict[str, dict[str, int]] = {}
    for group, of_group in counts.items():
        if group.endswith(_REJECTED):
            found.setdefault(group.removesuffix(_REJECTED), {}).update(of_group)
        for name, number in of_group.items():
            if name.startswith(_REASON):
                found.setdefault(group, {})[name.removeprefix(_REASON)] = number
    return found


def moved(kind: str, config: str, old: Mapping[str, int], new: Mapping[str, int]) -> Moved:
    """Returns how a distribution moved; ``old`` and ``new`` are counts by value."""
    before, now = sum(old.values()) or 1, sum(new.values()) or 1

    def most(value: str) -> tuple[float, str]:
        return -abs(new.get(value, 0) / now - old.get(value, 0) / before), value

    values = tuple((v, old.get(v, 0), new.get(v, 0)) for v in sorted({*old, *new}, key=most))
    return Moved(kind=kind, config=config, drift=drift(old, new), values=values)


def distributions(old: Statistics, new: Statistics) -> tuple[Moved, ...]:
    """Returns how the distributions of stats.json moved, the one first that moved most."""
    keys = {(k, config) for s in (old, new) for k, by_config in s.distributions.items() for config in by_config}
    found = []
    for kind, config in sorted(keys):
        shares = (s.distributions.get(kind, {}).get(config, ()) for s in (old, new))
        before, now = ({share.value: share.count for share in group} for group in shares)
        found.append(moved(kind, config, before, now))
    return tuple(sorted(found, key=lambda m: -m.drift.distance))


def causes(old: Manifest, new: Manifest) -> tuple[Cause, ...]:
    """Returns what decides about the content and differs: code, packages, models, arithmetic, options, inputs."""
    codes = [{"gistmill": f"{m.code_version} ({m.versions.get(_CODE, '')[:_DIGITS]})"} for m in (old, new)]
    packages = [{k: v for k, v in m.versions.items() if k != _CODE} for m in (old, new)]
    models = [{entry.name: _model(entry) for entry in m.models} for m in (old, new)]
    kernels = [_kernels(m) for m in (old, new)]
    options = [{k: _shown(v) for k, v in m.configuration.items() if k not in _NOT_DECISIVE} for m in (old, new)]
    inputs = [_inputs(m) for m in (old, new)]
    groups = {"code": codes, "package": packages, "model": models, "arithmetic": kernels, "option": options}
    found = [cause for what, (a, b) in groups.items() for cause in _differing(what, a, b)]
    return (*found, *_differing("input", *inputs))


def _differing(what: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Cause]:
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            yield Cause(what, name, old.get(name, ""), new.get(name, ""))


def _model(entry: ModelEntry) -> str:
    digest = entry.sha256 or hashlib.sha256(json.dumps(sorted(entry.files.items())).encode()).hexdigest()
    return " ".join(filter(None, (entry.version, entry.weights, digest[:_DIGITS])))


def _kernels(manifest: Manifest) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for entry in manifest.arithmetic:
        found.setdefault(entry.library, set()).add(f"{entry.version} {entry.kernel}")
    return {library: ", ".join(sorted(kernels)) for library, kernels in found.items()}


def _inputs(manifest: Manifest) -> dict[str, str]:
    """What was read: the dates of dumps, and how many other files of what size."""
    dumps = {name for d in manifest.dumps for name in d.names}
    found: dict[str, set[str]] = {}
    for dump in manifest.dumps:
        found.setdefault(dump.wiki, set()).add(dump.date)
    others = {s.name: f"{s.size:,} bytes, {(s.sha256 or 'not read whole')[:_DIGITS]}" for s in manifest.sources}
    return {
        **{k: ", ".join(sorted(v)) for k, v in found.items()},
        **{k: v for k, v in others.items() if k not in dumps},
    }


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
