"""The cells of an experiment: one for each combination of values and each seed."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gistmill.training.experiments.plan import Experiment, PlanError, Stage, Value

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
        _cell(experiment, dict(zip(experiment.axes, values)), seed, overrides)
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
