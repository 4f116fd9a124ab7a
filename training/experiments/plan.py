"""The definition of an experiment: its axes, its training and test data, and the tables of results.

docs/evaluation.md explains the YAML file, which is validated by the models below. In settings, ``$NAME`` stands for a
dataset or weights, and ``{AXIS}`` and ``{seed}`` are replaced by the cell's value for an axis and its seed.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    model_validator,
)

from gistmill.core.values import nearest
from gistmill.training.errors import SettingsError

_FILES = Path(__file__).parent / "files"
#: The names of the experiments shipped with Gistmill; ``files`` contains their YAML, model sizes and profiles.
NAMES: tuple[str, ...] = tuple(sorted(path.stem for path in _FILES.glob("*.yaml")))


def experiment_file(name: str) -> Path:
    """Returns the file of an experiment shipped with Gistmill, or any other ``name`` as a path."""
    return _FILES / f"{name}.yaml" if name in NAMES and not Path(name).exists() else Path(name)


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9+-]*[a-z0-9])?", text):
        raise ValueError(f"a name may contain only lowercase letters, digits, + and -, not {text!r}")
    return text


def with_underscores(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a command's options with underscores in their names."""
    return {name.replace("-", "_"): value for name, value in settings.items()}


Name = Annotated[str, AfterValidator(_name)]
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
#: A command's options by name, with underscores.
Settings = Annotated[dict[str, Any], AfterValidator(with_underscores)]
#: The allowed values of a cell, by axis.
Where = dict[
    str, Annotated[tuple[str, ...], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Needed(_Part):
    """A dataset or weights that an experiment needs.

    Attributes:
        what: a description.
        command: the command that makes it; "" if there is none.
        hub: for weights, their name on the Hugging Face hub, used if no other place is given.
        file: for a file shipped with the experiment, its path relative to the experiment's file.
        of: the name for which this one is an alias; ``NAME#CONFIG`` is a configuration of that dataset.
    """

    what: str = ""
    command: str = ""
    hub: str = ""
    file: str = ""
    of: str = ""

    @model_validator(mode="before")
    @classmethod
    def _has_no_rows(cls, fields: Any) -> Any:
        if isinstance(fields, Mapping) and "rows" in fields:
            raise ValueError("`rows` is not supported: use `gistmill curriculum --sample` and name its configuration")
        return fields

    @model_validator(mode="after")
    def _is_complete(self) -> Needed:
        if not (self.of or self.what):
            raise ValueError("`what` or `of` is required")
        return self


class Test(_Part):
    """Rows to score models on.

    Attributes:
        predict: options for ``gistmill-train predict``, without model, dataset and output.
        evaluate: options for ``gistmill-train evaluate``, including ``dataset``, without predictions and output.
        where: the cells to test, by their values for axes.
    """

    predict: Settings = {}
    evaluate: Settings
    where: Where = {}

    @model_validator(mode="after")
    def _has_dataset(self) -> Test:
        if "dataset" not in self.evaluate:
            raise ValueError("`evaluate` requires a dataset")
        return self


class Value(_Part):
    """The changes that an axis value makes to a cell.

    Attributes:
        stages: settings by stage; None leaves the stage out.
        model: the weights to test if all stages are left out, in the format of ``predict --model``.
        predict: options for ``gistmill-train predict`` in all tests, such as the input columns of these weights.
    """

    stages: dict[str, Settings | None] = {}
    model: str = ""
    predict: Settings = {}


class Line(_Part):
    """A row or column of a table, and the results that it shows.

    Attributes:
        where: the cells to include, by their values for axes.
        test, metric, system: the test, the score and the system; "" if specified in the other dimension. If row and
            column both specify a metric, the row's replaces ``{}`` in the column's.
        paper: for a row, the paper's figure for each column; None if there is none.
    """

    where: Where = {}
    test: str = ""
    metric: str = ""
    system: str = ""
    paper: tuple[Number | None, ...] = ()


class Table(_Part):
    """A table to reproduce from a paper.

    Attributes:
        title: its number and subject.
        rows, columns: its rows and columns, by heading.
        notes: remarks for readers, for example about figures that must be wrong.
    """

    title: str
    columns: dict[str, Line]
    rows: dict[str, Line]
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_complete(self) -> Table:
        for label, row in self.rows.items():
            if row.paper and len(row.paper) != len(self.columns):
                raise ValueError(f"{label!r}: `paper` gives {len(row.paper)} figures for {len(self.columns)} columns")
            if not all((row.metric or c.metric) and (row.test or c.test) for c in self.columns.values()):
                raise ValueError(f"neither row {label!r} nor all columns specify a test and a metric")
        return self


class Protocol(_Part):
    """The method of combining runs that differ only in the seed into one figure.

    Attributes:
        best: the number of best runs to average; 0: all runs.
        by: the score that ranks the runs; "": the column's own score.
        interval: 95 for the 95% interval of the mean; None for the standard deviation of the runs.
    """

    best: Whole = 0
    by: str = ""
    interval: Literal[95] | None = None

    @model_validator(mode="after")
    def _is_one_of_two(self) -> Protocol:
        if self.interval and self.best:
            raise ValueError("`interval` and `best` cannot be combined: an interval covers all runs")
        if self.model_fields_set and not (self.interval or "best" in self.model_fields_set):
            raise ValueError("`best` or `interval` is required")
        return self


class Experiment(_Part):
    """The contents of an experiment file.

    Attributes:
        title, about: the title, and remarks for readers.
        device, estimate: the machine with the approximate running time, and the basis of this estimate.
        needs: datasets and weights by name.
        stages: options for ``gistmill-train fit``, by stage, in order. Each stage continues with the previous stage's
            model.
        tests: the test data by name.
        axes: the values of each axis by name.
        seeds: the seeds with which to run each cell.
        protocol: how runs are combined into one figure.
        tables: the tables of results.
    """

    title: str
    about: str = ""
    device: str
    estimate: str
    needs: dict[Name, Needed] = {}
    stages: dict[Name, Settings] = {}
    tests: dict[Name, Test] = Field(min_length=1)
    axes: dict[Name, dict[Name, Annotated[Value, BeforeValidator(lambda value: value or {})]]] = Field(min_length=1)
    seeds: tuple[Whole, ...] = Field(min_length=1)
    protocol: Protocol = Protocol()
    tables: tuple[Table, ...]

    @model_validator(mode="after")
    def _names_are_declared(self) -> Experiment:
        if "seed" in self.axes or not all(self.axes.values()):
            raise ValueError("axes: each axis needs at least one value, and none may be named `seed`")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("seeds must be distinct")
        for name, needed in self.needs.items():
            if other := needed.of.partition("#")[0]:
                _among(f"needs.{name}.of", other, self.needs)
                if self.needs[other].of:
                    raise ValueError(f"needs.{name}: {other!r} is an alias itself; name the original instead")
        for axis, values in self.axes.items():
            for name, value in values.items():
                for stage in value.stages:
                    _among(f"axes.{axis}.{name}", stage, self.stages)
        for name, test in self.tests.items():
            self._check_where(f"tests.{name}", test.where)
        for number, table in enumerate(self.tables):
            for label, line in (*table.columns.items(), *table.rows.items()):
                self._check_where(f"tables[{number}].{label}", line.where)
                if line.test:
                    _among(f"tables[{number}].{label}.test", line.test, self.tests)
        return self

    def _check_where(self, place: str, where: Where) -> None:
        for axis, values in where.items():
            _among(f"{place}.where", axis, self.axes)
            for value in values:
                _among(f"{place}.where.{axis}", value, self.axes[axis])


def _among(place: str, name: str, known: Iterable[str]) -> None:
    if name not in (names := list(known)):
        raise ValueError(f"{place}: {name!r} is not declared{nearest(name, names)}")


_FIELDS = tuple(name for part in _Part.__subclasses__() for name in part.model_fields)


def parse_experiment(content: bytes, file: str) -> Experiment:
    """Parses an experiment file, and checks everything except settings, which the commands check.

    Args:
        content: the file's content, YAML in UTF-8.
        file: the file's name for messages.

    Raises:
        SettingsError: the file is not YAML, a field is missing, unknown or invalid, or a name is not declared.
    """
    try:
        return Experiment.model_validate(yaml.safe_load(content.decode("utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not valid YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        first = error.errors()[0]
        parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"] if part != "[key]"]
        text = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            unknown = parts.pop().removeprefix(".")
            text = f"unknown field {unknown!r}{nearest(unknown, _FIELDS)}"
        place = "".join(parts).removeprefix(".")
        raise SettingsError(f"{file}: {place}: {text}" if place else f"{file}: {text}") from None


_REFERENCE = re.compile(r"\$([a-z0-9]([a-z0-9+-]*[a-z0-9])?)")
_VARIABLE = re.compile(r"\{([a-z0-9+-]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run of an experiment, whose settings may refer to datasets and weights.

    Attributes:
        name: its values and seed, also used as the name of its folder.
        values: its value for each axis.
        seed: its random seed.
        stages: the settings of its training runs by stage, in order.
        model: the weights to test if there is no training.
        tests: the tests for the last stage's model, by name.
    """

    name: str
    values: Mapping[str, str]
    seed: int
    stages: Mapping[str, Settings]
    model: str
    tests: Mapping[str, Test]

    def needs(self) -> tuple[str, ...]:
        """Returns the names of the required datasets and weights, in order of first use."""
        tests = [part for test in self.tests.values() for part in (test.predict, test.evaluate)]
        return tuple(dict.fromkeys(references([list(self.stages.values()), self.model, tests])))


def cells(experiment: Experiment, *, overrides: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Returns all cells, ordered by seed.

    Args:
        experiment: the experiment.
        overrides: settings that override those in the file for every training run.

    Raises:
        SettingsError: a cell has nothing to test, or refers to a name that is not declared in ``needs``.
    """
    found = [
        _cell(experiment, dict(zip(experiment.axes, chosen, strict=True)), seed, overrides)
        for seed in experiment.seeds
        for chosen in itertools.product(*(axis.items() for axis in experiment.axes.values()))
    ]
    for cell in found:
        for name in cell.needs():
            if name not in experiment.needs:
                raise SettingsError(f"cell {cell.name} refers to ${name}, which is not declared in `needs`")
    return tuple(found)


def _cell(
    experiment: Experiment, chosen: Mapping[str, tuple[str, Value]], seed: int, overrides: Mapping[str, Any]
) -> Cell:
    names, values = {axis: name for axis, (name, _) in chosen.items()}, [value for _, value in chosen.values()]
    variables = {**names, "seed": str(seed)}
    others = {name: f"${needed.of}" for name, needed in experiment.needs.items() if needed.of}

    def complete(settings: Any) -> Any:
        return _mapped(filled(settings, variables), lambda text: _REFERENCE.sub(lambda m: others.get(m[1], m[0]), text))

    cell = ".".join([*names.values(), f"seed{seed}"])
    stages: dict[str, Settings] = {}
    for name, stage in experiment.stages.items():
        changes = [value.stages.get(name, {}) for value in values]
        if None in changes:
            continue
        settings: dict[str, Any] = {"seed": seed, **stage}
        for change in (*changes, overrides):
            settings |= change or {}
        if stages and "model" in settings:
            raise SettingsError(f"cell {cell}: {name} uses the model of {list(stages)[-1]}, so it must not set `model`")
        stages[name] = complete(settings)
    model = next((value.model for value in values if value.model), "")
    if not stages and not model:
        raise SettingsError(f"cell {cell}: there is nothing to test: add a stage, or a value with a `model`")
    of_all = {option: given for value in values for option, given in value.predict.items()}
    tests = {
        name: Test(predict=complete({**test.predict, **of_all}), evaluate=complete(test.evaluate))
        for name, test in experiment.tests.items()
        if matches(names, test.where)
    }
    return Cell(name=cell, values=names, seed=seed, stages=stages, model=complete(model), tests=tests)


def matches(values: Mapping[str, str], where: Mapping[str, Iterable[str]]) -> bool:
    """Returns whether a cell with these values matches ``where``."""
    return all(values[axis] in wanted for axis, wanted in where.items())


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """Returns settings with ``{NAME}`` replaced in every string, except where NAME is not a variable."""
    return _mapped(value, lambda text: _VARIABLE.sub(lambda m: variables.get(m[1], m[0]), text))


def resolved(value: Any, places: Mapping[str, str]) -> Any:
    """Returns settings with ``$NAME`` replaced by its place in every string."""
    return _mapped(value, lambda text: _REFERENCE.sub(lambda m: places[m[1]], text))


def references(value: Any) -> list[str]:
    """Returns the names referred to by ``$NAME`` in settings, in order."""
    return [found[1] for found in _REFERENCE.finditer(json.dumps(value, default=str))]


def fingerprint(*parts: Any) -> str:
    """Returns a short digest of JSON values for use in folder names."""
    described = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(described.encode("utf-8")).hexdigest()[:12]


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Returns a copy of a value with a function applied to every string in it."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _mapped(part, change) for key, part in value.items()}
    return [_mapped(part, change) for part in value] if isinstance(value, (list, tuple)) else value
