"""Folders that are a user's alone, the block in which one process is at a time, and folders that change places."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gistmill.pipelines.errors import WorkspaceError
from gistmill.pipelines.workspaces import swap
from gistmill.pipelines.workspaces.own import is_own, one_at_a_time, open_own

ENTER = """
import sys, time
from pathlib import Path
from gistmill.pipelines.workspaces.own import one_at_a_time
folder = Path(sys.argv[1])
with one_at_a_time(folder, ".x.gistmill-"):
    print("in", flush=True)
    time.sleep(60)
"""


def enter(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", ENTER, str(folder)], stdout=subprocess.PIPE, text=True)


def test_a_folder_of_mode_0700_is_ones_own_and_nothing_else_is(tmp_path):
    (tmp_path / "own").mkdir(0o700)
    (tmp_path / "link").symlink_to("own")
    (tmp_path / "file").touch(0o600)
    os.mkfifo(tmp_path / "fifo", 0o600)
    handle = open_own(tmp_path / "own")
    assert handle is not None
    os.close(handle)
    assert is_own(tmp_path / "own")
    assert not any(is_own(tmp_path / name) for name in ("link", "file", "fifo"))
    for mode in (0o710, 0o701, 0o740, 0o704, 0o720, 0o702, 0o777):
        (tmp_path / "own").chmod(mode)
        assert not is_own(tmp_path / "own")
    with pytest.raises(FileNotFoundError):
        open_own(tmp_path / "gone")


def test_of_many_threads_one_is_in_the_block_and_all_have_their_turn(tmp_path):
    inside, most, turns = [0], [0], []

    def work() -> None:
        for _ in range(5):
            with one_at_a_time(tmp_path, "x"):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.002)
                turns.append(1)
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] and len(turns) == 40 and list(tmp_path.iterdir()) == []


@pytest.mark.waits
def test_who_comes_while_another_is_inside_waits_and_enters_when_it_is_killed(tmp_path):
    with enter(tmp_path) as first, enter(tmp_path) as second:
        by_stream = {p.stdout: p for p in (first, second)}
        (stream,), _, _ = select.select(list(by_stream), [], [], 60)
        assert stream.readline() == "in\n"
        within = by_stream.pop(stream)
        (other,) = by_stream
        time.sleep(0.5)
        assert select.select([other], [], [], 0)[0] == []
        within.kill()
        assert other.readline() == "in\n"
        assert len(list(tmp_path.iterdir())) == 1  # the door of the killed one is gone
        by_stream[other].kill()
    with one_at_a_time(tmp_path, "y"):
        assert len(list(tmp_path.iterdir())) == 2  # that of another prefix stays
    with one_at_a_time(tmp_path, ".x.gistmill-"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_named():
    with pytest.raises(WorkspaceError, match="cannot write to /proc: "), one_at_a_time(Path("/proc"), "x"):
        pass


def make(path, text):
    path.mkdir()
    (path / "name").write_text(text)
    return path


def read(path):
    return (path / "name").read_text()


def test_a_new_folder_is_moved(tmp_path):
    swap.put_in_place(make(tmp_path / "made", "new"), tmp_path / "place", aside=tmp_path / "aside")
    assert read(tmp_path / "place") == "new" and not (tmp_path / "made").exists()


@pytest.mark.parametrize("at_once", [True, False])
def test_the_old_folder_is_kept_until_it_is_cleaned(tmp_path, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(swap, "exchange", lambda a, b: False)
    place = make(tmp_path / "place", "old")
    swap.put_in_place(make(tmp_path / "made", "new"), place, aside=tmp_path / "aside")
    assert read(place) == "new" and read(tmp_path / ("made" if at_once else "aside")) == "old"
    assert not swap.bring_back(place, aside=tmp_path / "aside")


def test_half_an_exchange_is_undone(tmp_path):
    make(tmp_path / "aside", "old")
    assert swap.bring_back(tmp_path / "place", aside=tmp_path / "aside")
    assert read(tmp_path / "place") == "old"
    assert not swap.bring_back(tmp_path / "nothing", aside=tmp_path / "aside")


def test_a_link_is_not_a_half_of_an_exchange(tmp_path):
    make(tmp_path / "elsewhere", "other")
    (tmp_path / "aside").symlink_to("elsewhere")
    assert not swap.bring_back(tmp_path / "place", aside=tmp_path / "aside")
    (tmp_path / "place").symlink_to("nowhere")
    assert not swap.bring_back(tmp_path / "place", aside=tmp_path / "elsewhere")


def test_an_exchange_that_fails_changes_nothing(tmp_path):
    made = make(tmp_path / "made", "new")
    with pytest.raises(OSError):
        swap.exchange(made, tmp_path / "nothing")
    assert read(made) == "new"


def test_a_file_is_written_whole(tmp_path):
    swap.write_synced(tmp_path / "a.json", "naïve \udc80")
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "naïve \\udc80"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_file_is_not_written_through_a_link(tmp_path):
    (tmp_path / "precious").write_text("old")
    (tmp_path / "a.json.tmp").symlink_to("precious")
    swap.write_synced(tmp_path / "a.json", "new")
    assert (tmp_path / "precious").read_text() == "old" and not (tmp_path / "a.json").is_symlink()
    assert (tmp_path / "a.json").read_text() == "new"
