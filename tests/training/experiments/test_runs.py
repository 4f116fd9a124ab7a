"""A small grid through the real command: it is killed, resumed, and gives the same table as one that was not."""

import json
import os
import shutil
import signal
import time

import psutil
import pytest
import yaml

from gistmill.training.experiments import command
from gistmill.training.experiments.runner import locked
from tests.environments import needs_package
from tests.training.made import copy_task, ran, start

pytestmark = needs_package("torch")

DESCRIBED = {
    "title": "Tiny",
    "device": "a processor",
    "estimate": "seconds",
    "needs": {name: {"what": f"the {name} task"} for name in ("copy", "few", "most")},
    "stages": {
        "first": {
            "datasets": ["$most"],
            "seed": 1,
            "vocabulary": 300,
            "max_source": 32,
            "max_target": 32,
            "batch_rows": 8,
            "steps": 12,
            "checkpoint_every": 2,
            "validation_rows": 8,
            "log_every": 1,
            "tensorboard": False,
        },
        "second": {"datasets": ["$few"], "steps": 40, "checkpoint_every": 4, "batch_rows": 8, "log_every": 1,
                   "validation_rows": 8, "max_source": 32, "max_target": 32, "tensorboard": False},
    },
    "axes": {
        "model": {
            "pointer": {"stages": {"first": {"model": "tiny-pointer"}}},
            "alone": {"stages": {"first": None, "second": {"model": "tiny-pointer", "vocabulary": 300}}},
        }
    },
    "tests": {
        "test": {
            "predict": {"beams": 1},
            "evaluate": {"dataset": "$copy#full/validation", "metrics": ["exact", "rouge"], "samples": 0},
        }
    },
    "seeds": [1, 2],
    "protocol": {"best": 1, "by": "rouge1"},
    "tables": [
        {
            "title": "Table 1",
            "columns": {"R-1": {"test": "test", "metric": "rouge1"}, "Exact": {"test": "test", "metric": "exact"}},
            "rows": {
                "both": {"where": {"model": "pointer"}, "paper": [50.0, 10.0]},
                "second alone": {"where": {"model": "alone"}},
                "Lead": {"system": "Lead-3", "paper": [100.0, 100.0]},
            },
        }
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiment")
    for name, rows in ("copy", 120), ("few", 40), ("most", 100):
        copy_task(folder / name, rows=rows)
    (folder / "tiny.yaml").write_text(yaml.safe_dump(DESCRIBED, sort_keys=False), encoding="utf-8")
    return folder


def arguments(place, output, *more):
    return ["experiment", str(place / "tiny.yaml"), "--folder", str(place), "--output", str(output), *more]


@pytest.fixture(scope="module")
def whole(place):
    done = ran(arguments(place, place / "whole"))
    assert done.returncode == 0, done.stderr
    return place / "whole", done


def scores(output):
    return {p.relative_to(output): p.read_bytes() for p in sorted(output.glob("cells/*/*/scorecard.json"))}


def test_every_cell_has_its_configuration_and_scorecard(whole):
    output, done = whole
    cells = ["alone.seed1", "alone.seed2", "pointer.seed1", "pointer.seed2"]
    assert [p.parent.parent.name for p in scores(output)] == cells
    for name in cells:
        described = yaml.safe_load((output / "cells" / name / "cell.yaml").read_text(encoding="utf-8"))
        assert described["values"] == {"model": name.partition(".")[0]}
        assert described["stages"][-1]["settings"]["datasets"] == ["$few"]
        assert len(described["data"]["few"]) == 64  # the SHA-256 of the manifest
    # the first training is shared by the two seeds, the second is not
    assert sorted(p.name.rpartition("-")[0] for p in (output / "stages").iterdir()) == ["first", *["second"] * 4]
    assert "alone.seed2: test test: scores" in done.stderr


def test_the_table_has_ours_and_the_papers(whole):
    output, done = whole
    content = json.loads((output / "results.json").read_text(encoding="utf-8"))
    both, _alone, lead = content["tables"][0]["rows"]
    assert both["figures"][0]["paper"] == 50.0 and both["figures"][0]["mean"] > 0
    assert (both["figures"][0]["runs"], both["figures"][0]["counted"]) == (2, 1)
    assert [f["mean"] for f in lead["figures"]] == [100.0, 100.0]
    assert done.stdout == (output / "results.md").read_text(encoding="utf-8")
    assert (
        "| Lead | 100.00 (100.00) | 100.00 (100.00) |" in done.stdout and "the mean of the best 1 of 2" in done.stdout
    )


def test_what_is_finished_is_not_done_again(place, whole):
    output, done = whole
    times = {p: p.stat().st_mtime_ns for p in output.rglob("*") if p.is_file() and p.name not in (".lock",)}
    again = ran(arguments(place, output))
    assert again.returncode == 0 and again.stdout == done.stdout
    assert again.stderr == ""
    changed = {p.name for p, t in times.items() if p.stat().st_mtime_ns != t}
    assert changed <= {"results.md", "results.json"}


def test_what_other_options_change_is_made_anew(place, whole, tmp_path):
    output = tmp_path / "out"
    shutil.copytree(whole[0], output)
    before, stages = scores(output), set((output / "stages").iterdir())
    done = ran(arguments(place, output, "--only", "alone.seed1", "--settings", "{steps: 3}"))
    assert done.returncode == 0, done.stderr
    (made,) = set((output / "stages").iterdir()) - stages
    described = yaml.safe_load((output / "cells" / "alone.seed1" / "cell.yaml").read_text(encoding="utf-8"))
    assert described["stages"][0]["folder"] == made.name and described["stages"][0]["settings"]["steps"] == 3
    changed = [path.parts[1] for path, content in scores(output).items() if before[path] != content]
    assert changed == ["alone.seed1"]
    assert "Settings changed from the file: `steps: 3`" in done.stdout


def wait_for(condition, process, seconds=240):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.waits
def test_a_grid_that_is_killed_goes_on_and_gives_the_same_table(place, whole):
    output = place / "killed"
    process = start(arguments(place, output))
    # the second training of the first cell has a checkpoint besides that of its start
    wait_for(lambda: any(int(p.name[5:]) for p in output.glob("stages/second-*/run/checkpoints/step-*")), process)
    children = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert children and not psutil.wait_procs(children, timeout=30)[1]  # no training is left behind
    (first,) = output.glob("stages/first-*/run/finished.json")
    assert not list(output.glob("stages/second-*/run/finished.json"))
    before = first.stat().st_mtime_ns
    done = ran(arguments(place, output))
    assert done.returncode == 0, done.stderr
    assert first.stat().st_mtime_ns == before
    (_log,) = (p for p in output.glob("stages/second-*/fit.log") if p.read_text().count("finished:") and _resumed(p))
    assert scores(output) == scores(whole[0])
    for name in ("results.md", "results.json"):
        assert (output / name).read_bytes() == (whole[0] / name).read_bytes()


def _resumed(log):
    return "resuming at step" in log.read_text(encoding="utf-8")


def test_two_commands_do_not_share_a_folder(place, tmp_path):
    with locked(tmp_path / "out"):
        other = ran(arguments(place, tmp_path / "out"))
    assert other.returncode == 2 and "another process is running an experiment there" in other.stderr


def test_a_score_that_was_not_made_is_named_at_the_end(place, whole, tmp_path):
    shutil.copytree(whole[0], tmp_path / "out")
    described = json.loads(json.dumps(DESCRIBED))
    described["tables"][0]["columns"]["SARI"] = {"test": "test", "metric": "sari"}
    for row in described["tables"][0]["rows"].values():
        row.pop("paper", None)
    (place / "sari.yaml").write_text(yaml.safe_dump(described, sort_keys=False), encoding="utf-8")
    done = ran(["experiment", str(place / "sari.yaml"), "--folder", str(place), "--output", str(tmp_path / "out")])
    assert done.returncode == 1 and "scorecard.json does not contain 'sari', only combined, exact" in done.stderr
    assert "table scores are missing" in done.stderr and "| – |" in done.stdout


def test_cells_that_failed_are_named_at_the_end(place, tmp_path, monkeypatch):
    def run_jobs(jobs, *_, **__):
        for job in jobs:
            job.error = "no such thing" if job.what.startswith("alone.seed1") else ""

    monkeypatch.setattr(command, "run_jobs", run_jobs)
    done = ran(arguments(place, tmp_path / "out"))
    assert done.returncode == 1 and "1 of 4 cells failed: alone.seed1\n" in done.stderr
    assert (tmp_path / "out" / "results.md").exists() and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--only", "pointr.*"], "only: no cell is named 'pointr.*'"),
        (["--settings", "{stepz: 3}"], "unknown option 'stepz'; did you mean steps?"),
        (["--settings", "{steps: none}"], "steps: expected a whole number of at least 1, not 'none'"),
        (["--places", "{cpoy: x}"], "places: the experiment does not need 'cpoy'; did you mean copy?"),
        (["--places", "{copy: /no/where}"], "/no/where"),
        (["--seeds", "-1"], "seeds: expected a whole number of at least 0"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_begun(place, tmp_path, more, said):
    done = ran(arguments(place, tmp_path / "out", *more))
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "stages").exists()


@pytest.mark.parametrize(("parallel", "expected"), [([], ["4", "GPU-x"]), (["--parallel", "3"], ["4", "GPU-x", "4"])])
def test_each_cell_gets_a_gpu(place, tmp_path, monkeypatch, parallel, expected):
    given = []
    monkeypatch.setattr(command, "visible_gpus", lambda: ["4", "GPU-x"])
    monkeypatch.setattr(command, "run_jobs", lambda jobs, gpus, **_: given.extend(gpus))
    ran(arguments(place, tmp_path / "out", *parallel))
    assert given == expected


def test_what_is_needed_is_asked_for(place, tmp_path):
    done = ran(["experiment", str(place / "tiny.yaml"), "--output", str(tmp_path / "out")])
    assert done.returncode == 2
    assert (
        "give a place for most with --places or --folder: the most task (and few, copy); --dry-run lists all"
        in done.stderr
    )


def test_a_dry_run_does_nothing(place, tmp_path):
    done = ran([*arguments(place, tmp_path / "out"), "--dry-run"])
    assert done.returncode == 0 and not (tmp_path / "out").exists()
    assert "\n4 cells\n" in done.stdout and "pointer.seed1: first -> second; tests test" in done.stdout
    assert f"few: the few task [{place / 'few'}]" in done.stdout
