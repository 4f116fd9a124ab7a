"""What goes wrong is one clear line, and the last good checkpoint stays."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gistmill.training.checkpoints import Checkpoints, RunFolder
from gistmill.training.errors import TrainingError
from gistmill.training.kinds import load_task
from gistmill.training.loop import Training
from tests.training.made import copies, copy_task, environment, metrics, outcome, publish, ran, tiny

LIMITED = """\
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as Python has it: a full disk is an error of the write
from gistmill.training.cli import main
sys.exit(main(sys.argv[1:]))
"""


def steps(output: Path) -> list[int]:
    return sorted(int(p.name[5:]) for p in (output / "checkpoints").glob("step-*"))


def one_line(done, code):
    """The last line, where the run told its progress before."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_a_loss_that_is_not_a_number_ends_the_run(tmp_path):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    done = ran(tiny(place, output, learning_rate=1e30, clip=0, schedule="constant", warmup_steps=12, log_every=1))
    line = one_line(done, 1)
    assert "is NaN or infinite" in line and "learning-rate" in line
    kept = steps(output)
    assert f"the checkpoint of step {kept[-1]} is still valid" in line
    weights = torch.cat([p.flatten() for p in loaded(output, kept[-1]).parameters()])
    assert torch.isfinite(weights).all()


def loaded(output, step):
    return load_task(output / "checkpoints" / f"step-{step:09d}" / "model").module


def test_a_broken_shard_is_named_and_the_run_goes_on_when_it_is_whole_again(tmp_path):
    place, output, whole = copy_task(tmp_path / "data"), tmp_path / "run", tmp_path / "whole"
    options = {"steps": 24, "batch_rows": 16, "bucket_rows": 32, "shuffle_rows": 50}
    assert ran(tiny(place, whole, **options)).returncode == 0
    (shard,) = Path(place).glob("full/parquet/train-*")
    data = shard.read_bytes()
    middle = len(data) // 2
    broken = data[:middle] + bytes(64) + data[middle + 64 :]
    shard.write_bytes(broken)
    line = one_line(ran(tiny(place, output, **options)), 1)
    assert shard.name in line
    shard.write_bytes(data)
    assert ran(tiny(place, output, **options)).returncode == 0
    assert outcome(output) == outcome(whole)


def test_a_full_disk_keeps_the_last_checkpoint_and_the_run_goes_on_later(tmp_path):
    place, output, whole = copy_task(tmp_path / "data"), tmp_path / "run", tmp_path / "whole"
    assert ran(tiny(place, whole)).returncode == 0
    model, optimiser = (
        (whole / "checkpoints" / "step-000000024" / name).stat().st_size
        for name in ("model/model.safetensors", "optimiser.pt")
    )
    assert model < optimiser
    code = LIMITED.format(size=(model + optimiser) // 2)  # the first checkpoint has no optimiser, and fits
    argv = [sys.executable, "-c", code, *tiny(place, output, tensorboard=False)]
    done = subprocess.run(argv, env=environment(), capture_output=True, text=True)
    line = one_line(done, 1)
    assert "the checkpoint for step 5 cannot be written" in line and "the checkpoint for step 0 still exists" in line
    assert steps(output) == [0] and not list((output / "checkpoints").glob(".*"))
    assert ran(tiny(place, output)).returncode == 0
    assert outcome(output) == outcome(whole)


METRICS_ON_A_FULL_DISK = """\
import resource, signal, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from gistmill.training.errors import TrainingError
from gistmill.training.metrics import MetricsLog
try:
    with MetricsLog(Path(sys.argv[1]), step=0, offset=0, tensorboard=False) as log:
        for step in range(100):
            log.write_timings({"step": step})
            log.write({"step": step, "loss": 1.5})
except TrainingError as error:
    print(error)
"""


def test_metrics_on_a_full_disk_are_one_line(tmp_path):
    argv = [sys.executable, "-c", METRICS_ON_A_FULL_DISK, str(tmp_path)]
    done = subprocess.run(argv, env=environment(), capture_output=True, text=True)
    assert done.stdout == "metrics.jsonl cannot be written: File too large; the last checkpoint is intact\n", (
        done.stderr
    )


def test_a_checkpoint_that_cannot_be_written_leaves_the_others(tmp_path):
    kept = Checkpoints(tmp_path, keep=2, say=print)
    for step in (2, 3):
        kept.write(step, lambda part: (part / "weights").write_bytes(b"x" * 10), {"step": step}, best=None)

    def fail(part: Path) -> None:
        (part / "weights").write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(TrainingError, match="step 4 cannot be written: No space left .*; the checkpoint for step 3"):
        kept.write(4, fail, {"step": 4}, best=None)
    newest = kept.newest()
    assert newest is not None and (newest.step, newest.state) == (3, {"step": 3})
    assert not list(tmp_path.glob(".*"))


def test_two_runs_at_one_place_are_refused(tmp_path):
    place, output = copy_task(tmp_path / "data"), tmp_path / "run"
    with RunFolder(output).locked():
        line = one_line(ran(tiny(place, output)), 2)
    assert "another process is training there" in line


def test_what_does_not_go_together_is_one_line(tmp_path):
    place = copy_task(tmp_path / "data")
    wrong = (
        ({"source_column": "input"}, "did you mean inputs"),
        ({"model": "nothing/here.yaml"}, "No such file"),
        ({"model": "no-such-model"}, "--model no-such-model cannot be loaded"),
        ({"tokenizer": "no-such-tokenizer"}, "no tokenizer can be loaded from no-such-tokenizer"),
        ({"score": "sari", "validation_rows": 0}, "--score requires validation rows"),
        ({"steps": None, "batch_rows": None, "batch_tokens": 300}, "linear needs --steps"),
        ({"objective": "consistency"}, "has no column 'augmented_inputs'"),
        ({"curriculum": "one-pass"}, "has no column 'bucket'"),
        ({"gradient_checkpointing": True}, "this model does not support --gradient-checkpointing"),
        *([] if torch.cuda.is_available() else [({"device": "cuda"}, "PyTorch finds no usable GPU")]),
    )
    for number, (change, message) in enumerate(wrong):
        assert message in one_line(ran(tiny(place, tmp_path / str(number), **change)), 2)
    assert ran(tiny(place + "x", tmp_path / "mistyped", steps=2)).returncode == 2
    assert ran(tiny(place, tmp_path / "mistyped", steps=2)).returncode == 0  # it did not stand in the way


def test_texts_of_every_kind_are_trained_on(tmp_path):
    odd = ["", " ", "\x00", "\ufeffa", "🙂" * 300, "e\u0301", "<pad> </s>", "a\nb", "\u202eabc", "x" * 5000]
    rows = [{"id": str(n), "inputs": text, "targets": odd[-n - 1]} for n, text in enumerate(odd)]
    place, output = publish(tmp_path / "data", {"train": rows, "validation": copies(4)}), tmp_path / "run"
    done = ran(tiny(place, output, steps=4, batch_rows=3))
    assert done.returncode == 0, done.stderr
    assert all(line.get("loss", 1) > 0 for line in metrics(output))


def test_rows_without_a_text_are_named(tmp_path):
    rows = [*copies(3), {"id": "without", "inputs": None, "targets": "a"}]
    done = ran(tiny(publish(tmp_path / "data", {"train": rows}), tmp_path / "run", steps=4, validation_rows=0))
    assert "without" in one_line(done, 1)


def test_what_an_update_may_end_in_is_one_line_with_what_helps(tmp_path, monkeypatch):
    def full(self, batches):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")  # there may be no GPU here

    def other_bits(self, batches):
        torch.zeros(2).put_(torch.tensor([0, 0]), torch.ones(2))

    def unknown(self, batches):
        raise RuntimeError("an error of a library")

    place = copy_task(tmp_path / "data")
    monkeypatch.setattr(Training, "_update", full)
    line = one_line(ran(tiny(place, tmp_path / "full")), 1)
    assert "the GPU is out of memory after step 0" in line and "--gradient-checkpointing" in line
    monkeypatch.setattr(Training, "_update", other_bits)
    line = one_line(ran(tiny(place, tmp_path / "other")), 1)
    assert "put_ has no deterministic implementation here: use --no-deterministic" in line
    monkeypatch.setattr(Training, "_update", unknown)
    with pytest.raises(RuntimeError, match="an error of a library"):
        ran(tiny(place, tmp_path / "unknown"))
