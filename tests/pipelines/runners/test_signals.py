"""Ctrl-C and SIGTERM, with and without worker processes: exit code, one line, clean-up, nobody left."""

import os
import signal
import time

import pytest

from gistmill.pipelines.runners import signals as interrupts
from tests.pipelines.runners.harness import Driver

pytestmark = [pytest.mark.slow, pytest.mark.waits]


@pytest.fixture
def handlers_put_back():
    before = {number: signal.getsignal(number) for number in interrupts.SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_all_cleans_up_and_exits_with_its_code(tmp_path, workers, number, code):
    with Driver("hang", workers, tmp_path, "--patient") as driver:  # it gives way, and need not be ended
        pids = driver.there(workers)
        if workers > 1:  # do not wait for a worker that cannot listen
            os.kill(pids[0], signal.SIGSTOP)
        driver.process.send_signal(number)
        assert driver.wait() == code
        assert driver.said == [f"gistmill: stopped by {number.name}; cleaned"]
        assert (tmp_path / "cleaned").exists()
        if workers > 1:  # an embedded DoFn's children are the DoFn's to end
            assert driver.none_left(), driver.others()


def test_a_second_signal_kills_at_once(tmp_path):
    with Driver("deaf", 1, tmp_path, "--patient") as driver:
        driver.there(1)
        while driver.process.poll() is None:  # two that come at once are one
            driver.process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        assert driver.wait() == -signal.SIGINT
        assert not (tmp_path / "cleaned").exists()


def test_work_that_swallows_the_interrupt_is_ended_all_the_same(tmp_path):
    with Driver("deaf", 1, tmp_path) as driver:
        driver.there(1)
        driver.process.send_signal(signal.SIGTERM)
        assert driver.wait(120) == 143
        assert (tmp_path / "cleaned").exists()


def test_without_a_signal_results_and_exceptions_pass_and_handlers_are_put_back():
    before = signal.getsignal(signal.SIGTERM)
    with interrupts.exit_on_signals(pytest.fail):
        assert signal.getsignal(signal.SIGTERM) is not before
    with pytest.raises(KeyError), interrupts.exit_on_signals(pytest.fail):
        raise KeyError
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts.exit_on_signals(pytest.fail):
            os.kill(os.getpid(), signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (None, "gistmill: stopped by SIGTERM"),
        ("", "gistmill: stopped by SIGTERM"),
        ("finished ranges are kept", "gistmill: stopped by SIGTERM; finished ranges are kept"),
        (OSError("busy"), "gistmill: stopped by SIGTERM; cleaning up failed: busy"),
    ],
)
def test_the_line_ends_with_what_the_clean_up_says(capsys, handlers_put_back, result, line):
    def clean_up():
        if isinstance(result, Exception):
            raise result
        return result

    with pytest.raises(SystemExit) as ended, interrupts.exit_on_signals(clean_up):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
    assert ended.value.code == 143
    assert capsys.readouterr().err == f"{line}\n"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
