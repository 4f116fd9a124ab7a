"""Runs a pipeline on this machine with Beam's FnApiRunner, in process or in worker processes."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import apache_beam as beam
from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from gistmill.pipelines.errors import ConfigError, JobFailed, failure_of
from gistmill.pipelines.runners.beam_internals import Pipeline, PoolRunner, broken_connections_leave_no_traceback
from gistmill.pipelines.runners.quiet import quiet
from gistmill.pipelines.runners.worker_pool import WorkerPool, socket_folder

_LOGGER = logging.getLogger(__name__)

Build = Callable[[beam.Pipeline], object]
Shown = AbstractContextManager[object] | None  # entered while the pipeline runs

# Names under which Beam offers runners of this machine. All mean the same here: Beam's DirectRunner is a switch that
# would first try to download yet another runner.
LOCAL_RUNNERS = ("FnApiRunner", "DirectRunner", "SwitchingDirectRunner", "BundleBasedDirectRunner")
WORKER_MEMORY = 2 << 30  # bytes: a worker with the parser, and the memory for a large page
# Bytes of input for which one more worker is started: below, its start takes longer than its share of the work.
WORKER_INPUT = 1 << 20
_CGROUP = Path("/sys/fs/cgroup")


def is_local(options: PipelineOptions) -> bool:
    """Whether the options choose this machine (``--runner`` absent, or one of LOCAL_RUNNERS)."""
    runner = options.view_as(StandardOptions).runner
    return runner is None or runner.rpartition(".")[2].lower() in {name.lower() for name in LOCAL_RUNNERS}


def check_runner(options: PipelineOptions, workers: int | None) -> None:
    """Raises ConfigError when ``--workers`` (None: not given) and the runner of the options do not go together."""
    if workers is not None and not is_local(options):
        runner = options.view_as(StandardOptions).runner
        raise ConfigError(
            f"--workers applies to runs on this machine; with --runner {runner}, use that runner's own option "
            f"(--parallelism for Flink, --max_num_workers for Dataflow)"
        )
    if workers is not None and workers < 1:
        raise ConfigError(f"--workers must be at least 1, not {workers}")
    direct = options.view_as(DirectOptions)
    if is_local(options) and (direct.direct_num_workers != 1 or direct.direct_running_mode != "in_memory"):
        raise ConfigError("--direct_num_workers and --direct_running_mode are not supported; use --workers")


def run_local(build: Build, *, options: PipelineOptions, workers: int = 1, progress: Shown = None) -> None:
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
                    _run_in_workers(WorkerPool(worker_options(options), sockets), build, options, workers, progress)
        except JobFailed as failure:
            _LOGGER.debug("the job failed:\n%s", failure.details)
            raise


def worker_options(options: PipelineOptions) -> dict[str, object]:
    """Returns the options that workers are to see: all that differ from their defaults, except the driver's own.
    They log at the driver's level unless ``--default_sdk_harness_log_level`` says otherwise."""
    given = options.get_all_options(drop_default=True, retain_unknown_options=True)
    kept = {k: v for k, v in given.items() if v is not None and k != "runner" and not k.startswith("direct_")}
    kept.setdefault("default_sdk_harness_log_level", str(logging.getLogger().getEffectiveLevel()))
    return kept


def _run_in_workers(pool: WorkerPool, build: Build, options: PipelineOptions, workers: int, progress: Shown) -> None:
    def build_for_workers(pipeline: beam.Pipeline) -> None:
        direct = pipeline.options.view_as(DirectOptions)
        direct.direct_num_workers = workers
        direct.direct_running_mode = "pool"  # any name but in_memory, which warns, and those that replace our runner
        build(pipeline)

    try:
        with broken_connections_leave_no_traceback():
            _run(PoolRunner(pool), build_for_workers, options, progress)
    except JobFailed as failure:
        raise pool.failure or failure from None
    finally:
        pool.fail(JobFailed("the run has ended"))


def _run(runner: beam.runners.PipelineRunner, build: Build, options: PipelineOptions, progress: Shown) -> None:
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
    other errors. ``handled`` is an exception that the caller was already handling, unrelated to this error."""
    link: BaseException | None = error
    while link is not None and link is not handled:
        if isinstance(link, KeyboardInterrupt):
            return link
        link = link.__cause__ or link.__context__
    return None


def workers_for(input_bytes: int | None, *, cgroup: Path = _CGROUP) -> int:
    """Returns the number of workers for a job that names none: one for each core that this process may use and that
    has ``WORKER_MEMORY``, and at most one for each ``WORKER_INPUT`` begun.

    Args:
        input_bytes: size of the input's files; None if there are no files.
        cgroup: folder with the limits of the container, in the layout of cgroup v2; it may be missing.
    """
    cores = len(os.sched_getaffinity(0))
    quota, _, period = _text(cgroup / "cpu.max").partition(" ")
    if quota.isdecimal():
        cores = min(cores, max(1, int(quota) // int(period)))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = _text(cgroup / "memory.max")
    if limit.isdecimal():
        memory = min(memory, int(limit))
    most = min(cores, memory // WORKER_MEMORY)
    if input_bytes is not None:
        most = min(most, -(-input_bytes // WORKER_INPUT))
    return max(1, most)


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
