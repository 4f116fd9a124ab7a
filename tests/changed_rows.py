"""Rows of a dataset by type, and what became of them in another: which went, came or changed, with examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gistmill.published.comparison.compare import compare
from gistmill.published.dataset import Dataset

Types = dict[str, dict[str, int]]
_EXAMPLES = 3
_CHARACTERS = 160


def types_of(folder: Path) -> Types:
    """Returns how many rows of each type every configuration has; "" is the type where no column says it."""
    dataset = Dataset(folder)
    content = compare(dataset, dataset).content
    assert content is not None
    return {
        config: {name: of["new"] for name, of in rows.types.items()} or {"": rows.all["new"]}
        for config, rows in content.rows.items()
    }


def moved_counts(before: Types, now: Types) -> Iterator[str]:
    """Yields a line for each type of which there are more or fewer rows."""
    for config in before.keys() | now.keys():
        old, new = before.get(config, {}), now.get(config, {})
        for name in sorted(old.keys() | new.keys()):
            if old.get(name, 0) != new.get(name, 0):
                yield f"{_label(config, name)}: {old.get(name, 0):,} rows before, {new.get(name, 0):,} now"


def changes(old: Path, new: Path) -> Iterator[str]:
    """Yields lines on the rows that went, came or changed: how many of each type, and examples of each configuration."""
    before, now = Dataset(old), Dataset(new)
    content = compare(before, now).content
    assert content is not None
    for config, rows in content.rows.items():
        for name, of in (rows.types or {"": rows.all}).items():
            came, went, changed = (
                of["added"] + of["came"],
                of["removed"] + of["left"],
                of["changed"] + of["found_elsewhere"],
            )
            if came or went or changed:
                yield f"{_label(config, name)}: {went:,} went, {came:,} came, {changed:,} changed, {of['same']:,} stayed"
        yield from _examples(_rows(before, config), _rows(now, config))


def _examples(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    went = [f"  - {key}: {_shown(row)}" for key, row in old.items() if key not in new]
    came = [f"  + {key}: {_shown(row)}" for key, row in new.items() if key not in old]
    changed = [
        f"  ~ {key}: {column}: {_clipped(old[key].get(column))} -> {_clipped(row.get(column))}"
        for key, row in new.items()
        if key in old and old[key] != row
        for column in [next(c for c in row | old[key] if old[key].get(c) != row.get(c))]
    ]
    for lines in (went, came, changed):
        yield from lines[:_EXAMPLES]


def _rows(dataset: Dataset, config: str) -> dict[str, Any]:
    splits = dataset.splits(config) if config in dataset.configs else ()
    return {row["id"]: {**row, "split": split} for split in splits for row in dataset.rows(split, config)}


def _shown(row: dict[str, Any]) -> str:
    return " | ".join(_clipped(row[name]) for name in ("inputs", "targets", "text", "tokens") if name in row)


def _clipped(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"


def _label(config: str, name: str) -> str:
    return f"{config} {name}".rstrip()
