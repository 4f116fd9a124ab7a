"""Reads the file of an experiment. Everything in it is checked but the values of settings, which belong to commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import yaml

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.values import nearest
from gistmill.training.experiments.plan import Experiment, Line, Needed, PlanError, Protocol, Stage, Table, Test, Value

_INTERVAL = 95
_NAME = re.compile(r"[a-z0-9]([a-z0-9+-]*[a-z0-9])?")


def parse_experiment(content: bytes, file: str) -> Experiment:
    """Reads an experiment.

    Args:
        content: of the file: YAML in UTF-8.
        file: how messages call it.

    Raises:
        PlanError: it is not YAML, a field is missing, unknown or of the wrong form, or a name in it is not declared.
    """
    try:
        loaded = yaml.safe_load(content.decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise PlanError(f"{file} is not YAML: {' '.join(str(error).split())}") from None
    try:
        return _experiment(JsonValue(loaded, file))
    except JsonError as error:
        raise PlanError(str(error)) from None


def _experiment(value: JsonValue) -> Experiment:
    known = "title about device estimate needs stages tests axes seeds protocol tables".split()
    _only(value, known)
    needs = {_named(v, n): _needed(v) for n, v in _mapping(value, "needs").items()}
    for name, needed in needs.items():
        if needed.of:
            _among(value["needs"][name]["of"], needed.of, needs)
            if needs[needed.of].of:
                raise PlanError(f"{value['needs'][name].where}: {needed.of!r} is of another dataset; name that one")
    stages = tuple(_stage(v, n) for n, v in _mapping(value, "stages").items())
    axes = {_named(v, n): _axis(v, [s.name for s in stages]) for n, v in value["axes"].fields().items()}
    if not axes or "seed" in axes:
        raise PlanError(f"{value['axes'].where} must name at least one axis, and none `seed`")
    tests = tuple(_test(v, n, axes) for n, v in value["tests"].fields().items())
    found = value.get("protocol")
    experiment = Experiment(
        title=value["title"].text(),
        about=_text(value, "about"),
        device=value["device"].text(),
        estimate=value["estimate"].text(),
        needs=needs,
        stages=stages,
        tests=tests,
        axes=axes,
        seeds=tuple(v.whole() for v in value["seeds"].items()),
        protocol=_protocol(found) if found else Protocol(),
        tables=tuple(_table(v, axes, [t.name for t in tests]) for v in value["tables"].items()),
    )
    if not experiment.tests or not experiment.seeds or len(set(experiment.seeds)) < len(experiment.seeds):
        raise PlanError(f"{value.file} needs a test, and seeds that differ")
    return experiment


def _needed(value: JsonValue) -> Needed:
    _only(value, ["what", "command", "hub", "file", "of", "config", "split", "rows", "seed"])
    rows, seed = value.get("rows"), value.get("seed")
    needed = Needed(
        what=_text(value, "what"),
        command=_text(value, "command"),
        hub=_text(value, "hub"),
        file=_text(value, "file"),
        of=_text(value, "of"),
        config=_text(value, "config"),
        split=_text(value, "split") or "train",
        rows=rows.whole() if rows else 0,
        seed=seed.whole() if seed else None,
    )
    if not (needed.of or needed.what) or (needed.rows and not needed.of):
        raise PlanError(f"{value.where} needs `what`, or for a subset `of` and `rows`")
    if not needed.rows and any(value.get(name) for name in ("config", "split", "seed")):
        raise PlanError(f"{value.where}: config, split and seed are of a subset, which needs `rows` too")
    return needed


def _stage(value: JsonValue, name: str) -> Stage:
    _only(value, ["settings", "hours"])
    settings = value.get("settings")
    return Stage(
        name=_named(value, name), settings=_settings(settings) if settings else {}, hours=value["hours"].number()
    )


def _test(value: JsonValue, name: str, axes: Mapping[str, Sequence[Value]]) -> Test:
    _only(value, ["predict", "evaluate", "where", "hours"])
    predict = value.get("predict")
    evaluate = _settings(value["evaluate"])
    if "dataset" not in evaluate:
        raise PlanError(f"{value.where}.evaluate needs a dataset")
    return Test(
        name=_named(value, name),
        predict=_settings(predict) if predict else {},
        evaluate=evaluate,
        where=_where(value, axes),
        hours=value["hours"].number(),
    )


def _axis(value: JsonValue, stages: Sequence[str]) -> tuple[Value, ...]:
    found = tuple(_value(v, n, stages) for n, v in value.fields().items())
    if not found:
        raise PlanError(f"{value.where} has no value")
    return found


def _value(value: JsonValue, name: str, stages: Sequence[str]) -> Value:
    if value.value is None:
        return Value(name=_named(value, name))
    _only(value, ["stages", "hours", "model", "predict"])
    changed: dict[str, Mapping[str, Any] | None] = {}
    for stage, settings in _mapping(value, "stages").items():
        _among(settings, stage, stages)
        changed[stage] = None if settings.value is None else _settings(settings)
    hours = {stage: v.number() for stage, v in _mapping(value, "hours").items()}
    for stage in hours:
        _among(value["hours"], stage, stages)
    predict = value.get("predict")
    return Value(
        name=_named(value, name),
        stages=changed,
        hours=hours,
        model=_text(value, "model"),
        predict=_settings(predict) if predict else {},
    )


def _protocol(value: JsonValue) -> Protocol:
    _only(value, ["best", "by", "interval"])
    if (interval := value.get("interval")) is None:
        return Protocol(best=value["best"].whole(), by=_text(value, "by"))
    if interval.value != _INTERVAL or value.get("best"):
        raise PlanError(f"{interval.where}: expected {_INTERVAL} (per cent), of all runs and not the best")
    return Protocol(interval=True)


def _table(value: JsonValue, axes: Mapping[str, Sequence[Value]], tests: Sequence[str]) -> Table:
    _only(value, ["title", "rows", "columns", "notes"])
    columns = tuple(_line(v, n, axes, tests) for n, v in value["columns"].fields().items())
    rows, paper = [], []
    for label, row in value["rows"].fields().items():
        rows.append(_line(row, label, axes, tests))
        printed = row.get("paper")
        figures = (
            [None if v.value is None else v.number() for v in printed.items()] if printed else [None] * len(columns)
        )
        if len(figures) != len(columns):
            raise PlanError(f"{row.where}.paper has {len(figures)} figures for {len(columns)} columns")
        paper.append(tuple(figures))
    for row_line in rows:
        for column in columns:
            if not (row_line.metric or column.metric) or not (row_line.test or column.test):
                raise PlanError(f"{value.where}: neither row {row_line.label!r} nor its columns say test and metric")
    notes = value.get("notes")
    return Table(
        title=value["title"].text(),
        rows=tuple(rows),
        columns=columns,
        paper=tuple(paper),
        notes=tuple(v.text() for v in notes.items()) if notes else (),
    )


def _line(value: JsonValue, label: str, axes: Mapping[str, Sequence[Value]], tests: Sequence[str]) -> Line:
    _only(value, ["where", "test", "metric", "system", "paper"])
    test = _text(value, "test")
    if test:
        _among(value["test"], test, tests)
    return Line(
        label=label, where=_where(value, axes), test=test, metric=_text(value, "metric"), system=_text(value, "system")
    )


def _where(value: JsonValue, axes: Mapping[str, Sequence[Value]]) -> dict[str, tuple[str, ...]]:
    wanted = {}
    for axis, named in _mapping(value, "where").items():
        _among(named, axis, axes)
        values = tuple(v.text() for v in named.items()) if isinstance(named.value, list) else (named.text(),)
        for name in values:
            _among(named, name, [v.name for v in axes[axis]])
        wanted[axis] = values
    return wanted


def _settings(value: JsonValue) -> dict[str, Any]:
    return {name.replace("-", "_"): v.value for name, v in value.fields().items()}


def _mapping(value: JsonValue, name: str) -> dict[str, JsonValue]:
    found = value.get(name)
    return found.fields() if found else {}


def _text(value: JsonValue, name: str) -> str:
    found = value.get(name)
    return found.text().strip() if found else ""


def _only(value: JsonValue, known: Sequence[str]) -> None:
    for name in value.fields():
        if name not in known:
            raise PlanError(f"{value.where} has an unknown field {name!r}{nearest(name, known)}")


def _named(value: JsonValue, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise PlanError(f"{value.where}: a name has small letters, digits, + and -, and {name!r} has others")
    return name


def _among(value: JsonValue, name: str, known: Iterable[str]) -> None:
    if name not in (names := list(known)):
        raise PlanError(f"{value.where}: {name!r} is not declared{nearest(name, names)}")
