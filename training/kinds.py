"""The kinds of model, and how each is found by what ``--model`` says. Loads no torch until a model is asked for."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gistmill.core.options import Options
from gistmill.core.values import nearest
from gistmill.training.errors import SettingsError, TrainingError

if TYPE_CHECKING:
    from gistmill.training.task import Task

KIND_FILE = "kind.json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of model.

    Attributes:
        config_place: ``module:class`` of its options; the module loads no torch.
        task_place: ``module:class`` of its Task.
        decoding_place: ``module:class`` of the options of its predictions; "" where there are none.
    """

    config_place: str
    task_place: str
    decoding_place: str = ""

    @property
    def config(self) -> type[Options]:
        """The class of its options."""
        return cast(type[Options], _found(self.config_place))

    @property
    def task(self) -> type[Task]:
        """The class of its Task."""
        return cast("type[Task]", _found(self.task_place))

    @property
    def decoding(self) -> type[Options] | None:
        """The class of the options of its predictions, if it has any."""
        return cast(type[Options], _found(self.decoding_place)) if self.decoding_place else None


TAGGER, SEQ2SEQ = "tagger", "seq2seq"
KINDS: Mapping[str, Kind] = {
    TAGGER: Kind(
        "gistmill.training.tagger.config:TaggerConfig",
        "gistmill.training.tagger.task:Tagger",
        "gistmill.training.tagger.config:DecodingConfig",
    ),
    SEQ2SEQ: Kind(
        "gistmill.training.seq2seq.config:Seq2SeqConfig",
        "gistmill.training.seq2seq.task:Seq2Seq",
        "gistmill.training.seq2seq.config:DecodingConfig",
    ),
}


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def kind_of(model: str) -> str:
    """Returns the kind of the model that ``--model`` names.

    Raises:
        SettingsError: it names a folder that was trained here, but whose kind is unknown.
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
        raise SettingsError(f"--model {model} is of an unknown kind {kind!r}{nearest(str(kind), KINDS)}")
    return str(kind)


def is_trained_here(model: str) -> bool:
    """Returns whether ``--model`` names a folder that ``save_task`` wrote."""
    return (Path(model) / KIND_FILE).is_file()


def save_task(task: Task, folder: Path) -> None:
    """Writes a task into an existing empty folder, with the file that names its kind."""
    task.save(folder)
    (folder / KIND_FILE).write_text(json.dumps({"kind": task.KIND}) + "\n", encoding="utf-8")


def load_task(folder: Path) -> Task:
    """Returns the task that ``save_task`` wrote, on the CPU.

    Raises:
        TrainingError: there is none, or it is not complete.
    """
    if not is_trained_here(str(folder)):
        raise TrainingError(f"{folder} does not hold a model that was trained here: it has no {KIND_FILE}")
    return KINDS[kind_of(str(folder))].task.load(folder)
