"""Running a pipeline on another runner. For Google Cloud Dataflow, options are checked before the job starts, and jobs
can run without a waiting driver."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import traceback
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from apache_beam.options.pipeline_options import (
    DebugOptions,
    FlinkRunnerOptions,
    GoogleCloudOptions,
    PipelineOptions,
    SetupOptions,
    StandardOptions,
    TestOptions,
    WorkerOptions,
)
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.portability.api import beam_runner_api_pb2
from apache_beam.runners.runner import PipelineState
from apache_beam.transforms.resources import resource_hints_from_options

from gistmill.core.extras import install_extra
from gistmill.pipelines.errors import ConfigError, JobFailed, failure_of
from gistmill.pipelines.runners.beam_internals import Pipeline, ports_on_loopback
from gistmill.pipelines.runners.local import Build
from gistmill.pipelines.runners.quiet import mute_cancelled
from gistmill.pipelines.stores import reason_of
from gistmill.pipelines.web import ask_near
from gistmill.transforms.io import is_url
from gistmill.transforms.sources.files.ranges import split_commas
from gistmill.transforms.steps.clean import MEMORY_LIMIT

RUNNER = "DataflowRunner"
# For a location that does not match, Beam would create and use a bucket with a generated name.
_PLACE = re.compile(r"gs://[a-z0-9][-_a-z0-9.]+[a-z0-9]/.*")
# A worker's minimum memory: a process with the spaCy model, and its parser process on a hostile page.
MIN_RAM = (2 << 30) + MEMORY_LIMIT
_FLINK_SECONDS = 4.0  # time limit for a request to Flink's REST API


def run_remote(build: Build, *, options: PipelineOptions) -> None:
    """Builds the pipeline with ``build(pipeline)``, submits it to the runner in the options and waits until it ends;
    interrupting this process cancels the job. Raises JobFailed if the job fails."""
    cloud = options.view_as(GoogleCloudOptions)
    cloud.job_name = cloud.job_name or f"gistmill-{uuid.uuid4().hex[:12]}"  # identifies the job for cancelling it
    pipeline = Pipeline(options=options)
    build(pipeline)
    result: Any = None
    try:
        with ports_on_loopback():
            result = pipeline.run()
            state = result.wait_until_finish() or result.state
    except Exception as error:
        raise failure_of("".join(traceback.format_exception(error))) from None
    except BaseException:  # a signal
        mute_cancelled()
        with contextlib.suppress(Exception):  # the job or its server may have ended
            cancel_on_flink(options)
        with contextlib.suppress(Exception):
            result.cancel()
        raise
    if state != PipelineState.DONE:
        raise JobFailed(f"the runner reports that the job ended in state {state}")


def cancel_on_flink(options: PipelineOptions) -> None:
    """Cancels the jobs named ``--job_name`` through Flink's REST API if ``--flink_master`` is an address. Beam's job
    server only stops waiting for cancelled jobs (observed with release 2.62). Raises OSError, ValueError, KeyError or
    TypeError if Flink's response is missing or unexpected."""
    master = options.view_as(FlinkRunnerOptions).flink_master.rstrip("/")
    if master.startswith("["):  # Beam's default is [auto]
        return
    jobs = f"{master if '://' in master else f'http://{master}'}/jobs"
    for job in json.loads(ask_near("GET", f"{jobs}/overview", seconds=_FLINK_SECONDS))["jobs"]:
        ended = job["state"] in ("FINISHED", "FAILED", "CANCELED", "CANCELLING")
        if job["name"] == options.view_as(GoogleCloudOptions).job_name and not ended:
            ask_near("PATCH", f"{jobs}/{job['jid']}?mode=cancel", seconds=_FLINK_SECONDS)


def nobody_waits(options: PipelineOptions) -> bool:
    """Whether this process only launches a template, that is, submits the graph and exits before the job starts."""
    return bool(options.view_as(GoogleCloudOptions).template_location)


def is_dry(options: PipelineOptions) -> bool:
    """Whether to build the graph without running it."""
    return bool(options.view_as(TestOptions).dry_run)


def check_dataflow(options: PipelineOptions, places: Mapping[str, Sequence[str]]) -> None:
    """Checks a job's options for Dataflow and sets required ones that the user left out; for other runners, checks that
    no Dataflow-only option is set. ``places``: locations that workers must be able to reach, by flag. Raises
    ConfigError, with a one-line message."""
    runner = options.view_as(StandardOptions).runner
    if not (runner is not None and runner.rpartition(".")[2].lower() == RUNNER.lower()):
        for flag, given in (("--template_location", nobody_waits(options)), ("--dry_run", is_dry(options))):
            if given:
                raise ConfigError(f"{flag} requires --runner {RUNNER}")
        return
    try:
        importlib.import_module("google.cloud.dataflow")
    except ImportError:
        raise ConfigError(f"--runner {RUNNER} requires the extra gcp: {install_extra('gcp')}") from None
    for problem in _problems(options, places):
        raise ConfigError(problem)
    setup = options.view_as(SetupOptions)
    if setup.setup_file:
        os.environ["GISTMILL_EXTRAS"] = "pipelines"  # read by setup.py: workers install the package without extras
    if setup.save_main_session is None:
        setup.save_main_session = False  # jobs define nothing in the main session
    debug = options.view_as(DebugOptions)
    if debug.number_of_worker_harness_threads is None:
        debug.number_of_worker_harness_threads = 1  # Dataflow starts a process per core, which a job fully uses
    # Dataflow chooses machines by a resource hint (right fitting), unless the user has chosen. Hints override a machine
    # type, and FlexRS does not support them: https://docs.cloud.google.com/dataflow/docs/guides/right-fitting.
    # The hint applies to the whole pipeline: a step with its own hint has its own environment and may not be fused.
    hints, machine = options.view_as(StandardOptions), options.view_as(WorkerOptions).machine_type
    if not (hints.resource_hints or machine or options.view_as(GoogleCloudOptions).flexrs_goal):
        hints.resource_hints = [f"min_ram={MIN_RAM}B"]
    if problems := _problems_by_beam(options):
        raise ConfigError(problems[0])


def dry_run(build: Build, *, options: PipelineOptions) -> beam_runner_api_pb2.Pipeline:
    """Builds and returns the graph as Dataflow would receive it, without submitting it."""
    pipeline = Pipeline(options=options)
    build(pipeline)
    result: Any = pipeline.run()  # DataflowRunner's result contains the job that it would have submitted
    return result.job.proto_pipeline


def _problems(options: PipelineOptions, places: Mapping[str, Sequence[str]]) -> Iterable[str]:
    cloud, setup = options.view_as(GoogleCloudOptions), options.view_as(SetupOptions)
    missing = [f"--{name}" for name in ("project", "region", "temp_location") if not getattr(cloud, name)]
    if missing:
        yield f"--runner {RUNNER} requires {', '.join(missing)}"
    for name in ("temp_location", "staging_location"):
        if (place := getattr(cloud, name)) and not _PLACE.fullmatch(place):
            yield f"--{name} {place}: specify a folder in a bucket, such as gs://bucket/{name.partition('_')[0]}"
    if options.view_as(StandardOptions).streaming:
        yield "--streaming is not supported: jobs read files, not streams"
    if setup.setup_file and not Path(setup.setup_file).is_file():
        yield f"--setup_file {setup.setup_file}: no such file"
    if not (setup.setup_file or options.view_as(WorkerOptions).sdk_container_image):
        yield (
            f"--runner {RUNNER} requires --sdk_container_image (an image built from deploy/Dockerfile) or "
            "--setup_file, so that gistmill is installed on the workers"
        )
    for flag, patterns in places.items():
        for path in split_commas(patterns):
            if not is_url(path):
                yield f"{flag} {path}: the workers run on other machines; specify an object store URL (gs://bucket/...)"


def _problems_by_beam(options: PipelineOptions) -> list[str]:
    """Returns the problems found by Beam, and missing buckets, for which Beam would retry for ten minutes."""
    from apache_beam.io.gcp.gcsio import GcsIO
    from apache_beam.runners.dataflow.dataflow_runner import DataflowRunner

    cloud = options.view_as(GoogleCloudOptions)
    for name in ("temp_location", "staging_location"):
        if not (place := getattr(cloud, name)):
            continue
        try:
            there = GcsIO(pipeline_options=options).get_bucket(place.removeprefix("gs://").partition("/")[0])
        except Exception as error:  # the library has its own exceptions
            return [f"--{name} {place}: {reason_of(error)}"]
        if there is None:
            return [f"--{name} {place}: the bucket does not exist"]
    return PipelineOptionsValidator(options, DataflowRunner()).validate()


def beam_options(arguments: Sequence[str]) -> PipelineOptions:
    """Parses arguments as Beam options. Raises ConfigError if Beam rejects a value or the runner is unknown."""
    options = PipelineOptions(list(arguments))
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            options.get_all_options(retain_unknown_options=True)
    except SystemExit:
        message = said.getvalue().strip().rpartition("error: ")[2]
        raise ConfigError(f"invalid Beam option: {message}") from None
    try:
        resource_hints_from_options(options)
    except ValueError as error:
        raise ConfigError(f"--resource_hints: {str(error).rstrip('.')}; expected hints such as min_ram=8GB") from None
    runner, known = options.view_as(StandardOptions).runner, StandardOptions.KNOWN_RUNNER_NAMES
    # Beam also accepts "flink", and a fully qualified class name
    if runner and "." not in runner and not {runner.lower(), f"{runner}runner".lower()} & {n.lower() for n in known}:
        raise ConfigError(f"--runner {runner}: expected one of {', '.join(known)}, or a fully qualified class name")
    return options
