"""Consistency and UDA: the divergence, where gradients go, and which rows are learned how."""

import json

import pytest
import torch

from gistmill.training.config import OptimisationConfig
from gistmill.training.engine import rate_factor
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.objectives import Alternating, Consistency, Objective, Uda, divergence, read_labels
from gistmill.training.seq2seq.config import Seq2SeqConfig
from gistmill.training.seq2seq.task import Seq2Seq
from tests.training.made import copies, metrics, outcome, publish, ran, tiny

ROWS = [{**row, "augmented_inputs": f"{row['inputs']} bal"} for row in copies(40)]


@pytest.fixture
def task():
    config = Seq2SeqConfig(model="tiny-pointer", vocabulary=300, max_source=40, max_target=40)
    return Seq2Seq.create(config, lambda: iter(ROWS), seed=1)


def test_the_divergence_is_that_of_pytorch():
    torch.manual_seed(0)
    p, q = torch.randn(3, 4, 7), torch.randn(3, 4, 7)
    counts = torch.rand(3, 4) > 0.4
    theirs = torch.nn.functional.kl_div(q.log_softmax(-1), p.log_softmax(-1), log_target=True, reduction="none")
    assert torch.allclose(divergence(p, q, counts), theirs.sum(-1)[counts].sum())
    assert divergence(p, p, counts).abs() < 1e-5


def test_no_gradient_goes_through_the_original():
    p, q = (torch.randn(2, 3, 5, requires_grad=True) for _ in range(2))
    divergence(p, q, torch.ones(2, 3, dtype=torch.bool)).backward()
    assert p.grad is None and q.grad is not None and q.grad.abs().sum() > 0


def test_consistency_adds_the_weighted_divergence(task):
    found = {}
    for weight in (0.1, 0.5):
        objective = Consistency(task, weight=weight, column="augmented_inputs")
        loss = objective.loss(objective.collate([dict(row) for row in ROWS[:4]]))
        found[weight] = loss
        assert loss.total.item() == pytest.approx(
            (loss.sums["nll"] + weight * loss.sums["divergence"]).item(), rel=1e-5
        )
        assert loss.sums["divergence"] > 0
    assert found[0.1].sums["divergence"] == found[0.5].sums["divergence"]


def test_an_augmented_input_that_is_the_original_adds_nothing(task):
    objective = Consistency(task, weight=1.0, column="augmented_inputs")
    rows = [{**row, "augmented_inputs": row["inputs"]} for row in ROWS[:4]]
    loss, plain = objective.loss(objective.collate(rows)), Objective(task).loss(task.collate(rows))
    assert loss.total.item() == pytest.approx(plain.total.item(), abs=1e-4)


def test_the_length_is_of_the_longer_input(task):
    objective = Consistency(task, weight=1.0, column="augmented_inputs")
    row = {**ROWS[0], "augmented_inputs": ROWS[0]["inputs"] * 2}
    assert objective.length(dict(row)) > task.length(dict(row))
    assert objective.length({**row, "augmented_inputs": "b"}) == task.length(dict(row))


def test_a_row_without_an_augmented_text_is_named(task):
    objective = Consistency(task, weight=1.0, column="augmented_inputs")
    with pytest.raises(TrainingError, match="000000"):
        objective.collate([{**ROWS[0], "augmented_inputs": None}])


def test_unlabelled_rows_have_the_divergence_alone(task):
    labels = {row["id"]: row["targets"] for row in ROWS}
    objective = Uda(task, weight=0.5, column="augmented_inputs", labels=labels, unlabelled=())
    unlabelled = [{name: row[name] for name in ("id", "inputs", "augmented_inputs")} for row in ROWS[:4]]
    loss = objective.loss(objective.collate(unlabelled))
    assert set(loss.sums) == {"divergence"}
    assert loss.total.item() == pytest.approx(0.5 * loss.sums["divergence"].item())
    labelled = [{name: row[name] for name in ("inputs", "targets")} for row in ROWS[:4]]
    assert "nll" in objective.loss(objective.collate(labelled)).sums
    with pytest.raises(TrainingError, match="there is no prediction for row x"):
        objective.length({**unlabelled[0], "id": "x"})


class Counted:
    """A stream of so many batches an epoch."""

    def __init__(self, name, batches):
        self.name, self.batches, self.place = name, batches, 0

    @property
    def epoch(self):
        return self.place // self.batches

    def batches_in_epoch(self):
        return self.batches

    def __iter__(self):
        while True:
            self.place += 1
            yield [{"of": self.name, "number": self.place}]

    def state(self):
        return {"place": self.place}

    def restore(self, state):
        self.place = state["place"]


def test_epochs_of_streams_take_turns():
    found = Alternating([Counted("a", 3), Counted("b", 2)])
    assert found.batches_in_epoch() == 5
    batches = iter(found)
    drawn = [next(batches)[0]["of"] for _ in range(10)]
    assert "".join(drawn) == "aaabbaaabb" and found.epoch == 2


def test_turns_go_on_where_they_were():
    for place in range(11):
        whole, again = (Alternating([Counted("a", 3), Counted("b", 2)]) for _ in range(2))
        batches = iter(whole)
        for _ in range(place):
            next(batches)
        again.restore(json.loads(json.dumps(whole.state())))
        rest = iter(again)
        assert [next(batches) for _ in range(7)] == [next(rest) for _ in range(7)]
        assert again.epoch == whole.epoch


def test_a_training_with_consistency_and_one_with_uda(tmp_path):
    place = publish(tmp_path / "a", {"train": ROWS, "validation": ROWS[:5]})
    other = [{name: row[name] for name in ("id", "inputs", "augmented_inputs")} for row in ROWS]
    unlabelled = publish(tmp_path / "b", {"train": other})
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps({"id": r["id"], "prediction": r["targets"]}) + "\n" for r in ROWS))
    done = ran(tiny(place, tmp_path / "consistency", objective="consistency", steps=6))
    assert done.returncode == 0, done.stderr
    assert all(line["divergence"] > 0 for line in metrics(tmp_path / "consistency") if "gradient_norm" in line)
    options = {"objective": "uda", "unlabelled": unlabelled, "pseudo_labels": labels, "steps": 12, "log_every": 1}
    for name in ("uda", "again"):
        done = ran(tiny(place, tmp_path / name, **options))
        assert done.returncode == 0, done.stderr
    kinds = ["divergence" in line for line in metrics(tmp_path / "uda") if "gradient_norm" in line]
    assert kinds == [False] * 5 + [True] * 5 + [False] * 2  # 40 rows in batches of 8
    assert outcome(tmp_path / "uda") == outcome(tmp_path / "again")


def test_pseudo_labels_that_cannot_be_read_are_named(tmp_path):
    file = tmp_path / "p.jsonl"
    file.write_text('{"id": "a"}\n')
    with pytest.raises(SettingsError, match="p.jsonl: each line must be"):
        read_labels([str(file)])
    with pytest.raises(SettingsError, match="No such file"):
        read_labels([str(tmp_path / "none")])


def test_schedules():
    halved = {"schedule": "linear", "warmup_steps": 1, "final_rate": 0.5, "learning_rate": 1.0}
    for options, expected in (
        ({"schedule": "constant"}, [1, 1, 1, 1, 1]),
        ({"schedule": "constant", "warmup_steps": 2}, [0.5, 1, 1, 1, 1]),
        ({"schedule": "linear"}, [1, 0.8, 0.6, 0.4, 0.2]),
        (halved, [1, 1, 0.875, 0.75, 0.625]),
        ({"schedule": "polynomial", "decay_power": 2}, [1, 0.64, 0.36, 0.16, 0.04]),
        ({"schedule": "inverse-sqrt", "warmup_steps": 4}, [0.25, 0.5, 0.75, 1, (4 / 5) ** 0.5]),
    ):
        config = OptimisationConfig(**options)
        assert [rate_factor(config, step, 5) for step in range(5)] == pytest.approx(expected), options
