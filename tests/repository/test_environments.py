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
FLAKY = """
from pathlib import Path

def once(name):
    tried = Path(name).exists()
    Path(name).touch()
    assert tried

@pytest.mark.waits
def test_a(): once("a")

def test_b(): once("b")
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


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs a file of tests with the hooks of our conftest."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))

    def run(body, *options):
        hooks = ("collection_modifyitems", "sessionfinish", "terminal_summary")
        pytester.makeconftest(f"from tests.conftest import {', '.join(f'pytest_{hook}' for hook in hooks)}\n")
        pytester.makeini("[pytest]\nmarkers =\n  slow: x\n  package: x\n  waits: x\n")
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


@pytest.mark.parametrize(("ci", "outcomes"), [(True, {"passed": 1, "rerun": 1, "failed": 1}), (False, {"failed": 2})])
def test_only_what_waits_for_others_runs_twice_and_only_in_ci(run, monkeypatch, ci, outcomes):
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", "true")
    assert run(FLAKY).parseoutcomes() == outcomes


def test_a_test_that_hangs_prints_its_stack_and_fails_the_run(run):
    options = ("--timeout", "3", "--timeout-method", "thread", "-o", "faulthandler_timeout=1")
    done = run("import time\ndef test_a(): pass\ndef test_hanging(): time.sleep(600)\n", "-n", "1", *options)
    assert done.ret == 1 and done.parseoutcomes() == {"passed": 1, "failed": 1}
    assert any(line.endswith("in test_hanging") for line in done.errlines)


def test_slow_tests_have_hours(run):
    body = """
def seconds(request): return request.node.get_closest_marker("timeout").args[0]

@pytest.mark.slow
def test_a(request): assert seconds(request) == 7200

@pytest.mark.slow
@pytest.mark.timeout(5)
def test_b(request): assert seconds(request) == 5

def test_c(request): assert request.node.get_closest_marker("timeout") is None
"""
    assert run(body).parseoutcomes() == {"passed": 3}
