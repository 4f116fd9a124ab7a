"""Locks that no other user can plant, open or hold."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.published.files import take
from tests.users import ROOT, STRANGER, USER, by, give, needs_root, shared_folder


def lock(path: Path) -> str:
    """What comes of an attempt: taken, held by another, or an error."""
    try:
        handle = take(path)
    except OSError as error:
        return str(error.strerror)
    if handle is None:
        return "held"
    os.close(handle)
    return "taken"


def opened(path: Path) -> bool:
    """Whether a file can be opened to be read."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except PermissionError:
        return False
    return True


def test_a_lock_is_held_until_its_process_ends(tmp_path):
    code = "import sys, time; from gistmill.published.files import take; take(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        assert lock(tmp_path / "lock") == "held"
        other.kill()
        other.wait()
    assert lock(tmp_path / "lock") == "taken"
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


def test_a_name_is_looked_for_within_a_folder(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    handle = take("lock", within=folder)
    assert handle is not None and lock(tmp_path / "lock") == "held"
    os.close(handle)
    os.close(folder)


def test_what_is_not_a_plain_file_is_not_locked_and_not_changed(tmp_path):
    (tmp_path / "precious").write_text("old")
    (tmp_path / "link").symlink_to("precious")
    (tmp_path / "nowhere").symlink_to("new")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "nowhere", "folder", "fifo"):
        assert lock(tmp_path / name) not in ("taken", "held")
    assert (tmp_path / "precious").read_text() == "old" and not (tmp_path / "new").exists()
    with pytest.raises(FileNotFoundError):
        take(tmp_path / "gone" / "lock")


@needs_root
def test_another_user_can_neither_plant_a_lock_nor_hold_it():
    with shared_folder() as shared:
        for victim, planter in ((ROOT, STRANGER), (USER, STRANGER)):
            own, planted = shared / f"own-{victim}", shared / f"planted-{victim}"
            assert by(victim, lock, own) == "taken" and not by(planter, opened, own)
            planted.touch(0o666)
            planted.chmod(0o666)
            give(planted, planter)
            assert re.fullmatch(f"{planted} does not belong to this user", by(victim, lock, planted))


@needs_root
def test_root_takes_the_lock_of_a_users_own_folder(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "lock").touch(0o600)
    give(tmp_path / "run", USER)
    assert lock(tmp_path / "run" / "lock") == "taken"
