"""Running a pipeline on this machine with Beam's FnApiRunner, in this process or in worker processes."""

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

# Beam's names for local runners, which are equivalent here: Beam's DirectRunner chooses among several runners and would
# first try to download another one.
LOCAL_RUNNERS = ("FnApiRunner", "DirectRunner", "SwitchingDirectRunner", "BundleBasedDirectRunner")
WORKER_MEMORY = 2 << 30  # bytes: a worker with the parser and a large page
# Bytes of input per worker: for less, starting another worker takes longer than it saves.
WORKER_INPUT = 1 << 20
_CGROUP = Path("/sys/fs/cgroup")


def is_local(options: PipelineOptions) -> bool:
    """Whether the job runs on this machine (``--runner`` is absent or one of LOCAL_RUNNERS)."""
    runner = options.view_as(StandardOptions).runner
    return runner is None or runner.rpartition(".")[2].lower() in {name.lower() for name in LOCAL_RUNNERS}


def check_runner(options: PipelineOptions, workers: int | None) -> None:
    """Raises ConfigError if ``--workers`` (None: not given) is incompatible with the runner in the options."""
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
    """Builds the pipeline with ``build(pipeline)`` and runs it to completion on this machine.

    A single worker runs in this process; several run in separate processes, which receive ``options``, including those
    for file systems, and can import the same modules. ``progress`` is entered while the pipeline runs.

    Raises JobFailed if the run fails or a worker dies, and ConfigError for incompatible options (``check_runner``).
    Exceptions from ``build`` are not converted. Interrupts are raised after the workers have been killed.
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
    """Returns the options for workers: all that differ from their defaults, except the driver's own. Workers log at the
    driver's level unless ``--default_sdk_harness_log_level`` is set."""
    given = options.get_all_options(drop_default=True, retain_unknown_options=True)
    kept = {k: v for k, v in given.items() if v is not None and k != "runner" and not k.startswith("direct_")}
    kept.setdefault("default_sdk_harness_log_level", str(logging.getLogger().getEffectiveLevel()))
    return kept


def _run_in_workers(pool: WorkerPool, build: Build, options: PipelineOptions, workers: int, progress: Shown) -> None:
    def build_for_workers(pipeline: beam.Pipeline) -> None:
        direct = pipeline.options.view_as(DirectOptions)
        direct.direct_num_workers = workers
        direct.direct_running_mode = "pool"  # unlike in_memory, causes no warning, and does not replace our runner
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
    """Returns the interrupt that Beam converted to ``error``, as it does when a DoFn runs in this process; None for
    other errors. ``handled`` is an unrelated exception that the caller was already handling."""
    link: BaseException | None = error
    while link is not None and link is not handled:
        if isinstance(link, KeyboardInterrupt):
            return link
        link = link.__cause__ or link.__context__
    return None


def workers_for(input_bytes: int | None, *, cgroup: Path = _CGROUP) -> int:
    """Returns the default number of workers: one per core, but at most one per ``WORKER_MEMORY`` and ``WORKER_INPUT``.

    Args:
        input_bytes: total size of the input files; None if there are no files.
        cgroup: folder with the container's limits in the layout of cgroup v2; may be missing.
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
