"""``gistmill-train evaluate``, which scores predictions and baselines against the rows of a dataset."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from gistmill.core.text_output import printable_lines, say, table
from gistmill.rules.metrics.scores import Difference, compare, intervals, next_tokens
from gistmill.training.cards import add_scores, write_text
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation import config as named
from gistmill.training.evaluation import scores
from gistmill.training.evaluation.config import EvaluateConfig
from gistmill.training.evaluation.rows import CORRECT, Examples, Predictions, read_examples, read_predictions
from gistmill.training.evaluation.scores import Confusion, Measured

_ROUGE_NOTE = (
    "rougeL is based on the longest common subsequence of whole texts, rougeLsum on its union over sentences. "
    "combined = rouge1 + 2 rouge2 + rougeL."
)
_OF_PARTS = ("task_accuracy", "exact", "sari_discofuse", "rouge1")
_MOST_CONNECTIVES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """The scores of systems and baselines. Proportions are given in per cent.

    Attributes:
        data, recipe, config, split, rows: the data, and the number of rows scored.
        of: the total number of rows if only a subset was scored, otherwise None.
        types: number of rows for each discourse type; empty for other data.
        metrics: the kinds of scores computed.
        settings: the settings for the scores.
        predicted: names of the systems that are not baselines.
        systems: name -> metric -> value.
        intervals: name -> metric -> bounds of the 95% bootstrap interval.
        tests: metric -> difference between the second system and the first.
        confusions: name -> ``connectives`` or ``pronouns`` -> word in the reference -> word in the prediction -> count.
    """

    data: str
    recipe: str
    config: str
    split: str
    rows: int
    of: int | None = None
    types: Mapping[str, int] = field(default_factory=dict)
    metrics: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    predicted: Sequence[str] = ()
    systems: Mapping[str, Mapping[str, float]]
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    tests: Mapping[str, Difference] = field(default_factory=dict)
    confusions: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the scorecard as JSON values, with numbers rounded to six decimals."""
        values = {one.name: _rounded(getattr(self, one.name)) for one in fields(self)}
        return {name: value for name, value in values.items() if name != "of" or value is not None}

    def write(self, path: str) -> None:
        """Writes the scorecard as JSON, replacing an existing file atomically.

        Raises:
            SettingsError: the file cannot be written.
        """
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            write_text(Path(path), json.dumps(self.to_json(), indent=2) + "\n")
        except OSError as error:
            raise SettingsError(f"--output {path}: {error.strerror or error}") from None

    def table(self) -> str:
        """Returns the scores as Markdown tables."""
        place = " ".join(filter(None, (self.data, self.config, self.split)))
        of = "" if self.of is None else f" of {self.of:,}"
        measures = dict.fromkeys(m for s in self.systems.values() for m in s if "/" not in m)
        overall = table(["", *self.systems], [[m, *(self._cell(name, m) for name in self.systems)] for m in measures])
        parts = [f"{place}: {self.rows:,}{of} rows", "", *overall, *self._by_part(), *self._connectives()]
        return "\n".join([*parts, *self._tests(), *self._notes()]).rstrip("\n")

    def below_baseline(self) -> list[str]:
        """Returns a warning for each system that scores below copying the input or its first sentences."""
        trivial = next((name for name in self.systems if name == "COPY" or name.startswith("Lead-")), None)
        of_trivial, lines = self.systems[trivial] if trivial else {}, []
        for name in self.predicted:
            own = self.systems[name]
            worse = [m for m in _OF_PARTS if m in own and m in of_trivial and own[m] < of_trivial[m]]
            shown = ", ".join(f"{m} {own[m]:.2f} against {of_trivial[m]:.2f}" for m in worse)
            if worse:
                lines.append(
                    f"{name} scores below the baseline {trivial} ({shown}): train on more rows or for more updates"
                )
        return lines

    def _cell(self, system: str, metric: str) -> str:
        value, bounds = self.systems[system].get(metric), self.intervals.get(system, {}).get(metric)
        if value is None:
            return ""
        return f"{value:.2f}" + (f" ({bounds[0]:.1f} to {bounds[1]:.1f})" if bounds else "")

    def _by_part(self) -> list[str]:
        """Returns a table of scores by discourse type, length or task."""
        split = [m.partition("/") for found in self.systems.values() for m in found]
        measures = dict.fromkeys(measure for measure, _, part in split if part and measure in _OF_PARTS)
        if not measures:
            return []
        head = ["", *(["rows"] if self.types else []), *(f"{name}: {', '.join(measures)}" for name in self.systems)]
        lines = []
        for part in dict.fromkeys(part for measure, _, part in split if part and measure in _OF_PARTS):
            rows = [self.types.get(part, "")] if self.types else []
            names = [f"{measure}/{part}" for measure in measures]
            found = (", ".join(f"{of[m]:.1f}" for m in names if m in of) for of in self.systems.values())
            lines.append([part, *rows, *found])
        return table(head, lines)

    def _connectives(self) -> list[str]:
        """Returns the accuracy for the most frequent connectives, and their replacements (DiscoFuse, Table 9)."""
        lines = []
        for name in self.predicted or self.confusions:
            found = self.confusions.get(name, {}).get("connectives", {})
            for gold, predicted in list(found.items())[:_MOST_CONNECTIVES]:
                top = ", ".join(f"{word} {count}" for word, count in list(predicted.items())[:3])
                accuracy = self.systems[name][f"connective/{gold}"]
                lines.append([name, gold, sum(predicted.values()), f"{accuracy:.1f}", top])
        return table(["system", "connective", "rows", "accuracy", "most frequent predictions"], lines) if lines else []

    def _tests(self) -> list[str]:
        if not self.tests:
            return []
        lines = []
        for metric, d in self.tests.items():
            if "/" not in metric or metric.startswith("rouge1/"):
                interval = f"{d.low:+.2f} to {d.high:+.2f}"
                lines.append([metric, f"{d.difference:+.2f}", interval, f"{d.bootstrap:.4f}", f"{d.randomisation:.4f}"])
        first, second = self.predicted
        return table([f"{second} - {first}", "difference", "95%", "p, bootstrap", "p, randomisation"], lines)

    def _notes(self) -> list[str]:
        notes = []
        if self.intervals and self.settings.get("samples"):
            notes.append(f"In brackets: 95% intervals from {self.settings['samples']:,} bootstrap samples.")
        if any("rougeL" in s for s in self.systems.values()):
            notes.append(_ROUGE_NOTE)
            how = [f"{self.settings['measure']}", "stems" if self.settings["stemmer"] else "no stems"]
            if self.settings.get("cut_bytes"):
                how.append(f"predictions truncated to {self.settings['cut_bytes']} bytes")
            if self.settings.get("cut_to_reference"):
                how.append("predictions truncated to the reference's number of words")
            how.append(f"{self.settings['references']} for several references")
            notes.append(f"ROUGE: {', '.join(how)}.")
        return notes


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, Difference):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, (list, tuple)) else value


_UNTESTED = ("novel", "connective/", "pronoun/")  # metrics that are not tested for significance
_SETTINGS = ("stemmer", "measure", "cut_bytes", "cut_to_reference", "references", "lead", "samples", "seed")


def evaluate(config: EvaluateConfig) -> Scorecard:
    """Computes the scores for a configuration, without writing them to ``output``.

    Raises:
        SettingsError: the dataset, a file or a required column is missing.
        TrainingError: the rows or the predictions cannot be read, or do not match.
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
    if len(predicted) == 2 and predicted[0].name == predicted[1].name:
        predicted = [replace(p, name=f"{p.name} {number}") for number, p in enumerate(predicted, 1)]
    if named.TOKENS in metrics and (without := [p.name for p in predicted if p.tokens is None]):
        raise SettingsError(f"--metrics {named.TOKENS}: not every line of {without[0]} contains {CORRECT!r}")
    systems = {p.name: _measure(examples, p, config, metrics) for p in predicted}
    if config.baselines and texts:
        for name, written in _baselines(examples, config, metrics):
            systems[name] = _measure(examples, Predictions(name=name, texts=written), config, metrics)
        if named.NOVEL in metrics:  # the references' own novelty, for comparison
            reference = Predictions(name="reference", texts=[references[0] for references in examples.references])
            systems[reference.name] = _measure(examples, reference, config, [named.NOVEL])
    values = {n: {metric: one.score() for metric, one in measured.items()} for n, (measured, _) in systems.items()}
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
        systems={n: {metric: v for metric, v in of.items() if np.isfinite(v)} for n, of in values.items()},
        intervals={n: _intervals(measured, config) for n, (measured, _) in systems.items()},
        tests=_tests([systems[p.name][0] for p in predicted], config),
        confusions={n: confusions for n, (_, confusions) in systems.items() if confusions},
    )


def _intervals(measured: Measured, config: EvaluateConfig) -> dict[str, tuple[float, float]]:
    found = intervals(list(measured.values()), samples=config.samples, seed=config.seed)
    return {m: bounds for m, bounds in zip(measured, found, strict=True) if not math.isnan(bounds[0])}


def _tests(measured: Sequence[Measured], config: EvaluateConfig) -> dict[str, Difference]:
    """Returns the differences between the second of two systems and the first, by metric."""
    if len(measured) != 2 or not config.samples:
        return {}
    first, second = measured
    return {
        m: compare(first[m], second[m], samples=config.samples, seed=config.seed)
        for m in first
        if m in second and not math.isnan(first[m].score()) and not m.startswith(_UNTESTED)
    }


def _metrics(config: EvaluateConfig, examples: Examples) -> tuple[str, ...]:
    """Returns the kinds of scores to compute: those requested, or by default those for which there are columns."""
    lacking = {
        named.TYPES: "discourse_type" if examples.types is None else "",
        named.CONNECTIVES: "connective_string" if examples.connectives is None else "",
        named.TASKS: "" if examples.tasks else "task",
    }
    if config.metrics:
        for metric in config.metrics:
            if column := lacking.get(metric):
                raise SettingsError(f"--metrics {metric}: {examples.name} lacks the column {column!r}")
        return config.metrics
    metrics: tuple[str, ...]
    if examples.types is not None:
        metrics = named.FUSION_METRICS
    elif examples.tasks:
        metrics = named.TASK_METRICS
    else:
        metrics = named.REPHRASE_METRICS if examples.rephrased else named.SUMMARY_METRICS
    return tuple(metric for metric in metrics if not lacking.get(metric))


def _measure(
    examples: Examples, system: Predictions, config: EvaluateConfig, metrics: Sequence[str]
) -> tuple[Measured, dict[str, Confusion]]:
    """Returns a system's scores and confusion tables."""
    measured: Measured = {}
    confusions: dict[str, Confusion] = {}
    if named.TOKENS in metrics and system.tokens is not None:
        measured |= next_tokens(*system.tokens)
    if (texts := system.texts) is None:
        return measured, confusions
    if {named.EXACT, named.TYPES, named.TASKS} & set(metrics):
        measured |= scores.measure_exact(examples, texts)
    if {named.SARI, named.TYPES} & set(metrics):
        measured |= scores.measure_sari(examples, texts)
    if named.TYPES in metrics:
        measured |= scores.by_type(examples, texts, measured)
    if named.TASKS in metrics:
        measured |= scores.measure_tasks(examples, texts, measured["exact"])
    if named.CONNECTIVES in metrics:
        parts, confusions["connectives"] = scores.measure_connectives(examples, texts)
        measured |= parts
    if named.PRONOUNS in metrics:
        parts, confusions["pronouns"] = scores.measure_pronouns(examples, texts)
        measured |= parts
    if {named.ROUGE, named.LENGTH} & set(metrics):
        measured |= scores.measure_rouge(examples, texts, config)
    if named.LENGTH in metrics:
        measured |= scores.by_length(examples, measured)
    if named.NOVEL in metrics:
        measured |= scores.measure_novel(examples, texts, config.lead)
    return measured, confusions


def _baselines(examples: Examples, config: EvaluateConfig, metrics: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    if examples.halves is not None:
        yield from scores.fusion_baselines(examples)
    elif examples.tasks is not None or not set(metrics) & set(named.SUMMARY_METRICS):
        yield "COPY", examples.sources
    else:
        yield from scores.summary_baselines(examples, config)


CONFIG = EvaluateConfig


def run(config: EvaluateConfig) -> int:
    """Prints the scores, writes them as JSON and to a model card if requested, and returns 0.

    Raises:
        SettingsError: the options do not suit the dataset, or conflict with each other.
        TrainingError: the predictions or the dataset cannot be read, or do not match.
    """
    scorecard = evaluate(config)
    if config.output is not None:
        scorecard.write(config.output)
    if config.card is not None:
        (system,) = scorecard.predicted
        add_scores(Path(config.card), scorecard.to_json(), system)
    print(printable_lines(scorecard.table()))
    for line in scorecard.below_baseline():
        say(f"gistmill-train evaluate: {line}")
    return 0
