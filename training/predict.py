"""``gistmill-train predict``, which writes a model's prediction for every row of a dataset or file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from typing_extensions import override

from gistmill.core.options import Options, option
from gistmill.core.values import SWITCH, TEXT, TOKEN, one_of, whole
from gistmill.training.config import PRECISIONS, ModelConfig, RunConfig
from gistmill.training.data.config import DATASETS
from gistmill.training.data.source import Source
from gistmill.training.data.stream import READ_ROWS, READ_TOKENS, by_length
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.rows import CORRECT, LIKELIHOODS, is_file, read_rows
from gistmill.training.kinds import KINDS, SEQ2SEQ, TAGGER, is_trained_here, kind_of, load_task
from gistmill.training.seq2seq.config import is_from_scratch
from gistmill.training.settings import Settings

if TYPE_CHECKING:
    from gistmill.training.machine import Machine
    from gistmill.training.task import Row, Task

_WINDOW = 16_384  # number of rows held in memory and sorted by length together


@dataclass(frozen=True, kw_only=True)
class PredictConfig(Options):
    """The rows to read, and the predictions file."""

    GROUP: ClassVar[str] = "predictions"

    dataset: tuple[dict[str, Any], ...] = option(
        DATASETS,
        required=True,
        help="rows to predict: a published dataset, optionally with configuration and split, or a file: .jsonl, "
        "or .tsv with a header",
    )
    split: str = option(TOKEN, default="test", help="split to read if the dataset names none")
    output: str = option(TEXT, required=True, metavar="FILE", help="file for the predictions")
    rows: int | None = option(whole(1), unit="rows", help="read only the first N rows (default: all)")
    batch_rows: int = option(
        whole(1),
        default=READ_ROWS,
        unit="rows",
        help="maximum number of rows per batch; a batch contains rows of similar length",
    )
    batch_tokens: int = option(
        whole(1), default=READ_TOKENS, unit="tokens", help="maximum number of tokens per batch, including padding"
    )
    tokens: bool = option(
        SWITCH,
        default=False,
        help="add to each prediction, for next-token scores, whether the model would have chosen each target "
        "token, and that token's log likelihood",
    )
    device: str = option(one_of("auto", "cpu", "cuda"), default="auto", help="device to use; auto: a GPU if available")
    precision: str = option(
        one_of(*PRECISIONS),
        default="auto",
        help="numeric precision; auto is bf16 on a GPU that supports it, otherwise fp32; tf32 is fp32 with TF32 "
        "matrix products on a GPU",
    )

    @override
    def check(self) -> None:
        if len(self.dataset) != 1:
            raise ValueError(f"dataset: expected one dataset, not {len(self.dataset)}")


def sections(values: Mapping[str, Any] | None) -> tuple[type[Options], ...]:
    """Returns the options classes, including those for inputs if the model was not trained by gistmill-train."""
    seq2seq = KINDS[SEQ2SEQ]
    if values is None:
        return (ModelConfig, PredictConfig, seq2seq.config, *(kind.decoding for kind in KINDS.values()))
    model = str(values.get("model", ""))
    if not model:
        return (ModelConfig, PredictConfig)
    if not is_trained_here(model):
        return (ModelConfig, PredictConfig, seq2seq.config, seq2seq.decoding)
    return (ModelConfig, PredictConfig, KINDS[kind_of(model)].decoding)


def run(settings: Settings) -> int:
    """Writes the predictions and returns 0.

    Raises:
        SettingsError: there is no such model, dataset or split.
        TrainingError: the dataset cannot be read, a row lacks the model's inputs, or the GPU is out of memory.
    """
    from torch import OutOfMemoryError

    from gistmill.training.machine import machine_for
    from gistmill.training.task import evaluating

    config = settings.of(PredictConfig)
    with machine_for(RunConfig(output=".", device=config.device, precision=config.precision)) as machine:
        task = _task(settings)
        task.module.to(machine.device)
        if config.tokens and not hasattr(task, "judge"):
            raise SettingsError(f"--tokens: a {task.KIND} model does not generate text token by token")
        rows, count = islice(_rows(config), config.rows), 0
        with _opened(Path(config.output), machine) as file, evaluating(task.module), machine.autocast():
            try:
                while window := list(islice(rows, _WINDOW)):
                    for line in _read(task, window, config, machine):
                        if file is not None:
                            file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    count += len(window)
            except OutOfMemoryError:
                raise TrainingError("the GPU is out of memory: use a smaller --batch-tokens or --batch-rows") from None
        if machine.is_first:
            print(f"gistmill-train predict: {config.output}: {count:,} predictions", file=sys.stderr)
    return 0


@contextmanager
def _opened(output: Path, machine: Machine) -> Iterator[TextIO | None]:
    """Yields the output file in the first process and None in others; the file gets its name once complete."""
    if not machine.is_first:
        yield None
        return
    part = output.with_name(f".{output.name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("w", encoding="utf-8") as file:
        yield file
    part.rename(output)


def _task(settings: Settings) -> Task:
    model = settings.of(ModelConfig).model
    kind = KINDS[kind_of(model)]
    if is_trained_here(model):
        task = load_task(Path(model))
    elif model == TAGGER or is_from_scratch(model):
        raise SettingsError(f"--model {model} includes no weights: specify a folder written by `gistmill-train fit`")
    else:
        task = kind.task.create(settings.of(kind.config), lambda: iter(()), seed=0)
    task.decoding = settings.of(kind.decoding)
    return task


def _rows(config: PredictConfig) -> Iterator[Row]:
    """Yields the rows, adding an id where it is missing."""
    place = config.dataset[0]["place"]
    if is_file(place):
        yield from ({"id": str(number), **row} for number, row in enumerate(read_rows(Path(place))))
        return
    dataset = config.dataset[0]
    wanted = Source(place, config=dataset.get("config"), split=dataset.get("split", config.split))
    yield from wanted.open().in_order()


def _read(task: Task, window: list[Row], config: PredictConfig, machine: Machine) -> list[dict[str, Any]]:
    """Returns a line for each row. Batches and their padding do not depend on the number of processes."""
    rank, world = machine.rank, machine.world
    length = task.length if config.tokens else task.source_length
    parts = machine.gather([length(row) for row in window[rank::world]])
    lengths = [parts[number % world][number // world] for number in range(len(window))]
    own: dict[int, dict[str, Any]] = {}
    for batch in by_length(lengths, rows=config.batch_rows, tokens=config.batch_tokens)[rank::world]:
        read = [window[number] for number in batch]
        for number, row, prediction in zip(batch.tolist(), read, task.predict(read), strict=True):
            own[number] = {"id": row["id"], "prediction": prediction}
        if config.tokens:
            judged: Any = task  # a kind of task that has `judge`
            for number, (correct, likelihoods) in zip(batch.tolist(), judged.judge(read), strict=True):
                own[number] |= {CORRECT: correct, LIKELIHOODS: likelihoods}
    found = {number: line for part in machine.gather(own) for number, line in part.items()}
    return [found[number] for number in range(len(window))]
