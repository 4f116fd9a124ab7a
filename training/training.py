"""One training, from its settings to its model."""

from __future__ import annotations

import math
import signal
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from gistmill.training.cards import describe
from gistmill.training.checkpoints import MODEL, OPTIMISER, Checkpoint, Checkpoints, RunFolder
from gistmill.training.config import (
    CROSS_ENTROPY,
    NONE,
    CurriculumConfig,
    ObjectiveConfig,
    OptimisationConfig,
    RunConfig,
    ValidationConfig,
)
from gistmill.training.curricula import Phase, phases
from gistmill.training.data.config import DataConfig
from gistmill.training.data.stream import Batching, Stream
from gistmill.training.engine import Engine
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import KINDS, is_trained_here, kind_of, load_task, save_task
from gistmill.training.loop import Loop
from gistmill.training.machine import Machine, machine_for
from gistmill.training.metrics import MetricsLog
from gistmill.training.model import ModelConfig
from gistmill.training.objectives.base import Objective, make_objective
from gistmill.training.position import Plan
from gistmill.training.settings import Settings
from gistmill.training.task import Adaptable, Fusible, Row, Task
from gistmill.training.validation import validation_rows

_SAMPLE_ROWS = 256  # rows that are read at once for what is fitted to the corpus
_CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}


def train(settings: Settings) -> int:
    """Trains a model and returns the exit code: 0, or that of the signal which stopped it.

    Raises:
        SettingsError: the options do not go together, or not with the run that is there.
        TrainingError: the training failed; its last checkpoint is good.
    """
    config = settings.of(RunConfig)
    folder = RunFolder(Path(config.output))
    with machine_for(config) as machine, folder.locked() if machine.is_first else nullcontext(), _signals() as received:
        if machine.is_first:
            folder.begin(settings, overwrite=config.overwrite)
        machine.wait()
        if (result := folder.finished()) is None:
            is_done = _Training(settings, folder, machine).run(lambda: bool(received))
            if not is_done:
                _say(machine)("stopped; the same command goes on from here")
                return _CODES[received[0]] if received else 1
            result = folder.finished()
        shown = (f"{name} {v:,}" if isinstance(v, int) else f"{name} {v}" for name, v in (result or {}).items())
        _say(machine)(f"finished: {folder.model} {', '.join(shown)}")
    return 0


class _Training:
    """The parts of a training, as they are made of its settings."""

    def __init__(self, settings: Settings, folder: RunFolder, machine: Machine) -> None:
        self._settings, self._folder, self._machine = settings, folder, machine
        self._data = settings.of(DataConfig)
        options = settings.of(OptimisationConfig)  # with an epoch where nothing says when the training ends
        is_endless = options.steps is None and options.epochs is None
        self._optimisation = replace(options, epochs=1.0) if is_endless else options
        self._run = settings.of(RunConfig)
        self._say = _say(machine)
        self._checkpoints = Checkpoints(folder.checkpoints, self._run.keep, self._say)

    def run(self, stopped: Callable[[], bool]) -> bool:
        """Trains until the end, or until ``stopped``; returns whether it is the end."""
        start = self._start()
        task = load_task(start.folder / MODEL)
        if task.fingerprint() != start.state["fingerprint"]:
            raise TrainingError(f"{start.folder}: its tokenizer or labels are not those of the run")
        if self._run.gradient_checkpointing:
            keep_fewer_states(task.module)
        if self._run.compile:
            task.module.compile()
        elif self._machine.device.type == "cuda" and isinstance(task, Fusible):
            task.fuse()
        objective = make_objective(self._settings.of(ObjectiveConfig), task)
        engine = Engine(task, objective, self._machine, self._run, self._optimisation.optimizer)
        if self._machine.world > 1:
            self._say(f"{self._machine.world} processes share the work: {engine.name}")
        parts = self._phases(objective)
        plan = Plan(
            optimisation=self._optimisation,
            validation=self._settings.of(ValidationConfig),
            run=self._run,
            seed=self._data.seed,
            total=self._total(parts),
            validation_rows=validation_rows(self._data, self._settings.of(ValidationConfig), task),
            about=_about(task, self._machine),
        )
        with self._log(start) as log:
            loop = Loop(
                task,
                objective,
                parts,
                plan,
                engine=engine,
                machine=self._machine,
                checkpoints=self._checkpoints,
                log=log,
                stopped=stopped,
                say=self._say,
            )
            if start.step or (start.folder / OPTIMISER).exists():
                self._say(f"goes on from step {start.step:,}")
                loop.restore(start.folder, start.state["position"])
            try:
                is_done = loop.run()
            except RuntimeError as error:
                raise _known_failure(error, loop.position.step) or error from None
        if is_done and self._machine.is_first:
            self._finish(loop)
        self._machine.wait()
        return is_done

    def _start(self) -> Checkpoint:
        """Returns the newest checkpoint; the first one is written where there is none.

        Raises:
            SettingsError: the run had another number of processes.
        """
        if self._machine.is_first and self._checkpoints.newest() is None:
            task = self._new_task()

            def write(part: Path) -> None:
                (part / MODEL).mkdir()
                save_task(task, part / MODEL)

            self._checkpoints.write(0, write, {"metrics": 0, **_about(task, self._machine)}, None)
        self._machine.wait()
        found = self._checkpoints.newest()
        assert found is not None
        if (processes := found.state["processes"]) != self._machine.world:
            raise SettingsError(
                f"--output {self._folder.place} has a run of {processes} processes, and there are {self._machine.world}"
            )
        return found

    def _new_task(self) -> Task:
        """Returns the task that the training begins with."""
        model = self._settings.of(ModelConfig).model
        kind = KINDS[kind_of(model)]
        config = self._settings.of(kind.config)
        if is_trained_here(model):
            task = load_task(Path(model))
            if isinstance(task, Adaptable):
                task.adapt(config, self._sample)
            return task
        torch.manual_seed(self._data.seed)
        return kind.task.create(config, self._sample, seed=self._data.seed)

    def _sample(self) -> Iterator[Row]:
        """Yields the rows of the first epoch, in the order of a training by one process without --order-column."""
        stream = Stream(
            [replace(source, columns=None) for source in self._data.sources(())],
            seed=self._data.seed,
            batching=Batching(rows=_SAMPLE_ROWS),
            length=lambda row: 1,
            shuffle=self._data.shuffle_rows,
        )
        for rows in stream:
            yield from rows
            if stream.epoch:
                return

    def _phases(self, objective: Objective) -> list[Phase]:
        config = self._settings.of(ObjectiveConfig)
        curriculum = self._settings.of(CurriculumConfig)
        machine, data = self._machine, self._data
        if curriculum.curriculum != NONE:
            if config.objective != CROSS_ENTROPY:
                raise SettingsError(f"--curriculum goes with --objective {CROSS_ENTROPY} only")
            if data.order_column is not None:
                raise SettingsError("--order-column does not go with --curriculum, which has an order of its own")
            return phases(data, curriculum, objective.columns, objective.length, machine)
        return [Phase(name="training", stream=objective.stream(data, machine))]

    def _total(self, parts: list[Phase]) -> int | None:
        """Returns the updates of the training, where they are known beforehand."""
        options = self._optimisation
        if len(parts) > 1 or parts[0].held_out:
            return options.steps
        batches = parts[0].stream.batches_in_epoch()
        if batches is None or options.epochs is None:
            return options.steps
        found = max(1, math.ceil(options.epochs * batches / options.accumulate))
        return found if options.steps is None else min(found, options.steps)

    @contextmanager
    def _log(self, start: Checkpoint) -> Iterator[MetricsLog | None]:
        if not self._machine.is_first:
            yield None
            return
        board, place = self._run.tensorboard, self._folder.place
        with MetricsLog(place, step=start.step, offset=start.state["metrics"], tensorboard=board) as log:
            yield log

    def _finish(self, loop: Loop) -> None:
        position = loop.position
        best = position.best_step if position.best_step is not None else position.step
        result: dict[str, Any] = {"steps": position.step, "tokens": position.tokens, "model_step": best}
        if position.best is not None:
            result |= {"score": self._settings.of(ValidationConfig).score, "best": position.best}
        facts = {name.replace("_", " "): value for name, value in result.items()}
        model = self._checkpoints.at(best) / MODEL
        self._folder.finish(model, result, lambda part: describe(part, self._settings, facts))


def _known_failure(error: RuntimeError, step: int) -> TrainingError | None:
    """Returns what a person is told of an error of PyTorch, None where nothing is known to help."""
    if isinstance(error, torch.OutOfMemoryError):
        return TrainingError(
            f"the memory of the GPU is full after step {step:,}: a smaller --batch-rows or --batch-tokens with more "
            "--accumulate needs less, and so do --gradient-checkpointing and, on several GPUs, --engine fsdp"
        )
    if "does not have a deterministic implementation" in str(error):
        operation = str(error).split()[0]
        return TrainingError(f"{operation} cannot give the same bits each time here: --no-deterministic allows it")
    return None


def keep_fewer_states(module: torch.nn.Module) -> None:
    """Makes a network compute the states of its layers again in the backward pass.

    Raises:
        SettingsError: the network cannot do so.
    """
    able = [part for part in module.modules() if hasattr(part, "activation_checkpointing_enable")]
    if not able:
        raise SettingsError("--gradient-checkpointing: this model keeps all its states")
    able[0].activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})


def _about(task: Task, machine: Machine) -> dict[str, Any]:
    """Returns what a checkpoint has besides the position of the training."""
    return {"fingerprint": task.fingerprint(), "processes": machine.world}


def _say(machine: Machine) -> Callable[[str], None]:
    """Returns what shows a line to people, in the first process."""

    def say(line: str) -> None:
        if machine.is_first:
            print(f"gistmill-train fit: {line}", file=sys.stderr, flush=True)

    return say


@contextmanager
def _signals() -> Iterator[list[signal.Signals]]:
    """Yields a list that gets the signals which ask for the end; a second one ends the process at once."""
    received: list[signal.Signals] = []

    def receive(number: int, frame: types.FrameType | None) -> None:
        if received:
            raise SystemExit(_CODES[signal.Signals(number)])
        received.append(signal.Signals(number))

    before = {number: signal.signal(number, receive) for number in _CODES}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
