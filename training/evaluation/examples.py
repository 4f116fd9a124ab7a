"""The rows that predictions are scored against, from a published dataset or from a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from gistmill.core.addresses import public_name
from gistmill.core.manifest import ManifestError
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.config import NATURAL, TOKENISED, EvaluateConfig
from gistmill.training.evaluation.reading import read_rows

_INPUTS, _TARGETS, _TYPE, _CONNECTIVE, _TASK = "inputs", "targets", "discourse_type", "connective_string", "task"
_TASKS, _SIMPLE = "tasks", "simple_sentences"
_COHERENT = ("coherent_first_sentence", "coherent_second_sentence")
_INCOHERENT = ("incoherent_first_sentence", "incoherent_second_sentence")
_COLUMNS = ("id", _INPUTS, _TARGETS, _TYPE, _CONNECTIVE, _TASK, _TASKS, _SIMPLE, *_COHERENT, *_INCOHERENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Rows, each attribute with an entry for each of them.

    Attributes:
        name: of the data, for people.
        recipe: the job that made it; "" of a file.
        config, split: which part; "" of a file.
        form: NATURAL or TOKENISED, the form of sources and references.
        ids: the rows' ids, or their numbers from 0.
        sources: what a system reads.
        references: what it should write; one or more.
        halves: the tokens of the two sentences of a fusion; None for other data.
        types, connectives: of a fusion; None for other data.
        tasks: name of the synthetic task; None for other data.
        elementary: names of the elementary tasks in the turn of their outputs; None for other data.
        rephrased: whether the references are sources as simple sentences.
        of: how many rows there are, where these are a subset of them; else None.
    """

    name: str
    recipe: str = ""
    config: str = ""
    split: str = ""
    form: str = NATURAL
    ids: list[str]
    sources: list[str]
    references: list[tuple[str, ...]]
    halves: list[tuple[list[str], list[str]]] | None = None
    types: list[str] | None = None
    connectives: list[str] | None = None
    tasks: list[str] | None = None
    elementary: list[list[str]] | None = None
    rephrased: bool = False
    of: int | None = None

    def only(self, numbers: Sequence[int]) -> Examples:
        """Returns the rows with these numbers."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        chosen: dict[str, Any] = {
            name: [rows[n] for n in numbers] for name, rows in columns.items() if isinstance(rows, list)
        }
        return replace(self, **chosen, of=len(self.ids))


def read_examples(config: EvaluateConfig) -> Examples:
    """Returns the rows that a configuration names.

    Raises:
        SettingsError: there is no such dataset, configuration, split or file, or it has not the form that is asked for.
        TrainingError: it cannot be read, or a row lacks a value.
    """
    place = config.dataset[0]["place"]
    if place.endswith((".jsonl", ".tsv")):
        return _examples(list(read_rows(Path(place))), config, name=Path(place).name)
    try:
        dataset = Dataset(place)
        name = config.dataset[0].get("config") or dataset.configs[0]
        split = config.dataset[0].get("split") or config.split
        there = {column.name for column in dataset.columns(name)}
        rows = dataset.rows(split, name, [c for c in _COLUMNS if c in there])
    except DatasetError as error:
        raise SettingsError(str(error)) from None
    except ManifestError as error:
        raise TrainingError(str(error)) from None
    return _examples(
        list(_read(rows, place)),
        config,
        name=public_name(str(place)),
        recipe=dataset.manifest.recipe,
        part=name,
        split=split,
    )


def _read(rows: Iterator[dict[str, Any]], place: str) -> Iterator[dict[str, Any]]:
    try:
        yield from rows
    except Exception as error:  # whatever pyarrow raises for a broken file
        if not isinstance(error, (OSError, ValueError)):
            raise
        raise TrainingError(f"{place} cannot be read: {' '.join(str(error).split())}") from None


def _examples(
    rows: list[dict[str, Any]], config: EvaluateConfig, *, name: str, recipe: str = "", part: str = "", split: str = ""
) -> Examples:
    if not rows:
        raise TrainingError(f"{name} has no rows")
    first = rows[0]
    fusion = first.keys() >= {_TYPE, *_COHERENT, *_INCOHERENT}
    form = config.form or (TOKENISED if fusion and _TARGETS not in first else NATURAL)
    tokenised = form == TOKENISED
    if tokenised and not fusion:
        raise SettingsError(f"--form {TOKENISED}: {name} lacks the columns of DiscoFuse")
    ids = _ids(rows, name)

    def each(read: Callable[..., Any], *columns: Any) -> list[Any]:
        return [read(row, row_id, *columns) for row, row_id in zip(rows, ids, strict=True)]

    return Examples(
        name=name,
        recipe=recipe,
        config=part,
        split=split,
        form=form,
        ids=ids,
        sources=each(_joined, _INCOHERENT) if tokenised else each(_text, _INPUTS),
        references=[(target,) for target in each(_joined, _COHERENT)] if tokenised else each(_references),
        halves=each(_halves) if fusion else None,
        types=each(_text, _TYPE) if fusion else None,
        connectives=each(_connective) if fusion and _CONNECTIVE in first else None,
        tasks=each(_text, _TASK) if _TASK in first else None,
        elementary=each(_names) if first.keys() >= {_TASK, _TASKS} else None,
        rephrased=_SIMPLE in first,
    )


def _ids(rows: list[dict[str, Any]], name: str) -> list[str]:
    ids = [str(row.get("id", number)) for number, row in enumerate(rows)]
    for row_id, times in Counter(ids).items():
        if times > 1:
            raise TrainingError(f"{name}: two rows have the id {row_id!r}")
    return ids


def _text(row: dict[str, Any], row_id: str, column: str) -> str:
    value = row.get(column)
    if not isinstance(value, str):
        raise TrainingError(f"row {row_id!r} has no text in the column {column!r}")
    return value


def _connective(row: dict[str, Any], row_id: str) -> str:
    return str(row.get(_CONNECTIVE) or "")


def _references(row: dict[str, Any], row_id: str) -> tuple[str, ...]:
    value = row.get(_TARGETS)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return tuple(value)
    return (_text(row, row_id, _TARGETS),)


def _names(row: dict[str, Any], row_id: str) -> list[str]:
    value = row.get(_TASKS)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TrainingError(f"row {row_id!r} has no list of names in the column {_TASKS!r}")
    return value


def _joined(row: dict[str, Any], row_id: str, columns: tuple[str, str]) -> str:
    return " ".join(_text(row, row_id, column) for column in columns).strip()


def _halves(row: dict[str, Any], row_id: str) -> tuple[list[str], list[str]]:
    first, second = (_text(row, row_id, column).split() for column in _INCOHERENT)
    return first, second
