"""Which checkpoints are kept, and which have all that a run goes on from."""

import json

import pytest

from gistmill.training.checkpoints import MODEL, OPTIMISER, STATE, Checkpoints
from tests.training.made import copy_task, ran, tiny


def write_model(part):
    (part / "weights").write_bytes(b"model")


def write_all(part):
    (part / MODEL).mkdir()
    write_model(part / MODEL)
    (part / OPTIMISER).write_bytes(b"optimiser")


def there(folder):
    """The steps of the checkpoints, and those of the best models that are kept alone."""
    steps, best = (sorted(int(p.name[5:]) for p in folder.glob(f"{kind}-*")) for kind in ("step", "best"))
    return steps, best


def test_no_run_goes_on_from_a_best_model(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write(10, write_all, {"at": 10}, best=None)
    kept.write_best(12, write_model)
    kept.write_best(14, write_model)
    assert there(tmp_path) == ([10], [14])
    assert kept.newest().step == 10 and kept.newest().state == {"at": 10}
    assert (kept.model(14) / "weights").read_bytes() == b"model"


def test_a_best_model_stays_as_long_as_a_checkpoint_counts_on_it(tmp_path):
    """A run that goes on from step 20 may not find a better model than that of step 12 again."""
    kept = Checkpoints(tmp_path, keep=1, say=print)
    kept.write_best(12, write_model)
    kept.write(20, write_all, {}, best=12)
    kept.write_best(23, write_model)
    assert there(tmp_path) == ([20], [12, 23])
    kept.write(30, write_all, {}, best=23)
    assert there(tmp_path) == ([30], [23])


def test_an_old_checkpoint_with_the_best_model_loses_all_but_the_model(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    for step in (10, 20, 30):
        kept.write(step, write_all, {"at": step}, best=10)
    assert there(tmp_path) == ([20, 30], [10])
    assert [p.name for p in kept.model(10).iterdir()] == ["weights"]
    for step in (20, 30):
        (kept.model(step).parent / OPTIMISER).unlink()
    said = []
    assert Checkpoints(tmp_path, keep=2, say=said.append).newest() is None
    assert len(said) == 2


def test_a_run_that_is_stopped_at_the_step_of_a_best_model_goes_on_from_there(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write_best(12, write_model)
    kept.write(12, write_all, {"at": 12}, best=12)
    assert kept.newest().state == {"at": 12}


def test_the_model_of_another_attempt_is_replaced(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write_best(12, write_model)
    kept.write_best(12, lambda part: (part / "weights").write_bytes(b"of this attempt"))
    assert (kept.model(12) / "weights").read_bytes() == b"of this attempt"


def test_checkpoints_of_an_earlier_version_are_read(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    kept.write(10, write_all, {"at": 10}, best=None)
    file = tmp_path / "step-000000010" / STATE
    content = json.loads(file.read_text())
    del content["best"]
    file.write_text(json.dumps(content))
    assert kept.newest().state == {"at": 10}
    kept.write(12, write_all, {}, best=12)
    file = tmp_path / "step-000000012" / STATE  # the best model alone
    file.write_text(json.dumps({**json.loads(file.read_text()), "state": None}))
    assert kept.newest().state == {"at": 10}
    for step in (20, 30):
        kept.write(step, write_all, {"at": step}, best=12)
    assert there(tmp_path) == ([20, 30], [12])


@pytest.mark.parametrize("every", [100, 6])
def test_a_training_keeps_the_optimiser_of_its_checkpoints_only(tmp_path, every):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    done = ran(tiny(place, output, steps=24, validate_every=3, checkpoint_every=every, learning_rate=1e-2))
    assert done.returncode == 0, done.stderr
    result = json.loads((output / "finished.json").read_text())
    best, (steps, alone) = result["model_step"], there(output / "checkpoints")
    assert steps == ([0, 24] if every == 100 else [18, 24]) and alone == [best] * (best not in steps)
    model = Checkpoints(output / "checkpoints", keep=2, say=print).model(best)
    assert (model / "model.safetensors").read_bytes() == (output / MODEL / "model.safetensors").read_bytes()
