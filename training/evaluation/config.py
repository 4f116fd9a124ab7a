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
    """The predictions, the references and the scores."""

    GROUP: ClassVar[str] = "evaluation"

    dataset: tuple[dict[str, Any], ...] = option(
        DATASETS,
        required=True,
        help="the rows: a published dataset with, if wanted, its configuration and split, or a file: .jsonl of rows "
        "with id, inputs and targets (a text, or a list of references), or .tsv with a line of names",
    )
    split: str = option(TOKEN, default="test", help="split to read where the dataset names none")
    predictions: tuple[str, ...] | None = option(
        list_of(TEXT),
        metavar="FILE[,FILE]",
        published=False,
        help='files of JSON lines {"id", "prediction"}, or without ids in the order of the rows; two are compared '
        "(default: only the baselines are scored)",
    )
    subset: bool = option(
        SWITCH,
        default=False,
        help="score the rows that have predictions, and say of how many; without ids they are the first rows (default: "
        "a row without a prediction is an error)",
    )
    output: str | None = option(TEXT, metavar="FILE", help="where the scores are written as JSON", published=False)
    card: str | None = option(
        FOLDER, help="folder of the model that wrote the predictions: its card gets the scores", published=False
    )
    metrics: tuple[str, ...] | None = option(
        list_of(one_of(*METRICS)), help="scores to make (default: those that the columns are for)"
    )
    baselines: bool = option(SWITCH, default=True, help="score COPY and other baselines too")
    form: str | None = option(
        one_of(NATURAL, TOKENISED),
        help="form of the predictions of fusions: natural text, as in targets, or tokens joined by spaces, as in the "
        "coherent sentences (default: natural where there are targets)",
    )
    stemmer: bool = option(SWITCH, default=True, help="ROUGE compares stems")
    measure: str = option(one_of(F1, RECALL), default=F1, help="of ROUGE; recall is that of NYT")
    cut_bytes: int | None = option(
        whole(1), unit="bytes", help="cut predictions for ROUGE to this many bytes, 75 for DUC (default: do not cut)"
    )
    cut_to_reference: bool = option(
        SWITCH, default=False, help="cut predictions for ROUGE to as many words as the reference has, as for NYT"
    )
    references: str = option(
        one_of(BEST, JACKKNIFE),
        default=BEST,
        help="ROUGE with several references: the best counts, or each is left out once, as for DUC",
    )
    lead: int = option(
        whole(1),
        default=3,
        unit="sentences",
        help="sentences of the baselines, and of the lead that novel compares with",
    )
    samples: int = option(whole(0), default=1000, unit="samples", help="samples of intervals and tests; 0: none")
    seed: int = option(whole(0), default=0, help="of the samples; the same seed gives the same figures")

    @override
    def check(self) -> None:
        if len(self.dataset) != 1:
            raise ValueError(f"dataset: one, not {len(self.dataset)}")
        if self.predictions is not None and len(self.predictions) > 2:
            raise ValueError(f"predictions: one file, or two to compare, not {len(self.predictions)}")
        if self.card is not None and (self.predictions is None or len(self.predictions) != 1):
            raise ValueError("card: a model's card gets the scores of one file of predictions")
        if self.subset and self.predictions is None:
            raise ValueError("subset: needs predictions, which define the subset")
        if self.subset and self.card is not None:
            raise ValueError("subset: a model's card gets the scores of all rows of a split")
        if self.predictions is None and not self.baselines:
            raise ValueError("predictions: there is nothing to score without predictions and baselines")
