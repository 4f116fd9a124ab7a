"""Invariants that each row of a published dataset must satisfy; ``gistmill validate`` checks every row.

An invariant applies to datasets with its columns. A new invariant needs a function and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.rules.fusion import texts as edits
from gistmill.rules.synthetic import law as synthetic


@dataclass(frozen=True, slots=True, kw_only=True)
class RowInvariant:
    """An invariant for rows.

    Attributes:
        columns: the columns that a row must have for the invariant to apply.
        problem: a function that takes the values of ``columns``, and of the available columns in ``more``, and returns
            a one-line description of how the row violates the invariant; None if it does not.
        more: optional columns.
    """

    columns: tuple[str, ...]
    problem: Callable[[Mapping[str, Any]], str | None]
    more: tuple[str, ...] = ()


LAWS = (
    RowInvariant(columns=edits.COLUMNS, problem=edits.problem),
    RowInvariant(columns=synthetic.COLUMNS, problem=synthetic.problem, more=synthetic.STEP_COLUMNS),
)


def invariants_of(columns: Collection[str]) -> Iterator[tuple[RowInvariant, tuple[str, ...]]]:
    """Yields each invariant that applies to rows with these columns, and the columns to pass to it."""
    for law in LAWS:
        if set(law.columns) <= set(columns):
            yield law, (*law.columns, *(name for name in law.more if name in columns))
