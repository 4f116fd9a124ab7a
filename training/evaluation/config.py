"""The options of an evaluation. Loads nothing heavy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.options import Options, option
from rules.values import PATHS, SWITCH, TEXT, custom, list_of, one_of, whole

METRICS = (
    "exact",
    "sari",
    "types",
    "connectives",
    "pronouns",
    "rouge",
    "novel",
    "length",
    "tasks",
    "tokens",
)
NATURAL, TOKENISED = "natural", "tokenised"
F1, RECALL = "f1", "recall"
_DATASET = re.compile(r"(?P<place>[^#]+)(#(?P<config>[^#/@,\s]+)(/(?P<split>[^#/@,\s]+))?)?")


def _dataset(value: Any) -> dict[str, str]:
    found = _DATASET.fullmatch(value.strip()) if isinstance(value, str) else None
    parts = value if isinstance(value, Mapping) else found.groupdict() if found else {}
    if not parts.get("place") or parts.keys() - {"place", "config", "split"}:
        raise ValueError("expected PLACE[#CONFIG[/SPLIT]] or FILE.jsonl")
    return {name: str(part) for name, part in parts.items() if part is not None}


DATASET = custom(
    _dataset,
    pattern=r"[^#,\r\n]+(#[^#/@,\s]+(/[^#/@,\s]+)?)?",
    metavar="PLACE[#CONFIG[/SPLIT]]",
    allowed="a published dataset with, if wanted, its configuration and split, or a file of JSON lines",
)


@dataclass(frozen=True, kw_only=True)
class EvaluateConfig(Options):
    """What is scored, against what, and by which scores."""

    GROUP: ClassVar[str] = "evaluation"

    dataset: dict[str, str] = option(
        DATASET,
        required=True,
        help="the rows: a published dataset (by default its first configuration and the split test), or a .jsonl file of "
        "rows with id, inputs and targets (a text, or a list of references)",
    )
    predictions: tuple[str, ...] | None = option(
        PATHS,
        help='files of JSON lines {"id", "prediction"}, or without ids in the order of the rows; with two, they are '
        "compared (default: the baselines are scored alone)",
    )
    output: str | None = option(TEXT, metavar="FILE", help="where the scores are written as JSON", published=False)
    metrics: tuple[str, ...] | None = option(
        list_of(one_of(*METRICS)), metavar="NAME,...", help="scores to make (default: those that the columns allow)"
    )
    baselines: bool = option(SWITCH, default=True, help="score COPY and the other baselines beside")
    form: str = option(
        one_of(NATURAL, TOKENISED),
        default=NATURAL,
        help="form of predictions of fusions: natural text as in targets, or tokens joined by spaces as in the "
        "coherent sentences",
    )
    stemmer: bool = option(SWITCH, default=True, help="ROUGE: compare stems")
    measure: str = option(one_of(F1, RECALL), default=F1, help="ROUGE: F1, or recall as for NYT")
    cut_bytes: int | None = option(
        whole(1), unit="bytes", help="ROUGE: cut predictions to this many bytes; 75 for DUC (default: whole)"
    )
    cut_to_reference: bool = option(
        SWITCH, default=False, help="ROUGE: cut predictions to the words of the reference, as for NYT"
    )
    lead: int = option(whole(1), default=3, unit="sentences", help="sentences of the baseline Lead")
    samples: int = option(
        whole(0), default=1000, unit="samples", help="bootstrap samples of intervals and tests; 0: none"
    )
    seed: int = option(whole(0), default=0, help="of bootstrap and randomisation")

    def check(self) -> None:
        """See Options.check."""
        if self.predictions is not None and len(self.predictions) > 2:
            raise ValueError(f"predictions: one file, or two to compare, not {len(self.predictions)}")
        if self.predictions is None and not self.baselines:
            raise ValueError("predictions: nothing to score without predictions and baselines")
