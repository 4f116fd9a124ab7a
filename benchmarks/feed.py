"""How many tokens one process feeds to a network: rows as texts, and rows that were turned into numbers before.

    python -m benchmarks.feed [DATASET[#CONFIG]] [--tokens 2000000]

The rows are those of a sequence-to-sequence training with a tokenizer of 32,000 pieces that is made of them. Each line
is a process of its own, on one core; all threads of it count. With eight processes each has its part of every batch.
Needs torch: run it in the environment of `make setup-train`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measuring import machine, table

_BATCHES: dict[str, dict[str, int]] = {"128 rows": {"batch_rows": 128}, "16,384 tokens": {"batch_tokens": 16384}}
_SIZE = 32_000


def measure(place: str, cache: str, batches: str, world: int, *, kept: bool, tokens: int) -> dict[str, float]:
    """Returns tokens and rows for each second of processor time of a process that feeds at least so many tokens."""
    import torch

    from gistmill.training.data.config import DataConfig
    from gistmill.training.feeding import feed
    from gistmill.training.seq2seq.config import DecodingConfig, Seq2SeqConfig
    from gistmill.training.seq2seq.task import Seq2Seq
    from gistmill.training.seq2seq.tokenizer import read

    class Network:
        """No network is needed to feed one."""

        start = 0
        module = torch.nn.Linear(1, 1)

    torch.set_num_threads(1)
    config = Seq2SeqConfig(model="t5-base", max_source=128, max_target=128)
    task = Seq2Seq(Network(), read(f"{cache}/tokenizer"), config, DecodingConfig())  # type: ignore[arg-type]
    data = DataConfig.from_values({"datasets": place, "token_cache": kept, "cache": cache, **_BATCHES[batches]})
    stream = data.stream(task.columns, task.length, world=world, encode=task.encoding)
    fed = rows = 0
    batches_fed = feed(stream, task.collate, torch.device("cpu"))
    next(batches_fed)  # what is read ahead of the first batch is read once
    begun = _busy()
    for found in batches_fed:
        fed, rows = fed + found.tokens, rows + len(found.batch["source"])
        if fed > tokens:
            break
    busy = _busy() - begun
    return {"tokens": fed / busy, "rows": rows / busy}


def _busy() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def make_tokenizer(place: str, folder: Path) -> None:
    """Trains a tokenizer on the rows of a dataset."""
    from gistmill.training.data.source import Source
    from gistmill.training.seq2seq.tokenizer import trained

    dataset, _, config = place.partition("#")
    rows = Source(dataset, config=config or None, columns=("inputs", "targets")).open().in_order()
    trained((row[name] for row in rows for name in ("inputs", "targets")), _SIZE).save_pretrained(folder)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", nargs="?", default="out/demo#full")
    parser.add_argument("--tokens", type=int, default=2_000_000)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.dataset, tokens=arguments.tokens, **json.loads(arguments.measure))))
        return
    with tempfile.TemporaryDirectory() as cache:
        make_tokenizer(arguments.dataset, Path(cache) / "tokenizer")
        lines = []
        for batches in _BATCHES:
            for world in (1, 8):
                wanted = {"cache": cache, "batches": batches, "world": world}
                found = [_in_a_process(arguments, {**wanted, "kept": kept}) for kept in (False, True)]
                rates = [f"{f[name]:,.0f}" for name in ("tokens", "rows") for f in found]
                lines.append((f"batches of {batches}", f"1 of {world}", *rates))
    print(machine(("torch", "tokenizers", "pyarrow", "numpy")))
    names = ("texts", "numbers", "texts", "numbers")
    head = ("", "process", *(f"{what} of {name}" for what, name in zip(("tokens/s",) * 2 + ("rows/s",) * 2, names)))
    print(table(head, lines))


def _in_a_process(arguments: argparse.Namespace, wanted: dict[str, Any]) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.feed", arguments.dataset, "--tokens", str(arguments.tokens)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(
        [*command, "--measure", json.dumps(wanted)], stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
