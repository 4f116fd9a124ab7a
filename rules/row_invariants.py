"""Laws that a row of a published dataset keeps by itself. ``gistmill validate`` holds every row to them.

A law is for the datasets that have its columns. A new law is a function and a line of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.rules.fusion import texts as edits
from gistmill.rules.synthetic import law as synthetic


@dataclass(frozen=True, slots=True, kw_only=True)
class RowInvariant:
    """A law of rows.

    Attributes:
        columns: the columns that a row must have for it to apply.
        problem: returns in one line how a row breaks it, None if it keeps it; it is given the columns, and those of
            ``more`` that the row has.
        more: columns that only some of the rows have.
    """

    columns: tuple[str, ...]
    problem: Callable[[Mapping[str, Any]], str | None]
    more: tuple[str, ...] = ()


LAWS = (
    RowInvariant(columns=edits.COLUMNS, problem=edits.problem),
    RowInvariant(columns=synthetic.COLUMNS, problem=synthetic.problem, more=synthetic.STEP_COLUMNS),
)


def invariants_of(columns: Collection[str]) -> Iterator[tuple[RowInvariant, tuple[str, ...]]]:
    """Yields each law that rows of these columns are under, with the columns that it is given."""
    for law in LAWS:
        if set(law.columns) <= set(columns):
            yield law, (*law.columns, *(name for name in law.more if name in columns))
