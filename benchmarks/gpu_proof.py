"""Demonstrates training on a GPU in ten minutes: speed, reproducible bits, synthetic tasks, a tagger and the tests.

    make gpu-proof            (after `make gpu-files`; GPU_PYTHON names a Python with torch and transformers)

Nothing is downloaded. The table goes to standard output and, as JSON, to --output. --small tries everything on a CPU,
with models too small to learn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.measuring import table

_POINTING = ("pointer-generator", "2e-3", 800)
_ANSWERING = ("t5-small", "5e-4", 1500)
# Pr of T5-small in the nonsense paper, Table 7, and the trainings here, with rate and number of updates. A
# T5-small that is to copy needs far more of them than ten minutes allow.
_TASKS = {
    "classify-keyword": (100.0, _ANSWERING),
    "copy-first-sentence": (99.88, _POINTING),
    "majority-keyword": (100.0, _ANSWERING),
    "truncate-sentence": (100.0, _POINTING),
    "compare-numbers": (48.88, _ANSWERING),
    "sum-of-numbers": (25.06, _ANSWERING),
}
_PARAMETERS = 222.9e6  # of T5-base; a token takes about six operations for each in a training


@dataclass
class Proof:
    """The steps and their results."""

    files: Path
    work: Path
    output: Path
    small: bool
    lines: list[tuple[str, str, str]] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)

    def size(self, large: Any, small: Any) -> str:
        """Returns the number to use on the command line: the first for the proof, the second for a trial on a CPU."""
        return str(small if self.small else large)

    def add(self, what: str, here: str, expected: str = "") -> None:
        """Adds a line to the table, and prints and writes it immediately, because a lent machine may disappear."""
        self.lines.append((what, here, expected))
        (self.output / "gpu-proof.json").write_text(json.dumps({"table": self.lines, **self.found}, indent=1) + "\n")
        print(f"{what}: {here}", flush=True)

    def train(self, *arguments: str, log: str, seconds: float) -> int:
        """Runs ``gistmill-train`` and returns its exit code, 124 if it timed out."""
        command = [sys.executable, "-m", "gistmill.training.cli", *arguments]
        with (self.output / f"{log}.log").open("a", encoding="utf-8") as file:
            try:
                return subprocess.run(command, stdout=file, stderr=file, timeout=seconds, check=False).returncode
            except subprocess.TimeoutExpired:
                return 124

    def fit(self, name: str, *arguments: str, seconds: float) -> int:
        """Trains a model in a folder with this name."""
        common = ["--no-tensorboard", "--cache", str(self.work / "cache"), "--output", str(self.work / name)]
        return self.train("fit", *arguments, *common, log=name, seconds=seconds)

    def speed(self, name: str, *more: str, seconds: float) -> None:
        """Trains T5-base for sixty updates and reports the speed of the fastest interval of ten updates."""
        shape = ["--max-source", "128", "--max-target", "128", "--batch-tokens", self.size(16384, 2000)]
        steps = ["--steps", self.size(60, 6), "--log-every", self.size(10, 2), "--checkpoint-every", "1000"]
        words = self.work / "speed-default" / "model"
        known = ["--tokenizer", str(words)] if words.exists() else ["--vocabulary", self.size(32000, 400)]
        begun = time.monotonic()
        code = self.fit(
            f"speed-{name}",
            *("--model", self.size("t5-base", "tiny"), "--datasets", f"{self.files}/demo#full", *shape, *steps, *known),
            *("--validation-rows", "0", "--learning-rate", "1e-4", "--tokenizer-rows", "5000", *more),
            seconds=seconds,
        )
        timings = self.work / f"speed-{name}" / "timings.jsonl"
        reports = [json.loads(line) for line in timings.read_text().splitlines()] if timings.exists() else []
        if not reports:
            self.add(f"T5-base, {name}", f"exit code {code} after {time.monotonic() - begun:.0f} s")
            return
        rate, memory = max(r["tokens_per_second"] for r in reports), reports[-1]["memory_gib"]
        self.found[f"speed {name}"] = {"reports": reports, "seconds": time.monotonic() - begun, "exit code": code}
        share = f", {600 * _PARAMETERS * rate / self.found['peak']:.0f}% of the card" if self.found.get("peak") else ""
        self.add(f"T5-base, {name}", f"{rate:,.0f} tokens/s, {memory:.1f} GiB{share}", ">= 100,000 tokens/s on an H100")

    def bits(self) -> None:
        """Trains T5-small twice, and once with a kill after the seventh update."""
        shape = ["--batch-rows", "16", "--steps", "12", "--log-every", "1", "--checkpoint-every", "5"]
        words = ["--vocabulary", self.size(8000, 400), "--tokenizer-rows", "2000", "--validation-rows", "0"]
        data = ["--datasets", str(self.work / "data" / "classify-keyword"), "--learning-rate", "1e-3"]
        tiny = ["--model", self.size("t5-small", "tiny"), *data, *shape, *words]
        with ThreadPoolExecutor() as pool:
            jobs = [pool.submit(self.fit, f"bits-{name}", *tiny, seconds=120) for name in ("a", "b")]
            self._killed(*tiny)
            for job in jobs:
                job.result()
        self.fit("bits-killed", *tiny, seconds=120)
        digests = {name: self._digest(self.work / f"bits-{name}") for name in ("a", "b", "killed")}
        for name, what in (("b", "two runs"), ("killed", "a run that was killed and resumed")):
            same = digests[name] is not None and digests[name] == digests["a"]
            self.found[f"bits {name}"] = same
            self.add(f"bits of {what}", "the same" if same else "DIFFERENT", "the same")

    def _killed(self, *arguments: str) -> None:
        place = self.work / "bits-killed"
        command = [sys.executable, "-m", "gistmill.training.cli", "fit", *arguments, "--no-tensorboard"]
        command += ["--cache", str(self.work / "cache"), "--output", str(place)]
        with (self.output / "bits-killed.log").open("w", encoding="utf-8") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
            metrics = place / "metrics.jsonl"
            while process.poll() is None and (not metrics.exists() or metrics.read_bytes().count(b"\n") < 7):
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
            process.wait()

    @staticmethod
    def _digest(run: Path) -> str | None:
        files = [run / "metrics.jsonl", *sorted((run / "model").glob("*.safetensors"))]
        if len(files) < 2 or not all(file.exists() for file in files):
            return None
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    def task(self, name: str) -> None:
        """Trains a model from scratch on a synthetic task, and scores it by Pr."""
        paper, (model, rate, updates) = _TASKS[name]
        shape = ["--max-source", "512", "--max-target", "256", "--batch-rows", self.size(64, 8), "--vocabulary", "8000"]
        rates = ["--learning-rate", rate, "--warmup-steps", self.size(100, 1), "--steps", self.size(updates, 6)]
        scores = ["--validate-every", self.size(500, 3), "--validation-rows", self.size(512, 16), "--score", "accuracy"]
        data = str(self.work / "data" / name)
        small = "tiny-pointer" if model == "pointer-generator" else "tiny"
        chosen = ["--model", self.size(model, small), "--checkpoint-every", "5000"]
        self.fit(name, *chosen, "--datasets", data, *shape, *rates, *scores, seconds=200)
        scored = self._scored(name, f"{data}#{name}/test", "tasks", "--beams", "1", "--batch-rows", "256")
        here = f"{scored['task_accuracy']:.2f}" if scored else "no model"
        self.found[f"task {name}"] = scored
        self.add(f"Pr of {name}, {model}", here, f"{paper:.2f} (nonsense paper, Table 7)")

    def tagger(self) -> None:
        """Trains a tagger on the demo rows, including the whole encoder."""
        data = f"{self.files}/demo#full@3.75,{self.files}/demo#balanced@2"
        length = ["--epochs", "10"] if not self.small else ["--steps", "4"]
        rates = ["--learning-rate", "1e-4", "--warmup-steps", self.size(90, 1)]
        options = ["--unchanged", "0.3", "--batch-rows", "32", *rates, *length]
        model = ["--model", "tagger", "--encoder", str(self.work / "encoder"), "--prior", f"{self.files}/demo#balanced"]
        self.fit("tagger", *model, "--datasets", data, *options, "--validation-rows", "0", seconds=180)
        scored = self._scored("tagger", f"{self.files}/demo#balanced/test", "exact,sari,types")
        self.found["tagger"] = scored
        here = f"{scored['exact']:.1f} / {scored['sari_discofuse']:.1f}" if scored else "no model"
        self.add("tagger on the demo: Exact / SARI", here, "30 to 33 / 75; COPY 5.7 / 43.9")

    def _scored(self, name: str, dataset: str, metrics: str, *decoding: str) -> dict[str, Any]:
        """Returns a trained model's scores on a split, or {} if there are none."""
        model = self.work / name / "model"
        if not model.exists():  # training timed out: use its last checkpoint
            model = max(
                (self.work / name).glob("checkpoints/*/model"), key=lambda path: path.parent.name, default=model
            )
        predictions, scores = self.work / f"{name}.jsonl", self.output / f"{name}.json"
        wanted = ["--dataset", dataset]
        self.train(
            *("predict", "--model", str(model), *wanted, "--output", str(predictions), *decoding), log=name, seconds=90
        )
        scored = ["--predictions", str(predictions), "--metrics", metrics, "--samples", "0", "--no-baselines"]
        self.train("evaluate", *wanted, *scored, "--output", str(scores), log=name, seconds=60)
        return _flat(json.loads(scores.read_text())) if scores.exists() else {}

    def tests(self) -> None:
        """Runs the training tests on this machine."""
        left_out = ("exports", "experiments", "data", "test_notebook.py")
        command = [sys.executable, "-m", "pytest", "tests/training", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
        command += [part for name in left_out for part in ("--ignore", f"tests/training/{name}")]
        command += ["-n", self.size(8, 1), "--dist", "loadfile"]
        log = self.output / "tests.log"
        with log.open("w", encoding="utf-8") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file)
            try:
                process.wait(240)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)  # pytest then lists the failures
                process.wait(30)
        lines = log.read_text(encoding="utf-8").splitlines() or [""]
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        self.found["tests"] = failed + lines[-1:]
        ended = " in " in lines[-1] and any(word in lines[-1] for word in ("passed", "failed"))
        self.add(
            "tests of training", lines[-1].strip("= ") if ended else f"out of time, {len(failed)} failed", "all pass"
        )

    def card(self) -> None:
        """Reports the machine and its matrix multiplication speed."""
        import torch
        import transformers

        has = torch.cuda.is_available()
        name = torch.cuda.get_device_name() if has else platform.processor() or "CPU"
        versions = (
            f"torch {torch.__version__}, transformers {transformers.__version__}, Python {platform.python_version()}"
        )
        self.found |= {"card": name, "versions": versions, "date": f"{datetime.now(UTC):%Y-%m-%d}"}
        if has:
            self.found["peak"] = _products(torch) * 1e12
            versions += f"; {self.found['peak'] / 1e12:.0f} TFLOP/s in products of 8,192 x 8,192 in bf16"
        self.add("machine", f"{name}; {versions}")

    def data(self) -> None:
        """Generates the rows of the synthetic tasks and unpacks the tagger's encoder."""
        from benchmarks.gpu_files import unpack

        unpack(self.files / "encoder", self.work / "encoder")
        makes = [
            [
                sys.executable,
                "-m",
                "benchmarks.gpu_tasks",
                str(self.work / "data"),
                task,
                self.size(40000, 300),
                self.size(1000, 40),
            ]
            for task in _TASKS
        ]
        for process in [subprocess.Popen(command) for command in makes]:
            process.wait()

    def run(self) -> None:
        """Runs all steps and prints the table."""
        begun = time.monotonic()
        self.card()
        self.data()
        self.speed("default", seconds=80)
        self.speed("--no-deterministic", "--no-deterministic", seconds=60)
        self.bits()
        with ThreadPoolExecutor() as pool:
            jobs = [pool.submit(self.tests), pool.submit(self.tagger), *(pool.submit(self.task, t) for t in _TASKS)]
            for job in jobs:
                job.result()
        self.speed("--compile", "--compile", seconds=110)
        self.add("the proof", f"{time.monotonic() - begun:.0f} s", "600 s")
        print(table(("", "here", "expected"), self.lines))


def _products(torch: Any) -> float:
    """Returns the speed of bf16 matrix multiplication in TFLOP/s."""
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(20):
        a @ b
    torch.cuda.synchronize()
    return float(20 * 2 * 8192**3 / (time.perf_counter() - begun) / 1e12)


def _flat(values: Any) -> dict[str, float]:
    """Returns the first number under each name of nested scores."""
    found: dict[str, float] = {}
    for name, value in values.items() if isinstance(values, dict) else enumerate(values):
        if isinstance(value, (dict, list)):
            found = {**_flat(value), **found}
        elif isinstance(value, (int, float)):
            found.setdefault(str(name), float(value))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=Path, default=Path(".gpu"))
    parser.add_argument("--output", type=Path, default=Path("out/gpu-proof"))
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.files / "encoder").is_dir():
        sys.exit(f"{arguments.files} contains no proof files: run `make gpu-files` where `make demo` was run")
    os.environ |= {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "2"}
    work = arguments.output / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    Proof(arguments.files, work, arguments.output, arguments.small).run()


if __name__ == "__main__":
    main()
