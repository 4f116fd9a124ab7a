"""The training loop.

Its state is a ``Position``, which every checkpoint has. All chance of a step comes from seeds that are made of the
step's number, so that a run which is resumed goes on with the same bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch

from gistmill.training.checkpoints import MODEL, OPTIMISER, Checkpoints
from gistmill.training.curricula import Phase
from gistmill.training.engine import Engine, make_optimiser, rate_factor, set_rate
from gistmill.training.errors import TrainingError
from gistmill.training.feeding import Fed, feed
from gistmill.training.kinds import save_task
from gistmill.training.machine import Machine
from gistmill.training.metrics import MetricsLog, Progress
from gistmill.training.objectives.base import Objective
from gistmill.training.position import Plan, Position
from gistmill.training.task import Task
from gistmill.training.validation import is_better, losses, validate

_ACCURACY, _LOSS = "accuracy", "loss"
_COUNTS = ("tokens", "updates")


class Loop:
    """Trains a task from a position to the end.

    Args:
        task: on the machine's device.
        objective: what is minimised.
        phases: what it is trained on.
        plan: how.
        engine: how the processes share it.
        machine: this process.
        checkpoints: where its state goes.
        log: where its metrics go, in the first process.
        stopped: returns whether a person or the system asked for the end.
        say: takes a line for people.
    """

    def __init__(
        self,
        task: Task,
        objective: Objective,
        phases: Sequence[Phase],
        plan: Plan,
        *,
        engine: Engine,
        machine: Machine,
        checkpoints: Checkpoints,
        log: MetricsLog | None,
        stopped: Callable[[], bool],
        say: Callable[[str], None],
    ) -> None:
        self._task, self._objective, self._phases, self._plan, self._engine = task, objective, phases, plan, engine
        self._machine, self._checkpoints, self._log, self._stopped, self._say = machine, checkpoints, log, stopped, say
        self._optimiser = make_optimiser(task, plan.optimisation, machine.device)
        self._parameters = [p for group in self._optimiser.param_groups for p in group["params"]]
        self._sums: dict[str, torch.Tensor] = {}
        self._counts = dict.fromkeys(_COUNTS, 0)  # of this process, since the last line of metrics
        self.position = Position()

    def restore(self, folder: Path, position: dict[str, Any]) -> None:
        """Goes to where a checkpoint was written; the task has its weights already."""
        self.position = Position(**position)
        try:
            self._engine.restore(self._optimiser, folder / OPTIMISER)
        except Exception as error:  # torch has many, and one of pickle where a file would run code
            problem = " ".join(str(error).split())[:200]
            raise TrainingError(f"{folder / OPTIMISER} is not the state of this optimiser: {problem}") from None
        own = dict(self.position.sums[self._machine.rank]) if self.position.sums else {}
        self._counts = {name: int(own.pop(name, 0)) for name in _COUNTS}
        device = self._machine.device
        self._sums = {name: torch.tensor(value, dtype=torch.float64, device=device) for name, value in own.items()}

    def run(self) -> bool:
        """Trains; returns whether the training is at its end, and not only stopped.

        Raises:
            TrainingError: the loss is not a number, a shard is broken, or a checkpoint cannot be written.
        """
        self._progress = Progress(self._say, self.position.step)
        self._task.module.train()
        while not self.position.is_finished:
            if not self._train_phase(self._phases[self.position.phase]):
                self._write_checkpoint()
                return False
        if self._log is not None:
            self._progress.end()
        return True

    def _train_phase(self, phase: Phase) -> bool:
        """Trains until a phase ends; returns whether it did, and was not stopped."""
        position = self.position
        if position.stream is not None:
            phase.stream.restore(position.stream)
        if len(self._phases) > 1 and position.stream is None:
            self._say(f"{phase.name} from step {position.step:,}")
        with closing(feed(phase.stream, self._objective.collate, self._machine.device)) as batches:
            while not self._is_over(phase):
                if self._machine.any(self._stopped()):
                    return False
                epoch = position.epoch
                self._update(batches)
                if position.step % self._plan.run.log_every == 0:
                    self._report()
                is_best = self._look(phase, is_epoch_end=position.epoch > epoch)
                if position.step % self._plan.run.checkpoint_every == 0:
                    self._write_checkpoint()  # when all of the step is done: a resumed run begins with the next one
                elif is_best:
                    # writes the model without the optimiser, in the first process: no run goes on from here
                    with self._engine.whole(torch.device("cpu")) as task:
                        if self._log is not None:
                            self._checkpoints.write_best(self.position.step, partial(_save_model, task))
                    self._machine.wait()
        self._end_phase()
        return True

    def _is_over(self, phase: Phase) -> bool:
        """Whether the phase ends here."""
        position, options = self.position, self._plan.optimisation
        if options.steps is not None and position.step >= options.steps:
            return True
        if self._plan.validation.patience is not None and position.stale >= self._plan.validation.patience:
            return True
        if phase.held_out:
            return position.phase_stale >= phase.patience or position.epoch >= (phase.epochs or math.inf)
        if self._plan.total is not None:
            return position.step >= self._plan.total
        return options.epochs is not None and position.epoch >= options.epochs

    def _end_phase(self) -> None:
        position, options = self.position, self._plan.optimisation
        ends_all = (options.steps is not None and position.step >= options.steps) or (
            self._plan.validation.patience is not None and position.stale >= self._plan.validation.patience
        )
        is_end = ends_all or position.phase + 1 == len(self._phases)
        if is_end and self._sums:
            self._report()
        if is_end and self._plan.validation_rows and position.validated != position.step:
            self._validate()
        position.phase += 1
        position.stream, position.epoch, position.phase_best, position.phase_stale = None, 0, None, 0
        position.is_finished = is_end
        self._write_checkpoint()

    def _update(self, batches: Iterator[Fed]) -> None:
        """Makes one update of the weights."""
        position, options, machine = self.position, self._plan.optimisation, self._machine
        set_rate(self._optimiser, rate_factor(options, position.step, self._plan.total))
        machine.seed(self._plan.seed, "step", position.step)
        weight = torch.zeros((), dtype=torch.float64, device=machine.device)  # copied from the host, it would wait
        for number in range(options.accumulate):
            fed = next(batches)
            loss = self._engine.backward(fed.batch, is_last=number + 1 == options.accumulate)
            weight += loss.weight.detach()
            for name, value in {_LOSS: loss.total, "weight": loss.weight, **loss.sums}.items():
                self._add(name, value)
            self._counts["tokens"] += fed.tokens
        position.stream, position.epoch = fed.state, fed.epoch
        norm = self._engine.finish(self._parameters, weight, options.clip)
        self._add("gradient_norm", norm)
        self._counts["updates"] += 1
        self._optimiser.step()
        self._optimiser.zero_grad()
        position.step += 1

    def _add(self, name: str, value: torch.Tensor) -> None:
        before = self._sums.get(name)
        now = value.detach().to(self._machine.device, torch.float64)
        self._sums[name] = now if before is None else before + now

    def _own_sums(self) -> dict[str, float]:
        """Returns the sums of this process as numbers.

        Raises:
            TrainingError: the loss or the gradient is not a number.
        """
        found = {name: float(value) for name, value in self._sums.items()}
        everywhere = self._machine.gather(all(map(math.isfinite, found.values())))
        if not all(everywhere):
            before = self._checkpoints.newest()
            kept = f"; the checkpoint of step {before.step:,} is good" if before else ""
            raise TrainingError(
                f"the loss or its gradient is not a number, at step {self.position.step:,} or shortly before{kept}. "
                "A lower --learning-rate, more --warmup-steps or --precision fp32 helps"
            )
        return found

    def _report(self) -> None:
        """Writes a line of metrics on the updates since the last one."""
        position = self.position
        everywhere = self._machine.gather({**self._own_sums(), **self._counts})
        sums: dict[str, float] = {}
        for own in everywhere:
            for name, value in own.items():
                sums[name] = sums.get(name, 0) + value
        position.tokens += int(sums.pop("tokens"))
        weight = max(sums.pop("weight"), 1.0)
        norm = sums.pop("gradient_norm") / sums.pop("updates")
        values = {name: value / weight for name, value in sums.items()}
        self._sums, self._counts = {}, dict.fromkeys(_COUNTS, 0)
        timings = self._progress.timings(position.tokens, self._machine.memory())
        if self._log is not None:
            rate = self._optimiser.param_groups[0]["lr"]
            values |= {"learning_rate": rate, "gradient_norm": norm}
            about = {"epoch": position.epoch, "phase": position.phase, "tokens": position.tokens}
            self._log.write({"step": position.step, **values, **about})
            self._log.write_timings({"step": position.step, **timings})
            share = position.step / self._plan.total if self._plan.total else None
            self._progress.show(position.step, share, values, timings)

    def _look(self, phase: Phase, *, is_epoch_end: bool) -> bool:
        """Validates, where it is time for that; returns whether the model is the best so far."""
        every = self._plan.validation.validate_every
        is_due = is_epoch_end if every is None else self.position.step % every == 0
        is_best = bool(self._plan.validation_rows) and is_due and self._validate()
        if phase.held_out and is_epoch_end:
            self._measure(phase)
        return is_best

    def _validate(self) -> bool:
        """Validates; returns whether the model is the best so far."""
        position, name = self.position, self._plan.validation.score
        with self._engine.whole(self._machine.device) as task:
            scores = validate(task, self._plan.validation_rows, name, self._machine)
        if not math.isfinite(scores[name]):
            self._own_sums()
            raise TrainingError(f"the validation's {name} is not a number, at step {position.step:,}")
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
        """Measures the accuracy on the held-out rows of a phase; minus the loss of a model that has no accuracy."""
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
        """Writes a checkpoint of the position, in the first process."""
        self.position.sums = self._machine.gather({**self._own_sums(), **self._counts})
        optimiser = self._engine.state(self._optimiser)
        with self._engine.whole(torch.device("cpu")) as task:

            def save(folder: Path) -> None:
                _save_model(task, folder)
                with (folder / OPTIMISER).open("wb") as file:
                    torch.save(optimiser, file)

            if self._log is not None:
                state = {"position": asdict(self.position), "metrics": self._log.offset(), **self._plan.about}
                self._checkpoints.write(self.position.step, save, state, self.position.best_step)
        self._machine.wait()


def _save_model(task: Task, folder: Path) -> None:
    (folder / MODEL).mkdir()
    save_task(task, folder / MODEL)
