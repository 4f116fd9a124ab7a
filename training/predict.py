"""``gistmill-train predict``: a model writes a prediction for every row of a dataset or a file."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from gistmill.core.options import Options, option
from gistmill.core.values import SWITCH, TEXT, TOKEN, one_of, whole
from gistmill.training.config import PRECISIONS, RunConfig
from gistmill.training.data.config import DATASETS
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.evaluation.reading import CORRECT, LIKELIHOODS
from gistmill.training.kinds import KINDS, SEQ2SEQ, TAGGER, is_trained_here, kind_of, load_task
from gistmill.training.model import ModelConfig
from gistmill.training.seq2seq.config import is_from_scratch
from gistmill.training.settings import Settings

if TYPE_CHECKING:
    from gistmill.training.task import Row, Task

_WINDOW = 32  # batches whose rows are sorted by length together


@dataclass(frozen=True, kw_only=True)
class PredictConfig(Options):
    """What is read, and where the predictions go."""

    GROUP: ClassVar[str] = "predictions"

    dataset: tuple[dict[str, Any], ...] = option(
        DATASETS,
        required=True,
        help="a published dataset with, if wanted, its configuration and split, or a file of rows: .jsonl, or .tsv "
        "with a line of names",
    )
    split: str = option(TOKEN, default="test", help="split to read where the dataset names none")
    output: str = option(TEXT, required=True, metavar="FILE", help="where the predictions are written")
    rows: int | None = option(whole(1), unit="rows", help="rows to read, from the first on (default: all)")
    batch_rows: int = option(whole(1), default=32, unit="rows", help="rows that are read at once")
    tokens: bool = option(
        SWITCH,
        default=False,
        help="write beside each prediction which tokens of the target the model would have chosen, and the log "
        "likelihood of each: for the scores of next tokens",
    )
    device: str = option(one_of("auto", "cpu", "cuda"), default="auto", help="what computes")
    precision: str = option(
        one_of(*PRECISIONS),
        default="auto",
        help="of the computation; auto is bf16 on a GPU that has it, else fp32; tf32 is fp32 whose matrices a GPU "
        "multiplies with 10 bits",
    )

    def check(self) -> None:
        """See Options.check."""
        if len(self.dataset) != 1:
            raise ValueError(f"dataset: one, not {len(self.dataset)}")


def sections(values: Mapping[str, Any] | None) -> tuple[type[Options], ...]:
    """See gistmill.training.commands: models of transformers that were not trained here need to be told what they
    read."""
    seq2seq = KINDS[SEQ2SEQ]
    assert seq2seq.decoding is not None
    if values is None:
        every = (kind.decoding for kind in KINDS.values())
        return (ModelConfig, PredictConfig, seq2seq.config, *(decoding for decoding in every if decoding))
    model = str(values.get("model", ""))
    if not model:
        return (ModelConfig, PredictConfig)
    if not is_trained_here(model):
        return (ModelConfig, PredictConfig, seq2seq.config, seq2seq.decoding)
    decoding = KINDS[kind_of(model)].decoding
    return (ModelConfig, PredictConfig, *((decoding,) if decoding else ()))


def run(settings: Settings) -> int:
    """Writes the predictions, and returns 0.

    Raises:
        SettingsError: there is no such model, dataset or split.
        TrainingError: the dataset cannot be read, or has not what the model reads.
    """
    from gistmill.training.machine import machine_for
    from gistmill.training.validation import for_prediction

    config = settings.of(PredictConfig)
    with machine_for(RunConfig(output=".", device=config.device, precision=config.precision)) as machine:
        if machine.world > 1:
            raise SettingsError("predict runs in one process")
        task = _task(settings)
        task.module.to(machine.device)
        rows = islice(_rows(config), config.rows)
        output = Path(config.output)
        part = output.with_name(f".{output.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8") as file, for_prediction(task.module), machine.autocast():
            count = _write(task, rows, config, file)
        part.rename(output)
    print(f"gistmill-train predict: {output}: {count:,} predictions", file=sys.stderr)
    return 0


def _task(settings: Settings) -> Task:
    model = settings.of(ModelConfig).model
    kind = KINDS[kind_of(model)]
    if is_trained_here(model):
        task = load_task(Path(model))
    elif model == TAGGER or is_from_scratch(model):
        raise SettingsError(f"--model {model} has no weights: name the folder that `gistmill-train fit` made")
    else:
        task = kind.task.create(settings.of(kind.config), lambda: iter(()), seed=0)
    if kind.decoding is not None:
        task.decoding = settings.of(kind.decoding)  # type: ignore[attr-defined]  # kinds with such options have it
    return task


def _rows(config: PredictConfig) -> Iterator[Row]:
    """Yields the rows, with an id each."""
    from gistmill.training.data.source import Source

    place = config.dataset[0]["place"]
    if place.endswith((".jsonl", ".tsv")):
        yield from _of_file(Path(place))
        return
    dataset = config.dataset[0]
    wanted = Source(place, config=dataset.get("config"), split=dataset.get("split", config.split))
    yield from wanted.open().in_order()


def _of_file(file: Path) -> Iterator[Row]:
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            if file.suffix == ".tsv":
                found: Iterator[Any] = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            else:
                found = (json.loads(line) for line in lines if line.strip())
            for number, row in enumerate(found):
                if not isinstance(row, dict):
                    raise ValueError(f"row {number + 1} is not an object")
                yield {"id": str(number), **row}
    except OSError as error:
        raise SettingsError(f"--dataset {file}: {error.strerror or error}") from None
    except ValueError as error:
        raise TrainingError(f"{file} cannot be read: {error}") from None


def _write(task: Task, rows: Iterator[Row], config: PredictConfig, file: TextIO) -> int:
    """Writes a line for each row, in their order; those of like length are read together."""
    from gistmill.training.validation import texts_of

    (source, _), batch = texts_of(task), config.batch_rows
    if config.tokens and not hasattr(task, "judge"):
        raise SettingsError(f"--tokens: a model of the kind {task.KIND} does not write token by token")
    count = 0
    while window := list(islice(rows, batch * _WINDOW)):
        order = sorted(range(len(window)), key=lambda number: len(str(window[number].get(source, ""))))
        found: list[dict[str, Any]] = [{}] * len(window)
        for start in range(0, len(order), batch):
            numbers = order[start : start + batch]
            for number, line in zip(numbers, _lines(task, [window[n] for n in numbers], config.tokens), strict=True):
                found[number] = line
        for line in found:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        count += len(window)
    return count


def _lines(task: Any, rows: list[Row], tokens: bool) -> list[dict[str, Any]]:
    lines = [
        {"id": row["id"], "prediction": prediction} for row, prediction in zip(rows, task.predict(rows), strict=True)
    ]
    if not tokens:
        return lines
    return [
        {**line, CORRECT: correct, LIKELIHOODS: likelihoods}
        for line, (correct, likelihoods) in zip(lines, task.judge(rows), strict=True)
    ]
