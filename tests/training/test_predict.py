"""`predict`: the batches that rows are read in, and the processes that share them."""

import json
import subprocess
import sys

import pytest
import torch

from gistmill.training import predict
from gistmill.training.kinds import load_task
from gistmill.training.machine import Machine
from gistmill.training.validation import _batches, losses, predictions
from tests.training.made import copies, copy_task, environment, ran, tiny

ALONE = Machine(device=torch.device("cpu"), precision=torch.float32)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A dataset, and the folder of a model that was trained on it for some seconds."""
    folder = tmp_path_factory.mktemp("predict")
    place = copy_task(folder / "data", 200)
    done = ran(tiny(place, folder / "run", steps=20, validate_every=20, device="cpu"))
    assert done.returncode == 0, done.stderr
    return place, folder / "run" / "model"


def arguments(trained, output, *more):
    place, model = trained
    options = ["--beams", "2", "--max-tokens", "8", "--device", "cpu", *more]
    return ["predict", "--model", str(model), "--dataset", f"{place}#full/train", "--output", str(output), *options]


def read(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_predictions_do_not_depend_on_the_batches(trained, tmp_path, monkeypatch):
    """Other padding may change the last bit of a score, but of these rows no prediction."""
    for name, options in (("default", []), ("rows", ["--batch-rows", "3"]), ("tokens", ["--batch-tokens", "40"])):
        assert ran(arguments(trained, tmp_path / name, *options)).returncode == 0
    monkeypatch.setattr(predict, "_WINDOW", 7)
    assert ran(arguments(trained, tmp_path / "windows")).returncode == 0
    found = (tmp_path / "default").read_bytes()
    assert [row["id"] for row in read(tmp_path / "default")] == [f"{n:06d}" for n in range(200)]
    assert len({row["prediction"] for row in read(tmp_path / "default")}) > 2
    for name in ("rows", "tokens", "windows"):
        assert (tmp_path / name).read_bytes() == found


def test_a_row_that_is_read_alone_has_the_bits_of_one_that_is_alone(trained, tmp_path):
    rows = copies(200)[:20]
    assert ran(arguments(trained, tmp_path / "p", "--batch-rows", "1", "--tokens", "--rows", "20")).returncode == 0
    task = load_task(trained[1])
    wanted = [task.judge([dict(row)])[0][1] for row in rows]
    assert [row["log_likelihoods"] for row in read(tmp_path / "p")] == wanted


def launched(command, processes):
    argv = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
    argv += ["-m", "gistmill.training.cli", *command]
    return subprocess.run(argv, env=environment(), capture_output=True, text=True, timeout=300)


def test_processes_write_the_bytes_of_one(trained, tmp_path):
    options = ["--batch-rows", "16", "--tokens"]  # log likelihoods show every bit
    done = launched(arguments(trained, tmp_path / "two", *options), 2)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("200 predictions") == 1
    assert ran(arguments(trained, tmp_path / "one", *options)).returncode == 0
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one", "two"]


def test_means_of_a_validation_do_not_depend_on_the_order_of_the_rows(trained):
    task, rows = load_task(trained[1]), copies(50, 5000)
    forward, backward = losses(task, rows, ALONE), losses(task, rows[::-1], ALONE)
    assert forward == pytest.approx(backward, rel=1e-6) and forward["loss"] > 0
    alone = [losses(task, [row], ALONE) for row in rows]  # of a row; the mean is over the tokens
    tokens = [len(row["targets"]) for row in task_targets(task, rows)]
    mean = sum(found["loss"] * n for found, n in zip(alone, tokens, strict=True)) / sum(tokens)
    assert forward["loss"] == pytest.approx(mean, rel=1e-5)


def task_targets(task, rows):
    return [{"targets": task.encoding(row)["_target"]} for row in rows]


def test_predictions_of_a_validation_are_in_the_order_of_the_rows(trained):
    task, rows = load_task(trained[1]), copies(40, 5000)
    assert predictions(task, rows, ALONE) == [task.predict([row])[0] for row in rows]


@pytest.mark.parametrize(("rows", "world"), [(100, 3), (7, 4), (3, 4), (1000, 8)])
def test_processes_share_a_validation_evenly(rows, world):
    lengths = [(7 * n) % 61 + 1 for n in range(rows)]
    shares = []
    for rank in range(world):
        machine = Machine(device=torch.device("cpu"), precision=torch.float32, rank=rank, world=world)
        shares.append([int(number) for batch in _batches(lengths, machine) for number in batch])
    assert sorted(number for share in shares for number in share) == list(range(rows))
    tokens = [sum(lengths[number] for number in share) for share in shares]
    assert max(tokens) - min(tokens) <= max(lengths)
