"""An experiment: its axes, the training and test data of each model, and the tables of the results.

docs/evaluation.md explains the YAML file that describes it; the models below check it. In settings ``$NAME`` names a
dataset or weights; ``{AXIS}`` and ``{seed}`` are replaced by the value of an axis and the seed of a cell.
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
#: The names of the experiments shipped with Gistmill; ``files`` has their YAML, sizes of models and profiles.
NAMES: tuple[str, ...] = tuple(sorted(path.stem for path in _FILES.glob("*.yaml")))


def experiment_file(name: str) -> Path:
    """Returns the file of an experiment shipped with Gistmill, or else ``name`` as a path."""
    return _FILES / f"{name}.yaml" if name in NAMES and not Path(name).exists() else Path(name)


def _name(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]([a-z0-9+-]*[a-z0-9])?", text):
        raise ValueError(f"a name may contain only lowercase letters, digits, + and -, not {text!r}")
    return text


def with_underscores(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options of a command by their names in Python."""
    return {name.replace("-", "_"): value for name, value in settings.items()}


Name = Annotated[str, AfterValidator(_name)]
Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
#: Options of a command by name, with underscores.
Settings = Annotated[dict[str, Any], AfterValidator(with_underscores)]
#: The values of axes that a cell must have.
Where = dict[
    str, Annotated[tuple[str, ...], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Needed(_Part):
    """A dataset or weights that an experiment needs.

    Attributes:
        what: its description.
        command: the command that makes it; "" where there is none.
        hub: name on the Hugging Face hub, for weights; it is used where no other place is given.
        file: path relative to the experiment's file, for things shipped with it.
        of: another name, of which this one is an alias; ``NAME#CONFIG`` is a configuration of its dataset.
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
            raise ValueError("no `rows`: make a sample with `gistmill curriculum --sample` and name its configuration")
        return fields

    @model_validator(mode="after")
    def _is_complete(self) -> Needed:
        if not (self.of or self.what):
            raise ValueError("it needs `what` or `of`")
        return self


class Test(_Part):
    """Rows that models are scored on.

    Attributes:
        predict: options of ``gistmill-train predict``, without model, dataset and output.
        evaluate: options of ``gistmill-train evaluate``, without predictions and output; ``dataset`` is among them.
        where: the values of axes that a cell must have to be tested on them.
    """

    predict: Settings = {}
    evaluate: Settings
    where: Where = {}

    @model_validator(mode="after")
    def _has_dataset(self) -> Test:
        if "dataset" not in self.evaluate:
            raise ValueError("`evaluate` needs a dataset")
        return self


class Value(_Part):
    """The changes made by a value of an axis.

    Attributes:
        stages: settings of stages by their names; None where the stage is left out.
        model: the model to test if all stages are left out: weights, as ``predict --model`` takes them.
        predict: options of ``gistmill-train predict`` in all tests, such as how such weights read.
    """

    stages: dict[str, Settings | None] = {}
    model: str = ""
    predict: Settings = {}


class Line(_Part):
    """A row or a column of a table: the results that belong to it.

    Attributes:
        where: the values of axes that a cell must have.
        test, metric, system: which test, which score, and of which system; "" where the other side says it. If both
            sides have a metric, the row's replaces ``{}`` in the column's.
        paper: of a row, the paper's figure for each column; None where it has none.
    """

    where: Where = {}
    test: str = ""
    metric: str = ""
    system: str = ""
    paper: tuple[Number | None, ...] = ()


class Table(_Part):
    """A table of a paper, to be reproduced.

    Attributes:
        title: its number and subject.
        rows, columns: their headers, by heading.
        notes: remarks for readers, such as figures that cannot be right.
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
                raise ValueError(f"neither row {label!r} nor its columns name a test and a metric")
        return self


class Protocol(_Part):
    """How the runs of a result, which differ only in the seed, become one figure.

    Attributes:
        best: the mean is that of this many runs, the best by ``by``; 0 for all runs.
        by: the score; "" for the score of the column itself.
        interval: 95 for a 95% interval of the mean; None for the standard deviation of the runs.
    """

    best: Whole = 0
    by: str = ""
    interval: Literal[95] | None = None

    @model_validator(mode="after")
    def _is_one_of_two(self) -> Protocol:
        if self.interval and self.best:
            raise ValueError("an interval covers all runs, not the best one")
        if self.model_fields_set and not (self.interval or "best" in self.model_fields_set):
            raise ValueError("it needs `best` or `interval`")
        return self


class Experiment(_Part):
    """The content of a file.

    Attributes:
        title, about, device, estimate: texts: its title, remarks for readers, the approximate time on
            which machine, and how that is known.
        needs: datasets and weights by name.
        stages: the trainings of a cell, in order: options of ``gistmill-train fit``. Each continues with the model of
            the one before it.
        tests: what models are scored on.
        axes: the values of each axis by name.
        seeds: each cell is run with each of them.
        protocol: how runs become one figure.
        tables: the tables of the results.
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
            raise ValueError("axes: each needs a value, and none may be named `seed`")
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError("seeds: all must differ")
        for name, needed in self.needs.items():
            if other := needed.of.partition("#")[0]:
                _among(f"needs.{name}.of", other, self.needs)
                if self.needs[other].of:
                    raise ValueError(f"needs.{name}: {other!r} belongs to another dataset; name that one")
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
    """Reads an experiment. Everything is checked except the values of settings, which belong to commands.

    Args:
        content: of the file: YAML in UTF-8.
        file: its name in messages.

    Raises:
        SettingsError: it is not YAML, a field is missing, unknown or of the wrong form, or a name is not declared.
    """
    try:
        return Experiment.model_validate(yaml.safe_load(content.decode("utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not YAML: {' '.join(str(error).split())}") from None
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
    """One run of an experiment. Settings refer to its needs.

    Attributes:
        name: its values and its seed; a cell has a folder of this name.
        values: of the axes.
        seed: of its random numbers.
        stages: the settings of its trainings by name, in order.
        model: weights that are tested where there is no training.
        tests: the test data for the model of the last stage, by name.
    """

    name: str
    values: Mapping[str, str]
    seed: int
    stages: Mapping[str, Settings]
    model: str
    tests: Mapping[str, Test]

    def needs(self) -> tuple[str, ...]:
        """Returns the names of the datasets and weights that it needs, in order of their first use."""
        tests = [part for test in self.tests.values() for part in (test.predict, test.evaluate)]
        return tuple(dict.fromkeys(references([list(self.stages.values()), self.model, tests])))


def cells(experiment: Experiment, *, overrides: Mapping[str, Any]) -> tuple[Cell, ...]:
    """Returns all cells, those of the first seed first.

    Args:
        experiment: their experiment.
        overrides: settings of all trainings, instead of those that the file has.

    Raises:
        SettingsError: a cell has nothing to test, or needs something that the file does not declare.
    """
    found = [
        _cell(experiment, dict(zip(experiment.axes, chosen, strict=True)), seed, overrides)
        for seed in experiment.seeds
        for chosen in itertools.product(*(axis.items() for axis in experiment.axes.values()))
    ]
    for cell in found:
        for name in cell.needs():
            if name not in experiment.needs:
                raise SettingsError(f"cell {cell.name} names ${name}, which `needs` does not declare")
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
            raise SettingsError(f"cell {cell}: {name} continues with the model of {list(stages)[-1]} but names another")
        stages[name] = complete(settings)
    model = next((value.model for value in values if value.model), "")
    if not stages and not model:
        raise SettingsError(f"cell {cell}: it has no stage, and no value names the `model` to test")
    of_all = {option: given for value in values for option, given in value.predict.items()}
    tests = {
        name: Test(predict=complete({**test.predict, **of_all}), evaluate=complete(test.evaluate))
        for name, test in experiment.tests.items()
        if matches(names, test.where)
    }
    return Cell(name=cell, values=names, seed=seed, stages=stages, model=complete(model), tests=tests)


def matches(values: Mapping[str, str], where: Mapping[str, Iterable[str]]) -> bool:
    """Whether a cell of these values is one that ``where`` asks for."""
    return all(values[axis] in wanted for axis, wanted in where.items())


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """Returns settings in which ``{NAME}`` is replaced in every text; a NAME that is not a variable stays as it is."""
    return _mapped(value, lambda text: _VARIABLE.sub(lambda m: variables.get(m[1], m[0]), text))


def resolved(value: Any, places: Mapping[str, str]) -> Any:
    """Returns settings in which ``$NAME`` is replaced in every text by its place."""
    return _mapped(value, lambda text: _REFERENCE.sub(lambda m: places[m[1]], text))


def references(value: Any) -> list[str]:
    """Returns the names after ``$`` in settings, in order."""
    return [found[1] for found in _REFERENCE.finditer(json.dumps(value, default=str))]


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
