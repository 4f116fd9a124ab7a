"""The checks before anything is published: nothing vanished on the way, and the input was whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from gistmill.core.records import Damage
from gistmill.core.row_budget import LEFT_OUT, ROWS
from gistmill.pipelines.errors import JobFailed
from gistmill.transforms.sinks.formats import SIGNATURES
from gistmill.transforms.sinks.results import Results
from gistmill.transforms.sinks.shards import ShardFile
from gistmill.transforms.sinks.spills import REJECTS

UNITS = ("documents", "sentences", "pairs", "copies")


class ConservationError(JobFailed):
    """Something was read that is neither used nor rejected, or a row is not in the files."""


class DamagedInputError(JobFailed):
    """The input breaks off or cannot be decoded somewhere; the text is one line for the user."""


def check_conservation(results: Results, *, formats: Sequence[str], unit: str = "") -> None:
    """Checks that what was read is used or rejected, and that the files hold every row.

    Args:
        results: what the pipeline handed over; of rows that a budget leaves out it has the number.
        formats: names of the output formats.
        unit: the UNIT of the recipe: what it counts separately for each configuration.

    Raises:
        ConservationError: with every sum that does not come out, in one line.
    """
    wrong = [*_unbalanced(results.counts, unit), *_wrong_rows(results, formats), *_wrong_shards(results.shards)]
    if wrong:
        raise ConservationError(f"the counts do not come out: {'; '.join(wrong)}; nothing was published")


def check_damage(damage: Sequence[Damage], *, allow_truncated: bool) -> None:
    """Raises DamagedInputError when there is damage that was not allowed."""
    if damage and not allow_truncated:
        first = damage[0]
        others = f" (and {len(damage) - 1} more places)" if len(damage) > 1 else ""
        raise DamagedInputError(
            f"{first.file} is damaged at byte {first.offset}: {first.message}{others}; nothing was "
            "published; --allow-truncated publishes what could be read"
        )


def _unbalanced(counts: Mapping[str, int], configurations_of: str) -> list[str]:
    wrong = []
    parts = {"/".join(k.split("/")[:2]) for k in counts if configurations_of and k.startswith(f"{configurations_of}/")}
    for unit in (*UNITS, *sorted(parts)):
        rejected = sum(n for k, n in counts.items() if k.startswith(f"{unit}/rejected/"))
        read, used = counts.get(f"{unit}/read", 0), counts.get(f"{unit}/used", 0)
        if read != used + rejected:
            wrong.append(f"{read} {unit} read, but {used} used and {rejected} rejected")
        if unit in parts:
            of_part = tuple(f"{group}/{unit.partition('/')[2]}/" for group in (ROWS, LEFT_OUT))
            rows = sum(n for k, n in counts.items() if k.startswith(of_part))
            if rows != used:
                wrong.append(f"{used} documents used by {unit}, but {rows} rows made of them")
    return wrong


def _wrong_rows(results: Results, formats: Sequence[str]) -> list[str]:
    written: dict[tuple[str, str, str], int] = defaultdict(int)
    for s in _of_rows(results.shards):
        written[s.config, s.split, s.format] += s.rows
    expected = {
        (config, split, f): n
        for key, n in results.counts.items()
        if key.startswith(f"{ROWS}/")
        for _, config, split in [key.split("/")]
        for f in formats
    }
    expected[REJECTS, REJECTS, "jsonl"] = sum(n for k, n in results.counts.items() if k.startswith("rejects/"))
    return [
        f"{expected.get(k, 0)} rows of {k[0]}/{k[1]} made, but {written.get(k, 0)} in its {k[2]} files"
        for k in sorted(expected.keys() | written.keys())
        if expected.get(k, 0) != written.get(k, 0)
    ]


def _of_rows(shards: Sequence[ShardFile]) -> list[ShardFile]:
    return [s for s in shards if s.config != SIGNATURES]


def _wrong_shards(shards: Sequence[ShardFile]) -> list[str]:
    groups: dict[tuple[str, str, str], list[ShardFile]] = defaultdict(list)
    for s in _of_rows(shards):
        groups[s.config, s.split, s.format].append(s)
    wrong = []
    for (config, split, format_name), group in sorted(groups.items()):
        group.sort(key=lambda s: s.index)
        if [s.index for s in group] != list(range(group[0].of)) or len({s.of for s in group}) > 1:
            wrong.append(f"the {format_name} shards of {config}/{split} are not 0 to {group[0].of - 1}")
        if any(a.last_id.encode() >= b.first_id.encode() for a, b in pairwise(group)):
            wrong.append(f"the {format_name} shards of {config}/{split} are not in order of their ids")
    return wrong
