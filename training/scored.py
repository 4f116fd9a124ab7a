"""Puts scores on the card of a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from gistmill.training.cards import CARD, Result, model_index, result_lines, write_text
from gistmill.training.errors import SettingsError, TrainingError

_PARTS = re.compile(
    r"\A---\n(?P<front>.*?)^---\n(?P<head>.*?)^## Results\n(?P<results>.*?)(?P<rest>^## .*)\Z", re.S | re.M
)
_BLOCK = re.compile(r"^(?=[\d,]+ rows of )", re.M)


def result_of(scorecard: Mapping[str, Any], system: str) -> Result:
    """Returns the scores over all rows that a system has on a scorecard, as JSON has it."""
    values = {name: value for name, value in scorecard["systems"][system].items() if "/" not in name}
    bounds = scorecard["intervals"].get(system, {})
    return Result(
        data=scorecard["data"],
        recipe=scorecard["recipe"],
        config=scorecard["config"],
        split=scorecard["split"],
        rows=scorecard["rows"],
        metrics=values,
        intervals={name: (low, high) for name, (low, high) in bounds.items() if name in values},
    )


def add_scores(folder: Path, result: Result) -> None:
    """Adds a result to the card in the folder of a model; one of the same rows is replaced.

    Raises:
        SettingsError: the folder has no card.
        TrainingError: the card is not one that ``gistmill.training.cards`` wrote.
        OSError: the folder cannot be written to.
    """
    path = folder / CARD
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(f"--card {folder} has no {CARD}") from None
    found = _PARTS.match(text)
    front = yaml.safe_load(found["front"]) if found else None
    if found is None or not isinstance(front, dict):
        raise TrainingError(f"{path} is not a card that gistmill-train wrote")
    (entry,) = model_index("", [result])
    others = front.get("model-index") or [{"name": _title(found["head"]), "results": []}]
    same = [r for r in others[0]["results"] if r["dataset"] != entry["results"][0]["dataset"]]
    front["model-index"] = [{**others[0], "results": [*same, *entry["results"]]}]
    lines = result_lines(result)
    blocks = [b for b in _BLOCK.split(found["results"]) if _BLOCK.match(b) and _rows_of(b) != _rows_of(lines[0])]
    shown = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)
    results = "".join([*blocks, "\n".join(lines), "\n"])
    write_text(path, f"---\n{shown}---\n{found['head']}## Results\n\n{results}{found['rest']}")


def _rows_of(block: str) -> str:
    return block.partition("\n")[0].partition(" rows of ")[2]


def _title(head: str) -> str:
    found = re.search(r"^# (.*)$", head, re.M)
    return found[1] if found else ""
