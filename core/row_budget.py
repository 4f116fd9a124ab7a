"""A fixed number of rows of each split, chosen by salted hashes of their ids.

The hashes give the rows a random order, which depends only on salt and ids. A split keeps the first rows of this
order. So its size is exact, and a smaller budget keeps a subset of the rows that a larger one keeps.
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
    """The end of a split's rows in the random order.

    Attributes:
        salt: of the order.
        last: the key of the last row that stays, as ``order_key`` gives it.
    """

    salt: str
    last: bytes

    def keeper(self) -> Callable[[bytes], bool]:
        """Returns the function that says whether the row of an id (UTF-8) stays."""
        key, last = order_key(self.salt), self.last
        return lambda row_id: key(row_id) <= last


@dataclass(frozen=True, slots=True, kw_only=True)
class RowBudget:
    """How many rows each split of each configuration keeps.

    Attributes:
        most: number of rows by split; a split that is not there keeps all rows.
        salt: of the hashes.
    """

    most: Mapping[str, int] = field(default_factory=dict)
    salt: str = ""

    @classmethod
    def of(cls, rows: Sequence[int] | None, *, salt: str) -> RowBudget:
        """Returns the budget of these numbers for train, validation and test; missing ones keep all rows."""
        return cls(most=dict(zip(SPLITS, rows or (), strict=False)), salt=f"rows {salt}")

    def cut(self, split: str, ids: Callable[[], Iterable[bytes]], *, rows: int) -> Cut | None:
        """Returns the cut of a split whose ``rows`` rows have the ids (UTF-8) that each call of ``ids`` yields, in any
        order. None: all rows stay.

        Raises:
            ValueError: the budget is 0, so that no row stays.
        """
        most = self.most.get(split, rows)
        if most >= rows:
            return None
        return Cut(self.salt, last_of(ids, most, salt=self.salt))

    def kept(self, split: str, rows: int) -> int:
        """Returns how many of the ``rows`` rows of a split stay."""
        return min(rows, self.most.get(split, rows))

    def applied(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Returns the counts of a run (``rows/CONFIG/SPLIT`` and others) with the rows that stay in the place of those
        that were made; ``rows_left_out/CONFIG/SPLIT`` counts the others, where there are any."""
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
        """Returns a line for each split of ``configs`` that has fewer rows (``rows/CONFIG/SPLIT``) than it may keep."""
        return [
            f"rows of {config}/{split}: {rows:,}, fewer than the {most:,} of --rows"
            for config in configs
            for split, most in self.most.items()
            if (rows := counts.get(f"{ROWS}/{config}/{split}", 0)) < most
        ]


UNLIMITED = RowBudget()


def left_out_lines(groups: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Returns the paragraph of a Markdown description on omitted rows, for counts in groups (core/statistics.py);
    nothing where there are none.
    """
    of_configs = {name.partition("/")[2]: group for name, group in groups.items() if name.startswith(f"{LEFT_OUT}/")}
    lines = [
        f"Rows of `{config}` that `--rows` left out, by hashes of their ids: "
        + ", ".join(f"{group[split]:,} of {split}" for split in sorted(group, key=split_rank))
        + "."
        for config, group in of_configs.items()
    ]
    return [*lines, "All other counts and distributions are of the rows before that."] if lines else []


def order_key(salt: str) -> Callable[[bytes], bytes]:
    """Returns the function from the id of a row (UTF-8) to its key in the random order: a BLAKE2b digest of 8 bytes,
    keyed by the salt, and the id itself, so that no two keys are equal."""
    keyed = hashlib.blake2b(digest_size=_DIGEST_BYTES, key=salt.encode("utf-8")[:64])

    def key(row_id: bytes) -> bytes:
        digest = keyed.copy()
        digest.update(row_id)
        return digest.digest() + row_id

    return key


def last_of(ids: Callable[[], Iterable[bytes]], count: int, *, salt: str) -> bytes:
    """Returns the key of row number ``count`` (from 1) in the random order.

    The ids are read twice: they are counted by the first bytes of their keys, and then those of one bin are sorted. So
    a 65,536th of the keys is in memory.

    Args:
        ids: each call yields all ids, in any order.
        count: from 1 to the number of ids.
        salt: of the order.

    Raises:
        ValueError: there is no row of this number.
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
