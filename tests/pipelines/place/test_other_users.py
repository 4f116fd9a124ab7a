"""A folder that users share: what another user puts there is no workspace, holds nobody up, and stays where it is."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.commands import leftovers
from tests.pipelines.place.test_local import MARK, work
from tests.pipelines.publishing.made import die, locked
from tests.users import ROOT, STRANGER, USER, by, doing, give, needs_root, shared_folder

PLANTED = ".demo.gistmill-20990101T000000-deadbeef"
BOTH_WAYS = [(ROOT, STRANGER), (STRANGER, ROOT), (USER, STRANGER)]
_held: list[object] = []  # by a process, as long as it lives


def create(output: Path, *, temp: Path | None = None, resume: bool = False, end: str = "close") -> dict[str, Any]:
    """A run that makes its workspace, and then is closed, dies, or goes on."""
    made = locked(output, temp_dir=temp, fingerprint=MARK, resume=resume)
    if end == "close":
        made.drop()
    elif end == "die":
        work(made.root)
        die(made)
    else:
        _held.append(made)
    return {"root": made.root, "home": made.home, "resumed": "resuming" in made.note, "note": made.note}


def hold(*paths: Path) -> None:
    """Locks files and folders."""
    for path in paths:
        handle = os.open(path, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _held.append(handle)


@pytest.fixture
def shared() -> Iterator[Path]:
    with shared_folder() as folder:
        yield folder


def plant(parent: Path, output: Path, user: int, *, name: str = PLANTED, mode: int = 0o700) -> Path:
    """A workspace as a run of the output would leave it, of a user."""
    folder = parent / name
    folder.mkdir(mode)
    folder.chmod(mode)
    (folder / "lock").write_text(json.dumps({"output": str(output), "pid": 1}))
    (folder / "fingerprint.json").write_text(json.dumps(MARK))
    work(folder)
    (folder / "replaced").mkdir()
    (folder / "replaced" / "manifest.json").write_text("{}")
    give(folder, user)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize(("victim", "planter"), BOTH_WAYS)
@pytest.mark.parametrize("place", ["beside", "temporary"])
def test_another_users_folder_is_neither_resumed_nor_brought_back(shared, victim, planter, place):
    output = shared / "demo"
    temp = None if place == "beside" else shared
    if temp:
        output = shared / "own" / "demo"
        output.parent.mkdir()
        give(output.parent, victim)
    planted = plant(shared, output, planter)
    before = names(planted)
    for resume in (False, True):
        found = by(victim, partial(create, output, temp=temp, resume=resume))
        assert not found["resumed"] and planted not in (found["root"], found["home"])
        assert not output.exists() and names(planted) == before
        alone = f"folders left unchanged in {shared}, as this user does not own them alone (mode 0700): 1"
        assert found["note"] == (
            f"nothing to resume for {output}; starting from the beginning; {alone}" if resume else ""
        )
    assert leftovers(shared) == [PLANTED]


@needs_root
@pytest.mark.parametrize(("victim", "planter"), BOTH_WAYS)
def test_another_user_cannot_hold_a_run_up(shared, victim, planter):
    output = shared / "demo"
    plant(shared, output, planter)
    file = shared / ".demo.gistmill-file-0"
    file.write_text("")
    fifo = shared / ".demo.gistmill-file-1"
    os.mkfifo(fifo)
    for path in (file, fifo):
        give(path, planter)
    with doing(planter, hold, shared, shared / PLANTED / "lock", file) as answers:
        assert answers.recv() == (True, None)
        assert not by(victim, partial(create, output, resume=True))["resumed"]
    assert leftovers(shared) == [PLANTED, file.name, fifo.name]


@needs_root
@pytest.mark.parametrize(("victim", "planter"), BOTH_WAYS)
def test_a_planted_link_is_not_followed(shared, victim, planter):
    output = shared / "demo"
    mine = plant(shared, output, victim, name="mine")
    before = names(mine)
    secret = shared / "secret"
    secret.write_text("precious")
    give(secret, victim)
    for name, target in ((PLANTED, mine), (".demo.gistmill-file-0", secret), (".demo.gistmill-gone", "nowhere")):
        (shared / name).symlink_to(target)
        give(shared / name, planter)
    assert not by(victim, partial(create, output, resume=True))["resumed"]
    assert names(mine) == before and secret.read_text() == "precious" and not output.exists()
    assert len(leftovers(shared)) == 3


@needs_root
def test_two_users_work_in_one_folder_at_once(shared):
    output = shared / "demo"
    with doing(USER, partial(create, output, end="go on")) as live:
        assert live.recv()[0]
        left = {user: by(user, partial(create, output, end="die")) for user in (ROOT, STRANGER)}
        for user in (ROOT, STRANGER):
            found = by(user, partial(create, output, resume=True))
            assert found["resumed"] and found["root"] == left[user]["root"]
            assert "2 ranges are finished; " in found["note"] and f"left unchanged in {shared}, " in found["note"]
    (rest,) = leftovers(shared)  # of the user whose run was not closed
    assert (shared / rest).stat().st_uid == USER
    assert not by(USER, partial(create, output))["resumed"] and leftovers(shared) == []


def test_a_folder_that_others_may_enter_is_left_alone(tmp_path):
    dead = locked(tmp_path / "demo", fingerprint=MARK)
    work(dead.root)
    die(dead)
    dead.root.chmod(0o750)
    again = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert "resuming" not in again.note and "left unchanged" in again.note
    again.drop()
    dead.root.chmod(0o700)
    again = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert "resuming" in again.note and "left unchanged" not in again.note
    again.drop()


def test_where_owners_are_not_kept_a_run_works_and_nothing_is_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 4711)  # as where a server maps its users to another one
    first = locked(tmp_path / "demo", fingerprint=MARK)
    work(first.root)
    assert first.drop(keep=True) == "" and leftovers(tmp_path) == []
    dead = locked(tmp_path / "demo", fingerprint=MARK)
    work(dead.root)
    die(dead)
    run = locked(tmp_path / "demo", fingerprint=MARK, resume=True)
    assert "resuming" not in run.note and "left unchanged" in run.note
    run.drop()
    assert leftovers(tmp_path) == [dead.root.name]


@needs_root
@pytest.mark.parametrize(("victim", "planter"), BOTH_WAYS[:1] + BOTH_WAYS[2:])
def test_no_output_and_no_temporary_folder_goes_through_anothers_link(shared, victim, planter):
    for name in ("precious", "own"):
        (shared / name).mkdir()
        give(shared / name, victim)
    (shared / "link").symlink_to("precious")
    give(shared / "link", planter)
    for options in ({"output": shared / "link"}, {"output": shared / "own" / "demo", "temp": shared / "link" / "x"}):
        with pytest.raises(AssertionError, match=f"{shared}/link is another user's link in a world-writable folder"):
            by(victim, partial(create, **options))
    assert names(shared) == ["link", "own", "precious"]
    give(shared / "link", victim)
    assert by(victim, partial(create, shared / "link"))["root"].parent == shared
