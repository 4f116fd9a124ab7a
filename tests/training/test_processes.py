"""Several processes share a training: the same rows, the same model in each, and it can be resumed."""

import shutil
import subprocess
import sys

import pytest

from tests.training.made import copy_task, environment, metrics, outcome, ran, tiny


def torchrun(arguments, processes=2):
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
    argv = [*command, "-m", "gistmill.training.cli", *arguments]
    return subprocess.run(argv, env=environment(), capture_output=True, text=True, timeout=300)


def losses(output):
    return [line["validation_loss"] for line in metrics(output) if "validation_loss" in line]


def test_two_processes_train_one_model_and_resume_it(tmp_path):
    place, whole, stopped = copy_task(tmp_path / "data", rows=200), tmp_path / "whole", tmp_path / "stopped"
    done = torchrun(tiny(place, whole, keep=10))
    assert done.returncode == 0, done.stderr
    alone = ran(tiny(place, tmp_path / "one", batch_rows=16))
    assert alone.returncode == 0, alone.stderr
    # An update has as many rows in both, but not the same ones.
    assert losses(whole) == pytest.approx(losses(tmp_path / "one"), rel=0.2)
    tokens = [metrics(tmp_path / name)[-2]["tokens"] for name in ("one", "whole")]
    assert tokens[0] == pytest.approx(tokens[1], rel=0.1)

    shutil.copytree(whole, stopped)
    (stopped / "finished.json").unlink()
    for step in (20, 24):
        (stopped / "checkpoints" / f"step-{step:09d}" / "state.json").unlink()
    again = torchrun(tiny(place, stopped, keep=10))
    assert again.returncode == 0 and "goes on from step 15" in again.stderr, again.stderr
    assert outcome(stopped) == outcome(whole)

    (stopped / "finished.json").unlink()
    other = ran(tiny(place, stopped, keep=10))
    assert other.returncode == 2 and "a run of 2 processes, and there are 1" in other.stderr
