"""Guards: limits that a new version of a dataset must stay within, both alone and relative to the previous version."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.manifest import Manifest
from gistmill.core.options import Options, option
from gistmill.core.values import POSITIVE, SHARE, custom, mapping_of, whole
from gistmill.published.comparison.comparison import NAMESPACE, Comparison, Rejected, read_for, rejects_of
from gistmill.published.comparison.drift import drift
from gistmill.rules.documents import CleanReason, ReadReason

_NUMBER = r"[0-9]*\.?[0-9]+"
_RANGE = re.compile(rf"({_NUMBER})?\.\.({_NUMBER})?")
# Reasons that indicate an error in a page, a parser or the input rather than unsuitable text; they should be rare.
_FAULTS = {
    reason.name: share
    for share, reasons in (
        (0.01, (ReadReason.BAD_XML, ReadReason.BAD_PAGE, ReadReason.BAD_LINE, ReadReason.BAD_RECORD)),
        (0.01, (CleanReason.DEADLINE, CleanReason.PARSER_DIED, CleanReason.TOO_DEEP, CleanReason.TOO_MANY_OPENERS)),
        (0.05, (CleanReason.EXTRACTOR_FAILED,)),
    )
    for reason in reasons
}
_FEW = 0.001  # share of the units read below which any increase is allowed
_FEW_ROWS = 50  # rows per split below which the number is subject to chance
_FEW_FAULTS = 3  # allowed in a small input
_COMPARE = "compare rows from both versions"
_READ = "look at some of them in rejects/"
_WHOLE = "is the input complete"


@dataclass(frozen=True, slots=True)
class Range:
    """The range of factors by which a number may change."""

    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.least:g}..{'' if self.most == math.inf else f'{self.most:g}'}"


def _range(value: Any) -> Range:
    if isinstance(value, Range):
        return value
    found = _RANGE.fullmatch(str(value).replace(" ", ""))
    if found is None or not any(found.groups()):
        raise ValueError("expected a range such as 0.9..1.2, 0.9.. or ..1.2")
    made = Range(float(found[1] or 0), float(found[2]) if found[2] else math.inf)
    if made.least > made.most:
        raise ValueError("expected a range whose first number does not exceed the second")
    return made


RANGE = custom(
    _range,
    pattern=rf"({_NUMBER}\.\.({_NUMBER})?|\.\.{_NUMBER})",
    metavar="FROM..TO",
    allowed="a range such as 0.9..1.2",
    schema={"type": "string", "pattern": rf"^ *({_NUMBER} *\.\. *({_NUMBER})?|\.\. *{_NUMBER}) *$"},
)


@dataclass(frozen=True, kw_only=True)
class GuardsConfig(Options):
    """The limits for a new version, both relative to the previous version and absolute."""

    GROUP: ClassVar[str] = "guards"

    documents: Range = option(
        RANGE, default="0.8..1.5", help="number of documents used, as a multiple of the number in the previous version"
    )
    rows: Range = option(
        RANGE,
        default="0.8..1.5",
        help="number of rows in each configuration, as a multiple of the number in the previous version",
    )
    splits: Range = option(
        RANGE,
        default="0.5..",
        help="number of rows in each split of a configuration, as a multiple of the number in the previous version",
    )
    removed: float | None = option(
        SHARE, help="maximum share of the previous documents that may be missing (default: any, as in a new crawl)"
    )
    drift: float = option(
        SHARE,
        default=0.1,
        help="maximum significant change in a distribution of types, connectives or lengths: the Jensen-Shannon "
        "distance of its shares",
    )
    shares: float = option(
        SHARE, default=0.05, help="maximum significant change in the share of one type or connective"
    )
    rejects: float = option(
        SHARE,
        default=0.05,
        help="maximum significant increase in the share of units read that are rejected for any one reason",
    )
    jump: float = option(
        POSITIVE,
        default=10.0,
        help=f"maximum factor by which a reason's share may grow, if the new share is above {_FEW:g}",
    )
    reasons: dict[str, float] | None = option(
        mapping_of(SHARE),
        default={},
        help="maximum share of units read that may be rejected for a reason, in any version: a mapping such as "
        "{DEADLINE: 0.02}; errors in the input and in parsers are limited to 0.01 (EXTRACTOR_FAILED 0.05) "
        "unless named here",
    )
    min_documents: int = option(whole(0), default=1, help="minimum number of documents used, in any version")
    min_rows: int = option(whole(0), default=1, help="minimum number of rows in each configuration, in any version")

    @override
    def to_values(self) -> dict[str, Any]:
        return {n: str(v) if isinstance(v, Range) else v for n, v in super().to_values().items()}


def broken(comparison: Comparison, bounds: GuardsConfig) -> list[str]:
    """Returns the limits relative to the previous version that are violated, one line each, with numbers and advice."""
    return [
        *_counts(comparison, bounds),
        *_moved(comparison, bounds),
        # the number of pages in other namespaces depends on a dump's layout
        *(line for r in comparison.rejected if r.reason != NAMESPACE for line in _grown(r, bounds)),
    ]


def broken_alone(manifest: Manifest, bounds: GuardsConfig) -> list[str]:
    """Returns the absolute limits that a dataset violates, as ``broken`` does; only these apply to a first version."""
    lines = []
    used, rows = manifest.counts.get("documents", {}).get("used", 0), manifest.rows()
    if used < bounds.min_documents:
        lines.append(f"documents used: {used:,} (guards.min_documents: {bounds.min_documents:,}); {_WHOLE}?")
    for config in manifest.columns:
        if (count := rows.get(config, 0)) < bounds.min_rows:
            lines.append(
                f"rows of {config}: {count:,} (guards.min_rows: {bounds.min_rows:,}); why are the others rejected?"
            )
    most: Mapping[str, float] = {**_FAULTS, **(bounds.reasons or {})}
    for (unit, reason), count in rejects_of(manifest.counts).items():
        read = read_for(reason, unit, manifest.counts)
        if reason in most and count > max(_FEW_FAULTS, most[reason] * read):
            lines.append(
                f"{reason}: {count:,} of {read:,} {unit} rejected, {_percent(count / read)} (guards.reasons: "
                f"{most[reason]:g}); {_READ}"
            )
    return lines


def _counts(comparison: Comparison, bounds: GuardsConfig) -> Iterator[str]:
    old, new = comparison.old, comparison.new
    counted = [
        ("documents used", old.used, new.used, "documents"),
        *((f"rows of {config}", before, new.rows.get(config, 0), "rows") for config, before in old.rows.items()),
        *(
            (f"rows of {split}", before, new.splits.get(split, 0), "splits")
            for split, before in old.splits.items()
            if before >= _FEW_ROWS
        ),
    ]
    for what, before, now, guard in counted:
        bound: Range = getattr(bounds, guard)
        if before and not bound.least * before <= now <= bound.most * before:
            yield (
                f"{what}: {now:,}, {now / before:.3g} times the {before:,} before (guards.{guard}: {bound}); {_WHOLE}, "
                "and which reason rejects more than before?"
            )
    documents = comparison.content.documents if comparison.content else None
    if documents and bounds.removed is not None and documents["removed"] > bounds.removed * documents["old"]:
        share = _percent(documents["removed"] / documents["old"])
        yield (
            f"documents gone: {documents['removed']:,} of {documents['old']:,}, {share} (guards.removed: "
            f"{bounds.removed:g}); {_WHOLE}?"
        )


def _moved(comparison: Comparison, bounds: GuardsConfig) -> Iterator[str]:
    found = [(f"{m.kind} of {m.config}", m, m.shares()) for m in comparison.distributions]
    for entry in comparison.content.lengths if comparison.content else ():
        found.append((f"lengths of {entry.column} of {entry.config}", entry.moved, ()))
    for what, moved, shares in found:
        if not moved.drift.significant:
            continue
        if moved.drift.distance > bounds.drift:
            value, old, new = moved.shares()[0]
            yield (
                f"{what}: moved by {moved.drift.distance:.3f}, most {value!r} from {_percent(old)} to {_percent(new)} "
                f"(guards.drift: {bounds.drift:g}); {_COMPARE}"
            )
        for value, old, new in shares:
            if abs(new - old) > bounds.shares:
                yield (
                    f"share of {value!r} in {what}: {_percent(new)}, {_percent(old)} before "
                    f"(guards.shares: {bounds.shares:g}); {_COMPARE}"
                )


def _grown(entry: Rejected, bounds: GuardsConfig) -> Iterator[str]:
    old, new = entry.old_share, entry.new_share
    sides = ((entry.old, entry.old_read), (entry.new, entry.new_read))
    before, now = ({"rejected": count, "other": read - count} for count, read in sides)
    if new <= old or not drift(before, now).significant:  # no increase, or an insignificant one
        return
    said = (
        f"{entry.reason}: {entry.new:,} {entry.unit} rejected, {_percent(new)} of those read; {entry.old:,} and "
        f"{_percent(old)} before"
    )
    if new - old > bounds.rejects:
        yield f"{said} (guards.rejects: {bounds.rejects:g}); {_READ}"
    elif new > _FEW and new > bounds.jump * max(old, 1 / max(1, entry.old_read)):
        yield f"{said} (guards.jump: {bounds.jump:g} times); {_READ}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"
