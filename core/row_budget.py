"""A fixed number of rows per split, chosen by salted hashes of their ids.

The hashes put the rows in a random order that depends only on the salt and ids, and a split keeps the first rows in
this order. Its size is therefore exact, and a smaller budget keeps a subset of the rows kept by a larger one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gistmill.core.statistics import SPLITS, split_rank

ROWS, LEFT_OUT = "rows", "rows_left_out"  # groups of counts
_DIGEST_BYTES, _BIN_BYTES = 8, 2


@dataclass(frozen=True, slots=True)
class Cut:
    """The position in the random order after which a split's rows are omitted.

    Attributes:
        salt: salt of the order.
        last: ``order_key`` of the last row kept.
    """

    salt: str
    last: bytes

    def keeper(self) -> Callable[[bytes], bool]:
        """Returns a function that tells whether the row with a given id (UTF-8) is kept."""
        key, last = order_key(self.salt), self.last
        return lambda row_id: key(row_id) <= last


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBudget:
    """The maximum number of rows in each split of every configuration.

    Attributes:
        most: maximum by split; splits not listed keep all rows.
        salt: salt of the hashes.
    """

    most: Mapping[str, int] = field(default_factory=dict)
    salt: str = ""

    @classmethod
    def of(cls, rows: Sequence[int] | None, *, salt: str) -> RowBudget:
        """Returns the budget with these maxima for train, validation and test; other splits keep all rows."""
        return cls(most=dict(zip(SPLITS, rows or (), strict=False)), salt=f"rows {salt}")

    def cut(self, split: str, ids: Callable[[], Iterable[bytes]], *, rows: int) -> Cut | None:
        """Returns the cut-off for a split of ``rows`` rows, or None if all are kept. Each call of ``ids`` yields all
        ids (UTF-8), in any order.

        Raises:
            ValueError: the budget is 0, so no row is kept.
        """
        most = self.most.get(split, rows)
        if most >= rows:
            return None
        return Cut(self.salt, last_of(ids, most, salt=self.salt))

    def kept(self, split: str, rows: int) -> int:
        """Returns how many of a split's ``rows`` rows are kept."""
        return min(rows, self.most.get(split, rows))

    def applied(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Returns a run's counts with ``rows/CONFIG/SPLIT`` reduced to the rows kept; ``rows_left_out/CONFIG/SPLIT``
        counts the omitted rows, if any."""
        found = dict(counts)
        for key, made in counts.items():
            group, _, rest = key.partition("/")
            if group == ROWS and (left_out := made - (kept := self.kept(rest.rpartition("/")[2], made))):
                found[f"{LEFT_OUT}/{rest}"] = left_out
                found[key] = kept
                if not kept:  # a split without rows has no count
                    del found[key]
        return dict(sorted(found.items()))

    def short(self, counts: Mapping[str, int], configs: Iterable[str]) -> list[str]:
        """Returns a line for each split of ``configs`` with fewer rows (``rows/CONFIG/SPLIT``) than its maximum."""
        return [
            f"rows of {config}/{split}: {rows:,}, fewer than the {most:,} of --rows"
            for config in configs
            for split, most in self.most.items()
            if (rows := counts.get(f"{ROWS}/{config}/{split}", 0)) < most
        ]


UNLIMITED = RowBudget()


def left_out_lines(groups: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Returns the Markdown paragraph about omitted rows, from grouped counts; empty if no rows are omitted."""
    of_configs = {name.partition("/")[2]: group for name, group in groups.items() if name.startswith(f"{LEFT_OUT}/")}
    lines = [
        f"Rows of `{config}` that `--rows` left out, by hashes of their ids: "
        + ", ".join(f"{group[split]:,} of {split}" for split in sorted(group, key=split_rank))
        + "."
        for config, group in of_configs.items()
    ]
    return [*lines, "All other counts and distributions are of the rows before that."] if lines else []


def order_key(salt: str) -> Callable[[bytes], bytes]:
    """Returns the function from a row id (UTF-8) to its key in the random order: an 8-byte BLAKE2b digest keyed by the
    salt, followed by the id itself, so that all keys differ."""
    keyed = hashlib.blake2b(digest_size=_DIGEST_BYTES, key=salt.encode("utf-8")[:64])

    def key(row_id: bytes) -> bytes:
        digest = keyed.copy()
        digest.update(row_id)
        return digest.digest() + row_id

    return key


def last_of(ids: Callable[[], Iterable[bytes]], count: int, *, salt: str) -> bytes:
    """Returns the key of row number ``count`` (from 1) in the random order.

    The ids are read twice: first they are counted by the first two bytes of their keys, then one bin is sorted, so that
    only about 1/65,536 of the keys are in memory.

    Args:
        ids: each call yields all ids, in any order.
        count: from 1 to the number of ids.
        salt: salt of the order.

    Raises:
        ValueError: there are fewer than ``count`` rows.
    """
    key = order_key(salt)
    bins = [0] * (1 << 8 * _BIN_BYTES)
    for row_id in ids():
        bins[int.from_bytes(key(row_id)[:_BIN_BYTES], "big")] += 1
    before = 0
    for number, size in enumerate(bins):
        if before < count <= before + size:
            first = number.to_bytes(_BIN_BYTES, "big")
            return sorted(k for k in map(key, ids()) if k.startswith(first))[count - before - 1]
        before += size
    raise ValueError(f"no row has the number {count} of {before}")
