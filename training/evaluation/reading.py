"""Rows and predictions read from files, with a clear line for whatever is wrong with them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gistmill.training.errors import SettingsError, TrainingError

ID, PREDICTION = "id", "prediction"
CORRECT, LIKELIHOODS = "correct", "log_likelihoods"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """What a system predicts, in the order of the rows.

    Attributes:
        name: of the system: the file's, without its ending.
        texts: a prediction for each row; None where only tokens are scored.
        tokens: for each row, which of its tokens are right, and the log likelihood of each; None if not given.
        rows: numbers, from 0, of the rows that it predicts; None: all rows.
    """

    name: str
    texts: list[str] | None = None
    tokens: tuple[list[list[bool]], list[list[float]]] | None = None
    rows: list[int] | None = None


def read_predictions(file: str, ids: Sequence[str], *, texts: bool = True, subset: bool = False) -> Predictions:
    """Reads a file of predictions.

    Args:
        file: JSON lines: objects with ``id`` and ``prediction``, or all without ``id`` in the order of the rows.
            They may also have ``correct`` and ``log_likelihoods``, lists with an entry for each token.
        ids: of the rows.
        texts: whether each line needs a prediction.
        subset: whether rows may have none. Without ids, predictions are of the first rows.

    Raises:
        SettingsError: there is no such file.
        TrainingError: a line is not such an object, or an id is missing, unknown or there twice.
    """
    lines = list(_json_lines(Path(file)))
    if not lines:
        raise TrainingError(f"{file} has no predictions")
    for number, line in lines:
        _check(file, number, line, texts=texts)
    rows, found = _chosen(file, lines, ids, subset=subset)
    tokens = None
    if all(CORRECT in line for line in found):
        tokens = [line[CORRECT] for line in found], [line[LIKELIHOODS] for line in found]
    written = [line[PREDICTION] for line in found] if texts else None
    part = rows if len(rows) < len(ids) else None
    return Predictions(name=Path(file).stem, texts=written, tokens=tokens, rows=part)


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yields the rows of a file of JSON lines, or of tab-separated values below a line of names.

    Raises:
        SettingsError: there is no such file.
        TrainingError: it cannot be read.
    """
    if file.suffix != ".tsv":
        for _, row in _json_lines(file):
            yield row
        return
    lines = (line for _, line in _lines(file))
    names = next(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), [])
    for number, values in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 2):
        if len(values) != len(names):
            raise TrainingError(f"{file}, line {number}: {len(values)} values below {len(names)} names")
        yield dict(zip(names, values, strict=True))


def _json_lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in _lines(file):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise TrainingError(f"{file}, line {number}: it is not JSON: {error}") from None
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
                    raise TrainingError(f"{file}, line {number}: it is not UTF-8: {error.reason}") from None
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None


def _check(file: str, number: int, line: Mapping[str, Any], *, texts: bool) -> None:
    where = f"{file}, line {number}"
    if texts and not isinstance(line.get(PREDICTION), str):
        raise TrainingError(f'{where}: expected a text as "{PREDICTION}", not {line.get(PREDICTION)!r:.40}')
    if isinstance(line.get(ID), (dict, list, bool, float)):
        raise TrainingError(f'{where}: expected a text as "{ID}", not {line[ID]!r:.40}')
    if (CORRECT in line) != (LIKELIHOODS in line):
        raise TrainingError(f'{where}: "{CORRECT}" and "{LIKELIHOODS}" belong together')
    if CORRECT in line:
        for name, kinds in ((CORRECT, bool), (LIKELIHOODS, (int, float))):
            if not isinstance(line[name], list) or not all(isinstance(value, kinds) for value in line[name]):
                raise TrainingError(f'{where}: "{name}" has something else than a value for each token')
        if len(line[CORRECT]) != len(line[LIKELIHOODS]):
            raise TrainingError(f'{where}: "{CORRECT}" and "{LIKELIHOODS}" are not of one length')
    elif not texts:
        raise TrainingError(f'{where}: there is no "{CORRECT}"')


def _chosen(
    file: str, lines: Sequence[tuple[int, dict[str, Any]]], ids: Sequence[str], *, subset: bool
) -> tuple[list[int], list[dict[str, Any]]]:
    """Returns the numbers of the rows that have predictions, and their lines; raises TrainingError as told above."""
    if not any(ID in line for _, line in lines):
        if len(lines) > len(ids) or (len(lines) < len(ids) and not subset):
            remedy = "; --subset scores the first" if len(lines) < len(ids) else ""
            raise TrainingError(f"{file} has {len(lines):,} predictions without ids for {len(ids):,} rows{remedy}")
        return list(range(len(lines))), [line for _, line in lines]
    known, found = set(ids), dict[str, dict[str, Any]]()
    for number, line in lines:
        if line.get(ID) is None:
            raise TrainingError(f"{file}, line {number}: it has no id, and others have")
        name = str(line[ID])
        if name not in known:
            raise TrainingError(f"{file}, line {number}: no row has the id {name!r}")
        if name in found:
            raise TrainingError(f"{file}, line {number}: the id {name!r} is there twice")
        found[name] = line
    missing = [row_id for row_id in ids if row_id not in found]
    if missing and not subset:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise TrainingError(f"{file} has no prediction for the row {missing[0]!r}{more}; --subset scores the rest")
    rows = [number for number, row_id in enumerate(ids) if row_id in found]
    return rows, [found[ids[number]] for number in rows]
