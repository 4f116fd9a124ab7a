"""Rows of a synthetic task as a dataset, made without Beam, for the proof on a GPU.

python -m benchmarks.gpu_tasks FOLDER TASK ROWS HELD_OUT
"""

from __future__ import annotations

import sys
from pathlib import Path

from gistmill.rules.synthetic.draws import Stream
from gistmill.rules.synthetic.making import make_maker
from gistmill.rules.synthetic.tokens import WordTokens
from gistmill.rules.synthetic.vocabulary import nonsense_words
from tests.training.made import publish


def main(folder: str, task: str, rows: str, held_out: str) -> None:
    """The command."""
    words = nonsense_words()
    maker = make_maker(task, WordTokens(words))
    stream = Stream(0, maker.name, widths=maker.WIDTHS, vocabulary=words)
    train, test = int(rows), int(held_out)
    found = []
    for number in range(train + 2 * test):
        made = maker.draw(stream.draws(number))
        row = {"id": f"{number:07d}-{task}", "inputs": made.inputs, "targets": made.targets}
        found.append({**row, "task": task, "tasks": made.tasks})
    splits = {"train": found[:train], "validation": found[train : train + test], "test": found[train + test :]}
    publish(Path(folder) / task, splits, config=task)


if __name__ == "__main__":
    main(*sys.argv[1:])
