"""run_local and run_remote: results, failures told in one line, options that do not go together."""

import ast
import os
import signal
import threading
import time

import apache_beam as beam
import psutil
import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.pipelines.runners.crew import DISMISSAL_SECONDS
from gistmill.pipelines.runners.local import JobFailed, check_runner, is_local, run_local, run_remote, worker_options
from tests.pipelines.runners import jobs
from tests.pipelines.runners.harness import Driver, wait_until


def numbers(step, count=10):
    """A pipeline of ``count`` numbers through one step."""
    return lambda pipeline: pipeline | beam.Create(range(count), reshuffle=False) | beam.Reshuffle() | "Step" >> step


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_every_element_is_worked_on_once_here_or_in_workers_and_options_stay(tmp_path, workers):
    options = PipelineOptions(["--s3_endpoint_url=http://a.test"])
    before = options.get_all_options()
    run_local(numbers(beam.ParDo(jobs.Record(str(tmp_path)))), options=options, workers=workers)
    assert options.get_all_options() == before
    pids = [ast.literal_eval(file.read_text())["pid"] for file in tmp_path.glob("*.seen")]
    assert len(pids) == 10
    assert set(pids) == {os.getpid()} if workers == 1 else len({os.getpid(), *pids}) == workers + 1


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_is_told_in_one_line(tmp_path, workers):
    with Driver("fail_at_seven", workers, tmp_path) as driver:
        assert driver.wait() == 1
        assert driver.said == ["failed: ValueError: page 7 is bad (in step Step)"]


@pytest.mark.slow
def test_the_traceback_can_be_had_at_debug_level(tmp_path):
    with Driver("fail_at_seven", 2, tmp_path, "--verbose") as driver:
        assert driver.wait() == 1
        assert driver.said[-1] == "failed: ValueError: page 7 is bad (in step Step)"
        assert any("jobs.py" in line for line in driver.said)


@pytest.mark.slow
def test_the_first_failure_does_not_wait_for_the_other_workers():
    started = time.monotonic()
    with pytest.raises(JobFailed, match=r"^BadPage: page 1: no text \(in step Step\)$"):
        run_local(numbers(beam.Map(jobs.fail_fast), 2), options=PipelineOptions([]), workers=2)
    assert time.monotonic() - started < 300  # element 0 sleeps for 600 s


def test_an_interrupt_in_the_middle_of_a_step_passes_on():
    with pytest.raises(KeyboardInterrupt):
        run_local(numbers(beam.Map(jobs.interrupt)), options=PipelineOptions([]))


def test_a_failure_while_an_interrupt_is_handled_is_a_failure():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        with pytest.raises(JobFailed, match="page 7 is bad"):
            run_local(numbers(beam.Map(jobs.fail_at_seven)), options=PipelineOptions([]))


@pytest.mark.slow
def test_an_interrupt_does_not_wait_for_workers(tmp_path):
    def press():
        assert wait_until(lambda: len(list(tmp_path.glob("*.there"))) == 2)
        os.kill(int(next(tmp_path.glob("*.there")).stem), signal.SIGSTOP)  # it cannot listen
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    pressed = []
    before = set(psutil.Process().children(recursive=True))  # other tests of this process may have left servers running
    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run_local(numbers(beam.ParDo(jobs.Hang(str(tmp_path)))), options=PipelineOptions([]), workers=2)
    assert time.monotonic() - pressed[0] < DISMISSAL_SECONDS
    assert set(psutil.Process().children(recursive=True)) <= before


def test_what_the_builder_raises_is_passed_on():
    def build(pipeline):
        raise KeyError("no such recipe")

    for workers in (1, 2):
        with pytest.raises(KeyError, match="no such recipe"):
            run_local(build, options=PipelineOptions([]), workers=workers)


def test_progress_is_entered_and_left():
    seen = []

    class Watcher:
        def __enter__(self):
            seen.append("in")

        def __exit__(self, *exception):
            seen.append("out")

    run_local(numbers(beam.Map(seen.append), 1), options=PipelineOptions([]), progress=Watcher())
    assert seen[0] == "in" and seen[-1] == "out"


def test_workers_get_options_but_not_those_of_the_driver():
    options = PipelineOptions(
        [
            "--runner=DirectRunner",
            "--s3_endpoint_url=http://a.test",
            "--experiments=a",
            "--experiments=b",
            "--max_cache_memory_usage_mb=7",
        ]
    )
    kept = worker_options(options)
    assert kept.pop("default_sdk_harness_log_level").isdecimal()
    assert kept == {"s3_endpoint_url": "http://a.test", "experiments": ["a", "b"], "max_cache_memory_usage_mb": 7}


@pytest.mark.parametrize("flags", [[], ["--runner=DirectRunner"], ["--runner=FnApiRunner"], ["--runner=directrunner"]])
def test_local_runners(flags):
    assert is_local(PipelineOptions(flags))
    check_runner(PipelineOptions(flags), 4)


@pytest.mark.parametrize("runner", ["FlinkRunner", "DataflowRunner", "PortableRunner", "SparkRunner", "PrismRunner"])
def test_workers_with_another_runner_are_an_error(runner):
    options = PipelineOptions([f"--runner={runner}"])
    assert not is_local(options)
    check_runner(options, None)
    for workers in (1, 2):
        with pytest.raises(ValueError, match=f"--workers is for runs on this machine; with --runner {runner}"):
            check_runner(options, workers)


@pytest.mark.parametrize(
    ("flags", "workers", "complaint"),
    [
        ([], 0, "--workers must be at least 1, not 0"),
        (["--direct_num_workers=2"], 1, "use --workers"),
        (["--direct_running_mode=multi_processing"], None, "use --workers"),
    ],
)
def test_other_options_that_do_not_fit(flags, workers, complaint):
    with pytest.raises(ValueError, match=complaint):
        check_runner(PipelineOptions(flags), workers)


REMOTE = ["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"]


@pytest.mark.slow
def test_another_runner_runs_the_same_pipeline(tmp_path):
    run_remote(numbers(beam.ParDo(jobs.Record(str(tmp_path)))), options=PipelineOptions(REMOTE), slot_timeout=300)
    assert len(list(tmp_path.glob("*.seen"))) == 10


def test_a_failure_on_another_runner_is_told_in_one_line():
    with pytest.raises(JobFailed) as caught:
        run_remote(numbers(beam.Map(jobs.fail_at_seven)), options=PipelineOptions(REMOTE), slot_timeout=300)
    assert "page 7 is bad" in str(caught.value) and "\n" not in str(caught.value)
