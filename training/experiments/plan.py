"""An experiment: what is varied, what each model is trained and tested on, and the tables of the results.

docs/experiments.md explains the file that describes it. In settings ``$NAME`` names a dataset or weights; ``{AXIS}``
and ``{seed}`` stand for the value of an axis and the seed of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
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
