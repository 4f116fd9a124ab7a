"""The training loop, from the settings to the trained model.

The state of a run is a ``Position``, which every checkpoint includes. All randomness in a step comes from seeds derived
from the step's number, so a resumed run gives bit-identical results.
"""

from __future__ import annotations

import math
import signal
import sys
import types
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from gistmill.training.cards import describe
from gistmill.training.checkpoints import MODEL, OPTIMISER, Checkpoint, Checkpoints, RunFolder
from gistmill.training.config import (
    CROSS_ENTROPY,
    NONE,
    CurriculumConfig,
    ModelConfig,
    ObjectiveConfig,
    OptimisationConfig,
    RunConfig,
    ValidationConfig,
)
from gistmill.training.curricula import Phase, phases
from gistmill.training.data.config import DataConfig
from gistmill.training.data.stream import Batching, Stream, prefetch
from gistmill.training.engine import Engine, keep_fewer_states, known_failure, make_optimiser, rate_factor
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import KINDS, is_trained_here, kind_of, load_task, save_task
from gistmill.training.machine import Machine, machine_for
from gistmill.training.metrics import MetricsLog, Progress
from gistmill.training.objectives import Batches, make_objective
from gistmill.training.settings import Settings
from gistmill.training.task import Batch, Row, Task
from gistmill.training.validation import is_better, losses, validate, validation_rows

_SAMPLE_ROWS = 256  # rows per batch when fitting a vocabulary or tokenizer
_CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
_FEW_UPDATES = 100  # fewer updates than this cause a warning
_DEPTH = 4  # number of batches to prepare ahead
_ACCURACY, _LOSS = "accuracy", "loss"
_COUNTS = ("tokens", "updates")


def train(settings: Settings) -> int:
    """Trains a model and returns the exit code: 0, or that of the signal that stopped training.

    Raises:
        SettingsError: the options conflict with each other or with the existing run.
        TrainingError: training failed; its last checkpoint remains valid.
    """
    config = settings.of(RunConfig)
    folder = RunFolder(Path(config.output))
    with machine_for(config) as machine, folder.locked() if machine.is_first else nullcontext(), _signals() as received:
        if machine.is_first:
            folder.begin(settings, overwrite=config.overwrite)
        machine.wait()
        if (result := folder.finished()) is None:
            if not Training(settings, folder, machine, lambda: bool(received)).run():
                _say(machine, "stopped; run the same command to continue from here")
                return _CODES[received[0]] if received else 1
            result = folder.finished()
        shown = (f"{name} {v:,}" if isinstance(v, int) else f"{name} {v}" for name, v in (result or {}).items())
        _say(machine, f"finished: {folder.model} {', '.join(shown)}")
    return 0


@contextmanager
def _signals() -> Iterator[list[signal.Signals]]:
    """Yields a list to which termination signals are added; a second signal exits immediately."""
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


def _say(machine: Machine, line: str) -> None:
    """Prints a line to stderr in the first process."""
    if machine.is_first:
        print(f"gistmill-train fit: {line}", file=sys.stderr, flush=True)


@dataclass(kw_only=True)
class Position:
    """The state of a training run, except for the weights and the optimiser state.

    Attributes:
        step: number of completed updates.
        phase: index of the phase.
        stream: state of the phase's stream; None at the start of the phase.
        epoch: the next batch's epoch within the phase.
        tokens: number of input and output tokens processed by all processes.
        best, best_step: the best score and its step.
        stale: number of validations since the best score.
        validated: the step of the last validation.
        phase_best, phase_stale: the best accuracy on the phase's held-out rows, and the number of epochs since then.
        sums: for each process, the sums since the last metrics line.
        is_finished: whether training is complete.
    """

    step: int = 0
    phase: int = 0
    stream: dict[str, Any] | None = None
    epoch: int = 0
    tokens: int = 0
    best: float | None = None
    best_step: int | None = None
    stale: int = 0
    validated: int | None = None
    phase_best: float | None = None
    phase_stale: int = 0
    sums: list[dict[str, float]] = field(default_factory=list)
    is_finished: bool = False


class Training:
    """A training run, which starts or resumes from its newest checkpoint.

    Args:
        settings: the options.
        folder: the run's folder.
        machine: this process.
        stopped: returns whether training should stop.

    Raises:
        SettingsError: the options conflict with each other, or the run used a different number of processes.
        TrainingError: a dataset or a checkpoint cannot be read.
    """

    def __init__(self, settings: Settings, folder: RunFolder, machine: Machine, stopped: Callable[[], bool]) -> None:
        self._settings, self._folder, self._machine, self._stopped = settings, folder, machine, stopped
        self._data, self._validation = settings.of(DataConfig), settings.of(ValidationConfig)
        self._run = settings.of(RunConfig)
        options = settings.of(OptimisationConfig)  # one epoch if neither steps nor epochs are set
        is_endless = options.steps is None and options.epochs is None
        self._options = replace(options, epochs=1.0) if is_endless else options
        self._say = partial(_say, machine)
        self._checkpoints = Checkpoints(folder.checkpoints, self._run.keep, self._say)
        self._start = self._first_checkpoint()
        task = self._task = load_task(self._start.folder / MODEL)
        if task.fingerprint() != self._start.state["fingerprint"]:
            raise TrainingError(f"{self._start.folder}: the tokenizer or the labels differ from those of the run")
        if self._run.gradient_checkpointing:
            keep_fewer_states(task.module)
        if self._run.compile:
            task.module.compile()
        elif machine.device.type == "cuda":
            task.fuse()
        self._objective = make_objective(settings.of(ObjectiveConfig), task)
        self._engine = Engine(task, self._objective, machine, self._run, self._options.optimizer)
        if self._engine.name:
            self._say(f"{machine.world} processes share the work: {self._engine.name}")
        self._phases = self._make_phases()
        self._total = self._known_total()
        self._validation_rows = validation_rows(self._data, self._validation, task)
        self._optimiser = make_optimiser(task, self._options, machine.device)
        self._parameters = [p for group in self._optimiser.param_groups for p in group["params"]]
        self._log: MetricsLog | None = None
        self._sums: dict[str, torch.Tensor] = {}
        self._counts = dict.fromkeys(_COUNTS, 0)  # in this process, since the last metrics line
        self.position = Position()

    def run(self) -> bool:
        """Trains until the end or until ``stopped`` returns True; returns whether training is complete.

        Raises:
            TrainingError: the loss is NaN or infinite, a shard is broken, or a checkpoint cannot be written.
        """
        start, folder = self._start, self._folder.place
        log = partial(MetricsLog, folder, step=start.step, offset=start.state["metrics"])
        with log(tensorboard=self._run.tensorboard) if self._machine.is_first else nullcontext() as self._log:
            if start.step or (start.folder / OPTIMISER).exists():
                self._say(f"resuming at step {start.step:,}")
                self._restore()
            if self._total is not None:
                few = ", which is very few: raise --epochs or --steps, or train on more rows"
                self._say(f"{self._total:,} updates in total{few if self._total < _FEW_UPDATES else ''}")
            if self._validation.validation_rows and not self._validation_rows:
                self._say(
                    "no validation, because no dataset has a `validation` split: the model from the last update will "
                    "be used; specify validation data with --validation"
                )
            self._progress = Progress(self._say, self.position.step)
            self._task.module.train()
            try:
                while not self.position.is_finished:
                    if not self._train_phase(self._phases[self.position.phase]):
                        self._write_checkpoint()
                        return False
            except RuntimeError as error:
                raise known_failure(error, self.position.step) or error from None
            if self._machine.is_first:
                self._progress.end()
                self._finish()
        self._machine.wait()
        return True

    def _first_checkpoint(self) -> Checkpoint:
        """Returns the newest checkpoint, after writing an initial one if there is none."""
        if self._machine.is_first and self._checkpoints.newest() is None:
            task = self._new_task()
            state = {"metrics": 0, "fingerprint": task.fingerprint(), "processes": self._machine.world}
            self._checkpoints.write(0, partial(_save_model, task), state, None)
        self._machine.wait()
        found = self._checkpoints.newest()
        assert found is not None
        if (processes := found.state["processes"]) != self._machine.world:
            raise SettingsError(
                f"--output {self._folder.place} contains a run with {processes} processes, but there are "
                f"now {self._machine.world}"
            )
        return found

    def _new_task(self) -> Task:
        """Returns the initial task."""
        model = self._settings.of(ModelConfig).model
        kind = KINDS[kind_of(model)]
        config = self._settings.of(kind.config)
        if is_trained_here(model):
            task = load_task(Path(model))
            task.adapt(config, self._sample)
            return task
        torch.manual_seed(self._data.seed)
        return kind.task.create(config, self._sample, seed=self._data.seed)

    def _sample(self) -> Iterator[Row]:
        """Yields the rows of the first epoch in the order in which a single process would train on them."""
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

    def _make_phases(self) -> list[Phase]:
        curriculum = self._settings.of(CurriculumConfig)
        if curriculum.curriculum == NONE:
            return [Phase("training", self._objective.stream(self._data, self._machine))]
        if self._settings.of(ObjectiveConfig).objective != CROSS_ENTROPY:
            raise SettingsError(f"--curriculum requires --objective {CROSS_ENTROPY}")
        return phases(self._data, curriculum, self._objective.columns, self._objective.length, self._machine)

    def _known_total(self) -> int | None:
        """Returns the total number of updates, or None if it is not known in advance."""
        options, phase = self._options, self._phases[0]
        batches = None if len(self._phases) > 1 or phase.held_out else phase.stream.batches_in_epoch()
        if batches is None or options.epochs is None:
            return options.steps
        found = max(1, math.ceil(options.epochs * batches / options.accumulate))
        return found if options.steps is None else min(found, options.steps)

    def _restore(self) -> None:
        """Restores the checkpoint's position and optimiser state; the weights have already been loaded."""
        file = self._start.folder / OPTIMISER
        self.position = Position(**self._start.state["position"])
        try:
            self._engine.restore(self._optimiser, file)
        except Exception as error:  # torch raises many kinds, and pickle refuses files that would run code
            problem = " ".join(str(error).split())[:200]
            raise TrainingError(f"{file} does not contain a valid state for this optimiser: {problem}") from None
        own = dict(self.position.sums[self._machine.rank]) if self.position.sums else {}
        self._counts = {name: int(own.pop(name, 0)) for name in _COUNTS}
        device = self._machine.device
        self._sums = {name: torch.tensor(value, dtype=torch.float64, device=device) for name, value in own.items()}

    def _train_phase(self, phase: Phase) -> bool:
        """Trains until a phase ends or training is stopped; returns whether the phase ended."""
        position = self.position
        if position.stream is not None:
            phase.stream.restore(position.stream)
        elif len(self._phases) > 1:
            self._say(f"{phase.name} from step {position.step:,}")
        with closing(feed(phase.stream, self._objective.collate, self._machine)) as batches:
            while not self._is_over(phase):
                if self._machine.any(self._stopped()):
                    return False
                epoch = position.epoch
                self._update(batches)
                if position.step % self._run.log_every == 0:
                    self._report()
                is_best = self._look(phase, is_epoch_end=position.epoch > epoch)
                if position.step % self._run.checkpoint_every == 0:
                    self._write_checkpoint()  # last, because a resumed run begins with the next step
                elif is_best:
                    with self._engine.whole(torch.device("cpu")) as task:
                        if self._log is not None:
                            self._checkpoints.write_best(position.step, partial(save_task, task))
                    self._machine.wait()
        self._end_phase()
        return True

    def _ends_all(self) -> bool:
        """Returns whether the whole training ends here, in any phase."""
        steps, patience = self._options.steps, self._validation.patience
        return (steps is not None and self.position.step >= steps) or (
            patience is not None and self.position.stale >= patience
        )

    def _is_over(self, phase: Phase) -> bool:
        """Returns whether the phase ends here."""
        position = self.position
        if self._ends_all():
            return True
        if phase.held_out:
            return position.phase_stale >= phase.patience or position.epoch >= (phase.epochs or math.inf)
        if self._total is not None:
            return position.step >= self._total
        return self._options.epochs is not None and position.epoch >= self._options.epochs

    def _end_phase(self) -> None:
        position = self.position
        is_end = self._ends_all() or position.phase + 1 == len(self._phases)
        if is_end and self._sums:
            self._report()
        if is_end and self._validation_rows and position.validated != position.step:
            self._validate()
        position.phase += 1
        position.stream, position.epoch, position.phase_best, position.phase_stale = None, 0, None, 0
        position.is_finished = is_end
        self._write_checkpoint()

    def _update(self, batches: Iterator[Fed]) -> None:
        """Performs one update of the weights."""
        position, options, machine = self.position, self._options, self._machine
        factor = rate_factor(options, position.step, self._total)
        for group in self._optimiser.param_groups:
            group["lr"] = group["peak"] * factor
        machine.seed(self._data.seed, "step", position.step)
        weight = torch.zeros((), dtype=torch.float64, device=machine.device)  # a copy from the host would block
        for number in range(options.accumulate):
            fed = next(batches)
            loss = self._engine.backward(fed.batch, is_last=number + 1 == options.accumulate)
            weight += loss.weight.detach()
            for name, value in {_LOSS: loss.total, "weight": loss.weight, **loss.sums}.items():
                self._add(name, value)
            self._counts["tokens"] += fed.tokens
        position.stream, position.epoch = fed.state, fed.epoch
        self._add("gradient_norm", self._engine.finish(self._parameters, weight, options.clip))
        self._counts["updates"] += 1
        self._optimiser.step()
        self._optimiser.zero_grad()
        position.step += 1

    def _add(self, name: str, value: torch.Tensor) -> None:
        before = self._sums.get(name)
        now = value.detach().to(self._machine.device, torch.float64)
        self._sums[name] = now if before is None else before + now

    def _all_sums(self) -> list[dict[str, float]]:
        """Returns the sums and counts of every process as numbers.

        Raises:
            TrainingError: a loss or a gradient is NaN or infinite.
        """
        everywhere = self._machine.gather({name: float(value) for name, value in self._sums.items()} | self._counts)
        if not all(math.isfinite(value) for own in everywhere for value in own.values()):
            before = self._checkpoints.newest()
            kept = f"; the checkpoint of step {before.step:,} is still valid" if before else ""
            raise TrainingError(
                f"the loss or its gradient is NaN or infinite at step {self.position.step:,} or shortly before{kept}. "
                "Try a lower --learning-rate, more --warmup-steps or --precision fp32"
            )
        return everywhere

    def _report(self) -> None:
        """Writes a metrics line for the updates since the last one."""
        position = self.position
        sums: dict[str, float] = {}
        for own in self._all_sums():
            for name, value in own.items():
                sums[name] = sums.get(name, 0) + value
        position.tokens += int(sums.pop("tokens"))
        weight = max(sums.pop("weight"), 1.0)
        norm = sums.pop("gradient_norm") / sums.pop("updates")
        values = {name: value / weight for name, value in sums.items()}
        self._sums, self._counts = {}, dict.fromkeys(_COUNTS, 0)
        timings = self._progress.timings(position.tokens, self._machine.memory())
        if self._log is not None:
            values |= {"learning_rate": self._optimiser.param_groups[0]["lr"], "gradient_norm": norm}
            about = {"epoch": position.epoch, "phase": position.phase, "tokens": position.tokens}
            self._log.write({"step": position.step, **values, **about})
            self._log.write_timings({"step": position.step, **timings})
            share = position.step / self._total if self._total else None
            self._progress.show(position.step, share, values, timings)

    def _look(self, phase: Phase, *, is_epoch_end: bool) -> bool:
        """Validates the model if validation is due; returns whether it is the best so far."""
        every = self._validation.validate_every
        is_due = is_epoch_end if every is None else self.position.step % every == 0
        is_best = bool(self._validation_rows) and is_due and self._validate()
        if phase.held_out and is_epoch_end:
            self._measure(phase)
        return is_best

    def _validate(self) -> bool:
        """Validates the model; returns whether it is the best so far."""
        position, name = self.position, self._validation.score
        with self._engine.whole(self._machine.device) as task:
            scores = validate(task, self._validation_rows, name, self._machine)
        if not math.isfinite(scores[name]):
            self._all_sums()
            raise TrainingError(f"the validation {name} is NaN or infinite at step {position.step:,}")
        if self._log is not None:
            self._log.write({"step": position.step, **{f"validation_{n}": value for n, value in scores.items()}})
        self._say(f"step {position.step:,}: validation {name} {scores[name]:.4f}")
        position.validated = position.step
        if not is_better(name, scores[name], position.best):
            position.stale += 1
            return False
        position.best, position.best_step, position.stale = scores[name], position.step, 0
        return True

    def _measure(self, phase: Phase) -> None:
        """Measures the accuracy on a phase's held-out rows, or minus the loss if the model reports no accuracy."""
        position = self.position
        with self._engine.whole(self._machine.device) as task:
            found = losses(task, phase.held_out, self._machine)
        accuracy = found.get(_ACCURACY, -found[_LOSS])
        if self._log is not None:
            self._log.write({"step": position.step, "phase": position.phase, "held_out_accuracy": accuracy})
        if position.phase_best is None or accuracy > position.phase_best:
            position.phase_best, position.phase_stale = accuracy, 0
        else:
            position.phase_stale += 1

    def _write_checkpoint(self) -> None:
        """Writes a checkpoint in the first process."""
        self.position.sums = self._all_sums()
        optimiser = self._engine.state(self._optimiser)
        with self._engine.whole(torch.device("cpu")) as task:

            def save(folder: Path) -> None:
                _save_model(task, folder)
                with (folder / OPTIMISER).open("wb") as file:
                    torch.save(optimiser, file)

            if self._log is not None:
                about = {name: self._start.state[name] for name in ("fingerprint", "processes")}
                state = {"position": asdict(self.position), "metrics": self._log.offset(), **about}
                self._checkpoints.write(self.position.step, save, state, self.position.best_step)
        self._machine.wait()

    def _finish(self) -> None:
        position = self.position
        best = position.best_step if position.best_step is not None else position.step
        result: dict[str, Any] = {"steps": position.step, "tokens": position.tokens, "model_step": best}
        if position.best is not None:
            result |= {"score": self._validation.score, "best": position.best}
        facts = {name.replace("_", " "): value for name, value in result.items()}
        model = self._checkpoints.model(best)
        self._folder.finish(model, result, lambda part: describe(part, self._settings, facts))


def _save_model(task: Task, folder: Path) -> None:
    (folder / MODEL).mkdir()
    save_task(task, folder / MODEL)


class Fed(NamedTuple):
    """A batch, its number of tokens, and the stream's state and epoch after it."""

    batch: Batch
    tokens: int
    state: dict[str, Any]
    epoch: int


def feed(stream: Batches, collate: Callable[[Sequence[Row]], Batch], machine: Machine) -> Generator[Fed, None, None]:
    """Yields a stream's next batches on the device, preparing them in advance."""

    def made() -> Iterator[Fed]:
        for rows in stream:
            batch = collate(rows)
            tokens = int(batch.pop("tokens"))
            if machine.device.type == "cuda":
                batch = {name: tensor.pin_memory() for name, tensor in batch.items()}
            yield Fed(batch, tokens, stream.state(), stream.epoch)

    for fed in prefetch(made(), _DEPTH):
        yield fed._replace(batch=machine.on_device(fed.batch))
