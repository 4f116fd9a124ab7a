"""A working directory that others write too: the modules that they put there are never imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# an installed command does not look for modules in the working directory; `python -m gistmill` does
BEGIN = f"import sys\nsys.path[0] = {str(ROOT)!r}\n"
COMMAND = f"{BEGIN}if __name__ == '__main__':\n    from gistmill.pipelines.cli import run\n    run()\n"


@pytest.fixture
def start(tmp_path):
    """Starts an installed command in a folder with planted modules."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gistmill").write_text(COMMAND)
    shared = tmp_path / "shared"
    shared.mkdir()
    for name in ("json", "multiprocessing", "pickle", "struct", "gistmill", "numpy"):
        (shared / f"{name}.py").write_text(f"open('{tmp_path}/ran-{name}', 'w')\nraise SystemExit('planted')\n")

    def started(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(tmp_path / "bin" / "gistmill"), *arguments]
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.Popen(command, cwd=shared, env=kept, stderr=subprocess.PIPE, text=True)

    return started


def planted_ran(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in tmp_path.glob("ran-*"))


@pytest.mark.slow
def test_worker_processes_import_nothing_of_it(start, tmp_path):
    text = "The bridge {} was closed on Monday. Engineers had found cracks in it. A ferry carries people on foot."
    lines = (json.dumps({"id": str(n), "text": text.format(n)}) + "\n" for n in range(9))
    (tmp_path / "shared" / "texts.jsonl").write_text("".join(lines))
    places = ("--source", "jsonl", "--input", "texts.jsonl", "--output", "out", "--splits", "1,0,0")
    with start("gap-sentences", *places, "--workers", "2", "--quiet") as process:
        _, said = process.communicate(timeout=120)
    assert planted_ran(tmp_path) == [] and process.returncode == 0, said


@pytest.mark.slow
@pytest.mark.waits
def test_the_server_imports_nothing_of_it(start, tmp_path):
    with start("serve", "--port", "0", "--workers", "1") as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        said = next((line for line in lines if '"serving"' in line or "replaced" in line), "it ended")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert planted_ran(tmp_path) == [] and '"serving"' in said


def test_the_commands_of_an_experiment_import_nothing_of_it(start, tmp_path):
    code = (
        f"{BEGIN}from gistmill.training.experiments.runner import Job, run_jobs\n"
        "from pathlib import Path\n"
        "given = {'folder': Path(sys.argv[1]), 'settings': {}, 'result': Path(sys.argv[1], 'no')}\n"
        "job = Job(what='help', command='evaluate', flags={'help': ''}, **given)\n"
        "run_jobs([job], [None], lock=2, say=print, ended=print)\n"
    )
    (tmp_path / "bin" / "gistmill").write_text(code)
    with start(str(tmp_path / "log")) as process:
        _, said = process.communicate(timeout=120)
    assert planted_ran(tmp_path) == [] and process.returncode == 0, said
    assert "gistmill-train" in (tmp_path / "log" / "evaluate.log").read_text()
