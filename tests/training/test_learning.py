"""Models learn: a small one, from scratch and on a CPU, copies words that it has never seen in this order."""

import json

import pytest
import torch

from gistmill.training.machine import allow_tf32
from tests.rules.synthetic.helpers import rows as synthetic
from tests.training.made import copies, copy_task, metrics, publish, ran, tiny


def test_a_model_learns_to_copy(tmp_path):
    place, output, found = copy_task(tmp_path / "data", rows=4000), tmp_path / "run", tmp_path / "p.jsonl"
    options = {"steps": 160, "batch_rows": 32, "bucket_rows": 512, "warmup_steps": 20, "validate_every": 80}
    done = ran(tiny(place, output, **options, score="exact", device="cpu"))
    assert done.returncode == 0, done.stderr
    model = ["--model", str(output / "model"), "--dataset", place, "--output", str(found), "--beams", "1"]
    done = ran(["predict", *model, "--device", "cpu"])
    assert done.returncode == 0, done.stderr
    predictions = [json.loads(line) for line in found.read_text().splitlines()]
    rows = copies(60, 2 * 10**6)
    right = sum(p["prediction"] == row["targets"] for p, row in zip(predictions, rows, strict=True))
    assert right > 0.95 * len(rows)
    assert json.loads((output / "finished.json").read_text())["best"] > 0.9


def test_synthetic_tasks_choose_the_checkpoint(tmp_path):
    """A task whose output is always the same is solved at once; the accuracy is that of the interpreter."""
    task = {"task": "check-keyword", "tasks": ["check-keyword"], "targets": "the special word was not found ."}
    texts = [{**row, "inputs": f"{row['inputs']} .", **task} for row in copies(120)]
    place, output = publish(tmp_path / "data", {"train": texts[:100], "validation": texts[100:]}), tmp_path / "run"
    options = {"steps": 80, "max_target": 16, "learning_rate": 1e-2, "validate_every": 20}
    assert ran(tiny(place, output, **options, score="task_accuracy")).returncode == 0
    found = [line["validation_task_accuracy"] for line in metrics(output) if "validation_task_accuracy" in line]
    assert len(found) == 4 and found[-1] == 1 == json.loads((output / "finished.json").read_text())["best"]

    wrong = publish(tmp_path / "wrong", {"train": texts, "validation": [{**texts[0], "inputs": "no document"}]})
    done = ran(tiny(wrong, tmp_path / "none", steps=4, validate_every=2, score="task_accuracy"))
    assert done.returncode == 1 and "the document of row '000000' does not end with a sentence" in done.stderr
    done = ran(tiny(copy_task(tmp_path / "copy", 50), tmp_path / "none", score="task_accuracy"))
    assert done.returncode == 2 and "tasks" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_transformer_learns_a_keyword_task(tmp_path):
    """ClassifyKeyword of the real generator, at the settings of the experiment nonsense-tasks-tiny."""
    rows = synthetic(range(4500), tasks="elementary:classify-keyword")
    parts = {"train": rows[:4400], "validation": rows[4400:]}
    output = tmp_path / "run"
    options = {"model": "tiny", "vocabulary": 8000, "max_source": 512, "batch_rows": 32, "learning_rate": 1e-3}
    lengths = {"steps": 130, "warmup_steps": 50, "validate_every": 130, "validation_rows": 100}
    done = ran(tiny(publish(tmp_path / "data", parts), output, **options, **lengths, score="task_accuracy"))
    assert done.returncode == 0, done.stderr
    assert json.loads((output / "finished.json").read_text())["best"] > 0.95


def test_training_stops_early_and_keeps_the_best(tmp_path):
    # The validation asks for the opposite of what the training shows, so that it gets worse.
    rows = copies(60)
    other = [{**row, "targets": "lnm " * 12} for row in copies(20, 10**6)]
    place, output = publish(tmp_path / "data", {"train": rows, "validation": other}), tmp_path / "run"
    done = ran(tiny(place, output, steps=400, validate_every=10, patience=3, schedule="constant", learning_rate=1e-2))
    assert done.returncode == 0, done.stderr
    losses = {line["step"]: line["validation_loss"] for line in metrics(output) if "validation_loss" in line}
    result = json.loads((output / "finished.json").read_text())
    best = min(losses, key=lambda step: losses[step])
    assert result["model_step"] == best and result["steps"] == best + 30 < 400
    assert (output / "checkpoints" / f"best-{best:09d}").is_dir()


def test_bf16_and_accumulation_on_the_cpu(tmp_path):
    place, found = copy_task(tmp_path / "data", rows=200), {}
    for name, options in {
        "fp32": {},
        "tf32": {"precision": "tf32"},
        "bf16": {"precision": "bf16"},
        "halves": {"batch_rows": 4, "accumulate": 2, "bucket_rows": 0},
        "whole": {"bucket_rows": 0},
    }.items():
        done = ran(tiny(place, tmp_path / name, steps=8, device="cpu", **options))
        assert done.returncode == 0, done.stderr
        assert ("--precision tf32 has no effect here" in done.stderr) == (name == "tf32")
        found[name] = [line["loss"] for line in metrics(tmp_path / name) if "gradient_norm" in line]
    assert metrics(tmp_path / "tf32") == metrics(tmp_path / "fp32")
    assert found["bf16"] != found["fp32"] and found["bf16"] == pytest.approx(found["fp32"], rel=0.03)
    assert found["halves"] == pytest.approx(found["whole"], rel=1e-3)  # the same rows, summed in other parts


def test_tf32_is_allowed_to_matrices_and_lstms_or_to_none():
    try:
        for is_allowed in (True, False):
            allow_tf32(is_allowed)
            assert torch.backends.cuda.matmul.allow_tf32 == torch.backends.cudnn.allow_tf32 == is_allowed
    finally:
        torch.set_float32_matmul_precision("highest")
        torch.backends.cudnn.allow_tf32 = True


def test_a_mixture_is_trained_on(tmp_path):
    one = copy_task(tmp_path / "a", 100)
    two = publish(
        tmp_path / "b", {"train": [{**r, "targets": "bal"} for r in copies(30, 500)], "validation": copies(5)}
    )
    done = ran(tiny(f"{one}@1,{two}@1", tmp_path / "run", steps=8))
    assert done.returncode == 0, done.stderr
    card = (tmp_path / "run" / "model" / "README.md").read_text()
    assert "| `a` |" in card and "| `b` |" in card


@pytest.mark.slow
def test_a_compiled_model_learns_the_same(tmp_path):
    place = copy_task(tmp_path / "data", rows=200)
    for name, compiled in (("plain", False), ("compiled", True)):
        done = ran(tiny(place, tmp_path / name, model="tiny", steps=6, log_every=1, validate_every=6, compile=compiled))
        assert done.returncode == 0, done.stderr
    plain, compiled = ([line.get("loss", 0) for line in metrics(tmp_path / name)] for name in ("plain", "compiled"))
    assert compiled == pytest.approx(plain, rel=1e-3)


def test_an_epoch_of_batches_by_tokens_ends(tmp_path):
    place, output = copy_task(tmp_path / "data", rows=100), tmp_path / "run"
    options = {"steps": None, "batch_rows": None, "batch_tokens": 300, "schedule": "constant", "log_every": 1}
    done = ran(tiny(place, output, **options))
    assert done.returncode == 0, done.stderr
    epochs = [line["epoch"] for line in metrics(output) if "gradient_norm" in line]
    assert epochs == [0] * (len(epochs) - 1) + [1]


def test_the_last_updates_are_in_the_metrics(tmp_path):
    place, output = copy_task(tmp_path / "data", rows=100), tmp_path / "run"
    assert ran(tiny(place, output, steps=5, log_every=3)).returncode == 0
    lines = [line for line in metrics(output) if "gradient_norm" in line]
    assert [(line["step"], line["phase"]) for line in lines] == [(3, 0), (5, 0)]
    assert json.loads((output / "finished.json").read_text())["tokens"] == lines[-1]["tokens"] > lines[0]["tokens"] > 0


def test_a_training_that_teaches_little_or_is_not_validated_says_so(tmp_path):
    few, none = "24 updates in total, which is very few: raise --epochs", "no validation, because no dataset has"
    done = ran(tiny(copy_task(tmp_path / "data", rows=80), tmp_path / "run"))
    assert done.returncode == 0 and few in done.stderr and none not in done.stderr
    alone = publish(tmp_path / "alone", {"train": copies(80)})
    done = ran(tiny(alone, tmp_path / "other", steps=None, epochs=10, checkpoint_every=100))
    assert done.returncode == 0 and "100 updates in total\n" in done.stderr and none in done.stderr
    done = ran(tiny(alone, tmp_path / "third", validation_rows=0))
    assert done.returncode == 0 and none not in done.stderr
