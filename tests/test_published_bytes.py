"""What every job publishes is, byte for byte, what it published before; see tests/published_bytes.py."""

import subprocess
import sys

import pytest

from gistmill.rules.recipes import RECIPES
from tests.environments import REAL_TEXTS, needs
from tests.published_bytes import CASES, ROOT, publish, recorded
from tests.samples import REAL

MARKS = {
    c.name: [
        *[pytest.mark.slow] * (c.slow or c.real),
        *[pytest.mark.long] * c.real,
        *[needs(REAL_TEXTS, there=REAL.is_dir())] * c.real,
    ]
    for c in CASES
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("published")


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(c, id=c.name, marks=MARKS[c.name]) for c in CASES])
def test_the_bytes_are_those_on_record(case, folder):
    """The larger inputs are dealt to two workers, and that of headline, which has no larger one; others are read by one."""
    two = case.slow or case.name == "news-headline"
    assert publish(case, folder, "--workers", "2" if two else "1") == recorded()[case.name]


def test_every_case_is_on_record():
    assert set(recorded()) == {case.name for case in CASES}


def test_every_job_has_a_fast_case():
    jobs = {case.arguments[0] for case in CASES if not (case.slow or case.real)}
    assert jobs == {name for name, recipe in RECIPES.items() if recipe.__module__.startswith("gistmill.")}


@pytest.mark.long
def test_a_revision_is_published_beside_the_checkout():
    command = [sys.executable, "-m", "tests.published_bytes", "--only", "news-headline", "--against", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "news-headline: as recorded\n"), done.stderr
    trees = subprocess.run(["git", "worktree", "list"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not [line for line in trees.splitlines() if line.split()[0].endswith("/tree")]
