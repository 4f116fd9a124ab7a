"""What `make demo` prints at its end: the next commands, as they are typed in a fresh clone."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def next_commands():
    recipe = subprocess.run(["make", "--dry-run", "demo"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [line.strip() for line in re.findall(r"^echo '  (.+)'$", recipe, re.MULTILINE)]


def test_the_readme_shows_what_the_demo_prints():
    commands = next_commands()
    assert len(commands) == 2
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "    next:\n" + "".join(f"      {command}\n" for command in commands) in shown


@pytest.mark.slow
def test_the_next_commands_of_the_demo_need_no_activated_environment():
    explore, tried = next_commands()
    done = subprocess.run(
        ["sh", "-c", tried], cwd=ROOT, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0 and "SINGLE_S_COORD" in done.stdout, done.stderr
    program, job, folder, *flags = shlex.split(explore)
    assert (job, folder) == ("explore", "out/demo")
    helped = subprocess.run([ROOT / program, job, "--help"], capture_output=True, text=True, check=True).stdout
    assert flags and all(flag in helped for flag in flags)
