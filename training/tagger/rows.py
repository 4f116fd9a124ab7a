"""Rows of a DiscoFuse dataset as the tagger learns them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.core.hashing import unit_interval
from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.edits import Edits, EditsError, from_column
from gistmill.rules.fusion.labels import NONE, plan_of
from gistmill.rules.fusion.spelling import respelled
from gistmill.training.data.source import Source
from gistmill.training.errors import TrainingError
from gistmill.training.task import Row, Rows

FIRST, SECOND, TYPE, EDITS = "incoherent_first_sentence", "incoherent_second_sentence", "discourse_type", "edits"
TARGETS = ("coherent_first_sentence", "coherent_second_sentence")


@dataclass(frozen=True, slots=True)
class Example:
    """A row to learn: its plan, tokens and edits."""

    plan: str
    first: list[str]
    second: list[str]
    edits: Edits


def sentences(row: Row) -> tuple[list[str], list[str]]:
    """Returns the tokens of the two sentences.

    Raises:
        TrainingError: one is missing or empty.
    """
    first, second = (str(row.get(name) or "").split() for name in (FIRST, SECOND))
    if not first or not second:
        raise TrainingError(f"row {row.get('id', '?')}: a tagger needs two sentences, one is empty")
    return first, second


def is_used(row: Row, unchanged: float) -> bool:
    """Whether a row is trained on; ``unchanged``: the share of PAIR_NONE rows that are, chosen by their text.

    Raises:
        TrainingError: the row is not of a DiscoFuse dataset.
    """
    if TYPE not in row:
        raise TrainingError(f"row {row.get('id', '?')}: a tagger needs rows of a DiscoFuse dataset, with {TYPE}")
    if row[TYPE] != NONE or unchanged >= 1:
        return True
    return unit_interval("unchanged", f"{row[FIRST]}\t{row[SECOND]}") < unchanged


def example(row: Row, *, known_edits: bool) -> Example | None:
    """Returns a row with its edits; None if no edits make its target.

    Args:
        row: with the columns of the sentences, the type and, for ``known_edits``, the edits.
        known_edits: whether the edits are the row's own, not found by alignment.

    Raises:
        TrainingError: the row's own edits cannot be read.
    """
    first, second = sentences(row)
    plan = plan_of(row[TYPE])
    if known_edits:
        try:
            own = from_column(row[EDITS], len(first), len(second))
        except (EditsError, TypeError) as error:
            raise TrainingError(f"row {row.get('id', '?')}: {error}") from None
        # a row whose natural text has typographic marks writes them; the tokens have none
        marked = not "".join(row[EDITS]).isascii()
        return Example(plan, first, second, respelled(first, second, own, _target(row)) if marked else own)
    edits = align(first, second, _target(row))
    return None if edits is None else Example(plan, first, second, edits)


def _target(row: Row) -> list[str]:
    return " ".join(str(row[name] or "") for name in TARGETS).split()


def examples(rows: Rows, *, unchanged: float, known_edits: bool) -> Iterator[Example]:
    """Yields the rows that are trained on, with their edits. Raises as ``example``."""
    for row in rows():
        if is_used(row, unchanged) and (found := example(row, known_edits=known_edits)) is not None:
            yield found


def have_edits(rows: Rows, *, unchanged: float) -> bool:
    """Returns whether all rows that are trained on have edits of their own."""
    return all(row.get(EDITS) is not None for row in rows() if is_used(row, unchanged))


def expected_plans(datasets: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the plan of each row of datasets, which have ``place`` and perhaps ``config`` and ``split`` (`train`).

    Raises:
        SettingsError: there is no such dataset, configuration or split.
        TrainingError: a dataset cannot be read.
    """
    for dataset in datasets:
        place, config, split = dataset["place"], dataset.get("config"), dataset.get("split", "train")
        for row in Source(place, config=config, split=split, columns=(TYPE,)).open().in_order():
            yield plan_of(row[TYPE])
