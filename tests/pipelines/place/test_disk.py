"""Folders that are a user's alone, folders that change places, and files that are written whole."""

from __future__ import annotations

import os

import pytest

from gistmill.pipelines import disk


def test_a_folder_of_mode_0700_is_ones_own_and_nothing_else_is(tmp_path):
    (tmp_path / "own").mkdir(0o700)
    (tmp_path / "link").symlink_to("own")
    (tmp_path / "file").touch(0o600)
    os.mkfifo(tmp_path / "fifo", 0o600)
    assert disk.record_of(tmp_path / "own") == ({}, False) and disk.is_own(os.lstat(tmp_path / "own"))
    for name in ("link", "file", "fifo"):
        assert disk.record_of(tmp_path / name) is None and not disk.is_own(os.lstat(tmp_path / name))
    for mode in (0o710, 0o701, 0o740, 0o704, 0o720, 0o702, 0o777):
        (tmp_path / "own").chmod(mode)
        assert disk.record_of(tmp_path / "own") is None and not disk.is_own(os.lstat(tmp_path / "own"))
    with pytest.raises(FileNotFoundError):
        disk.record_of(tmp_path / "gone")


def test_a_record_says_whose_a_folder_is_and_its_lock_whether_the_run_lives(tmp_path):
    handle = disk.make_locked(tmp_path / "run")
    assert disk.record_of(tmp_path / "run") == ({}, True)
    for content, record in [('{"output": "x"}', {"output": "x"}), ("[]", {}), ('{"out', {}), ("\udc80", {})]:
        (tmp_path / "run" / "lock").write_text(content, errors="surrogateescape")
        assert disk.record_of(tmp_path / "run") == (record, True)
    os.close(handle)
    assert disk.record_of(tmp_path / "run") == ({}, False)
    (tmp_path / "run" / "lock").unlink()
    (tmp_path / "secret").write_text('{"output": "x"}')
    (tmp_path / "run" / "lock").symlink_to(tmp_path / "secret")
    assert disk.record_of(tmp_path / "run") == ({}, False)


def make(path, text):
    path.mkdir()
    (path / "name").write_text(text)
    return path


def read(path):
    return (path / "name").read_text()


def test_a_new_folder_is_moved(tmp_path):
    disk.put_in_place(make(tmp_path / "made", "new"), tmp_path / "place", aside=tmp_path / "aside")
    assert read(tmp_path / "place") == "new" and not (tmp_path / "made").exists()


@pytest.mark.parametrize("at_once", [True, False])
def test_the_old_folder_is_kept_until_it_is_cleaned(tmp_path, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(disk, "exchange", lambda a, b: False)
    place = make(tmp_path / "place", "old")
    disk.put_in_place(make(tmp_path / "made", "new"), place, aside=tmp_path / "aside")
    assert read(place) == "new" and read(tmp_path / ("made" if at_once else "aside")) == "old"
    assert not disk.bring_back(place, aside=tmp_path / "aside")


def test_half_an_exchange_is_undone(tmp_path):
    make(tmp_path / "aside", "old")
    assert disk.bring_back(tmp_path / "place", aside=tmp_path / "aside")
    assert read(tmp_path / "place") == "old"
    assert not disk.bring_back(tmp_path / "nothing", aside=tmp_path / "aside")


def test_a_link_is_not_a_half_of_an_exchange(tmp_path):
    make(tmp_path / "elsewhere", "other")
    (tmp_path / "aside").symlink_to("elsewhere")
    assert not disk.bring_back(tmp_path / "place", aside=tmp_path / "aside")
    (tmp_path / "place").symlink_to("nowhere")
    assert not disk.bring_back(tmp_path / "place", aside=tmp_path / "elsewhere")


def test_an_exchange_that_fails_changes_nothing(tmp_path):
    made = make(tmp_path / "made", "new")
    with pytest.raises(OSError):
        disk.exchange(made, tmp_path / "nothing")
    assert read(made) == "new"


def test_a_file_is_written_whole(tmp_path):
    disk.write_synced(tmp_path / "a.json", "naïve \udc80")
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "naïve \\udc80"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_file_is_not_written_through_a_link(tmp_path):
    (tmp_path / "precious").write_text("old")
    (tmp_path / "a.json.tmp").symlink_to("precious")
    disk.write_synced(tmp_path / "a.json", "new")
    assert (tmp_path / "precious").read_text() == "old" and not (tmp_path / "a.json").is_symlink()
    assert (tmp_path / "a.json").read_text() == "new"
