"""Choosing the run to resume, for folders and stores alike, and the names of runs."""

import re

import pytest

from gistmill.pipelines.workspaces.errors import ResumeError
from gistmill.pipelines.workspaces.names import new_run_id, prefix_of
from gistmill.pipelines.workspaces.resume import choose, kept_line

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


def test_nothing_to_resume():
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


def test_a_missing_fingerprint_is_a_difference():
    with pytest.raises(ResumeError, match="was null and is"):
        chosen({"torn": None})


def test_what_is_kept_is_counted(tmp_path):
    assert kept_line(str(tmp_path)).startswith(f"0 finished ranges are kept in {tmp_path}; --resume")


def test_ids_of_runs_differ_and_name_their_folders():
    ids = {new_run_id() for _ in range(100)}
    assert len(ids) == 100 and all(re.fullmatch(r"\d{8}T\d{6}-[0-9a-f]{8}", i) for i in ids)
    assert prefix_of("corpus") == ".corpus.gistmill-"
