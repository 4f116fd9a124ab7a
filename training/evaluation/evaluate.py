"""Scores predictions against the rows of a dataset, beside baselines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from gistmill.rules.metrics.bootstrap import Difference, compare, intervals
from gistmill.rules.metrics.tokens import next_tokens
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation import config as named
from gistmill.training.evaluation import fusion_scores, summary, tasks
from gistmill.training.evaluation.config import EvaluateConfig
from gistmill.training.evaluation.examples import Examples, read_examples
from gistmill.training.evaluation.fusion_scores import Confusion, Measured
from gistmill.training.evaluation.reading import CORRECT, Predictions, read_predictions
from gistmill.training.evaluation.scorecard import Scorecard

REFERENCE = "reference"
_UNTESTED = ("novel", "connective/", "pronoun/")  # what two systems are not tested in
_SETTINGS = ("stemmer", "measure", "cut_bytes", "cut_to_reference", "references", "lead", "samples", "seed")


@dataclass(slots=True)
class _System:
    measured: Measured = field(default_factory=dict)
    confusions: dict[str, Confusion] = field(default_factory=dict)


def evaluate(config: EvaluateConfig) -> Scorecard:
    """Returns the scores that a configuration asks for; its ``output`` is left to the caller.

    Raises:
        SettingsError: the dataset, a file or a column that the options need is not there.
        TrainingError: the rows or the predictions cannot be read, or do not belong together.
    """
    examples = read_examples(config)
    metrics = _metrics(config, examples)
    texts = set(metrics) != {named.TOKENS}
    files = config.predictions or ()
    predicted = [read_predictions(file, examples.ids, texts=texts, subset=config.subset) for file in files]
    if any(p.rows != predicted[0].rows for p in predicted):
        raise TrainingError(f"--subset: {files[0]} and {files[1]} have predictions for different rows")
    if predicted and predicted[0].rows is not None:
        examples = examples.only(predicted[0].rows)
    return score(examples, _distinct(predicted), config, metrics)


def score(
    examples: Examples, predicted: Sequence[Predictions], config: EvaluateConfig, metrics: Sequence[str]
) -> Scorecard:
    """Returns the scores of systems on rows, and of the baselines if the configuration wants them.

    Args:
        examples: the rows.
        predicted: what the systems write, in the order of the rows; a second one is compared with the first.
        config: how they are scored.
        metrics: some of ``config.METRICS``.

    Raises:
        SettingsError: a system lacks what a metric needs.
    """
    if named.TOKENS in metrics and (without := [p.name for p in predicted if p.tokens is None]):
        raise SettingsError(f"--metrics {named.TOKENS}: not every line of {without[0]} has {CORRECT!r}")
    systems = {system.name: _measure(examples, system, config, metrics) for system in predicted}
    systems |= _measured_baselines(examples, config, metrics)
    return Scorecard(
        data=examples.name,
        recipe=examples.recipe,
        config=examples.config,
        split=examples.split,
        rows=len(examples.ids),
        of=examples.of,
        types=dict(sorted(Counter(examples.types or ()).items())),
        metrics=tuple(metrics),
        settings={k: v for k, v in config.to_values().items() if k in _SETTINGS} | {"form": examples.form},
        predicted=[p.name for p in predicted],
        systems={n: _scores(s.measured) for n, s in systems.items()},
        intervals={n: _intervals(s.measured, config) for n, s in systems.items()},
        tests=_tests([systems[p.name].measured for p in predicted], config),
        confusions={n: s.confusions for n, s in systems.items() if s.confusions},
    )


def _measured_baselines(examples: Examples, config: EvaluateConfig, metrics: Sequence[str]) -> dict[str, _System]:
    if not config.baselines or set(metrics) == {named.TOKENS}:
        return {}
    systems = {
        name: _measure(examples, Predictions(name=name, texts=written), config, metrics)
        for name, written in _baselines(examples, config, metrics)
    }
    if named.NOVEL in metrics:  # the novelty to compare with
        written = [references[0] for references in examples.references]
        systems[REFERENCE] = _measure(examples, Predictions(name=REFERENCE, texts=written), config, [named.NOVEL])
    return systems


def _intervals(measured: Measured, config: EvaluateConfig) -> dict[str, tuple[float, float]]:
    found = intervals(list(measured.values()), samples=config.samples, seed=config.seed)
    return {m: bounds for m, bounds in zip(measured, found) if not math.isnan(bounds[0])}


def _tests(measured: Sequence[Measured], config: EvaluateConfig) -> dict[str, Difference]:
    """How the second of two systems differs from the first, by measure."""
    if len(measured) != 2 or not config.samples:
        return {}
    first, second = measured
    return {
        m: compare(first[m], second[m], samples=config.samples, seed=config.seed)
        for m in first
        if m in second and not math.isnan(first[m].score()) and not m.startswith(_UNTESTED)
    }


def _metrics(config: EvaluateConfig, examples: Examples) -> tuple[str, ...]:
    fusions = examples.types is not None
    metrics = config.metrics or _default_metrics(examples)
    needs = {named.TYPES: "discourse_type", named.CONNECTIVES: "connective_string", named.TASKS: "task"}
    there = {named.TYPES: fusions, named.CONNECTIVES: examples.connectives is not None, named.TASKS: examples.tasks}
    for name, column in needs.items():
        if name in metrics and not there[name]:
            if config.metrics:
                raise SettingsError(f"--metrics {name}: {examples.name} has no column {column!r}")
            metrics = tuple(m for m in metrics if m != name)
    return metrics


def _default_metrics(examples: Examples) -> tuple[str, ...]:
    if examples.types is not None:
        return named.FUSION_METRICS
    if examples.tasks:
        return named.TASK_METRICS
    return named.REPHRASE_METRICS if examples.rephrased else named.SUMMARY_METRICS


def _measure(examples: Examples, system: Predictions, config: EvaluateConfig, metrics: Sequence[str]) -> _System:
    found = _System()
    measured = found.measured
    if named.TOKENS in metrics and system.tokens is not None:
        measured |= next_tokens(*system.tokens)
    if (texts := system.texts) is None:
        return found
    if {named.EXACT, named.TYPES, named.TASKS} & set(metrics):
        measured |= fusion_scores.measure_exact(examples, texts)
    if {named.SARI, named.TYPES} & set(metrics):
        measured |= fusion_scores.measure_sari(examples, texts)
    if named.TYPES in metrics:
        measured |= fusion_scores.by_type(examples, texts, measured)
    if named.TASKS in metrics:
        measured |= tasks.measure(examples, texts, measured["exact"])
    if named.CONNECTIVES in metrics:
        parts, found.confusions["connectives"] = fusion_scores.measure_connectives(examples, texts)
        measured |= parts
    if named.PRONOUNS in metrics:
        parts, found.confusions["pronouns"] = fusion_scores.measure_pronouns(examples, texts)
        measured |= parts
    if {named.ROUGE, named.LENGTH} & set(metrics):
        measured |= summary.measure_rouge(examples, texts, summary.setting_of(config))
    if named.LENGTH in metrics:
        measured |= summary.by_length(examples, measured)
    if named.NOVEL in metrics:
        measured |= summary.measure_novel(examples, texts, config.lead)
    return found


def _baselines(examples: Examples, config: EvaluateConfig, metrics: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    if examples.halves is not None:
        yield from fusion_scores.baselines(examples)
    elif examples.tasks is not None or not set(metrics) & set(named.SUMMARY_METRICS):
        yield "COPY", examples.sources
    else:
        yield from summary.baselines(examples, config)


def _distinct(predicted: list[Predictions]) -> list[Predictions]:
    """Returns the systems with names that differ."""
    if len(predicted) == 2 and predicted[0].name == predicted[1].name:
        first, second = predicted
        return [
            Predictions(name=f"{p.name} {number}", texts=p.texts, tokens=p.tokens)
            for number, p in enumerate((first, second), 1)
        ]
    return predicted


def _scores(measured: Measured) -> dict[str, float]:
    values = {name: one.score() for name, one in measured.items()}
    return {name: value for name, value in values.items() if np.isfinite(value)}
