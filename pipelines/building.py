"""The steps of every build job: check, run the graph (``pipelines/graph.py``), publish.

run = prepare(config, beam=())      # everything is checked, nothing started
published = carry_out(run)
"""

from __future__ import annotations

import dataclasses
import errno
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import GoogleCloudOptions, StandardOptions

from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.graph import Plan, build
from gistmill.pipelines.job import JobConfig, OutputConfig, RunConfig
from gistmill.pipelines.place import Place, StorePlace, place_of
from gistmill.pipelines.planning import Run, check_schemes, places_of, planned
from gistmill.pipelines.publication import (
    EmptyDatasetError,
    Publication,
    Published,
    Publisher,
    breakdown,
    empty_splits,
    publish,
)
from gistmill.pipelines.runners.local import check_runner, is_local, run_local, workers_for
from gistmill.pipelines.runners.progress import Progress
from gistmill.pipelines.runners.remote import beam_options, check_dataflow, dry_run, nobody_waits, run_remote
from gistmill.pipelines.stores import failure_of_store
from gistmill.transforms.installed import ModelError
from gistmill.transforms.io import is_url
from gistmill.transforms.materials import MaterialError, save_materials
from gistmill.transforms.sources.files.ranges import SourceError

# Takes a function that cleans up after a signal, and returns a context manager for the run.
Guard = Callable[[Callable[[], object]], AbstractContextManager[None]]


def prepare(config: JobConfig, *, beam: Sequence[str], before: str = "") -> Run:
    """Performs all checks that are possible before the workspace is created.

    Args:
        config: the job's configuration.
        beam: arguments for Beam.
        before: the dataset to compare with in the report; "" for the one being replaced.

    Raises:
        ConfigError: a value, package, model or input is missing or cannot be used.
        OutputExists: the output already exists.
        StoreError, WorkspaceError: a store or folder cannot be used.
    """
    started, output = datetime.now(UTC), config.of(OutputConfig)
    try:
        options = beam_options(beam)
        check_schemes(config)
        check_runner(options, config.of(RunConfig).workers)
        check_dataflow(options, places_of(config))
        FileSystems.set_options(options)
        local = is_local(options)
        place = place_of(output.output or "", workers_elsewhere=not local)
        place.check(overwrite=output.overwrite)
        runner = "FnApiRunner" if local else options.view_as(StandardOptions).runner
        return planned(config, options=options, place=place, runner=runner, started=started, before=before)
    except (SourceError, ModelError, MaterialError) as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except BeamIOError as error:
        raise failure_of_store(error) from error
    except OSError as error:
        if error.filename is None:  # not about a local file specified by the user
            raise
        raise ConfigError(f"{error.filename}: {error.strerror}") from error


@contextmanager
def unguarded(clean_up: Callable[[], object]) -> Iterator[None]:
    """Leaves signals to the caller, but cleans up the workspace if an interrupt stops the run."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        clean_up()
        raise


def carry_out(
    run: Run, *, say: Callable[[str], object] = lambda line: None, progress: bool = False, guard: Guard = unguarded
) -> Published | None:
    """Runs the graph in its own workspace and publishes the dataset.

    Args:
        run: the result of ``prepare``.
        say: called with messages for the user, for example on files that were kept.
        progress: whether to show progress (see Progress).
        guard: see Guard; by default, signals are left to the caller.

    Returns:
        The dataset; None if the graph was only submitted, and its last step will publish.

    Raises:
        JobFailed, WorkspaceError, StoreError, ConservationError, DamagedInputError, EmptyDatasetError, PublishError,
            OutputExists: nothing was published; ``resume`` continues from the finished ranges.
    """
    settings, place = run.settings, run.place
    found = place.lock(fingerprint=_fingerprint(run), temp_dir=settings.temp_dir, resume=settings.resume)
    plan = dataclasses.replace(run.plan, workspace=str(place.root))
    for note in filter(None, (run.note, found)):
        say(note)
    # an interrupted run is discarded unless --resume was given
    with guard(functools.partial(place.drop, keep=settings.resume)):
        try:
            if nobody_waits(run.options):  # check_dataflow ensures that the output is in a store
                assert isinstance(place, StorePlace) and place.lease is not None
                publisher = Publisher(
                    root=plan.workspace, output=place.output, run_id=place.run_id, publication=run.publication
                )
                run_graph(run, dataclasses.replace(plan, publisher=publisher), progress=progress)
                place.lease.leave(f"the job {run.options.view_as(GoogleCloudOptions).job_name}")
                return None
            run_graph(run, plan, progress=progress)
            published = _publish(place, run.publication)
        except Exception as error:
            error = _with_place(error, plan.workspace, run)
            # having no rows nearly always means that the input is wrong, so files are kept only with --resume
            if kept := place.drop(keep=settings.resume or not isinstance(error, EmptyDatasetError)):
                say(kept)
            raise error
    place.drop()
    for line in (*(breakdown(published) if progress else ()), empty_splits(published)):
        if line:
            say(line)
    return published


def _with_place(error: Exception, root: str, run: Run) -> Exception:
    """Returns the error; if the disk is full, adds the folder, since the system does not report the file."""
    text = str(error)
    if not (isinstance(error, JobFailed) or (isinstance(error, OSError) and error.filename is None)):
        return error
    if f"[Errno {errno.ENOSPC}]" not in text and f"[Errno {errno.EDQUOT}]" not in text:
        return error
    output = " or the output" if run.settings.temp_dir else ""
    return JobFailed(f"{text}: no space is left for {root}{output}; free some space or use another --temp-dir")


def _publish(place: Place, publication: Publication) -> Published:
    try:
        return publish(place, publication)
    except OSError as error:
        if error.filename is None:
            raise
        raise JobFailed(f"the dataset cannot be moved into place: {error.filename}: {error.strerror}") from error


def build_dry(run: Run) -> str:
    """Builds the graph as the runner would receive it, without running it; returns a line that gives its size."""
    graph = dry_run(functools.partial(build, plan=run.plan), options=run.options)
    return f"dry run: {len(graph.components.transforms)} steps in {graph.ByteSize():,} bytes; nothing was submitted"


def run_graph(run: Run, plan: Plan, *, progress: bool = False) -> None:
    """Runs a graph on the run's runner, leaving its results in the plan's workspace.

    Args:
        run: the result of ``prepare``.
        plan: the run's plan, with a workspace.
        progress: whether to show progress (see Progress).

    Raises:
        JobFailed: the run failed.
    """
    save_materials(plan.materials, plan.workspace)
    steps, settings = functools.partial(build, plan=plan), run.settings
    if not is_local(run.options):
        run_remote(steps, options=run.options)
        return
    # workers write no heartbeats to a workspace in a store
    reads = plan.recipe.READS
    shown = Progress(Path(plan.workspace), reads=reads) if progress and not is_url(plan.workspace) else nullcontext()
    files = plan.source.files
    workers = settings.workers or workers_for(sum(f.size for f in files) if files else None)
    run_local(steps, options=run.options, workers=workers, progress=shown)


def _fingerprint(run: Run) -> Mapping[str, Any]:
    """Returns the values that must be equal for a dead run's ranges to be reusable."""
    info = run.publication.run
    return {
        "job": info.recipe,
        "configuration": run.decisive,
        "files": {
            f.path: [f.size, None if is_url(f.path) else Path(f.path).stat().st_mtime_ns] for f in run.plan.source.files
        },
        "versions": info.versions,
        "models": info.models,
        "evaluation": info.evaluation,
        "signatures": info.signatures,
    }
