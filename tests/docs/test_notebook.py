"""The notebook is executed as Jupyter does, on a small dataset; its batch is made where PyTorch is (tests/training)."""

import json

import nbformat
import pytest
from nbclient import NotebookClient

from tests.docs.pages import ROOT
from tests.docs.world import World

pytestmark = pytest.mark.waits

NOTEBOOK = ROOT / "docs/notebooks/demo.ipynb"


@pytest.mark.slow
def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "kept").mkdir()
    World(tmp_path / "kept").provide("out/demo")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("background: linear-gradient" in output.get("data", {}).get("text/html", "") for output in outputs)
    assert any("'inputs', 'targets'" in output.get("data", {}).get("text/plain", "") for output in outputs)


def test_the_notebook_is_whole_and_small():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs and cell.execution_count for cell in codes), "execute the notebook before you commit it"
    text = json.dumps(notebook)
    assert len(text) < 60_000
    assert "stderr" not in text, "warnings name folders of one machine: leave them out"
    assert "iopub" not in text, "times change with every execution: leave them out"
