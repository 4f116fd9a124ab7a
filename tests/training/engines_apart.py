"""Run by torchrun: every engine leaves the gradients, states and predictions of one process that has all batches."""

import sys
from dataclasses import replace
from pathlib import Path

import torch
from torch import distributed

from gistmill.training.config import OptimisationConfig, RunConfig
from gistmill.training.engine import Engine, keep_fewer_states, make_optimiser
from gistmill.training.errors import TrainingError
from gistmill.training.machine import machine_for
from gistmill.training.objectives import Consistency, Objective, Uda
from gistmill.training.seq2seq.config import Seq2SeqConfig
from gistmill.training.seq2seq.task import Seq2Seq
from gistmill.training.tagger.config import TaggerConfig
from gistmill.training.tagger.task import Tagger
from tests.training.made import copies
from tests.training.tagger.making import make_bert, make_row, make_rows

ENGINES = {"ddp": {}, "fsdp": {"engine": "fsdp"}}
ACCUMULATE = 2
ROWS = [{**row, "augmented_inputs": f"{row['inputs']} bal"} for row in copies(24)]
UNLABELLED = [{name: row[name] for name in ("id", "inputs", "augmented_inputs")} for row in ROWS]
UNLEARNABLE = make_row("rare", "PAIR_CONN", "a b .", "c d .", "a b . Strangely c d .")


def seq2seq(model):
    config = Seq2SeqConfig(model=str(model), vocabulary=300, max_source=40, max_target=40)
    return Seq2Seq.create(config, lambda: iter([dict(row) for row in ROWS]), seed=1)


def transformer(place):
    task = seq2seq("tiny")
    keep_fewer_states(task.module)
    task.fuse()
    return task


def pointer(place):
    return seq2seq(place / "pointer.yaml")


def tagger(place, rank=None):
    config = TaggerConfig(model="tagger", encoder=str(place / "bert"), dropout=0.0, rank=rank)
    return Tagger.create(config, lambda: iter([*make_rows(), UNLEARNABLE]), seed=3)


def uda(task):
    labels = {row["id"]: row["targets"] for row in ROWS}
    return Uda(task, weight=0.5, column="augmented_inputs", labels=labels, unlabelled=())


def consistency(task):
    return Consistency(task, weight=0.5, column="augmented_inputs")


TAGGED = make_rows()
# The task, the objective, and the rows of each batch: those of the first process, then of the second.
CASES = {
    "transformer": (transformer, Objective, [ROWS[:2], ROWS[2:9], ROWS[9:12], ROWS[12:20]]),
    "consistency": (transformer, consistency, [ROWS[:2], ROWS[2:9], ROWS[9:12], ROWS[12:20]]),
    "uda": (transformer, uda, [ROWS[:2], UNLABELLED[2:9], ROWS[9:12], UNLABELLED[12:20]]),
    "pointer": (pointer, Objective, [ROWS[:2], ROWS[2:9], ROWS[9:12], ROWS[12:20]]),
    "tagger": (tagger, Objective, [TAGGED[:5], TAGGED[5:12], [UNLEARNABLE], TAGGED[12:]]),
    "low rank": (
        lambda place: tagger(place, rank=2),
        Objective,
        [TAGGED[:5], TAGGED[5:12], [UNLEARNABLE], [UNLEARNABLE]],
    ),
}


def whole(tensor):
    return tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor


def update(engine, objective, optimiser, batches):
    """Makes an update; returns the gradients before it, and their norm before it was clipped."""
    parameters = [p for group in optimiser.param_groups for p in group["params"]]
    weight = torch.zeros((), dtype=torch.float64)
    for number, rows in enumerate(batches):
        batch = objective.collate([dict(row) for row in rows])
        batch.pop("tokens")
        is_last = number + 1 == len(batches)
        loss = engine.backward(batch, is_last=is_last)
        weight += loss.weight
        if engine.name == "ddp":  # it exchanges gradients with the last batch, and with no other
            sums = machine.gather([float(p.grad.sum()) for p in parameters if p.grad is not None])
            assert (sums[0] == sums[1]) == is_last
    norm = engine.finish(parameters, weight, 1.0)
    gradients = [whole(p.grad).clone() for p in parameters]
    optimiser.step()
    optimiser.zero_grad()
    return gradients, norm


def same(found, expected, about):
    """Compares tensors in lists and mappings."""
    if isinstance(expected, torch.Tensor):
        torch.testing.assert_close(found, expected, rtol=2e-3, atol=1e-5, msg=lambda text: f"{about}: {text}")
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys(), about
        for name in expected:
            same(found[name], expected[name], f"{about} {name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), about
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            same(one, other, f"{about} {number}")
    else:
        assert found == expected, about


def check(case, name, machine, place):
    make, aim, batches = CASES[case]
    config = OptimisationConfig(learning_rate=1e-2, epsilon=1.0)  # steps that follow the gradient, rounding and all
    run = RunConfig(output=str(place), device="cpu", **ENGINES[name])
    own = batches[machine.rank * ACCUMULATE : (machine.rank + 1) * ACCUMULATE]

    alone, task = make(place), make(place)
    for network in (alone.module, task.module):
        network.train()
    one = Engine(alone, aim(alone), ALONE, run, config.optimizer)
    objective = aim(task)
    engine = Engine(task, objective, machine, run, config.optimizer)
    assert engine.name == name
    first, second = (make_optimiser(each, config, machine.device) for each in (alone, task))
    for number in range(2):
        expected = update(one, aim(alone), first, batches)
        found = update(engine, objective, second, own)
        same(list(found), list(expected), f"{case}, {name}, update {number}")

    state = engine.state(second)
    with engine.whole(torch.device("cpu")) as held:
        same(dict(held.module.state_dict()), dict(alone.module.state_dict()), f"{case}, {name}, weights")
        rows = [dict(row) for row in (TAGGED if isinstance(task, Tagger) else ROWS)]
        if machine.is_first:  # the other does not take part
            assert held.predict(rows) == alone.predict(rows)
    if machine.is_first:
        same(state, first.state_dict(), f"{case}, {name}, optimiser")
        torch.save(state, place / "optimiser.pt")
    distributed.barrier()
    third = make_optimiser(task, config, machine.device)
    engine.restore(third, place / "optimiser.pt")
    for parameter in task.module.parameters():
        kinds = [{key: type(value) for key, value in each.state.get(parameter, {}).items()} for each in (second, third)]
        assert kinds[0] == kinds[1], f"{case}, {name}"
    again = engine.state(third)
    if machine.is_first:
        assert len(again["state"]) == len(state["state"]) > 0
        same(again, state, f"{case}, {name}, optimiser restored")
    distributed.barrier()


def check_unused(machine, place):
    """A weight without a gradient ends a training by DDP in all processes; FSDP takes it for zero."""
    for name, options in ENGINES.items():
        task = pointer(place)
        task.module.unused = torch.nn.Parameter(torch.ones(4))
        engine = Engine(task, Objective(task), machine, RunConfig(output=str(place), **options), "adamw")
        optimiser = make_optimiser(task, OptimisationConfig(), machine.device)
        try:
            update(engine, Objective(task), optimiser, [ROWS[machine.rank :: 2][:3], ROWS[2:4]])
            assert name != "ddp"
        except TrainingError as error:
            assert name == "ddp" and "--engine fsdp" in str(error)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    with machine_for(RunConfig(output=str(place), device="cpu")) as machine:
        ALONE = replace(machine, rank=0, world=1)
        if machine.is_first:
            make_bert(place / "bert")
            sizes = "{architecture: pointer-generator, embedding: 16, hidden: 24, coverage: 1.0}"
            (place / "pointer.yaml").write_text(sizes)
        distributed.barrier()
        for case in sys.argv[2:] or CASES:
            for name in ENGINES:
                check(case, name, machine, place)
        check_unused(machine, place)
        if machine.is_first:
            print("all the same")
