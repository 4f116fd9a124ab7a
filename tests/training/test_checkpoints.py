"""Which checkpoints are kept, and which have all that a run goes on from."""

import json

import pytest

from gistmill.training.checkpoints import MODEL, OPTIMISER, STATE, Checkpoints
from tests.training.made import copy_task, ran, tiny


def write_model(part):
    (part / MODEL).mkdir()
    (part / MODEL / "weights").write_bytes(b"model")


def write_all(part):
    write_model(part)
    (part / OPTIMISER).write_bytes(b"optimiser")


def there(folder):
    """The steps that are kept, and whether a run can go on from each."""
    return {int(p.name[5:]): (p / OPTIMISER).exists() for p in sorted(folder.glob("step-*"))}


def test_a_best_model_has_no_optimiser_and_no_run_goes_on_from_it(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write(10, write_all, {"at": 10}, best=None)
    kept.write_best(12, write_model)
    kept.write_best(14, write_model)
    assert there(tmp_path) == {10: True, 14: False}
    assert kept.newest().step == 10 and kept.newest().state == {"at": 10}
    assert (kept.at(14) / MODEL / "weights").read_bytes() == b"model"


def test_a_best_model_stays_as_long_as_a_checkpoint_counts_on_it(tmp_path):
    """A run that goes on from step 20 may not find a better model than that of step 12 again."""
    kept = Checkpoints(tmp_path, keep=1, say=print)
    kept.write_best(12, write_model)
    kept.write(20, write_all, {}, best=12)
    kept.write_best(23, write_model)
    assert there(tmp_path) == {12: False, 20: True, 23: False}
    kept.write(30, write_all, {}, best=23)
    assert there(tmp_path) == {23: False, 30: True}


def test_an_old_checkpoint_with_the_best_model_loses_all_but_the_model(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    for step in (10, 20, 30):
        kept.write(step, write_all, {"at": step}, best=10)
    assert there(tmp_path) == {10: False, 20: True, 30: True}
    assert sorted(p.name for p in kept.at(10).iterdir()) == [MODEL, STATE]
    (kept.at(30) / OPTIMISER).unlink()
    (kept.at(20) / OPTIMISER).unlink()
    said = []
    assert Checkpoints(tmp_path, keep=2, say=said.append).newest() is None
    assert len(said) == 2  # the best model alone is not broken


def test_a_crash_while_the_optimiser_is_removed_does_no_harm(tmp_path):
    kept = Checkpoints(tmp_path, keep=1, say=print)
    kept.write(10, write_all, {}, best=10)
    kept.write(20, write_all, {}, best=10)
    (kept.at(10) / OPTIMISER).write_bytes(b"optimiser")  # the state was written, and the rest not yet removed
    assert kept.newest().step == 20
    kept.write(30, write_all, {}, best=10)
    assert there(tmp_path) == {10: False, 30: True}


def test_a_checkpoint_takes_the_place_of_a_best_model(tmp_path):
    """A run that is stopped at the step of a best model, or ends there, can go on from there."""
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write_best(12, write_model)
    kept.write(12, write_all, {"at": 12}, best=12)
    assert there(tmp_path) == {12: True} and kept.newest().state == {"at": 12}


def test_the_model_of_another_attempt_is_replaced(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write_best(12, write_model)

    def write_other(part):
        (part / MODEL).mkdir()
        (part / MODEL / "weights").write_bytes(b"of this attempt")

    kept.write_best(12, write_other)
    assert (kept.at(12) / MODEL / "weights").read_bytes() == b"of this attempt"


def test_checkpoints_of_an_earlier_version_are_read(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write(10, write_all, {"at": 10}, best=None)
    content = json.loads((kept.at(10) / STATE).read_text())
    del content["best"]
    (kept.at(10) / STATE).write_text(json.dumps(content))
    assert kept.newest().state == {"at": 10}
    kept.write(20, write_all, {"at": 20}, best=10)
    assert there(tmp_path) == {10: True, 20: True}


@pytest.mark.parametrize("every", [100, 6])
def test_a_training_keeps_the_optimiser_of_its_checkpoints_only(tmp_path, every):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    done = ran(tiny(place, output, steps=24, validate_every=3, checkpoint_every=every, learning_rate=1e-2))
    assert done.returncode == 0, done.stderr
    result = json.loads((output / "finished.json").read_text())
    best = result["model_step"]
    kept = there(output / "checkpoints")
    newest = {0: False, 24: True} if every == 100 else {18: True, 24: True}  # the first checkpoint has no optimiser
    assert kept == {best: False, **newest}
    best_model = output / "checkpoints" / f"step-{best:09d}" / MODEL / "model.safetensors"
    assert best_model.read_bytes() == (output / MODEL / "model.safetensors").read_bytes()
