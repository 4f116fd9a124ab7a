"""The scores of systems on the same rows, as JSON and as tables to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gistmill.core.markdown import table
from gistmill.rules.metrics.bootstrap import Difference
from gistmill.training.errors import SettingsError

_ROUGE_NOTE = (
    "rougeL is the longest common subsequence of the whole texts, rougeLsum the union over their sentences. "
    "combined = rouge1 + 2 rouge2 + rougeL."
)
_OF_PARTS = ("task_accuracy", "exact", "sari_discofuse", "rouge1")
_MOST_CONNECTIVES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """Scores of systems and baselines. Shares are in per cent.

    Attributes:
        data, recipe, config, split, rows: what was scored on.
        of: how many rows there are, where only a subset was scored; else None.
        types: how many rows each discourse type has; nothing for other data.
        metrics: the kinds of scores that were made.
        settings: how they were made.
        predicted: names of the systems whose predictions were given; the others are baselines.
        systems: name -> metric -> value.
        intervals: name -> metric -> bounds of the 95% interval by bootstrap.
        tests: metric -> how the second system differs from the first.
        confusions: name -> ``connectives`` or ``pronouns`` -> the reference's -> the system's -> how often.
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
        """Returns the scorecard as JSON has it, numbers with six decimals."""
        return {
            "data": self.data,
            "recipe": self.recipe,
            "config": self.config,
            "split": self.split,
            "rows": self.rows,
            **({} if self.of is None else {"of": self.of}),
            "types": dict(self.types),
            "metrics": list(self.metrics),
            "settings": dict(self.settings),
            "predicted": list(self.predicted),
            "systems": {n: {m: round(v, 6) for m, v in s.items()} for n, s in self.systems.items()},
            "intervals": {n: {m: [round(x, 6) for x in b] for m, b in s.items()} for n, s in self.intervals.items()},
            "tests": {m: {k: round(v, 6) for k, v in d._asdict().items()} for m, d in self.tests.items()},
            "confusions": self.confusions,
        }

    def write(self, path: str) -> None:
        """Writes the scorecard as JSON; a file that is there is replaced in one step.

        Raises:
            SettingsError: it cannot be written there.
        """
        file = Path(path)
        part = file.with_name(f".{file.name}.part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")
            part.replace(file)
        except OSError as error:
            raise SettingsError(f"--output {path}: {error.strerror or error}") from None

    def table(self) -> str:
        """Returns the scores as tables in Markdown."""
        place = " ".join(filter(None, (self.data, self.config, self.split)))
        of = "" if self.of is None else f" of {self.of:,}"
        parts = [f"{place}: {self.rows:,}{of} rows", "", *self._overall(), *self._by_part(), *self._connectives()]
        return "\n".join([*parts, *self._tests(), *self._notes()]).rstrip("\n")

    def _overall(self) -> list[str]:
        names = dict.fromkeys(m for s in self.systems.values() for m in s if "/" not in m)
        head = ["", *self.systems]
        return table(head, [[m, *(self._cell(system, m) for system in self.systems)] for m in names])

    def _cell(self, system: str, metric: str) -> str:
        value, bounds = self.systems[system].get(metric), self.intervals.get(system, {}).get(metric)
        if value is None:
            return ""
        return f"{value:.2f}" + (f" ({bounds[0]:.1f} to {bounds[1]:.1f})" if bounds else "")

    def _by_part(self) -> list[str]:
        """The scores of parts of the rows: discourse types, lengths, tasks."""
        split = [m.partition("/") for scores in self.systems.values() for m in scores]
        found = [(measure, part) for measure, _, part in split if part and measure in _OF_PARTS]
        if not found:
            return []
        measures = dict.fromkeys(measure for measure, _ in found)
        head = ["", *(["rows"] if self.types else []), *(f"{name}: {', '.join(measures)}" for name in self.systems)]
        lines = []
        for part in dict.fromkeys(part for _, part in found):
            rows = [self.types.get(part, "")] if self.types else []
            lines.append([part, *rows, *(_of_part(part, measures, scores) for scores in self.systems.values())])
        return table(head, lines)

    def _connectives(self) -> list[str]:
        """The accuracy of the most frequent connectives, and what stands in their place (DiscoFuse, Table 9)."""
        lines = []
        for name in self.predicted or self.confusions:
            found = self.confusions.get(name, {}).get("connectives", {})
            for gold, predicted in list(found.items())[:_MOST_CONNECTIVES]:
                top = ", ".join(f"{word} {count}" for word, count in list(predicted.items())[:3])
                accuracy = self.systems[name][f"connective/{gold}"]
                lines.append([name, gold, sum(predicted.values()), f"{accuracy:.1f}", top])
        return table(["system", "connective", "rows", "accuracy", "most frequent in its place"], lines) if lines else []

    def _tests(self) -> list[str]:
        if not self.tests:
            return []
        first, second = self.predicted
        lines = [
            [
                m,
                f"{d.difference:+.2f}",
                f"{d.low:+.2f} to {d.high:+.2f}",
                f"{d.bootstrap:.4f}",
                f"{d.randomisation:.4f}",
            ]
            for m, d in self.tests.items()
            if "/" not in m or m.startswith("rouge1/")
        ]
        return table([f"{second} - {first}", "difference", "95%", "p, bootstrap", "p, randomisation"], lines)

    def _notes(self) -> list[str]:
        notes = []
        if self.intervals and self.settings.get("samples"):
            notes.append(f"In brackets: 95% intervals of {self.settings['samples']:,} bootstrap samples.")
        if any("rougeL" in s for s in self.systems.values()):
            notes.append(_ROUGE_NOTE)
            how = [f"{self.settings['measure']}", "stems" if self.settings["stemmer"] else "no stems"]
            if self.settings.get("cut_bytes"):
                how.append(f"predictions cut to {self.settings['cut_bytes']} bytes")
            if self.settings.get("cut_to_reference"):
                how.append("predictions cut to the words of the reference")
            how.append(f"{self.settings['references']} of several references")
            notes.append(f"ROUGE: {', '.join(how)}.")
        return notes


def _of_part(part: str, measures: Iterable[str], scores: Mapping[str, float]) -> str:
    return ", ".join(f"{scores[f'{m}/{part}']:.1f}" for m in measures if f"{m}/{part}" in scores)
