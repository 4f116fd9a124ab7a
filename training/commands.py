"""The commands of ``gistmill-train``, with their help texts and modules.

A command's module is imported when its options are needed, and imports torch only in ``run``. It defines either
``CONFIG``, its options class, or ``sections(values)``, which returns the options classes that apply to the given values
(all of them for None). ``run`` takes an instance of CONFIG or, if the module defines ``sections``, the Settings. It
returns the exit code, or raises SettingsError or TrainingError.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gistmill.core.options import Options


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of ``gistmill-train``.

    Attributes:
        name: the word after ``gistmill-train``.
        module: the qualified name of its module.
        help: a one-line summary.
        description: the text shown by ``--help``.
        examples: example command lines, without ``gistmill-train``.
        argument: name of the option that can be given without its flag; "" for none.
    """

    name: str
    module: str
    help: str
    description: str
    examples: tuple[str, ...]
    argument: str = ""

    def load(self) -> ModuleType:
        """Returns the command's module."""
        return importlib.import_module(self.module)

    def sections(self, values: Mapping[str, Any] | None) -> tuple[type[Options], ...]:
        """Returns the options classes that apply to the given values, or all of them for None."""
        module = self.load()
        return (module.CONFIG,) if hasattr(module, "CONFIG") else tuple(module.sections(values))


_ALL = (
    Command(
        name="fit",
        module="gistmill.training.fit",
        help="train a model on published datasets",
        description="Trains a model on published datasets. Checkpoints, metrics (JSON lines and TensorBoard) and, at "
        "the end, the best model are written to the run's folder. If a run was stopped or killed, run the same "
        "command again to resume it from its last checkpoint. With a single process, the result is "
        "bit-identical to that of an uninterrupted run.",
        examples=(
            "fit --model tagger --datasets out/demo#balanced --output out/tagger --epochs 3",
            "fit --model tiny --datasets out/demo --output out/tiny --vocabulary 4000 --steps 2000 --batch-tokens 4096",
            "fit --model facebook/bart-large --datasets gs://bucket/lead-bias --output out/bart --optimizer radam "
            "--learning-rate 3e-4",
            "fit --model t5-small --datasets out/a@1,out/b@1 --output out/mixture --steps 100000",
            "fit --config run.yaml --print-config",
        ),
    ),
    Command(
        name="evaluate",
        module="gistmill.training.evaluation.evaluate",
        help="score predictions against a dataset",
        description="Scores predictions against the rows of a dataset and compares them with baselines, with "
        "confidence intervals. If two prediction files are given, they are compared with each other.",
        examples=("evaluate --predictions predictions.jsonl --dataset out/demo#balanced/test",),
    ),
    Command(
        name="predict",
        module="gistmill.training.predict",
        help="predict an output for every row with a model",
        description='Writes a JSON line {"id", "prediction"} for every row of a dataset or file, in row order.',
        examples=(
            "predict --model out/tagger/model --dataset out/demo#balanced/test --output predictions.jsonl",
            "predict --model out/bart/model --dataset articles.jsonl --output summaries.jsonl --min-tokens 56 "
            "--max-tokens 142",
        ),
    ),
    Command(
        name="experiment",
        module="gistmill.training.experiments.command",
        help="train and score a grid of data, models and seeds, and print the results as a paper's table",
        description="Trains and scores a grid of data, models and seeds, and writes a table next to the paper's. "
        "Finished cells are not run again.",
        examples=("experiment discofuse --dry-run", "experiment mine.yaml --folder corpora --output out/mine"),
        argument="experiment",
    ),
    Command(
        name="export",
        module="gistmill.training.exports.command",
        help="convert a model for an inference runtime",
        description="Converts a model for an inference runtime.",
        examples=("export --model out/tagger/model --output out/tagger-onnx",),
    ),
)
COMMANDS: Mapping[str, Command] = {command.name: command for command in _ALL}
