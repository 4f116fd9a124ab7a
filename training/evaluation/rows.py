"""Readers for the rows to predict or score against, and for predictions, with one-line errors.

Rows come from a published dataset or from a file of JSON lines or tab-separated values.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from gistmill.core.addresses import public_name
from gistmill.core.manifest import ManifestError
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.training.data.source import Source
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.config import NATURAL, TOKENISED, EvaluateConfig

Row = dict[str, Any]
_INPUTS, _TARGETS, _TYPE, _CONNECTIVE, _TASK = "inputs", "targets", "discourse_type", "connective_string", "task"
_TASKS, _SIMPLE = "tasks", "simple_sentences"
_COHERENT = ("coherent_first_sentence", "coherent_second_sentence")
_INCOHERENT = ("incoherent_first_sentence", "incoherent_second_sentence")
_COLUMNS = ("id", _INPUTS, _TARGETS, _TYPE, _CONNECTIVE, _TASK, _TASKS, _SIMPLE, *_COHERENT, *_INCOHERENT)
ID, PREDICTION = "id", "prediction"
CORRECT, LIKELIHOODS = "correct", "log_likelihoods"


def is_file(place: str) -> bool:
    """Returns whether a place is a file of rows instead of a dataset."""
    return place.endswith((".jsonl", ".tsv"))


def read_rows(file: Path) -> Iterator[Row]:
    """Yields the rows of a file of JSON lines or of tab-separated values with a header.

    Raises:
        SettingsError: there is no such file.
        TrainingError: a line is invalid.
    """
    if file.suffix != ".tsv":
        for _, row in _json_lines(file):
            yield row
        return
    lines = (line for _, line in _lines(file))
    names = next(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), [])
    for number, values in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 2):
        if len(values) != len(names):
            raise TrainingError(f"{file}, line {number}: {len(values)} values, but {len(names)} column names")
        yield dict(zip(names, values, strict=True))


def _json_lines(file: Path) -> Iterator[tuple[int, Row]]:
    for number, line in _lines(file):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TrainingError(f"{file}, line {number}: invalid JSON: {error}") from None
        if not isinstance(value, dict):
            raise TrainingError(f"{file}, line {number}: expected an object, not {line.strip()[:40]!r}")
        yield number, value


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as error:
                    raise TrainingError(f"{file}, line {number}: invalid UTF-8: {error.reason}") from None
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Rows to score predictions against. Each list contains one entry per row.

    Attributes:
        name: the data's name, for messages.
        recipe: the job that built the dataset; "" for a file.
        config, split: the configuration and split; "" for a file.
        form: NATURAL or TOKENISED, the form of sources and references.
        ids: the rows' ids, or their numbers from 0.
        sources: the inputs.
        references: the expected outputs, one or more per row.
        halves: the tokens of the two sentences to fuse; None for other data.
        types, connectives: the discourse types and connectives of fusions; None for other data.
        tasks: names of the synthetic tasks; None for other data.
        elementary: names of each row's elementary tasks, in the order of their outputs; None for other data.
        rephrased: whether the references are the sources rephrased as simple sentences.
        of: the total number of rows if these are a subset, otherwise None.
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
    """Reads the rows specified by a configuration.

    Raises:
        SettingsError: there is no such dataset, configuration, split or file, or the data is not in the required form.
        TrainingError: the data cannot be read, or a row lacks a value.
    """
    given = config.dataset[0]
    place, split = given["place"], given.get("split") or config.split
    if is_file(place):
        return _examples(list(read_rows(Path(place))), config.form, name=Path(place).name)
    try:
        dataset = Dataset(place)
        part = given.get("config") or dataset.configs[0]
        columns = tuple(column.name for column in dataset.columns(part) if column.name in _COLUMNS)
    except DatasetError as error:
        raise SettingsError(str(error)) from None
    except ManifestError as error:
        raise TrainingError(str(error)) from None
    rows = list(Source(place, config=part, split=split, columns=columns).open().in_order())
    examples = _examples(rows, config.form, name=public_name(str(place)))
    return replace(examples, recipe=dataset.manifest.recipe, config=part, split=split)


def _examples(rows: list[Row], form: str | None, *, name: str) -> Examples:
    if not rows:
        raise TrainingError(f"{name} contains no rows")
    first = rows[0]
    fusion = first.keys() >= {_TYPE, *_COHERENT, *_INCOHERENT}
    form = form or (TOKENISED if fusion and _TARGETS not in first else NATURAL)
    tokenised = form == TOKENISED
    if tokenised and not fusion:
        raise SettingsError(f"--form {TOKENISED}: {name} lacks the DiscoFuse columns")
    ids = [str(row.get("id", number)) for number, row in enumerate(rows)]
    for row_id, times in Counter(ids).items():
        if times > 1:
            raise TrainingError(f"{name}: two rows have the id {row_id!r}")

    def each(read: Callable[..., Any], *columns: Any) -> list[Any]:
        return [read(row, row_id, *columns) for row, row_id in zip(rows, ids, strict=True)]

    return Examples(
        name=name,
        form=form,
        ids=ids,
        sources=each(_joined, _INCOHERENT) if tokenised else each(_text, _INPUTS),
        references=[(target,) for target in each(_joined, _COHERENT)] if tokenised else each(_references),
        halves=each(_halves) if fusion else None,
        types=each(_text, _TYPE) if fusion else None,
        connectives=[str(row.get(_CONNECTIVE) or "") for row in rows] if fusion and _CONNECTIVE in first else None,
        tasks=each(_text, _TASK) if _TASK in first else None,
        elementary=each(_names) if first.keys() >= {_TASK, _TASKS} else None,
        rephrased=_SIMPLE in first,
    )


def _text(row: Row, row_id: str, column: str) -> str:
    value = row.get(column)
    if not isinstance(value, str):
        raise TrainingError(f"row {row_id!r} contains no text in column {column!r}")
    return value


def _references(row: Row, row_id: str) -> tuple[str, ...]:
    value = row.get(_TARGETS)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return tuple(value)
    return (_text(row, row_id, _TARGETS),)


def _names(row: Row, row_id: str) -> list[str]:
    value = row.get(_TASKS)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TrainingError(f"row {row_id!r} contains no list of names in column {_TASKS!r}")
    return value


def _joined(row: Row, row_id: str, columns: tuple[str, str]) -> str:
    return " ".join(_text(row, row_id, column) for column in columns).strip()


def _halves(row: Row, row_id: str) -> tuple[list[str], list[str]]:
    first, second = (_text(row, row_id, column).split() for column in _INCOHERENT)
    return first, second


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """A system's predictions, in row order.

    Attributes:
        name: the system's name, which is that of the file without its extension.
        texts: a prediction for each row; None if only tokens are scored.
        tokens: for each row, whether each token is correct, and the log likelihood of each; None if not given.
        rows: the numbers, from 0, of the predicted rows; None: all rows.
    """

    name: str
    texts: list[str] | None = None
    tokens: tuple[list[list[bool]], list[list[float]]] | None = None
    rows: list[int] | None = None


def read_predictions(file: str, ids: Sequence[str], *, texts: bool = True, subset: bool = False) -> Predictions:
    """Reads a file of predictions.

    Args:
        file: a file of JSON objects, one per line, with ``id`` and ``prediction``, or all without ``id`` in row order.
            They may also contain ``correct`` and ``log_likelihoods``, lists with one entry per token.
        ids: the rows' ids.
        texts: whether each line must contain a prediction.
        subset: whether predictions may be missing. Without ids, predictions belong to the first rows.

    Raises:
        SettingsError: there is no such file.
        TrainingError: a line is invalid, or an id is missing, unknown or repeated.
    """
    lines = list(_json_lines(Path(file)))
    if not lines:
        raise TrainingError(f"{file} contains no predictions")
    for number, line in lines:
        if problem := _problem(line, texts=texts):
            raise TrainingError(f"{file}, line {number}: {problem}")
    if any(ID in line for _, line in lines):
        found = _by_id(file, lines, ids, subset=subset)
    else:
        if len(lines) > len(ids) or (len(lines) < len(ids) and not subset):
            remedy = "; use --subset to score only the first rows" if len(lines) < len(ids) else ""
            raise TrainingError(f"{file} contains {len(lines):,} predictions without ids for {len(ids):,} rows{remedy}")
        found = {number: line for number, (_, line) in enumerate(lines)}
    tokens = None
    if all(CORRECT in line for line in found.values()):
        tokens = [line[CORRECT] for line in found.values()], [line[LIKELIHOODS] for line in found.values()]
    written = [line[PREDICTION] for line in found.values()] if texts else None
    part = list(found) if len(found) < len(ids) else None
    return Predictions(name=Path(file).stem, texts=written, tokens=tokens, rows=part)


def _problem(line: Mapping[str, Any], *, texts: bool) -> str:
    """Returns a description of the problem with a line's values, or ""."""
    if texts and not isinstance(line.get(PREDICTION), str):
        return f'expected text as "{PREDICTION}", not {line.get(PREDICTION)!r:.40}'
    if isinstance(line.get(ID), (dict, list, bool, float)):
        return f'expected text as "{ID}", not {line[ID]!r:.40}'
    if (CORRECT in line) != (LIKELIHOODS in line):
        return f'"{CORRECT}" and "{LIKELIHOODS}" must be given together'
    if CORRECT not in line:
        return "" if texts else f'"{CORRECT}" is missing'
    for name, kinds in ((CORRECT, bool), (LIKELIHOODS, (int, float))):
        if not isinstance(line[name], list) or not all(isinstance(value, kinds) for value in line[name]):
            return f'"{name}" must be a list with a value for each token'
    is_even = len(line[CORRECT]) == len(line[LIKELIHOODS])
    return "" if is_even else f'"{CORRECT}" and "{LIKELIHOODS}" must have the same length'


def _by_id(file: str, lines: Sequence[tuple[int, Row]], ids: Sequence[str], *, subset: bool) -> dict[int, Row]:
    """Returns the lines by row number, in row order. Raises the same errors as ``read_predictions``."""
    known, found = set(ids), dict[str, Row]()
    for number, line in lines:
        if line.get(ID) is None:
            raise TrainingError(f"{file}, line {number}: no id is given, but other lines have one")
        name = str(line[ID])
        if name not in known:
            raise TrainingError(f"{file}, line {number}: no row has the id {name!r}")
        if name in found:
            raise TrainingError(f"{file}, line {number}: the id {name!r} occurs twice")
        found[name] = line
    missing = [row_id for row_id in ids if row_id not in found]
    if missing and not subset:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise TrainingError(
            f"{file} contains no prediction for row {missing[0]!r}{more}; use --subset to score the rest"
        )
    return {number: found[row_id] for number, row_id in enumerate(ids) if row_id in found}
