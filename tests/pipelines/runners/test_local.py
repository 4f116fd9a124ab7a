"""run_local: results, failures told in one line, options that do not go together, and how many workers."""

import ast
import os
import signal
import threading
import time

import apache_beam as beam
import psutil
import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.pipelines.errors import JobFailed
from gistmill.pipelines.runners.local import (
    WORKER_INPUT,
    WORKER_MEMORY,
    check_runner,
    is_local,
    run_local,
    worker_options,
    workers_for,
)
from gistmill.pipelines.runners.worker_pool import DISMISSAL_SECONDS
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
def test_an_exception_is_told_in_one_line_and_the_traceback_can_be_had_at_debug_level(tmp_path):
    for workers in (1, 2):
        with Driver("fail_at_seven", workers, tmp_path) as driver:
            assert driver.wait() == 1
            assert driver.said == ["failed: ValueError: page 7 is bad (in step Step)"]
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


def test_an_interrupt_in_the_middle_of_a_step_passes_on_and_a_failure_meanwhile_is_a_failure():
    with pytest.raises(KeyboardInterrupt):
        run_local(numbers(beam.Map(jobs.interrupt)), options=PipelineOptions([]))
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
    given = "--runner=DirectRunner --s3_endpoint_url=http://a.test --experiments=a --experiments=b"
    kept = worker_options(PipelineOptions([*given.split(), "--max_cache_memory_usage_mb=7"]))
    assert kept.pop("default_sdk_harness_log_level").isdecimal()
    assert kept == {"s3_endpoint_url": "http://a.test", "experiments": ["a", "b"], "max_cache_memory_usage_mb": 7}


def test_local_runners():
    for flags in [[], ["--runner=DirectRunner"], ["--runner=FnApiRunner"], ["--runner=directrunner"]]:
        assert is_local(PipelineOptions(flags))
        check_runner(PipelineOptions(flags), 4)


def test_workers_with_another_runner_are_an_error():
    for runner in ["FlinkRunner", "DataflowRunner", "PortableRunner", "SparkRunner", "PrismRunner"]:
        options = PipelineOptions([f"--runner={runner}"])
        assert not is_local(options)
        check_runner(options, None)
        for workers in (1, 2):
            with pytest.raises(ValueError, match=f"--workers applies to runs on this machine; with --runner {runner}"):
                check_runner(options, workers)


def test_other_options_that_do_not_fit():
    for flags, workers, complaint in [
        ([], 0, "--workers must be at least 1, not 0"),
        (["--direct_num_workers=2"], 1, "use --workers"),
        (["--direct_running_mode=multi_processing"], None, "use --workers"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            check_runner(PipelineOptions(flags), workers)


def workers(folder, size=None, *, cpu="max 100000", memory="max"):
    """The workers that a container gets on a machine of eight cores with 32 GiB."""
    (folder / "cpu.max").write_text(f"{cpu}\n")
    (folder / "memory.max").write_text(f"{memory}\n")
    return workers_for(size, cgroup=folder)


def test_a_job_gets_as_many_workers_as_its_input_the_cores_and_the_memory_allow(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 32 << 18, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert workers_for(20 << 30, cgroup=tmp_path / "none") == workers(tmp_path) == 8  # one without files too
    for size, wanted in ((0, 1), (1, 1), (WORKER_INPUT, 1), (WORKER_INPUT + 1, 2), (7 * WORKER_INPUT, 7)):
        assert workers(tmp_path, size) == wanted
    for cpu, wanted in (("max 100000", 8), ("350000 100000", 3), ("50000 100000", 1)):
        assert workers(tmp_path, cpu=cpu) == wanted
    for memory, wanted in ((5 * WORKER_MEMORY, 5), (WORKER_MEMORY // 2, 1)):
        assert workers(tmp_path, memory=str(memory)) == wanted
