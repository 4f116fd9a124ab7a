"""An experiment: what is varied, what each model is trained and tested on, and the tables of the results.

docs/experiments.md explains the file that describes it. In settings ``$NAME`` names a dataset or weights; ``{AXIS}``
and ``{seed}`` stand for the value of an axis and the seed of a cell.

Subsets of published datasets: a few training rows, chosen by chance, as datasets of their own.

The rows of one seed are nested: those of a smaller subset are among those of a larger one, as the low-resource protocol
of WikiTransfer asks (section 4: "The 10 data point sets are subsets of the 100 data point sets").
"""

from __future__ import annotations

import dataclasses
import hashlib
import heapq
import itertools
import json
import math
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from gistmill.core.manifest import MANIFEST, PublishedFile
from gistmill.published.dataset import Dataset
from gistmill.rules.curriculum.ranked import chance
from gistmill.training.data.config import DataConfig
from gistmill.training.data.source import Source
from gistmill.training.errors import SettingsError


class PlanError(ValueError):
    """The file of an experiment cannot be read; the text is one line that says where and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """A dataset or weights that an experiment needs.

    Attributes:
        what: what it is.
        command: the command that makes it; "" where there is none.
        hub: name on the Hugging Face hub, for weights; it is used where no other place is given.
        file: path beside the file of the experiment, for what comes with it.
        of: another name, whose dataset this is too; with ``rows`` a subset of it, of ``config`` and ``split``.
        seed: of the choice; None for the seed of the cell, so that cells of different seeds have different rows.
    """

    what: str = ""
    command: str = ""
    hub: str = ""
    file: str = ""
    of: str = ""
    config: str = ""
    split: str = "train"
    rows: int = 0
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A training of every cell.

    Attributes:
        settings: options of ``gistmill-train fit``.
        hours: about how long it takes on the experiment's device.
    """

    name: str
    settings: Mapping[str, Any]
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """Rows that models are scored on.

    Attributes:
        predict: options of ``gistmill-train predict``, without model, dataset and output.
        evaluate: options of ``gistmill-train evaluate``, without predictions and output; ``dataset`` is among them.
        where: the values of axes that a cell must have to be tested on them.
        hours: about how long it takes for one model.
    """

    name: str
    predict: Mapping[str, Any]
    evaluate: Mapping[str, Any]
    where: Mapping[str, tuple[str, ...]]
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value of an axis, and what it changes.

    Attributes:
        stages: settings of stages by their names; None where the stage is left out.
        hours: of stages by their names, where they differ.
        model: what is tested where all stages are left out: weights, as ``predict --model`` takes them.
        predict: options of ``gistmill-train predict`` in all tests, such as how such weights read.
    """

    name: str
    stages: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    hours: Mapping[str, float] = field(default_factory=dict)
    model: str = ""
    predict: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row or a column of a table: what it fixes of a result.

    Attributes:
        label: its heading.
        where: the values of axes that a cell must have.
        test, metric, system: which test, which score, and of which system; "" where the other side says it. If both
            sides have a metric, the row's stands for ``{}`` in the column's.
    """

    label: str
    where: Mapping[str, tuple[str, ...]]
    test: str = ""
    metric: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of a paper, to be made again.

    Attributes:
        title: its number and subject.
        rows, columns: what they hold.
        paper: the paper's figures, by row and column; None where it has none.
        notes: what a reader has to know, such as figures that cannot be right.
    """

    title: str
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    paper: tuple[tuple[float | None, ...], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How the runs of a result, which differ in the seed alone, become one figure.

    Attributes:
        best: the mean is that of so many runs, the best by ``by``; 0 for all runs.
        by: the score; "" for the score of the column itself.
        interval: whether a 95% interval of the mean stands beside it, and not the standard deviation of the runs.
    """

    best: int = 0
    by: str = ""
    interval: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """The content of a file.

    Attributes:
        title, about, device, estimate: texts: what it is, what a reader should know, the machine that the hours are
            for, and where the hours come from.
        needs: datasets and weights by name.
        stages: the trainings of a cell, in order; each goes on with the model of the one before it.
        tests: what models are scored on.
        axes: what is varied: the values of each axis by name.
        seeds: each cell is run with each of them.
        protocol: how runs become one figure.
        tables: what is made of the results.
    """

    title: str
    about: str
    device: str
    estimate: str
    needs: Mapping[str, Needed]
    stages: tuple[Stage, ...]
    tests: tuple[Test, ...]
    axes: Mapping[str, tuple[Value, ...]]
    seeds: tuple[int, ...]
    protocol: Protocol
    tables: tuple[Table, ...]


_REFERENCE = re.compile(r"\$([a-z0-9]([a-z0-9+-]*[a-z0-9])?)")
_VARIABLE = re.compile(r"\{([a-z0-9+-]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CellStage:
    """A training of a cell; ``settings`` are options of ``gistmill-train fit``, with references to what is needed."""

    name: str
    settings: Mapping[str, Any]
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CellTest:
    """A test of a cell: options of ``predict`` and ``evaluate``, with references to what is needed."""

    name: str
    predict: Mapping[str, Any]
    evaluate: Mapping[str, Any]
    hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run of an experiment.

    Attributes:
        name: its values and its seed; a cell has a folder of this name.
        values: of the axes.
        seed: of its random numbers, and of the subsets that it is trained on.
        stages: its trainings, in order.
        model: weights that are tested where there is no training.
        tests: what the model of the last stage is tested on.
    """

    name: str
    values: Mapping[str, str]
    seed: int
    stages: tuple[CellStage, ...]
    model: str
    tests: tuple[CellTest, ...]

    @property
    def hours(self) -> float:
        """About how long it takes."""
        return sum(stage.hours for stage in self.stages) + sum(test.hours for test in self.tests)

    def needs(self) -> tuple[str, ...]:
        """Returns the names of the datasets and weights that it needs, in order of their first use."""
        parts: list[Any] = [s.settings for s in self.stages]
        parts += [self.model, *(part for t in self.tests for part in (t.predict, t.evaluate))]
        return tuple(dict.fromkeys(references(parts)))


def cells(experiment: Experiment, *, overrides: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Returns all cells, those of the first seed first.

    Args:
        experiment: what they are of.
        overrides: settings of all trainings, instead of those that the file has.

    Raises:
        PlanError: a cell has nothing to test, or needs what the file does not declare.
    """
    found = [
        _cell(experiment, dict(zip(experiment.axes, values, strict=True)), seed, overrides)
        for seed in experiment.seeds
        for values in itertools.product(*experiment.axes.values())
    ]
    for cell in found:
        for name in cell.needs():
            if name not in experiment.needs:
                raise PlanError(f"cell {cell.name} names ${name}, which `needs` does not declare")
    return tuple(found)


def _cell(experiment: Experiment, values: Mapping[str, Value], seed: int, overrides: Mapping[str, Any]) -> Cell:
    names = {axis: value.name for axis, value in values.items()}
    variables = {**names, "seed": str(seed)}
    cell = ".".join([*names.values(), f"seed{seed}"])
    stages: list[CellStage] = []
    for stage in experiment.stages:
        settings = _settings(stage, values, {"seed": seed}, overrides)
        if settings is None:
            continue
        if stages and "model" in settings:
            raise PlanError(f"cell {cell}: {stage.name} goes on with the model of {stages[-1].name} and names another")
        hours = next((v.hours[stage.name] for v in values.values() if stage.name in v.hours), stage.hours)
        stages.append(CellStage(name=stage.name, settings=filled(settings, variables), hours=hours))
    model = next((value.model for value in values.values() if value.model), "")
    if not stages and not model:
        raise PlanError(f"cell {cell}: it has no stage, and no value names the `model` to test")
    of_all = {option: given for value in values.values() for option, given in value.predict.items()}
    tests = tuple(
        CellTest(
            name=test.name,
            predict=filled({**test.predict, **of_all}, variables),
            evaluate=filled(test.evaluate, variables),
            hours=test.hours,
        )
        for test in experiment.tests
        if matches(names, test.where)
    )
    return Cell(name=cell, values=names, seed=seed, stages=tuple(stages), model=filled(model, variables), tests=tests)


def _settings(
    stage: Stage, values: Mapping[str, Value], defaults: Mapping[str, Any], overrides: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The settings of a stage in a cell; None where a value of the cell leaves the stage out."""
    settings = {**defaults, **stage.settings}
    for value in values.values():
        change = value.stages.get(stage.name, {})
        if change is None:
            return None
        settings |= change
    return settings | dict(overrides)


def matches(values: Mapping[str, str], where: Mapping[str, Iterable[str]]) -> bool:
    """Whether a cell of these values is one that ``where`` asks for."""
    return all(values[axis] in wanted for axis, wanted in where.items())


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """Returns settings in which ``{NAME}`` is replaced in every text; a NAME that is not a variable stays as it is."""
    return _mapped(value, lambda text: _VARIABLE.sub(lambda m: variables.get(m[1], m[0]), text))


def resolved(value: Any, places: Mapping[str, str]) -> Any:
    """Returns settings in which ``$NAME`` is replaced in every text by its place."""
    return _mapped(value, lambda text: _REFERENCE.sub(lambda m: places[m[1]], text))


def references(value: Any) -> Iterator[str]:
    """Yields the names after ``$`` in settings, in order."""
    if isinstance(value, str):
        yield from (m[1] for m in _REFERENCE.finditer(value))
    elif isinstance(value, (Mapping, list, tuple)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from references(part)


def fingerprint(*parts: Any) -> str:
    """Returns a short digest of JSON values, which is part of the names of folders."""
    described = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(described.encode("utf-8")).hexdigest()[:12]


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """The same value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _mapped(part, change) for key, part in value.items()}
    return [_mapped(part, change) for part in value] if isinstance(value, (list, tuple)) else value


_VALIDATION = "validation"


def chosen_ids(ids: Iterable[str], rows: int, seed: int) -> set[str]:
    """Returns ``rows`` of the ids, or all if there are fewer; their order does not matter."""
    return {key for _, key in heapq.nsmallest(rows, ((chance(seed, key), key) for key in ids))}


def write_subset(place: str, folder: Path, *, config: str | None, split: str, rows: int, seed: int) -> None:
    """Publishes a subset of a split, and the whole validation split beside it, in ``folder``.

    Its manifest is that of the dataset with the subset's files and counts, so that licence and sources stay with the
    rows. What a run that was killed has left at the place is replaced.

    Args:
        place: path or URL of the dataset.
        folder: where the subset goes; it appears when it is complete.
        config: of the dataset; None: the first.
        split: which the rows are chosen from.
        rows: how many.
        seed: of the choice.

    Raises:
        SettingsError: there is no such dataset or split, or it has fewer rows.
        TrainingError: it cannot be read.
        OSError: the folder cannot be written to.
    """
    ids = Source(place, config=config, split=split, columns=("id",)).open()
    if ids.rows < rows:
        raise SettingsError(f"{place}: {split} has {ids.rows:,} rows, and the subset needs {rows:,}")
    chosen = pa.array(sorted(chosen_ids((row["id"] for row in ids.in_order()), rows, seed)))
    dataset = Dataset(place)
    name = config or dataset.configs[0]
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    written = [_copy(Source(place, config=name, split=split), part, name, chosen)]
    if split != _VALIDATION and _VALIDATION in dataset.splits(name):
        written.append(_copy(Source(place, config=name, split=_VALIDATION), part, name, None))
    manifest = dataclasses.replace(
        dataset.manifest,
        configuration={**dataset.manifest.configuration, "subset": {"split": split, "rows": rows, "seed": seed}},
        counts={f"rows/{name}": {file.split: file.rows or 0 for file in written}},
        machine_dependent={},
        columns={name: dataset.columns(name)},
        files=tuple(sorted(written, key=lambda file: file.path)),
    )
    content = json.dumps(manifest.to_json(), indent=2, ensure_ascii=False) + "\n"
    (part / MANIFEST).write_text(content, encoding="utf-8")
    part.rename(folder)


def _copy(source: Source, folder: Path, config: str, chosen: pa.Array | None) -> PublishedFile:
    """Writes the chosen rows of a split, or all, as one Parquet shard."""
    split = source.open()
    path = folder / config / "parquet" / f"{source.split}-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows, writer = 0, None
    for block in split.blocks:
        table = split.read([block])
        if chosen is not None:
            table = table.filter(pc.is_in(table["id"], value_set=chosen))
        writer = writer or pq.ParquetWriter(path, table.schema)
        if table.num_rows:
            writer.write_table(table)
        rows += table.num_rows
    if writer is not None:
        writer.close()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return PublishedFile(
        path=path.relative_to(folder).as_posix(),
        bytes=path.stat().st_size,
        sha256=digest,
        rows=rows,
        config=config,
        split=source.split,
        format="parquet",
    )


def divided(settings: Mapping[str, Any], processes: int) -> dict[str, Any]:
    """Returns settings with which an update has as many rows or tokens in ``processes`` as the given ones have in one.

    First the batches of an update are shared (``accumulate``), so that a batch keeps its size. What is left divides
    the size of a batch.

    Args:
        settings: of `gistmill-train fit`, whose values are known to be right.
        processes: that share each update.

    Raises:
        SettingsError: they cannot share it evenly.
    """
    if processes == 1:
        return dict(settings)
    if settings.get("stages"):
        raise SettingsError("settings with `stages` of their own are trained by one process: --processes 1")
    batches, sizes = _update(settings)
    shared = math.gcd(batches, processes)
    left = processes // shared
    if any(size % left for size in sizes.values()):
        raise SettingsError(
            f"{processes} processes cannot share {_text(batches, sizes)} evenly; take fewer --processes, or change the "
            "batches by --settings"
        )
    return {**settings, **{name: size // left for name, size in sizes.items()}, "accumulate": batches // shared}


def shares(settings: Mapping[str, Any], processes: int) -> str:
    """Returns in words what each of several processes has of an update, for settings that ``divided`` returned."""
    return f"{processes} processes, of which each has {_text(*_update(settings))} in an update"


def _update(settings: Mapping[str, Any]) -> tuple[int, dict[str, int]]:
    """Returns how many batches an update has, and what a batch holds, by the names of options."""
    given = {name: settings.get(name) for name in ("batch_rows", "batch_tokens")}
    batching = DataConfig.from_values({"datasets": ["any"], **given}).batching
    sizes = {"batch_rows": batching.rows, "batch_tokens": batching.tokens}
    return int(settings.get("accumulate") or 1), {name: size for name, size in sizes.items() if size is not None}


def _text(batches: int, sizes: Mapping[str, int]) -> str:
    units = [
        (f"{size:,}", name.removeprefix("batch_").removesuffix("s"), "s" * (size > 1)) for name, size in sizes.items()
    ]
    size = " and ".join(f"{number} {unit}{plural}" for number, unit, plural in units)
    return f"a batch of {size}" if batches == 1 else f"{batches:,} batches of {size}"
