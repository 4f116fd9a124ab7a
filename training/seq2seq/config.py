"""The options of sequence-to-sequence models. Does not import torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import BETWEEN, NOT_NEGATIVE, SWITCH, TEXT, one_of, whole
from gistmill.training.config import ModelConfig

_PRESETS = Path(__file__).parent / "presets"
POWER, GNMT = "power", "gnmt"
NEVER = "never"  # transformers' name for a search that ends only when no output can improve


def presets() -> dict[str, Path]:
    """Returns the sizes files of the presets that can be trained from scratch, by name."""
    return {path.stem: path for path in sorted(_PRESETS.glob("*.yaml"))}


def sizes_file(model: str) -> Path | None:
    """Returns the sizes file of a model to train from scratch, or None for any other model."""
    return presets().get(model) or (Path(model) if model.endswith((".yaml", ".yml")) else None)


def is_from_scratch(model: str) -> bool:
    """Returns whether ``--model`` specifies sizes instead of weights."""
    return sizes_file(model) is not None


@dataclass(frozen=True, kw_only=True)
class Seq2SeqConfig(ModelConfig):
    """The inputs and the architecture of a sequence-to-sequence model."""

    GROUP: ClassVar[str] = "seq2seq"

    source_column: str = option(TEXT, default="inputs", metavar="COLUMN", help="column that the model reads")
    target_column: str = option(TEXT, default="targets", metavar="COLUMN", help="column that the model learns to write")
    prefix: str | None = option(
        TEXT, help="text to prepend to every source, such as 'summarize: ' for T5 checkpoints (default: none)"
    )
    max_source: int = option(
        whole(2), default=512, unit="tokens", help="maximum number of tokens in a source; longer ones are truncated"
    )
    max_target: int = option(
        whole(2), default=256, unit="tokens", help="maximum number of tokens in a target; longer ones are truncated"
    )
    label_smoothing: float | None = option(
        BETWEEN, help="share of the probability mass to spread over all tokens (default: none)"
    )
    tokenizer: str | None = option(
        TEXT,
        metavar="NAME",
        help="tokenizer folder or hub name (default: the checkpoint's own; for a model from scratch, one "
        "trained on the corpus)",
    )
    vocabulary: int = option(whole(300), default=32_000, unit="pieces", help="vocabulary size of a new tokenizer")
    tokenizer_rows: int = option(
        whole(1),
        default=200_000,
        unit="rows",
        help="number of rows to train the tokenizer on, from the start of the first epoch",
    )
    attention: str = option(
        one_of("sdpa", "eager", "flash_attention_2"),
        default="sdpa",
        help="attention in transformers models: PyTorch's fused implementation, the plain one, or the "
        "flash-attn package",
    )


class GnmtPenalty(float):
    """The exponent of the length penalty in GNMT and tensor2tensor.

    ``length ** GnmtPenalty(alpha)`` is ((5 + length) / 6) ** alpha. A beam search that divides scores by a power of
    the length, such as that of transformers, thus applies GNMT's penalty.

    Source: Y. Wu et al., "Google's neural machine translation system", 2016, equation 14.
    """

    def __rpow__(self, length: float, modulo: None = None) -> float:
        """Returns the divisor for a score."""
        return float(((5 + length) / 6) ** float(self))


@dataclass(frozen=True, kw_only=True)
class DecodingConfig(Options):
    """The prediction options of a sequence-to-sequence model; options left as None use the checkpoint's values."""

    GROUP: ClassVar[str] = "decoding"

    beams: int = option(whole(1), default=4, unit="beams", help="beam search width; 1 is greedy search")
    min_tokens: int | None = option(whole(0), unit="tokens", help="minimum number of tokens in an output")
    max_tokens: int | None = option(
        whole(1), unit="tokens", help="maximum number of tokens in an output (default: --max-target from training)"
    )
    length_penalty: float | None = option(
        NOT_NEGATIVE, metavar="POWER", help="divide an output's score by its length raised to this power (default: 1)"
    )
    length_penalty_kind: str = option(
        one_of(POWER, GNMT),
        default=POWER,
        help="gnmt: divide the score by ((5 + length) / 6) raised to the power, as in tensor2tensor, which uses "
        "the power 0.6, and end the search when no output can improve",
    )
    no_repeat_ngram: int | None = option(
        whole(0), unit="tokens", help="allow each n-gram of this length at most once per output; 0: no limit"
    )
    early_stopping: bool = option(
        SWITCH, default=False, help="stop when the number of complete outputs reaches the number of beams"
    )

    @override
    def check(self) -> None:
        if self.min_tokens is not None and self.max_tokens is not None:
            self.check_order("tokens")
        if self.length_penalty_kind == GNMT and self.length_penalty is None:
            raise ValueError("length_penalty_kind gnmt requires length_penalty, such as 0.6")

    @property
    def penalty(self) -> float | None:
        """The exponent of the length; None: the checkpoint's value."""
        if self.length_penalty is None or self.length_penalty_kind != GNMT:
            return self.length_penalty
        return GnmtPenalty(self.length_penalty)

    @property
    def stopping(self) -> bool | str:
        """The value for ``early_stopping`` in transformers; NEVER matches tensor2tensor."""
        return self.early_stopping or (NEVER if self.length_penalty_kind == GNMT else False)
