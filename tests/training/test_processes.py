"""Several processes share a training: the same rows, the same model in each, and it can be resumed."""

import json
import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import yaml

from tests.environments import needs_package
from tests.training.made import ROOT, copies, copy_task, environment, metrics, outcome, publish, ran, tiny

pytestmark = pytest.mark.waits

FILE = ROOT / "deploy" / "training" / "accelerate.yaml"
TORCHRUN = ("torch.distributed.run", "--standalone", "--nproc-per-node=2")
ACCELERATE = ("accelerate.commands.launch", f"--config_file={FILE}", "--num_processes=2", "--main_process_port=0")
SHARDED = ("--use_fsdp", "--fsdp_version=2", "--fsdp_auto_wrap_policy=TRANSFORMER_BASED_WRAP")
of_accelerate = needs_package("accelerate")


def launched(launcher, arguments, module="gistmill.training.cli"):
    """Runs a module in two processes on the CPU."""
    argv = [sys.executable, "-m", *launcher, "-m", module, *map(str, arguments)]
    return subprocess.run(argv, env=environment(), capture_output=True, text=True, timeout=600)


def options(place, output, **changes):
    return tiny(place, output, device="cpu", keep=10, **changes)


def losses(output):
    return [line["validation_loss"] for line in metrics(output) if "validation_loss" in line]


def check_trains_and_resumes(tmp_path, launcher, name, **changes):
    place, whole, stopped = copy_task(tmp_path / "data", rows=200), tmp_path / "whole", tmp_path / "stopped"
    done = launched(launcher, options(place, whole, **changes))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"2 processes share the work: {name}") == 1
    alone = ran(tiny(place, tmp_path / "one", device="cpu", batch_rows=16))
    assert alone.returncode == 0, alone.stderr
    # An update has as many rows in both, but not the same ones.
    assert losses(whole) == pytest.approx(losses(tmp_path / "one"), rel=0.2)
    tokens = [metrics(tmp_path / name)[-2]["tokens"] for name in ("one", "whole")]
    assert tokens[0] == pytest.approx(tokens[1], rel=0.1)

    shutil.copytree(whole, stopped)
    (stopped / "finished.json").unlink()
    for step in (20, 24):
        (stopped / "checkpoints" / f"step-{step:09d}" / "state.json").unlink()
    again = launched(launcher, options(place, stopped, **changes))
    assert again.returncode == 0 and "resuming at step 15" in again.stderr, again.stderr
    assert losses(stopped) == pytest.approx(losses(whole), rel=1e-5)
    assert outcome(stopped).keys() == outcome(whole).keys()
    return whole, stopped


def test_two_processes_train_one_model_and_resume_it(tmp_path):
    _whole, stopped = check_trains_and_resumes(tmp_path, TORCHRUN, "ddp")
    (stopped / "finished.json").unlink()
    other = ran(options(tmp_path / "data", stopped))
    assert other.returncode == 2 and "a run with 2 processes, but there are now 1" in other.stderr


@pytest.mark.slow
@of_accelerate
def test_accelerate_launch_starts_ddp_as_its_file_says(tmp_path):
    check_trains_and_resumes(tmp_path, ACCELERATE, "ddp")


@pytest.mark.slow
@of_accelerate
@pytest.mark.parametrize(
    ("launcher", "changes"),
    [(TORCHRUN, {"engine": "fsdp"}), (ACCELERATE, {"engine": "fsdp"}), ((*ACCELERATE, *SHARDED), {})],
    ids=["torchrun", "accelerate", "told accelerate"],
)
def test_fsdp_trains_resumes_and_saves_whole_models(tmp_path, launcher, changes):
    whole, _ = check_trains_and_resumes(tmp_path, launcher, "fsdp", **changes)
    model = ["--model", str(whole / "model"), "--device", "cpu"]
    done = ran(["predict", *model, "--dataset", str(tmp_path / "data"), "--output", str(tmp_path / "written.jsonl")])
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "written.jsonl").read_text().splitlines()) == 60


@pytest.mark.slow
@of_accelerate
def test_a_run_goes_on_with_another_engine(tmp_path):
    place, whole, other = copy_task(tmp_path / "data", rows=200), tmp_path / "whole", tmp_path / "other"
    done = launched(TORCHRUN, options(place, whole, engine="ddp"))
    assert done.returncode == 0, done.stderr
    shutil.copytree(whole, other)
    for engine, steps in (("fsdp", (15, 20, 24)), ("ddp", (20, 24))):  # the second goes on from what the first wrote
        (other / "finished.json").unlink()
        for step in steps:
            shutil.rmtree(other / "checkpoints" / f"step-{step:09d}")
        done = launched(TORCHRUN, options(place, other, engine=engine))
        assert done.returncode == 0 and f"resuming at step {steps[0] - 5}" in done.stderr, done.stderr
        assert f"share the work: {engine}" in done.stderr
        assert losses(other) == pytest.approx(losses(whole), rel=1e-4)


@pytest.mark.slow
@of_accelerate
def test_two_machines_are_two_launchers(tmp_path):
    place, output, address = copy_task(tmp_path / "data", rows=60), tmp_path / "run", "--main_process_ip=127.0.0.1"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    launcher = (*ACCELERATE[:-1], f"--main_process_port={port}", "--num_machines=2", address)
    with ThreadPoolExecutor(2) as machines:
        every = [
            machines.submit(launched, (*launcher, f"--machine_rank={rank}"), options(place, output, steps=6))
            for rank in range(2)
        ]
    first, second = (each.result() for each in every)
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "2 processes share the work: ddp" in first.stderr and "share the work" not in second.stderr


@pytest.mark.slow
@of_accelerate
def test_every_engine_leaves_the_gradients_of_one_process(tmp_path):
    done = launched(TORCHRUN, [tmp_path], module="tests.training.engines_apart")
    assert done.returncode == 0 and "all the same" in done.stdout, done.stderr


@pytest.mark.slow
@of_accelerate
@pytest.mark.parametrize("engine", ["ddp", "fsdp"])
def test_processes_write_predictions_of_uneven_parts_in_each_bucket(tmp_path, engine):
    output = tmp_path / "run"
    rows = [{**row, "bucket": number % 2} for number, row in enumerate(copies(101))]
    place = publish(tmp_path / "buckets", {"train": rows, "validation": copies(21, 10**6)})
    given = {"steps": 7, "score": "exact", "validation_rows": 21, "validate_every": 3}
    given |= {"curriculum": "one-pass", "schedule": "constant", "bucket_epochs": 1}
    done = launched(TORCHRUN, options(place, output, engine=engine, **given))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("bucket 1 from step") == 1 and "validation exact" in done.stderr
    assert json.loads((output / "finished.json").read_text())["steps"] <= 7
    assert (output / "model" / "kind.json").is_file()


@pytest.mark.slow
@of_accelerate
@pytest.mark.parametrize("engine", ["ddp", "fsdp"])
def test_a_compiled_model_learns_the_same_in_two_processes(tmp_path, engine):
    place = copy_task(tmp_path / "data", rows=60)
    given = {"model": "tiny", "engine": engine, "steps": 3, "log_every": 1, "validate_every": 3, "batch_rows": 4}
    given |= {"max_source": 8, "max_target": 8}  # batches of one shape, which is compiled once
    for name, compiled in (("plain", False), ("compiled", True)):
        done = launched(TORCHRUN, options(place, tmp_path / name, compile=compiled, **given))
        assert done.returncode == 0, done.stderr
    plain, compiled = ([line.get("loss", 0) for line in metrics(tmp_path / name)] for name in ("plain", "compiled"))
    assert compiled == pytest.approx(plain, rel=1e-3)


@pytest.mark.slow
@of_accelerate
@pytest.mark.parametrize(
    ("launcher", "changes", "message"),
    [
        (TORCHRUN, {"engine": "fsdp", "optimizer": "adafactor"}, "adafactor needs whole matrices"),
        ((*ACCELERATE, "--use_fsdp"), {}, "requests fsdp_version 1, which is not supported: set fsdp_version: 2"),
        (
            (*ACCELERATE, *SHARDED, "--fsdp_offload_params=true"),
            {},
            "requests fsdp_offload_params, which is not supported",
        ),
    ],
    ids=["adafactor", "version 1", "offload"],
)
def test_what_fsdp_cannot_do_is_one_line_of_each_process(tmp_path, launcher, changes, message):
    done = launched(launcher, options(copy_task(tmp_path / "data", rows=40), tmp_path / "run", **changes))
    assert done.returncode == 1  # that of the launcher
    assert sum(message in line for line in done.stderr.splitlines()) == 2
    assert "training/engine.py" not in done.stderr


@pytest.mark.slow
def test_a_network_that_leaves_out_layers_is_trained_by_ddp_and_not_by_fsdp(tmp_path):
    sizes = {"architecture": "bart", "d_model": 16, "encoder_layers": 2, "decoder_layers": 1, "encoder_layerdrop": 0.5}
    sizes |= {"encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
    (tmp_path / "sizes.yaml").write_text(yaml.safe_dump(sizes))
    place = copy_task(tmp_path / "data", rows=60)
    given = {"model": tmp_path / "sizes.yaml", "steps": 6, "accumulate": 2}
    done = launched(TORCHRUN, options(place, tmp_path / "ddp", **given))
    assert done.returncode == 0, done.stderr
    done = launched(TORCHRUN, options(place, tmp_path / "fsdp", engine="fsdp", **given))
    assert done.returncode == 1 and "(layerdrop), which fsdp does not support: use --engine ddp" in done.stderr
