"""Folders that are read again: nobody else can have planted them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gistmill.published.files import cache, check_owner
from tests.users import ROOT, STRANGER, USER, by, give, needs_root, shared_folder


def checked(folder: Path) -> str:
    """What a check says, "" for nothing."""
    try:
        check_owner(folder)
    except OSError as error:
        return str(error)
    return ""


def test_the_cache_is_where_the_desktop_has_it(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache("explore") == tmp_path / "gistmill" / "explore"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache("explore") == tmp_path / ".cache" / "gistmill" / "explore"


def test_a_folder_of_ones_own_that_is_not_there_or_not_open_to_all_is_read(tmp_path):
    assert checked(tmp_path / "gone") == checked(tmp_path / "gone" / "gone") == ""
    (tmp_path / "own").mkdir()
    for mode in (0o700, 0o755, 0o775):
        (tmp_path / "own").chmod(mode)
        assert checked(tmp_path / "own") == ""
    said = f"{tmp_path / 'own'} belongs to another user or is world-writable; specify another one"
    for mode in (0o777, 0o1777):
        (tmp_path / "own").chmod(mode)
        assert checked(tmp_path / "own") == said
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "file").touch()
    assert "belongs to another user" in checked(tmp_path / "link") and "belongs to another user" in checked(
        tmp_path / "file"
    )


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize(
    ("reader", "owner", "trusted"), [(ROOT, STRANGER, False), (USER, STRANGER, False), (USER, ROOT, True)]
)
def test_a_planted_folder_is_not_read(reader, owner, trusted):
    with shared_folder() as shared:
        (shared / "index").mkdir()
        give(shared / "index", owner)
        assert (by(reader, checked, shared / "index") == "") == trusted
        (shared / "of-a-team").mkdir()
        (shared / "of-a-team" / "index").mkdir()
        give(shared / "of-a-team", owner)
        assert by(reader, checked, shared / "of-a-team" / "index") == ""  # its owner was named
        os.chown(shared / "of-a-team", reader, -1)
        assert (by(reader, checked, shared / "of-a-team" / "index") == "") == trusted
