"""Runs a pipeline: on this machine with Beam's FnApiRunner, in process or in worker processes, or on another runner."""

from __future__ import annotations

import logging
import sys
import traceback
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress

import apache_beam as beam
from apache_beam.options.pipeline_options import DirectOptions, GoogleCloudOptions, PipelineOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.pipelines.errors import ConfigError, JobFailed, failure_of
from gistmill.pipelines.runners.beam_internals import (
    CrewRunner,
    Pipeline,
    broken_connections_leave_no_traceback,
    ports_on_loopback,
)
from gistmill.pipelines.runners.crew import Crew, socket_folder
from gistmill.pipelines.runners.flink import FlinkJobs, SlotWatch
from gistmill.pipelines.runners.quiet import mute_cancelled, quiet

_LOGGER = logging.getLogger(__name__)

Build = Callable[[beam.Pipeline], object]

# Names under which Beam offers runners of this machine. All mean the same here: Beam's DirectRunner is a switch that
# would first try to download yet another runner.
LOCAL_RUNNERS = ("FnApiRunner", "DirectRunner", "SwitchingDirectRunner", "BundleBasedDirectRunner")


def is_local(options: PipelineOptions) -> bool:
    """Whether the options choose this machine (``--runner`` absent, or one of LOCAL_RUNNERS)."""
    runner = options.view_as(StandardOptions).runner
    return runner is None or runner.rpartition(".")[2].lower() in {name.lower() for name in LOCAL_RUNNERS}


def check_runner(options: PipelineOptions, workers: int | None) -> None:
    """Raises ConfigError when ``--workers`` (None: not given) and the runner of the options do not go together."""
    if workers is not None and not is_local(options):
        runner = options.view_as(StandardOptions).runner
        raise ConfigError(
            f"--workers is for runs on this machine; with --runner {runner} use that runner's own option "
            f"(--parallelism for Flink, --max_num_workers for Dataflow)"
        )
    if workers is not None and workers < 1:
        raise ConfigError(f"--workers must be at least 1, not {workers}")
    direct = options.view_as(DirectOptions)
    if is_local(options) and (direct.direct_num_workers != 1 or direct.direct_running_mode != "in_memory"):
        raise ConfigError("--direct_num_workers and --direct_running_mode are not used here; use --workers")


def run_local(
    build: Build, *, options: PipelineOptions, workers: int = 1, progress: AbstractContextManager[object] | None = None
) -> None:
    """Builds the pipeline with ``build(pipeline)`` and runs it to its end on this machine.

    One worker runs in this process; more run in processes of their own, which see ``options`` (file system options
    included) and can import what this process can. ``progress`` is entered while the pipeline runs.

    Raises JobFailed when the run fails or a worker dies; ValueError for options that do not fit (``check_runner``).
    What ``build`` raises is passed on as it is. Interrupts pass through after the workers have been ended.
    """
    check_runner(options, workers)
    with quiet():
        try:
            if workers == 1:
                _run(FnApiRunner(), build, options, progress)
            else:
                with socket_folder() as sockets:
                    _run_with_crew(Crew(worker_options(options), sockets), build, options, workers, progress)
        except JobFailed as failure:
            _LOGGER.debug("the job failed:\n%s", failure.details)
            raise


def run_remote(
    build: Build, *, options: PipelineOptions, slot_timeout: float, say: Callable[[str], object] = lambda line: None
) -> None:
    """Builds the pipeline, submits it to the runner that the options name, and waits for its end; whoever stops this
    process stops the job.

    Args:
        build: adds the steps to a pipeline.
        options: those of Beam.
        slot_timeout: seconds that a job on Flink may wait for slots before it is given up.
        say: gets lines for a person, on such waits.

    Raises:
        JobFailed: the job failed, or was given up.
    """
    cloud = options.view_as(GoogleCloudOptions)
    cloud.job_name = cloud.job_name or f"gistmill-{uuid.uuid4().hex[:12]}"  # by this name it can be found, and ended
    jobs = FlinkJobs.of(options)
    pipeline = Pipeline(options=options)
    build(pipeline)
    result = None

    def stop() -> None:
        mute_cancelled()
        for cancel in (c.cancel for c in (jobs, result) if c is not None):
            with suppress(Exception):  # the job may have ended, or its server
                cancel()

    watch = SlotWatch(jobs, bound=slot_timeout, say=say, stop=stop)
    try:
        with watch, ports_on_loopback():
            result = pipeline.run()
            state = result.wait_until_finish() or result.state
    except Exception as error:
        failure = JobFailed(watch.failure) if watch.failure else failure_of("".join(traceback.format_exception(error)))
        raise failure from None
    except BaseException:  # a signal
        stop()
        raise
    if state != beam.runners.runner.PipelineState.DONE:
        raise JobFailed(watch.failure or f"the runner reports that the job ended as {state}")


def worker_options(options: PipelineOptions) -> dict[str, object]:
    """Returns the options that workers are to see: all that differ from their defaults, except the driver's own.
    They log at the driver's level unless ``--default_sdk_harness_log_level`` says otherwise."""
    given = options.get_all_options(drop_default=True, retain_unknown_options=True)
    kept = {k: v for k, v in given.items() if v is not None and k != "runner" and not k.startswith("direct_")}
    kept.setdefault("default_sdk_harness_log_level", str(logging.getLogger().getEffectiveLevel()))
    return kept


def _run_with_crew(
    crew: Crew, build: Build, options: PipelineOptions, workers: int, progress: AbstractContextManager[object] | None
) -> None:
    def build_for_crew(pipeline: beam.Pipeline) -> None:
        direct = pipeline.options.view_as(DirectOptions)
        direct.direct_num_workers = workers
        direct.direct_running_mode = "crew"  # any name but in_memory, which warns, and those that replace our runner
        build(pipeline)

    try:
        with broken_connections_leave_no_traceback():
            _run(CrewRunner(crew), build_for_crew, options, progress)
    except JobFailed as failure:
        raise crew.failure or failure from None
    finally:
        crew.fail(JobFailed("the run has ended"))


def _run(
    runner: beam.runners.PipelineRunner,
    build: Build,
    options: PipelineOptions,
    progress: AbstractContextManager[object] | None,
) -> None:
    pipeline, handled = Pipeline(runner=runner, options=options), sys.exception()
    build(pipeline)
    try:
        with progress or nullcontext():
            pipeline.run()
    except Exception as error:
        if (interrupt := _interrupt_of(error, handled)) is not None:
            raise interrupt from None
        raise failure_of("".join(traceback.format_exception(error))) from None


def _interrupt_of(error: BaseException, handled: BaseException | None) -> KeyboardInterrupt | None:
    """Returns the interrupt of which Beam has made ``error``, as it does where a DoFn runs in this process; None for
    other errors. ``handled`` is what the caller was handling before, and no reason of this error."""
    link: BaseException | None = error
    while link is not None and link is not handled:
        if isinstance(link, KeyboardInterrupt):
            return link
        link = link.__cause__ or link.__context__
    return None
