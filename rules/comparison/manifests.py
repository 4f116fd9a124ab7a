"""What two manifests and statistics say of the difference between their datasets."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from gistmill.core.manifest import Manifest
from gistmill.core.manifest_entries import ModelEntry
from gistmill.core.statistics import Statistics
from gistmill.rules.comparison.comparison import Cause, Moved, Rejected, Side
from gistmill.rules.comparison.drift import drift
from gistmill.rules.reasons import ReadReason

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
