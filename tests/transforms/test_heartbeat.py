"""The writer's side of progress: totals, at most so often, never half a file, never an error."""

import json
import shutil
from pathlib import Path

from gistmill.transforms.heartbeat import Heartbeat


def read(folder: Path) -> list[dict[str, int]]:
    return [json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))]


def test_updates_add_up(tmp_path):
    beat = Heartbeat(tmp_path / "progress", interval=0)
    beat.update(documents=1, rows=3)
    beat.update(documents=1, rejects=1)
    beat.update(ranges=7, compared=5)
    assert read(tmp_path / "progress") == [{"compared": 5, "documents": 2, "rows": 3, "rejects": 1, "ranges": 7}]


def test_the_file_is_rewritten_at_most_once_an_interval_and_on_flush(tmp_path):
    beat = Heartbeat(tmp_path, interval=60)
    for _ in range(1000):
        beat.update(documents=1)
    assert read(tmp_path)[0]["documents"] == 1
    beat.flush()
    assert read(tmp_path)[0]["documents"] == 1000


def test_two_writers_of_one_process_keep_files_of_their_own_and_none_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in tmp_path, tmp_path, None:
        beat = Heartbeat(folder)
        beat.update(documents=1)
        beat.flush()
    assert [beat["documents"] for beat in read(tmp_path)] == [1, 1]


def test_a_folder_removed_under_its_feet_is_neither_an_error_nor_made_again(tmp_path):
    folder = tmp_path / "progress"
    beat = Heartbeat(folder, interval=0)
    shutil.rmtree(folder)
    beat.update(documents=1)
    assert not folder.exists()
