"""Exchanging folders, at once and in two steps."""

from __future__ import annotations

import pytest

from gistmill.pipelines.workspaces import swap


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
