"""Workspaces: locks, dead runs, resume; with real processes where a process has to die."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gistmill.pipelines.errors import BusyError, ResumeError, WorkspaceError
from gistmill.pipelines.publishing.target import StoreTarget
from gistmill.pipelines.workspaces import local
from gistmill.pipelines.workspaces.lease import choose, differences
from gistmill.pipelines.workspaces.local import Workspace, is_resumable
from gistmill.pipelines.workspaces.own import new_run_id, prefix_of
from gistmill.transforms.sinks.spills import finished_ranges
from tests.commands import leftovers
from tests.transforms.sinks.made import elements, written

MARK = {"config": {"shards": 2, "splits": [98, 1, 1]}, "beam": "2.77.0"}


def work(root: Path, *, ranges: int = 3, finished: int = 2) -> None:
    """What a run leaves that died after ``finished`` ranges."""
    list(itertools.islice(written(root, elements(range(30), ranges=ranges)), finished))
    (root / "spills" / "torn.spill").write_bytes(b"half")
    (root / "shards").mkdir()
    (root / "shards" / "x.parquet").write_bytes(b"half")


def die(workspace: Workspace) -> None:
    """The end of a process that could not clean up: its locks go, its folders stay."""
    for handle in workspace.handles:
        os.close(handle)
    workspace.handles = []


def test_a_run_leaves_nothing_behind(tmp_path):
    workspace = Workspace.create(tmp_path / "out" / "demo", fingerprint=MARK)
    assert workspace.root == workspace.home and workspace.root.parent == tmp_path / "out"
    assert leftovers(tmp_path / "out") == [workspace.root.name] == [f".demo.gistmill-{workspace.run_id}"]
    assert json.loads((workspace.root / "fingerprint.json").read_text()) == MARK
    assert workspace.close(keep=False) == ""
    assert leftovers(tmp_path / "out") == []


def test_a_temp_dir_takes_the_work_and_the_output_side_the_dataset(tmp_path):
    workspace = Workspace.create(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    assert workspace.root.parent == tmp_path / "temp" and workspace.home.parent == tmp_path / "out"
    assert workspace.staging.parent == workspace.home
    work(workspace.root)
    line = workspace.close(keep=True)
    assert "2 finished ranges are kept" in line and "--resume" in line
    assert leftovers(tmp_path / "out") == [] and leftovers(tmp_path / "temp") == [workspace.root.name]
    again = Workspace.create(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK, resume=True)
    assert again.root == workspace.root and again.resumed
    again.close(keep=False)
    assert leftovers(tmp_path / "out") == leftovers(tmp_path / "temp") == []


def test_the_same_output_cannot_have_two_runs(tmp_path):
    first = Workspace.create(tmp_path / "demo", fingerprint=MARK)
    for options in ({}, {"resume": True}, {"temp_dir": tmp_path / "temp"}):
        with pytest.raises(BusyError, match=f"another run is writing to {tmp_path}/demo .process {os.getpid()}"):
            Workspace.create(tmp_path / "demo", fingerprint=MARK, **options)
    other = Workspace.create(tmp_path / "demo2", fingerprint=MARK)
    other.close(keep=False)
    first.close(keep=False)
    Workspace.create(tmp_path / "demo", fingerprint=MARK).close(keep=False)


def test_a_dead_run_is_cleaned_and_no_other(tmp_path):
    dead = Workspace.create(tmp_path / "a" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    work(dead.root)
    die(dead)
    elsewhere = Workspace.create(tmp_path / "b" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    die(elsewhere)  # of the same name, but of another output
    live = Workspace.create(tmp_path / "c" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    (tmp_path / "temp" / ".demo.gistmill-of-somebody").mkdir()
    run = Workspace.create(tmp_path / "a" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    assert not dead.root.exists() and not dead.home.exists()
    assert set(leftovers(tmp_path / "temp")) == {
        elsewhere.root.name,
        live.root.name,
        run.root.name,
        ".demo.gistmill-of-somebody",
    }
    run.close()
    live.close()


def test_resume_takes_the_newest_equal_run(tmp_path):
    old = Workspace.create(tmp_path / "demo", temp_dir=tmp_path / "t1", fingerprint=MARK)
    work(old.root, finished=1)
    old.close(keep=True)
    other = Workspace.create(tmp_path / "demo", temp_dir=tmp_path / "t2", fingerprint=MARK)
    work(other.root)
    die(other)
    resumed = Workspace.create(tmp_path / "demo", temp_dir=tmp_path / "t2", fingerprint=MARK, resume=True)
    assert resumed.root == other.root and "2 ranges are finished" in resumed.note
    assert sorted(finished_ranges(str(resumed.root))) == ["dump.xml-0", "dump.xml-1"]
    assert not (resumed.root / "shards").exists() and not (resumed.root / "spills" / "torn.spill").exists()
    resumed.close()


def test_resume_of_something_else_says_what_differs_and_keeps_it(tmp_path):
    first = Workspace.create(tmp_path / "demo", fingerprint=MARK)
    work(first.root)
    die(first)
    changed = {"config": {"shards": 3, "splits": [98, 1, 1]}, "spacy": "3.8"}
    with pytest.raises(ResumeError, match="config.shards was 2 and is 3 now"):
        Workspace.create(tmp_path / "demo", fingerprint=changed, resume=True)
    assert first.root.exists()
    resumed = Workspace.create(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert resumed.resumed
    resumed.close()


def test_resume_without_anything_to_resume_begins_anew(tmp_path):
    first = Workspace.create(tmp_path / "demo", fingerprint=MARK)
    die(first)  # died before any range was finished
    run = Workspace.create(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert not run.resumed and "nothing to resume" in run.note and run.root != first.root
    assert leftovers(tmp_path) == [run.root.name]
    assert run.close(keep=True) == "" and leftovers(tmp_path) == []


def test_a_complete_spool_is_worth_keeping(tmp_path):
    run = Workspace.create(tmp_path / "demo", fingerprint=MARK)
    assert not is_resumable(run.root)
    (run.root / "spool").mkdir()
    (run.root / "spool" / "dump.xml.json").write_text("{}")
    assert "0 finished ranges are kept" in run.close(keep=True)


def test_a_second_close_leaves_alone_what_another_run_has_taken(tmp_path):
    first = Workspace.create(tmp_path / "demo", fingerprint=MARK)
    work(first.root)
    first.close(keep=True)
    second = Workspace.create(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert first.close(keep=False) == "" and second.root == first.root and second.root.exists()
    second.close()


NOW = {"config": {"shards": 2}, "inputs": ["a"]}


def chosen(roots, fingerprint=NOW):
    read = []

    def read_fingerprint(root):
        read.append(root)
        return roots[root]

    return choose(roots, fingerprint, read_fingerprint=read_fingerprint, where="for /data/corpus"), read


def test_the_newest_of_an_equal_fingerprint(tmp_path):
    other, same, older = (str(tmp_path / name) for name in ("other", "same", "older"))
    (root, note), read = chosen({other: {**NOW, "inputs": ["b"]}, same: NOW, older: NOW})
    assert root == same and note == f"resuming {same}: 0 ranges are finished"
    assert read == [other, same]
    (root, note), _ = chosen({})
    assert root is None and note == "nothing to resume for /data/corpus; starting from the beginning"


def test_a_refusal_names_the_newest_and_three_differences():
    changed = {"config": {"shards": 3}, "inputs": ["b"], "x": 1, "y": 2}
    with pytest.raises(ResumeError) as refused:
        chosen({"new": changed, "old": {}})
    text = str(refused.value)
    assert text.startswith(
        'cannot resume new: config.shards was 3 and is 2 now; inputs was ["b"] and is ["a"] now; x was'
    )
    assert " and 1 more; without --resume the job starts again and removes it" in text and "old" not in text
    with pytest.raises(ResumeError) as refused:
        chosen({"new": {**NOW, "inputs": []}})
    assert "more" not in str(refused.value)
    with pytest.raises(ResumeError, match="was null and is"):
        chosen({"torn": None})


def test_ids_of_runs_differ_and_name_their_folders():
    ids = {new_run_id() for _ in range(100)}
    assert len(ids) == 100 and all(re.fullmatch(r"\d{8}T\d{6}-[0-9a-f]{8}", i) for i in ids)
    assert prefix_of("corpus") == ".corpus.gistmill-"


def test_differences_are_named_by_their_place():
    assert differences({"a": {"b": 1, "c": [1]}, "d": 2}, {"a": {"b": 1, "c": [2]}, "e": 3}) == [
        "a.c was [1] and is [2] now",
        "d was 2 and is null now",
        "e was null and is 3 now",
    ]


def test_an_output_that_cannot_be_written_is_named(tmp_path):
    for output, message in [
        ("/proc/nothing/demo", "cannot write to /proc/nothing"),
        ("gs://bucket/demo", "has to be a folder of this machine"),
        ("/", "has to be a folder inside another"),
        ("{file}/demo", "cannot write to"),
        ("/sys/kernel/demo", "cannot write to"),
    ]:
        (tmp_path / "file").write_text("")
        with pytest.raises(WorkspaceError, match=message):
            Workspace.create(output.format(file=tmp_path / "file"), fingerprint=MARK)


@pytest.mark.parametrize("option", ["output", "temp_dir", "folder above", "link to it", "store"])
def test_a_folder_whose_name_is_not_utf8_is_refused_before_the_work(tmp_path, option):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    os.mkdir(odd)
    (tmp_path / "link").symlink_to(odd)
    places = {"output": odd, "folder above": f"{odd}/corpus", "link to it": tmp_path / "link/corpus"}
    given = {"output": places.get(option, tmp_path / "corpus"), "temp_dir": odd if option == "temp_dir" else None}
    with pytest.raises(WorkspaceError, match=r"caf\\udce9.* is not UTF-8; choose another$") as caught:
        if option == "store":
            StoreTarget("gs://bucket/caf\udce9", workers_elsewhere=False)
        Workspace.create(**given, fingerprint={})
    assert str(caught.value).isprintable() and sorted(os.listdir(tmp_path)) == sorted([os.path.basename(odd), "link"])
    assert os.listdir(odd) == []


def test_an_output_behind_a_link_is_one_with_its_target(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    run = Workspace.create(tmp_path / "link" / "demo", fingerprint=MARK)
    with pytest.raises(BusyError):
        Workspace.create(tmp_path / "real" / "demo", fingerprint=MARK)
    run.close()


def test_many_at_once_and_one_wins(tmp_path):
    made, refused = [], []

    def attempt() -> None:
        try:
            made.append(Workspace.create(tmp_path / "demo", fingerprint=MARK))
        except BusyError:
            refused.append(1)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(made) == 1 and len(refused) == 11 and leftovers(tmp_path) == [made[0].root.name]
    made[0].close()


@pytest.mark.slow
@pytest.mark.waits
def test_a_killed_process_frees_its_output(tmp_path):
    code = (
        "import sys, time\nfrom gistmill.pipelines.workspaces.local import Workspace\n"
        "Workspace.create(sys.argv[1], fingerprint={})\nprint('ready', flush=True)\ntime.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "demo")], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    (left,) = leftovers(tmp_path)
    with pytest.raises(BusyError, match=f"process {process.pid}"):
        Workspace.create(tmp_path / "demo", fingerprint={})
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.05)
    run = Workspace.create(tmp_path / "demo", fingerprint={})
    assert leftovers(tmp_path) == [run.root.name] != [left]
    run.close()


def test_a_signal_amid_the_end_of_a_run_closes_nothing_twice(tmp_path, monkeypatch):
    run = Workspace.create(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    real, begun = local._remove, threading.Event()

    def slowly(folder):
        begun.set()
        time.sleep(0.2)
        real(folder)

    monkeypatch.setattr(local, "_remove", slowly)
    first = threading.Thread(target=run.close)  # the thread that ends the process if the main one does not give way
    first.start()
    begun.wait()
    assert run.close() == "" and run.handles == []
    first.join()
    assert leftovers(tmp_path / "out") == [] and leftovers(tmp_path / "temp") == []


def test_an_interrupted_end_of_a_run_is_ended_by_the_next_call(tmp_path, monkeypatch):
    run = Workspace.create(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    real, left = os.close, [run.handles[-1]]

    def once(handle):
        real(handle)
        if handle in left:
            left.clear()
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "close", once)
        with pytest.raises(KeyboardInterrupt):
            run.close()
    assert run.close() == "" and run.handles == []
