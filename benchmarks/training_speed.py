"""Speed of a training: tokens/s, share of the processor's matrix peak, and how busy the GPU is.

    python -m benchmarks.training_speed [--model t5-base] [--steps 60] [--batch-tokens 65536] [--dataset FOLDER]

It runs ``gistmill-train fit`` itself, with its loader, on a dataset that is made on the spot (benchmarks.loader), or
on ``--dataset``. The tokenizer has 32,000 pieces, so that the output layer has its usual size. The peak is that of a
product of two large matrices in the precision of the training, measured on the same card before it. What a training
computes is counted by PyTorch's FlopCounterMode on a batch, forwards and backwards. Speed and use are those of the
second half of the steps. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks import uncap_threads

uncap_threads()

import torch  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from benchmarks.loader import publish  # noqa: E402
from benchmarks.measuring import machine, table  # noqa: E402
from gistmill.training.cli import main as train  # noqa: E402
from gistmill.training.config import RunConfig  # noqa: E402
from gistmill.training.data.config import DataConfig  # noqa: E402
from gistmill.training.feeding import on_device  # noqa: E402
from gistmill.training.kinds import load_task  # noqa: E402
from gistmill.training.machine import Machine, machine_for  # noqa: E402
from gistmill.training.seq2seq import tokenizer as tokenizers  # noqa: E402

_PIECES = 32_000
_ROWS = 200_000


def peak(machine: Machine, size: int) -> float:
    """Returns the operations per second of a product of two square matrices."""
    a, b = (torch.randn(size, size, device=machine.device, dtype=machine.precision) for _ in range(2))
    seconds = []
    for _ in range(12):
        begun = time.perf_counter()
        a @ b
        if machine.device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - begun)
    return 2 * size**3 / min(seconds[2:])


def operations(folder: Path, data: DataConfig, machine: Machine) -> float:
    """Returns the operations of a step for each of its tokens, forwards and backwards."""
    task = load_task(folder)
    task.module.to(machine.device).train()
    batch = task.collate(next(iter(data.stream(task.columns, task.length))))
    tokens = int(batch.pop("tokens"))
    with FlopCounterMode(display=False) as counter, machine.autocast():
        task.loss(on_device(batch, machine.device)).total.backward()
    return float(counter.get_total_flops()) / tokens


class Use:
    """Samples, once a second, how busy a GPU is."""

    def __init__(self, machine: Machine) -> None:
        self.samples: list[tuple[float, float]] = []
        self._ended = threading.Event()
        if machine.device.type == "cuda":
            threading.Thread(target=self._work, args=(machine.device.index,), daemon=True).start()

    def _work(self, card: int) -> None:
        command = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits", "-i", str(card)]
        while not self._ended.wait(1):
            done = subprocess.run(command, capture_output=True, text=True)
            self.samples.append((time.monotonic(), float(done.stdout.strip() or "nan")))

    def end(self, since: float) -> float | None:
        """Returns the mean since a time, in percent; None without a GPU."""
        self._ended.set()
        found = [value for at, value in self.samples if at >= since]
        return statistics.mean(found) if found else None


def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Trains in a folder, and returns the figures."""
    place = arguments.dataset
    if place is None:
        publish(folder / "data", arguments.rows)
        place = str(folder / "data")
    chance = random.Random(0)
    words = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(60_000))
    tokenizers.trained(words, arguments.pieces).save_pretrained(folder / "tokenizer")
    options = {
        "model": arguments.model,
        "datasets": place,
        "output": folder / "run",
        "tokenizer": folder / "tokenizer",
        "batch_tokens": arguments.batch_tokens,
        "steps": arguments.steps,
        "log_every": max(1, arguments.steps // 10),
        "checkpoint_every": arguments.steps,
        "validation_rows": 0,
        "device": arguments.device,
    }
    flags = [part for name, value in options.items() for part in ("--" + name.replace("_", "-"), str(value))]
    flags += [f"--{'' if value else 'no-'}{name}" for name, value in (("compile", arguments.compile),)]
    flags += ["--no-deterministic", "--no-tensorboard"]
    config = RunConfig(output=".", device=arguments.device, deterministic=False)
    with machine_for(config) as found:
        highest = peak(found, arguments.matrix)
        use, begun = Use(found), time.monotonic()
        if code := train(["fit", *flags]):
            raise SystemExit(code)
        busy = use.end((begun + time.monotonic()) / 2)
        data = DataConfig(datasets=(place,), batch_tokens=arguments.batch_tokens)
        each = operations(folder / "run" / "model", data, found)
    lines = [json.loads(line) for line in (folder / "run" / "timings.jsonl").read_text().splitlines()]
    speed = statistics.median(line["tokens_per_second"] for line in lines[len(lines) // 2 :])
    return {
        "model": arguments.model,
        "device": torch.cuda.get_device_name(found.device) if found.device.type == "cuda" else "cpu",
        "precision": str(found.precision).removeprefix("torch."),
        "compile": arguments.compile,
        "tokens_per_second": speed,
        "operations_per_token": each,
        "peak": highest,
        "share_of_peak": speed * each / highest,
        "gpu_busy_percent": busy,
        "memory_gib": lines[-1]["memory_gib"],
    }


def main() -> None:
    """Prints the table and the line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="t5-base")
    parser.add_argument("--dataset")
    parser.add_argument("--rows", type=int, default=_ROWS)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--batch-tokens", type=int, default=65_536)
    parser.add_argument("--pieces", type=int, default=_PIECES)
    parser.add_argument("--matrix", type=int, default=8192, help="side of the matrices whose product is the peak")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(parser.parse_args(), Path(folder))
    print(machine(("torch", "transformers")))
    print(table(("", ""), [(name, str(value)) for name, value in figures.items()]))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
