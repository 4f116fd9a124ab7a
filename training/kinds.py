"""The kinds of model, and how ``--model`` selects one. Torch is imported only when a model is loaded."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gistmill.core.options import Options
from gistmill.core.values import nearest
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.seq2seq import config as seq2seq
from gistmill.training.tagger import config as tagger

if TYPE_CHECKING:
    from gistmill.training.task import Task

KIND_FILE = "kind.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model.

    Attributes:
        config: the class of its training options.
        decoding: the class of its prediction options.
        place: ``module:class`` of its Task; the module imports torch.
    """

    config: type[Options]
    decoding: type[Options]
    place: str

    @property
    def task(self) -> type[Task]:
        """The Task class."""
        module, _, name = self.place.partition(":")
        return cast("type[Task]", getattr(importlib.import_module(module), name))


TAGGER, SEQ2SEQ = "tagger", "seq2seq"
KINDS: Mapping[str, Kind] = {
    TAGGER: Kind(tagger.TaggerConfig, tagger.DecodingConfig, "gistmill.training.tagger.task:Tagger"),
    SEQ2SEQ: Kind(seq2seq.Seq2SeqConfig, seq2seq.DecodingConfig, "gistmill.training.seq2seq.task:Seq2Seq"),
}


def kind_of(model: str) -> str:
    """Returns the kind of model that ``--model`` specifies.

    Raises:
        SettingsError: the model was trained by gistmill-train, but its kind is unknown or cannot be read.
    """
    if model == TAGGER:
        return TAGGER
    file = Path(model) / KIND_FILE
    if not file.is_file():
        return SEQ2SEQ
    try:
        kind = json.loads(file.read_text(encoding="utf-8"))["kind"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise SettingsError(f"--model {model}: {KIND_FILE} cannot be read") from None
    if kind not in KINDS:
        raise SettingsError(f"--model {model}: unknown kind of model {kind!r}{nearest(str(kind), KINDS)}")
    return str(kind)


def is_trained_here(model: str) -> bool:
    """Returns whether ``--model`` specifies a folder written by ``save_task``."""
    return (Path(model) / KIND_FILE).is_file()


def save_task(task: Task, folder: Path) -> None:
    """Writes a task and its kind to an existing empty folder."""
    task.save(folder)
    (folder / KIND_FILE).write_text(json.dumps({"kind": task.KIND}) + "\n", encoding="utf-8")


def load_task(folder: Path) -> Task:
    """Loads a task written by ``save_task``, on the CPU.

    Raises:
        TrainingError: the folder contains no task, or an incomplete one.
    """
    if not is_trained_here(str(folder)):
        raise TrainingError(
            f"{folder} does not contain a model trained with gistmill-train fit: {KIND_FILE} is missing"
        )
    return KINDS[kind_of(str(folder))].task.load(folder)
