"""A training that is killed at any step ends with the bits of one that was never disturbed."""

import random
import signal
import time

import pytest
import yaml

from tests import hostile_models
from tests.training.made import copies, copy_task, metrics, outcome, publish, ran, ran_apart, start, tiny


def killed_until_done(arguments, output, steps, chance):
    """Runs a command, kills it by SIGKILL after each of the steps, and lets it end; returns how often it was killed."""
    kills = 0
    for step in [*steps, None]:
        process = start(arguments)
        while process.poll() is None and (step is None or not reached(output, step)):
            time.sleep(0.002)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        _, err = process.communicate(timeout=120)
        kills += process.returncode == -signal.SIGKILL
        if process.returncode == 0:
            return kills
        assert process.returncode == -signal.SIGKILL, err
    raise AssertionError("the run did not end")


def reached(output, step):
    """Whether the metrics, which are written at each step, have come to a step."""
    file = output / "metrics.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else []
    return sum(b'"gradient_norm"' in line for line in lines) >= step


def check_same_after_kills(tmp_path, kills, sizes, **options):
    place, file = copy_task(tmp_path / "data"), tmp_path / "sizes.yaml"
    file.write_text(yaml.safe_dump(sizes))
    options = {"log_every": 1, "model": file, "device": "cpu", **options}
    undisturbed, disturbed = tmp_path / "a", tmp_path / "b"
    done = ran_apart(tiny(place, undisturbed, **options))
    assert done.returncode == 0, done.stderr
    killed = killed_until_done(tiny(place, disturbed, **options), disturbed, kills, random.Random(1))
    assert killed == len(kills)
    assert outcome(disturbed) == outcome(undisturbed)


@pytest.mark.waits
def test_a_killed_training_ends_with_the_same_bits(tmp_path):
    sizes = {"architecture": "pointer-generator", "embedding": 16, "hidden": 24, "dropout": 0.2, "coverage": 1.0}
    check_same_after_kills(tmp_path, [7, 17], sizes, accumulate=2, optimizer="radam", batch_rows=4)


@pytest.mark.slow
@pytest.mark.waits
def test_ten_kills_at_random_steps(tmp_path):
    chance = random.Random(5)
    steps = sorted(chance.sample(range(1, 300), 10))
    sizes = {"architecture": "t5", "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
    sizes |= {"num_decoder_layers": 2, "dropout_rate": 0.1}
    options = {"steps": 300, "checkpoint_every": 11, "validate_every": 40, "batch_tokens": 400, "batch_rows": None}
    check_same_after_kills(tmp_path, steps, sizes, **options)


@pytest.mark.slow
@pytest.mark.waits
def test_a_training_that_is_killed_after_a_best_model_ends_with_the_same_bits(tmp_path):
    """A best model is no place to go on from: the steps since the last checkpoint are done again."""
    sizes = {"architecture": "pointer-generator", "embedding": 16, "hidden": 24, "dropout": 0.2}
    check_same_after_kills(tmp_path, [10, 18], sizes, batch_rows=4, checkpoint_every=14, validate_every=3)
    kept = [sorted(p.name for p in (tmp_path / run / "checkpoints").iterdir()) for run in ("a", "b")]
    assert kept[0] == kept[1] and any(name.startswith("best-") for name in kept[0])


@pytest.mark.waits
def test_a_stopped_training_says_so_and_goes_on(tmp_path):
    place = copy_task(tmp_path / "data")
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        output = tmp_path / number.name
        process = start(tiny(place, output, steps=400, checkpoint_every=1000, log_every=1))
        while not reached(output, 3):
            time.sleep(0.01)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        assert process.returncode == code
        assert "stopped; run the same command to continue from here" in err and "Traceback" not in err
        assert len(list((output / "checkpoints").glob("step-*"))) == 2  # the first, and that of the end


def test_two_runs_have_the_same_bits_and_another_seed_has_others(tmp_path):
    place = copy_task(tmp_path / "data")
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert ran(tiny(place, tmp_path / name, seed=seed, steps=12)).returncode == 0
    before = outcome(tmp_path / "a")
    assert before == outcome(tmp_path / "b") != outcome(tmp_path / "c")
    again = ran(tiny(place, tmp_path / "a", seed=1, steps=12))
    assert again.returncode == 0 and "finished" in again.stderr and outcome(tmp_path / "a") == before
    for change, message in (
        ({"learning_rate": 1e-4}, "learning_rate 0.003, not 0.0001"),
        ({"vocabulary": 350}, "vocabulary 400, not 350"),
        ({"seed": 9}, "seed 1, not 9"),
    ):
        other = ran(tiny(place, tmp_path / "a", **{"seed": 1, "steps": 12, **change}))
        assert other.returncode == 2 and message in other.stderr and other.stderr.count("\n") == 1
    again = ran(tiny(place, tmp_path / "a", seed=1, steps=3, overwrite=True))
    assert again.returncode == 0, again.stderr
    assert [line["step"] for line in metrics(tmp_path / "a") if "gradient_norm" in line] == [3]


def test_another_dataset_at_the_same_place_does_not_resume_a_run(tmp_path):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    process = start(tiny(place, output, steps=400, log_every=1))
    while not reached(output, 8):
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    publish(tmp_path / "data", {"train": copies(300, 77), "validation": copies(40, 10**6)})
    again = ran(tiny(place, output, steps=400, log_every=1))
    assert again.returncode == 2 and "the data differs from that in the checkpoint" in again.stderr
    assert "Traceback" not in again.stderr and list((output / "checkpoints").glob("step-*"))


def test_a_folder_with_something_else_is_not_touched(tmp_path):
    place, output = copy_task(tmp_path / "data"), tmp_path / "mine"
    output.mkdir()
    (output / "thesis.txt").write_text("years of work")
    done = ran(tiny(place, output, overwrite=True))
    assert done.returncode == 2 and "thesis.txt" in done.stderr
    assert (output / "thesis.txt").read_text() == "years of work"


def test_a_broken_checkpoint_gives_way_to_the_one_before_and_a_pickle_of_a_stranger_runs_no_code(tmp_path):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    assert ran(tiny(place, output)).returncode == 0
    undisturbed = outcome(output)
    (output / "finished.json").unlink()
    newest = sorted((output / "checkpoints").glob("step-*"))[-1]
    weights = newest / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    again = ran(tiny(place, output))
    assert again.returncode == 0 and f"{newest.name} is broken" in again.stderr
    assert outcome(output) == undisturbed
    (output / "finished.json").unlink()
    for file in (output / "checkpoints").rglob("optimiser.pt"):
        hostile_models.state_that_is_a_pickle(file, tmp_path / "trace")
    again = ran(tiny(place, output))
    assert again.returncode == 1 and "does not contain a valid state for this optimiser" in again.stderr
    assert "Traceback" not in again.stderr and not (tmp_path / "trace").exists()


@pytest.mark.slow
@pytest.mark.waits
def test_adafactor_goes_on_with_the_same_bits(tmp_path):
    sizes = {"architecture": "pointer-generator", "embedding": 16, "hidden": 24, "dropout": 0.2}
    check_same_after_kills(tmp_path, [7], sizes, optimizer="adafactor", batch_rows=4)
