"""The options of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, SWITCH, TEXT, TOKEN, list_of, one_of, whole
from gistmill.rules.metrics.scores import BEST, F1, JACKKNIFE, RECALL
from gistmill.training.data.config import DATASETS

EXACT, SARI, TYPES, CONNECTIVES, PRONOUNS = "exact", "sari", "types", "connectives", "pronouns"
ROUGE, NOVEL, LENGTH, TASKS, TOKENS = "rouge", "novel", "length", "tasks", "tokens"
FUSION_METRICS = (EXACT, SARI, TYPES, CONNECTIVES, PRONOUNS)
SUMMARY_METRICS = (ROUGE, NOVEL, LENGTH)
TASK_METRICS = (EXACT, TASKS)
REPHRASE_METRICS = (EXACT, SARI)
METRICS = (*FUSION_METRICS, *SUMMARY_METRICS, TASKS, TOKENS)
NATURAL, TOKENISED = "natural", "tokenised"


@dataclass(frozen=True, kw_only=True)
class EvaluateConfig(Options):
    """The options for predictions, references and scores."""

    GROUP: ClassVar[str] = "evaluation"

    dataset: tuple[dict[str, Any], ...] = option(
        DATASETS,
        required=True,
        help="rows to score against: a published dataset, optionally with configuration and split, or a file: "
        ".jsonl with id, inputs and targets (a text, or a list of references), or .tsv with a header",
    )
    split: str = option(TOKEN, default="test", help="split to read if the dataset names none")
    predictions: tuple[str, ...] | None = option(
        list_of(TEXT),
        metavar="FILE[,FILE]",
        published=False,
        help='files of JSON lines {"id", "prediction"}, or without IDs if in row order; two are compared '
        "(default: score only the baselines)",
    )
    subset: bool = option(
        SWITCH,
        default=False,
        help="score only rows with predictions, and report their number; predictions without IDs belong to the "
        "first rows (default: fail if a row lacks a prediction)",
    )
    output: str | None = option(TEXT, metavar="FILE", help="JSON file for the scores", published=False)
    card: str | None = option(
        FOLDER, help="folder of the model that made the predictions; scores are added to its card", published=False
    )
    metrics: tuple[str, ...] | None = option(
        list_of(one_of(*METRICS)), help="scores to compute (default: all that the columns allow)"
    )
    baselines: bool = option(SWITCH, default=True, help="also score COPY and other baselines")
    form: str | None = option(
        one_of(NATURAL, TOKENISED),
        help="form of predicted fusions: natural text, as in targets, or tokens joined by spaces, as in the "
        "coherent sentences (default: natural if there are targets)",
    )
    stemmer: bool = option(SWITCH, default=True, help="compare word stems in ROUGE")
    measure: str = option(one_of(F1, RECALL), default=F1, help="ROUGE measure; use recall for NYT")
    cut_bytes: int | None = option(
        whole(1),
        unit="bytes",
        help="truncate predictions to this many bytes for ROUGE, 75 for DUC (default: do not truncate)",
    )
    cut_to_reference: bool = option(
        SWITCH, default=False, help="truncate predictions to the reference's number of words for ROUGE, as for NYT"
    )
    references: str = option(
        one_of(BEST, JACKKNIFE),
        default=BEST,
        help="ROUGE for several references: use the best one, or leave each out in turn (jackknife), as for DUC",
    )
    lead: int = option(
        whole(1),
        default=3,
        unit="sentences",
        help="number of sentences in the baselines, and in the lead with which novel n-grams are compared",
    )
    samples: int = option(
        whole(0), default=1000, unit="samples", help="number of bootstrap samples for intervals and tests; 0: none"
    )
    seed: int = option(whole(0), default=0, help="seed for the bootstrap samples")

    @override
    def check(self) -> None:
        if len(self.dataset) != 1:
            raise ValueError(f"dataset: expected one dataset, not {len(self.dataset)}")
        if self.predictions is not None and len(self.predictions) > 2:
            raise ValueError(f"predictions: expected one file, or two to compare, not {len(self.predictions)}")
        if self.card is not None and (self.predictions is None or len(self.predictions) != 1):
            raise ValueError("card: exactly one predictions file is required for a model card")
        if self.subset and self.predictions is None:
            raise ValueError("subset requires predictions, which define the subset")
        if self.subset and self.card is not None:
            raise ValueError("subset cannot be used with card: a model card needs scores for all rows of a split")
        if self.predictions is None and not self.baselines:
            raise ValueError("predictions: there is nothing to score without predictions or baselines")
