"""An experiment: what is varied, what each model is trained and tested on, and the tables of the results.

docs/experiments.md explains the file that describes it. In settings ``$NAME`` names a dataset or weights; ``{AXIS}``
and ``{seed}`` stand for the value of an axis and the seed of a cell.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


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
    tests = _tests(experiment, values, variables)
    return Cell(name=cell, values=names, seed=seed, stages=tuple(stages), model=filled(model, variables), tests=tests)


def _tests(experiment: Experiment, values: Mapping[str, Value], variables: Mapping[str, str]) -> tuple[CellTest, ...]:
    """The tests of a cell; options of its values are those of all tests."""
    names = {axis: value.name for axis, value in values.items()}
    own = {option: given for value in values.values() for option, given in value.predict.items()}
    return tuple(
        CellTest(
            name=test.name,
            predict=filled({**test.predict, **own}, variables),
            evaluate=filled(test.evaluate, variables),
            hours=test.hours,
        )
        for test in experiment.tests
        if matches(names, test.where)
    )


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
