"""Workspaces on disks: locks, dead runs, resume; with real processes where a process has to die."""

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

from gistmill.pipelines import disk
from gistmill.pipelines.errors import BusyError, ResumeError, WorkspaceError
from gistmill.pipelines.place import StorePlace, choose, kept_files, new_run_id, prefix_of
from gistmill.transforms.sinks.spills import finished_ranges
from tests.commands import leftovers
from tests.pipelines.publishing.made import die, locked
from tests.transforms.sinks.made import elements, written

MARK = {"config": {"shards": 2, "splits": [98, 1, 1]}, "beam": "2.77.0"}


def work(root: Path, *, ranges: int = 3, finished: int = 2) -> None:
    """What a run leaves that died after ``finished`` ranges."""
    list(itertools.islice(written(root, elements(range(30), ranges=ranges)), finished))
    (root / "spills" / "torn.spill").write_bytes(b"half")
    (root / "shards").mkdir()
    (root / "shards" / "x.parquet").write_bytes(b"half")


def test_a_run_leaves_nothing_behind(tmp_path):
    run = locked(tmp_path / "out" / "demo", fingerprint=MARK)
    assert run.root == run.home and run.root.parent == tmp_path / "out"
    assert leftovers(tmp_path / "out") == [run.root.name]
    assert json.loads((run.root / "fingerprint.json").read_text()) == MARK
    assert run.drop() == ""
    assert leftovers(tmp_path / "out") == []


def test_a_temp_dir_takes_the_work_and_the_output_side_the_dataset(tmp_path):
    run = locked(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    assert run.root.parent == tmp_path / "temp" and run.home.parent == tmp_path / "out"
    work(run.root)
    line = run.drop(keep=True)
    assert "2 finished ranges are kept" in line and "--resume" in line
    assert leftovers(tmp_path / "out") == [] and leftovers(tmp_path / "temp") == [run.root.name]
    again = locked(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK, resume=True)
    assert again.root == run.root != again.home
    again.drop()
    assert leftovers(tmp_path / "out") == leftovers(tmp_path / "temp") == []


def test_the_same_output_cannot_have_two_runs(tmp_path):
    first = locked(tmp_path / "demo", fingerprint=MARK)
    for options in ({}, {"resume": True}, {"temp_dir": tmp_path / "temp"}):
        with pytest.raises(BusyError, match=f"another run is writing to {tmp_path}/demo .process {os.getpid()}"):
            locked(tmp_path / "demo", fingerprint=MARK, **options)
    other = locked(tmp_path / "demo2", fingerprint=MARK)
    other.drop()
    first.drop()
    locked(tmp_path / "demo", fingerprint=MARK).drop()


def test_a_dead_run_is_cleaned_and_no_other(tmp_path):
    dead = locked(tmp_path / "a" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    work(dead.root)
    die(dead)
    elsewhere = locked(tmp_path / "b" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    die(elsewhere)  # of the same name, but of another output
    live = locked(tmp_path / "c" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    (tmp_path / "temp" / ".demo.gistmill-of-somebody").mkdir()
    run = locked(tmp_path / "a" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    assert not dead.root.exists() and not dead.home.exists()
    assert set(leftovers(tmp_path / "temp")) == {
        elsewhere.root.name,
        live.root.name,
        run.root.name,
        ".demo.gistmill-of-somebody",
    }
    run.drop()
    live.drop()


def test_resume_takes_the_newest_equal_run(tmp_path):
    old = locked(tmp_path / "demo", temp_dir=tmp_path / "t1", fingerprint=MARK)
    work(old.root, finished=1)
    old.drop(keep=True)
    other = locked(tmp_path / "demo", temp_dir=tmp_path / "t2", fingerprint=MARK)
    work(other.root)
    die(other)
    resumed = locked(tmp_path / "demo", temp_dir=tmp_path / "t2", fingerprint=MARK, resume=True)
    assert resumed.root == other.root and "2 ranges are finished" in resumed.note
    assert sorted(finished_ranges(str(resumed.root))) == ["dump.xml-0", "dump.xml-1"]
    assert not (resumed.root / "shards").exists() and not (resumed.root / "spills" / "torn.spill").exists()
    resumed.drop()


def test_resume_of_something_else_says_what_differs_and_keeps_it(tmp_path):
    first = locked(tmp_path / "demo", fingerprint=MARK)
    work(first.root)
    die(first)
    changed = {"config": {"shards": 3, "splits": [98, 1, 1]}, "spacy": "3.8"}
    with pytest.raises(ResumeError, match="config.shards was 2 and is now 3"):
        locked(tmp_path / "demo", fingerprint=changed, resume=True)
    assert first.root.exists()
    resumed = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert resumed.root == first.root
    resumed.drop()


def test_resume_without_anything_to_resume_begins_anew(tmp_path):
    first = locked(tmp_path / "demo", fingerprint=MARK)
    die(first)  # died before any range was finished
    run = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert "nothing to resume" in run.note and run.root != first.root
    assert leftovers(tmp_path) == [run.root.name]
    assert run.drop(keep=True) == "" and leftovers(tmp_path) == []


def test_a_range_looked_through_is_worth_keeping(tmp_path):
    run = locked(tmp_path / "demo", fingerprint=MARK)
    assert not kept_files(str(run.root))
    (run.root / "sketches").mkdir()
    (run.root / "sketches" / "00000.json").write_text("{}")
    assert "0 finished ranges are kept" in run.drop(keep=True)


def test_a_second_close_leaves_alone_what_another_run_has_taken(tmp_path):
    first = locked(tmp_path / "demo", fingerprint=MARK)
    work(first.root)
    first.drop(keep=True)
    second = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert first.drop() == "" and second.root == first.root and second.root.exists()
    second.drop()


NOW = {"config": {"shards": 2}, "inputs": ["a"]}


def chosen(folder, fingerprints):
    """What is chosen of workspaces with a range looked through each."""
    for name, fingerprint in fingerprints.items():
        (folder / name / "sketches").mkdir(parents=True)
        (folder / name / "sketches" / "00000.json").write_text("{}")
        (folder / name / "fingerprint.json").write_text(fingerprint)
    return choose([str(folder / name) for name in fingerprints], NOW, where="for /data/corpus")


def test_the_newest_of_an_equal_fingerprint(tmp_path):
    same = json.dumps(NOW)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "fingerprint.json").write_text(same)
    root, note = chosen(tmp_path, {"torn": "{", "other": json.dumps({**NOW, "x": 1}), "same": same, "older": same})
    assert root == f"{tmp_path}/same" and note == f"resuming {root}: 0 ranges are finished"
    assert choose([f"{tmp_path}/empty"], NOW, where="for /data/corpus") == (
        "",
        "nothing to resume for /data/corpus; starting from the beginning",
    )


def test_a_refusal_names_the_newest_and_three_differences(tmp_path):
    changed = {"config": {"shards": 3}, "inputs": ["b"], "x": 1, "y": 2}
    with pytest.raises(ResumeError) as refused:
        chosen(tmp_path, {"new": json.dumps(changed), "old": "{}"})
    text = str(refused.value)
    assert text.startswith(
        f'cannot resume {tmp_path}/new: config.shards was 3 and is now 2; inputs was ["b"] and is now ["a"]; x was'
    )
    assert " and 1 more; without --resume, the job removes it and starts again" in text and "old" not in text
    with pytest.raises(ResumeError) as refused:
        chosen(tmp_path / "b", {"new": json.dumps({**NOW, "inputs": []})})
    assert "more" not in str(refused.value)
    with pytest.raises(ResumeError, match="was null and is"):
        chosen(tmp_path / "c", {"torn": "{"})


def test_ids_of_runs_differ_and_name_their_folders():
    ids = {new_run_id() for _ in range(100)}
    assert len(ids) == 100 and all(re.fullmatch(r"\d{8}T\d{6}-[0-9a-f]{8}", i) for i in ids)
    assert prefix_of("corpus") == ".corpus.gistmill-"


def test_an_output_that_cannot_be_written_is_named(tmp_path):
    for output, message in [
        ("/proc/nothing/demo", "cannot write to /proc/nothing"),
        ("gs://bucket/demo", "must be a folder on this machine"),
        ("/", "must be inside another folder"),
        ("{file}/demo", "cannot write to"),
        ("/sys/kernel/demo", "cannot write to"),
    ]:
        (tmp_path / "file").write_text("")
        with pytest.raises(WorkspaceError, match=message):
            locked(output.format(file=tmp_path / "file"), fingerprint=MARK)


@pytest.mark.parametrize("option", ["output", "temp_dir", "folder above", "link to it", "store"])
def test_a_folder_whose_name_is_not_utf8_is_refused_before_the_work(tmp_path, option):
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    os.mkdir(odd)
    (tmp_path / "link").symlink_to(odd)
    places = {"output": odd, "folder above": f"{odd}/corpus", "link to it": tmp_path / "link/corpus"}
    given = {"output": places.get(option, tmp_path / "corpus"), "temp_dir": odd if option == "temp_dir" else None}
    with pytest.raises(WorkspaceError, match=r"caf\\udce9.* is not valid UTF-8; choose another$") as caught:
        if option == "store":
            StorePlace("gs://bucket/caf\udce9")
        locked(**given, fingerprint={})
    assert str(caught.value).isprintable() and sorted(os.listdir(tmp_path)) == sorted([os.path.basename(odd), "link"])
    assert os.listdir(odd) == []


def test_an_output_behind_a_link_is_one_with_its_target(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    run = locked(tmp_path / "link" / "demo", fingerprint=MARK)
    with pytest.raises(BusyError):
        locked(tmp_path / "real" / "demo", fingerprint=MARK)
    run.drop()


def test_many_at_once_and_one_wins(tmp_path):
    made, refused = [], []

    def attempt() -> None:
        try:
            made.append(locked(tmp_path / "demo", fingerprint=MARK))
        except BusyError:
            refused.append(1)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(made) == 1 and len(refused) == 11 and leftovers(tmp_path) == [made[0].root.name]
    made[0].drop()


@pytest.mark.slow
@pytest.mark.waits
def test_a_killed_process_frees_its_output(tmp_path):
    code = (
        "import sys, time\nfrom gistmill.pipelines.place import LocalPlace\n"
        "LocalPlace(sys.argv[1]).lock(fingerprint={})\nprint('ready', flush=True)\ntime.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "demo")], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    (left,) = leftovers(tmp_path)
    with pytest.raises(BusyError, match=f"process {process.pid}"):
        locked(tmp_path / "demo", fingerprint={})
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.05)
    run = locked(tmp_path / "demo", fingerprint={})
    assert leftovers(tmp_path) == [run.root.name] != [left]
    run.drop()


def beginning(output: Path, run_id: str) -> tuple[Path, int]:
    """The folder of a run that has not looked for others yet, and what holds its lock."""
    folder = output.parent / f"{prefix_of(output.name)}{run_id}"
    return folder, disk.make_locked(folder)


def test_of_two_that_begin_at_once_the_one_whose_name_is_less_goes_on(tmp_path):
    folder, handle = beginning(tmp_path / "demo", "0")
    with pytest.raises(BusyError, match="another run is writing"):
        locked(tmp_path / "demo")
    assert leftovers(tmp_path) == [folder.name]
    os.close(handle)
    folder, handle = beginning(tmp_path / "demo", "9")
    waiting = threading.Thread(target=lambda: locked(tmp_path / "demo").drop())
    waiting.start()
    time.sleep(0.1)
    assert waiting.is_alive()
    os.close(handle)
    waiting.join(60)
    assert not waiting.is_alive()


def test_a_run_that_was_killed_while_it_began_is_cleaned_after_a_while(tmp_path):
    folder, handle = beginning(tmp_path / "demo", "0")
    os.close(handle)
    locked(tmp_path / "demo").drop()
    assert leftovers(tmp_path) == [folder.name]  # it may be about to lock it
    os.utime(folder, (0, 0))
    locked(tmp_path / "demo").drop()
    assert leftovers(tmp_path) == []


def test_a_signal_amid_the_end_of_a_run_closes_nothing_twice(tmp_path, monkeypatch):
    run = locked(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    real, begun = disk.remove_folder, threading.Event()

    def slowly(folder):
        begun.set()
        time.sleep(0.2)
        real(folder)

    monkeypatch.setattr(disk, "remove_folder", slowly)
    first = threading.Thread(target=run.drop)  # the thread that ends the process if the main one does not give way
    first.start()
    begun.wait()
    assert run.drop() == "" and run._lock is None
    first.join()
    assert leftovers(tmp_path / "out") == [] and leftovers(tmp_path / "temp") == []


def test_an_interrupted_end_of_a_run_is_ended_by_the_next_call(tmp_path, monkeypatch):
    run = locked(tmp_path / "out" / "demo", temp_dir=tmp_path / "temp", fingerprint=MARK)
    real, left = os.close, [run._lock]

    def once(handle):
        real(handle)
        if handle in left:
            left.clear()
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "close", once)
        with pytest.raises(KeyboardInterrupt):
            run.drop()
    assert run.drop() == "" and run._lock is None
