"""What a reader of a report should not overlook."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from gistmill.core.dataset import SPLITS
from gistmill.core.manifest import Manifest
from gistmill.rules.reasons import CleanReason, ReadReason

# Rejects for these reasons say that something broke, not that a text was unfit.
_BROKEN = (
    ReadReason.BAD_XML,
    ReadReason.BAD_PAGE,
    ReadReason.BAD_RECORD,
    ReadReason.BAD_LINE,
    CleanReason.DEADLINE,
    CleanReason.PARSER_DIED,
    CleanReason.EXTRACTOR_FAILED,
)
_FEW = 0.01  # of what was read


def remarks(manifest: Manifest, reads: str) -> Iterator[str]:
    """Yields a sentence for each unusual thing; ``reads``: what documents are called."""
    for damage in manifest.damage:
        yield f"{damage.file} is damaged at byte {damage.offset:,}: {damage.message}."
    documents, rejected = (manifest.counts.get(name, {}) for name in ("documents", "documents/rejected"))
    read, used = documents.get("read", 0), documents.get("used", 0)
    if not read:
        yield f"No {reads} were read."
    elif used < _FEW * read:
        yield f"Only {used:,} of {read:,} {reads} were used."
    for reason in _BROKEN:
        if number := rejected.get(reason.name, 0):
            yield f"{number:,} {reads} were rejected because something failed: {reason.value} ({reason.name})."
    for config, rows in manifest.rows().items():
        if not rows:
            yield f"The configuration {config} has no rows."
            continue
        splits = manifest.counts[f"rows/{config}"]
        if empty := [name for name in _wanted_splits(manifest) if not splits.get(name, 0)]:
            yield f"The configuration {config} has no rows in {' and '.join(empty)}."
    libraries = [entry.library for entry in manifest.arithmetic]
    for library in sorted({name for name in libraries if libraries.count(name) > 1}):
        yield f"Workers computed with different kernels of {library}, so another run may differ in last digits."


def _wanted_splits(manifest: Manifest) -> Iterator[str]:
    """Yields the splits whose share is not 0, nor their limit. A job on rows chooses no split, so it wants none."""
    shares = manifest.configuration.get("splits") or ()
    limits = manifest.configuration.get("rows") or ()
    for name, share, limit in itertools.zip_longest(SPLITS, shares, limits):
        if share and limit != 0:
            yield name
