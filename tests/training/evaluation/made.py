"""Fusions made by hand, published, and files of predictions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.training.made import publish

_ROWS = (
    ("SINGLE_S_COORD", ", but", "The bridge is old .", "It is safe .", "The bridge is old , but it is safe .", ""),
    ("PAIR_CONN", "however ,", "Ann sings .", "Bob dances .", "Ann sings .", "However , Bob dances ."),
    ("PAIR_ANAPHORA", "", "Ann sings .", "Ann loves her dog .", "Ann sings .", "She loves her dog ."),
    ("PAIR_NONE", "", "It rained .", "They left .", "It rained .", "They left ."),
    ("SINGLE_VP_COORD", "and", "Tom cooks .", "Tom eats well .", "Tom cooks and eats well .", ""),
)


def natural(text: str) -> str:
    return text.replace(" .", ".").replace(" ,", ",")


def fusions() -> list[dict[str, Any]]:
    names = ("incoherent_first_sentence", "incoherent_second_sentence", "coherent_first_sentence")
    rows = []
    for number, (kind, connective, *texts, second) in enumerate(_ROWS):
        rows.append(
            {
                "id": f"row-{number}",
                "discourse_type": kind,
                "connective_string": connective,
                **dict(zip(names, texts, strict=True)),
                "coherent_second_sentence": second,
                "inputs": natural(" ".join(texts[:2])),
                "targets": natural(f"{texts[2]} {second}".strip()),
            }
        )
    return rows


def fusion_dataset(folder: Path) -> str:
    """Publishes the fusions as the split test of ``balanced``; returns the place."""
    return publish(folder, {"test": fusions()}, config="balanced")


def lines(file: Path, values: Iterable[Mapping[str, Any] | str]) -> str:
    """Writes JSON lines; a text is a line as it is."""
    file.write_text("".join((v if isinstance(v, str) else json.dumps(v)) + "\n" for v in values), encoding="utf-8")
    return str(file)
