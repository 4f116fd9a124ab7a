"""The commands that experiments name for the datasets that they need: gistmill takes them as they stand."""

import re
import shlex
from pathlib import Path

import yaml

from gistmill.pipelines.options import parse
from gistmill.rules.recipes import RECIPES

FILES = Path(__file__).parents[2] / "training" / "experiments" / "files"
COMMANDS = sorted(
    {
        command.strip()
        for file in FILES.glob("*.yaml")
        for needed in yaml.safe_load(file.read_text(encoding="utf-8"))["needs"].values()
        for command in re.findall(r"gistmill ([^;]+)", needed.get("command", ""))
    }
)


def test_a_command_is_one_of_gistmill(monkeypatch):
    for command in COMMANDS:
        monkeypatch.chdir(FILES / "profiles")  # profiles are named without their folder
        job, *arguments = shlex.split(command)
        assert not parse(RECIPES[job], arguments).beam


def test_there_are_commands_of_each_job_that_they_name():
    assert {command.split()[0] for command in COMMANDS} >= {"augment", "curriculum", "wikitransfer", "synthetic"}
