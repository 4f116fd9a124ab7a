"""What the tests need of the process that runs them."""

import os
import signal

import pytest
from hypothesis import settings

from gistmill.transforms.arithmetic import settle_arithmetic
from tests.environments import chosen, unallowed

settle_arithmetic()  # before any test imports NumPy

# gRPC's handlers at a fork now and then abort the child before it has become another program (grpc/grpc#43055).
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
# A shell that runs the tests in the background leaves SIGINT ignored, and so would all programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The speed of the machine must not decide. CI takes the same examples each time, so that a change is judged by what it changes;
# `make test-nightly` takes many new ones.
settings.register_profile("fast", deadline=None, max_examples=25, derandomize="CI" in os.environ)
settings.register_profile("nightly", deadline=None, max_examples=1000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

# After so many seconds a test hangs, even on a machine that others load; `timeout` in pyproject.toml is for the others.
_TIMEOUTS = {"long": 4 * 3600, "slow": 2 * 3600}


def pytest_configure(config):
    config.option.reportchars += "R"


def pytest_collection_modifyitems(config, items):
    items[:], others = chosen(items)
    config.hook.pytest_deselected(items=others)
    for item in items:
        # What another process does may come too late on a machine that others load. The summary names what ran twice.
        if "CI" in os.environ and item.get_closest_marker("waits"):
            item.add_marker(pytest.mark.flaky(reruns=1))
        seconds = next((seconds for name, seconds in _TIMEOUTS.items() if item.get_closest_marker(name)), None)
        if seconds and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(seconds))


def pytest_make_parametrize_id(config, val, argname):
    """Names of tests must not hold the time of day, which gzip writes: all processes have to collect the same tests."""
    return argname if isinstance(val, bytes) and b"\x1f\x8b" in val else None


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    """Fails a run in which a test was skipped for a reason that tests/environments.py does not know."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # a worker of xdist has none
    if reporter and unallowed(reporter.stats.get("skipped", ())) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    for line in unallowed(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(f"skipped without need: {line}", red=True)
