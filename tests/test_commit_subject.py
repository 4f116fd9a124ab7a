"""Which messages of commits the hook takes."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.commit_subject import faults

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "message",
    [
        "Carry lineage as one record",
        "Split sentences at `even though`",
        "`gistmill serve` takes 2.0 for 2, as JSON Schema does",
        "SECURITY.md says who may read a report",
        "Training goes on where it was killed",
        "Bring back the workspace of a dead run",
        "Tests hold the exact oracle",
        "Know news.py: it reads files of WARC records",
        "A" * 72,
        "Keep quotations\n\nThey were cut at the second mark.\n",
        "Keep quotations\n# Please enter the commit message\n# On branch main\n",
        "Merge branch 'release', with a name that is long enough to be above the bound of the others",
        'Revert "Keep quotations."',
        "fixup! Keep quotations",
    ],
)
def test_a_plain_subject_is_taken(message):
    assert faults(message) == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "there is no subject"),
        ("# Please enter the commit message\n", "there is no subject"),
        ("\nKeep quotations\n", "there is no subject"),
        ("A" * 73, "73 characters; 72 are allowed"),
        ("Keep quotations.", "full stop"),
        ("fix: keep quotations", "prefix 'fix:'"),
        ("feat(news)!: keep quotations", "prefix 'feat(news)!:'"),
        ("keep quotations", "begins with 'keep'; begin with a capital"),
        ("Adds a hook", "begins with 'Adds'; begin with an imperative"),
        ("Fixed quotations", "begins with 'Fixed'; begin with an imperative"),
        ("Adding, then checking", "begins with 'Adding'; begin with an imperative"),
        ("Keep quotations\nThey were cut", "second line is not empty"),
    ],
)
def test_another_subject_is_refused(message, said):
    (fault,) = faults(message)
    assert said in fault


def test_a_message_has_all_its_faults_said():
    assert len(faults("Added quotations that were cut, and much more that nobody can read at a glance.\nmore")) == 4


def test_git_refuses_the_commit_and_says_why(tmp_path):
    """The hook as the configuration names it, with this Python in the place of that of .venv."""
    hooks = [
        h for r in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"] for h in r["hooks"]
    ]
    (entry,) = (hook["entry"] for hook in hooks if hook.get("stages") == ["commit-msg"])
    command = entry.replace(".venv/bin/python", sys.executable)
    hook = tmp_path / "hooks" / "commit-msg"
    hook.parent.mkdir()
    hook.write_text(f'#!/bin/sh\nmessage=$(realpath "$1")\ncd {ROOT} && exec {command} "$message"\n', encoding="utf-8")
    hook.chmod(0o755)
    settings = [f"core.hooksPath={hook.parent}", "user.name=A", "user.email=a@example.org"]

    def git(*arguments):
        options = [word for setting in settings for word in ("-c", setting)]
        return subprocess.run(["git", *options, *arguments], cwd=tmp_path, capture_output=True, text=True)

    assert git("init", "--quiet").returncode == 0
    refused = git("commit", "--allow-empty", "--message", "Fixed it.")
    assert refused.returncode == 1 and "begins with 'Fixed'" in refused.stderr and "full stop" in refused.stderr
    assert git("commit", "--allow-empty", "--message", "Keep quotations").returncode == 0
    assert git("log", "--format=%s").stdout == "Keep quotations\n"
