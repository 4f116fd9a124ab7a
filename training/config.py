"""The options of ``gistmill-train fit``, except those for data and for one kind of model. Does not import torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import (
    BETWEEN,
    FOLDER,
    NOT_NEGATIVE,
    POSITIVE,
    SWITCH,
    TEXT,
    TOKEN,
    list_of,
    one_of,
    whole,
)
from gistmill.training.data.config import DATASETS

CROSS_ENTROPY, CONSISTENCY, UDA = "cross-entropy", "consistency", "uda"
NONE, ONE_PASS, BABY_STEPS = "none", "one-pass", "baby-steps"
DDP, FSDP = "ddp", "fsdp"
PRECISIONS = ("auto", "fp32", "tf32", "bf16")
LOWER_IS_BETTER = ("loss", "nll")


@dataclass(frozen=True, kw_only=True)
class ModelConfig(Options):
    """The model to train."""

    GROUP: ClassVar[str] = "model"

    model: str = option(
        TEXT,
        required=True,
        metavar="MODEL",
        help="`tagger`; a model to train from scratch (a preset, or a YAML file of sizes); a folder trained by "
        "gistmill-train; or a transformers folder or hub name (BART, T5, PEGASUS)",
    )


@dataclass(frozen=True, kw_only=True)
class OptimisationConfig(Options):
    """The duration of training, the optimiser and the learning rate."""

    GROUP: ClassVar[str] = "optimisation"

    steps: int | None = option(whole(1), unit="updates", help="stop after this many updates (default: after --epochs)")
    epochs: float | None = option(
        POSITIVE,
        unit="epochs",
        help="stop after this many epochs, or after --steps if that comes first (default: 1 without --steps)",
    )
    optimizer: str = option(
        one_of("adamw", "adam", "radam", "adafactor"),
        default="adamw",
        help="optimizer; adafactor saves memory and ignores --betas and --epsilon",
    )
    learning_rate: float = option(POSITIVE, default=1e-3, metavar="RATE", help="maximum learning rate")
    betas: tuple[float, ...] = option(
        list_of(NOT_NEGATIVE, length=2),
        default=(0.9, 0.999),
        help="decay rates for the running means of gradients and squared gradients",
    )
    epsilon: float = option(POSITIVE, default=1e-8, help="added to the root mean square to avoid division by zero")
    weight_decay: float = option(
        NOT_NEGATIVE, default=0.01, help="weight decay for matrices; none is applied to biases and norms"
    )
    schedule: str = option(
        one_of("constant", "linear", "polynomial", "inverse-sqrt"),
        default="linear",
        help="learning rate after the warm-up: constant, falling to --final-rate, or proportional to the "
        "inverse square root of the steps",
    )
    warmup_steps: int = option(
        whole(0), default=0, unit="updates", help="number of updates over which the learning rate rises from 0"
    )
    decay_power: float = option(POSITIVE, default=2.0, help="exponent of the polynomial schedule; 1 is linear")
    final_rate: float = option(
        NOT_NEGATIVE, default=0.0, metavar="RATE", help="final learning rate of the linear and polynomial schedules"
    )
    accumulate: int = option(whole(1), default=1, unit="batches", help="number of batches per process per update")
    clip: float = option(NOT_NEGATIVE, default=1.0, help="maximum gradient norm; 0: no limit")

    @override
    def check(self) -> None:
        if self.steps is not None and self.warmup_steps > self.steps:
            raise ValueError(f"warmup_steps: {self.warmup_steps} is greater than steps ({self.steps})")


@dataclass(frozen=True, kw_only=True)
class ObjectiveConfig(Options):
    """The training objective."""

    GROUP: ClassVar[str] = "objective"

    objective: str = option(
        one_of(CROSS_ENTROPY, CONSISTENCY, UDA),
        default=CROSS_ENTROPY,
        help="cross-entropy; consistency, which adds the divergence between the outputs for the original and the "
        "augmented input; or uda, which in every second epoch uses only that divergence, on an unlabelled dataset",
    )
    consistency_weight: float = option(
        POSITIVE, default=0.5, help="weight of the divergence; WikiTransfer uses 0.1 for 10 rows and 0.5 for 100"
    )
    augmented_column: str = option(
        TOKEN, default="augmented_inputs", metavar="COLUMN", help="column that contains the augmented inputs"
    )
    unlabelled: tuple[dict[str, Any], ...] | None = option(
        DATASETS, help="uda: datasets with inputs and augmented inputs; their targets are ignored"
    )
    pseudo_labels: tuple[str, ...] | None = option(
        list_of(TEXT),
        metavar="FILE,...",
        help="uda: `gistmill-train predict` output for the unlabelled datasets, used as their targets",
    )

    @override
    def check(self) -> None:
        if self.objective == UDA and (self.unlabelled is None or self.pseudo_labels is None):
            raise ValueError("objective uda requires unlabelled and pseudo_labels")


@dataclass(frozen=True, kw_only=True)
class CurriculumConfig(Options):
    """The order in which rows are learned (LATS, section 4.2.1)."""

    GROUP: ClassVar[str] = "curriculum"

    curriculum: str = option(
        one_of(NONE, ONE_PASS, BABY_STEPS),
        default=NONE,
        help="train on one bucket after another; baby-steps also keeps the earlier buckets. The next one starts "
        "when accuracy on the current bucket's hold-out rows stops improving",
    )
    bucket_column: str = option(
        TOKEN, default="bucket", metavar="COLUMN", help="column of whole numbers that give the bucket order"
    )
    bucket_patience: int = option(
        whole(1),
        default=3,
        unit="epochs",
        help="number of epochs without better accuracy before the next bucket starts",
    )
    bucket_epochs: int = option(whole(1), default=50, unit="epochs", help="maximum number of epochs per bucket")
    hold_out: float = option(
        BETWEEN, default=0.1, help="share of each bucket's rows to hold out for measuring accuracy"
    )


@dataclass(frozen=True, kw_only=True)
class ValidationConfig(Options):
    """The selection of the best checkpoint."""

    GROUP: ClassVar[str] = "validation"

    validation: tuple[dict[str, Any], ...] | None = option(
        DATASETS, help="datasets to validate on (default: the `validation` split of --datasets, if any)"
    )
    validation_rows: int = option(
        whole(0),
        default=1000,
        unit="rows",
        help="maximum number of validation rows, spread evenly over those available; 0: no validation",
    )
    validate_every: int | None = option(
        whole(1), unit="updates", help="number of updates between validations (default: after each epoch)"
    )
    score: str = option(
        one_of("loss", "nll", "accuracy", "exact", "sari", "rouge1", "task_accuracy"),
        default="loss",
        help="score that selects the best checkpoint: loss; nll and accuracy of the next token; exact, sari and "
        "rouge1 of predictions; or task_accuracy, the share of synthetic tasks that predictions solve",
    )
    patience: int | None = option(
        whole(1),
        unit="validations",
        help="number of validations without a better score before training stops (default: no early stopping)",
    )


@dataclass(frozen=True, kw_only=True)
class RunConfig(Options):
    """The run's folder and hardware."""

    GROUP: ClassVar[str] = "run"

    output: str = option(
        FOLDER,
        required=True,
        fingerprinted=False,
        published=False,
        help="folder for the run; an existing run with the same options is resumed",
    )
    overwrite: bool = option(
        SWITCH, default=False, fingerprinted=False, published=False, help="remove an existing run and start again"
    )
    checkpoint_every: int = option(
        whole(1), default=500, unit="updates", fingerprinted=False, help="number of updates between checkpoints"
    )
    keep: int = option(
        whole(1),
        default=2,
        unit="checkpoints",
        fingerprinted=False,
        help="number of most recent checkpoints to keep, in addition to the best model",
    )
    log_every: int = option(whole(1), default=10, unit="updates", help="number of updates between metrics lines")
    tensorboard: bool = option(
        SWITCH, default=True, fingerprinted=False, help="also write the metrics for TensorBoard, if it is installed"
    )
    device: str = option(one_of("auto", "cpu", "cuda"), default="auto", help="device to use; auto: a GPU if available")
    precision: str = option(
        one_of(*PRECISIONS),
        default="auto",
        help="numeric precision; auto is bf16 on a GPU that supports it, otherwise fp32; tf32 is fp32 with TF32 "
        "matrix products on a GPU",
    )
    engine: str | None = option(
        one_of(DDP, FSDP),
        fingerprinted=False,
        help="how several processes share the training: ddp, each with the whole model; fsdp, each with part of "
        "its weights, gradients and optimizer state (default: fsdp if `accelerate launch` is configured "
        "for it, otherwise ddp)",
    )
    compile: bool = option(SWITCH, default=False, help="compile the network with torch.compile")
    gradient_checkpointing: bool = option(
        SWITCH,
        default=False,
        help="recompute activations in the backward pass instead of storing them, to trade time for memory",
    )
    deterministic: bool = option(
        SWITCH, default=True, help="use only deterministic algorithms, and fail on operations that have none"
    )
