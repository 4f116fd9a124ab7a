"""The notebook's last cell, which needs torch; tests/docs executes the others."""

import json
from pathlib import Path

import torch

from gistmill.published.dataset import Dataset
from tests.training.made import publish

NOTEBOOK = Path(__file__).parents[2] / "docs/notebooks/demo.ipynb"


def test_the_notebook_makes_a_batch(tmp_path, capsys):
    rows = [{"id": f"{n}", "inputs": "a" * (n + 1), "targets": "é"} for n in range(9)]
    publish(tmp_path, {"train": rows}, config="balanced")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    (cell,) = (c for c in cells if "torch" in c["metadata"].get("tags", ()))
    names = {"dataset": Dataset(str(tmp_path))}
    exec("".join(cell["source"]), names)
    batch = names["batch"]
    assert batch["inputs"].shape == (8, 8) and batch["targets"].tolist() == [list("é".encode())] * 8
    assert batch["inputs"][1].tolist() == [97, 97, 0, 0, 0, 0, 0, 0] and batch["inputs"].dtype is torch.int64
    assert "'inputs': (8, 8)" in capsys.readouterr().out
