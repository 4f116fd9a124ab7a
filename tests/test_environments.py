"""Which tests are left out where something is missing, and which skips fail a run."""

from pathlib import Path

import pytest

from tests.environments import MACHINE, REAL_TEXTS

pytest_plugins = ["pytester"]

NEEDLESS = """
def test_a():
    pytest.skip("no time")

@pytest.mark.skip
def test_b(): ...

@needs("a rowing boat", there=False)
def test_c(): ...

@needs(REAL_TEXTS, there=False)
def test_d(): ...

def test_e(): ...
"""
ALLOWED = f"""
@pytest.mark.parametrize("thing", {[*MACHINE, "Chromium: make setup-browser installs it"]})
def test_a(thing):
    pytest.skip(f"needs {{thing}}")

@pytest.mark.slow
@needs(REAL_TEXTS, there=False)
def test_b(): ...
"""
PACKAGES = """
@needs_package("no_such_package")
def test_left_out(): assert 0

@needs_package("pytest")
def test_there(): ...

@needs_package("no_such_package", absent=True)
def test_absent(): ...

@needs_package("pytest", absent=True)
def test_not_absent(): assert 0
"""


@pytest.fixture()
def run(pytester, monkeypatch):
    """Runs a file of tests with the hooks of our conftest."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))

    def run(body, *options):
        hooks = ("collection_modifyitems", "sessionfinish", "terminal_summary")
        pytester.makeconftest(f"from tests.conftest import {', '.join(f'pytest_{hook}' for hook in hooks)}\n")
        pytester.makeini("[pytest]\nmarkers =\n  slow: x\n  package: x\n")
        head = "import pytest\nfrom tests.environments import REAL_TEXTS, needs, needs_package\n"
        pytester.makepyfile(head + body)
        return pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider", *options)

    return run


def needless(done):
    return [line.rpartition(": ")[2] for line in done.outlines if line.startswith("skipped without need: ")]


@pytest.mark.parametrize(
    "options", [pytest.param((), id="alone", marks=pytest.mark.slow), pytest.param(("-n", "1"), id="by workers")]
)
def test_a_skip_that_nobody_knows_fails_the_run(run, options):
    done = run(NEEDLESS, *options)
    assert done.ret == 1 and done.parseoutcomes() == {"passed": 1, "skipped": 4}
    assert needless(done) == ["no time", "unconditional skip", "needs a rowing boat", f"needs {REAL_TEXTS}"]


@pytest.mark.slow
def test_a_file_that_is_skipped_whole_fails_the_run(run):
    done = run("pytest.importorskip('no_such_package')\n", "--continue-on-collection-errors")
    assert done.ret != 0 and len(needless(done)) == 1


def test_what_a_machine_lacks_may_be_skipped_and_real_texts_by_slow_tests(run):
    done = run(ALLOWED)
    assert done.ret == 0 and done.parseoutcomes() == {"skipped": len(MACHINE) + 2} and needless(done) == []


def test_what_needs_a_package_that_is_missing_is_not_collected(run):
    done = run(PACKAGES)
    assert done.ret == 0 and done.parseoutcomes() == {"passed": 2, "deselected": 2}
