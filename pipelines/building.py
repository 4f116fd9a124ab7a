"""The steps of every building job: check, run the graph (``pipelines/graph.py``), publish.

run = prepare(config, beam=())      # everything is checked, nothing begun
published = carry_out(run)
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import GoogleCloudOptions, PipelineOptions, StandardOptions

from gistmill.core.addresses import without_secrets
from gistmill.core.dataset import ConfigSchema
from gistmill.core.options import options_of
from gistmill.core.row_budget import RowBudget
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.graph import Plan, build
from gistmill.pipelines.job import JobConfig, steps_of
from gistmill.pipelines.places import check_schemes, places_of, reuse_of
from gistmill.pipelines.publishing.publication import Publication, Published
from gistmill.pipelines.publishing.target import Held, Target, target_of
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.pipelines.reuse import Reuse, open_reuse, parts_of
from gistmill.pipelines.runners.beam_options import beam_options
from gistmill.pipelines.runners.dataflow import check_dataflow, dry_run, is_dry, nobody_waits
from gistmill.pipelines.runners.local import check_runner, is_local, run_local, run_remote
from gistmill.pipelines.runners.progress import Progress
from gistmill.pipelines.sections import InputConfig, OutputConfig, RunConfig
from gistmill.pipelines.stores import failure_of_store
from gistmill.pipelines.versions import code_version, versions
from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.recipe import Recipe
from gistmill.transforms.io import is_url
from gistmill.transforms.materials import Material, MaterialError, open_materials, save_materials
from gistmill.transforms.models import ModelError
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.choose_split import SplitConfig
from gistmill.transforms.steps.deadline import DeadlineConfig
from gistmill.transforms.tables import TableError


class Guard(Protocol):
    """Returns a context in which the run is carried out; ``clean_up`` is what a signal has to do."""

    def __call__(self, clean_up: Callable[[], object]) -> AbstractContextManager[None]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A fully validated run that has not started; its plan has no workspace yet.

    Attributes:
        config: the configuration of the job.
        options: those of Beam.
        target: where the dataset goes.
        plan: decides the graph.
        info: what the manifest says besides the results.
        note: a line for a person before the run begins, or "".
        before: the dataset that the report compares with; "" for the one that is replaced.
    """

    config: JobConfig
    options: PipelineOptions
    target: Target
    plan: Plan
    info: RunInfo
    note: str = ""
    before: str = ""


def prepare(config: JobConfig, *, beam: Sequence[str], before: str = "") -> Run:
    """Checks all that can be checked before a workspace is made.

    Args:
        config: the configuration of the job.
        beam: arguments for Beam.
        before: see Run.

    Raises:
        ConfigError: a value, a package, a model or an input is missing or cannot be used.
        OutputExists: something is there where the dataset is to go.
        StoreError, WorkspaceError: a store or a folder cannot be used.
    """
    started, output = datetime.now(UTC), config.of(OutputConfig)
    try:
        options = beam_options(beam)
        check_schemes(config)
        check_runner(options, config.of(RunConfig).workers)
        check_dataflow(options, places_of(config))
        FileSystems.set_options(options)
        target = target_of(output.output or "", workers_elsewhere=not is_local(options))
        target.check(overwrite=output.overwrite)
        # packages and models are looked for before any input is read
        steps = list(opened_steps(config))
        recipe = config.recipe(config.of(config.recipe.CONFIG), salt=config.of(SplitConfig).salt)
        materials = open_materials(recipe)
        info = _run_info(config, steps, recipe, options=options, started=started)
        older = reuse_of(config)
        reuse = Reuse() if older is None else open_reuse(older, steps)
        info = dataclasses.replace(info, reuse=reuse.record)
        plan = _plan(config, reuse.steps(steps), recipe, materials)
    except (SourceError, TableError, ModelError, MaterialError) as error:
        raise ConfigError(" ".join(str(error).split())) from error
    except BeamIOError as error:
        raise failure_of_store(error) from error
    except OSError as error:
        if error.filename is None:  # nothing of this machine that a person has named
            raise
        raise ConfigError(f"{error.filename}: {error.strerror}") from error
    return Run(config=config, options=options, target=target, plan=plan, info=info, note=reuse.note, before=before)


@contextmanager
def unguarded(clean_up: Callable[[], object]) -> Iterator[None]:
    """Leaves signals to the caller: whatever stops the run, the workspace is cleaned."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        clean_up()
        raise


def carry_out(
    run: Run, *, say: Callable[[str], object] = lambda line: None, progress: bool = False, guard: Guard = unguarded
) -> Published | None:
    """Runs the graph in a workspace of its own and publishes.

    Args:
        run: what ``prepare`` returned.
        say: gets lines for a person: what was cleaned up or kept.
        progress: whether progress is shown: see Progress.
        guard: see Guard; by default signals are the caller's.

    Returns:
        The dataset; None where the graph was only built, and its last step will publish.

    Raises:
        JobFailed, WorkspaceError, StoreError, ConservationError, DamagedInputError, EmptyDatasetError, PublishError,
            OutputExists: nothing was published; ``resume`` goes on with what was finished.
    """
    settings, output = run.config.of(RunConfig), run.config.of(OutputConfig)
    workspace = run.target.open(fingerprint=_fingerprint(run), temp_dir=settings.temp_dir, resume=settings.resume)
    plan = dataclasses.replace(run.plan, workspace=str(workspace.root))
    for note in filter(None, (run.note, workspace.note)):
        say(note)
    # an interrupted run is discarded unless it was said to be resumable
    with guard(functools.partial(workspace.close, keep=settings.resume)):
        try:
            publication = Publication(
                schema=plan.recipe.schema,
                formats=plan.formats,
                run=run.info,
                budget=plan.budget,
                overwrite=output.overwrite,
                allow_empty=output.allow_empty,
                allow_truncated=run.config.of(InputConfig).allow_truncated,
                before=run.before,
            )
            if left := nobody_waits(run.options):  # then the output is in a store: check_dataflow
                plan = dataclasses.replace(plan, publisher=workspace.publisher(publication))
            run_graph(run, plan, say=say, progress=progress)
            if left:
                workspace.leave(f"the job {run.options.view_as(GoogleCloudOptions).job_name}")
                return None
            published = _publish(workspace, publication)
        except Exception:
            if kept := workspace.close(keep=True):
                say(kept)
            raise
    workspace.close()
    return published


def _publish(workspace: Held, publication: Publication) -> Published:
    try:
        return workspace.publish(publication)
    except OSError as error:
        if error.filename is None:
            raise
        raise JobFailed(f"the dataset cannot be put in place: {error.filename}: {error.strerror}") from error


def build_dry(run: Run) -> str:
    """Builds the graph as the runner would get it, without running it; returns a line that says how large it is."""
    graph = dry_run(functools.partial(build, plan=run.plan), options=run.options)
    return f"dry run: {len(graph.components.transforms)} steps in {graph.ByteSize():,} bytes; nothing was submitted"


def wants_dry(run: Run) -> bool:
    """Whether the options of Beam ask for the graph only."""
    return is_dry(run.options)


def run_graph(
    run: Run, plan: Plan, *, say: Callable[[str], object] = lambda line: None, progress: bool = False
) -> None:
    """Runs a graph in the workspace of its plan, on the runner of the run; its results stay there.

    Args:
        run: what ``prepare`` returned.
        plan: that of the run, with a workspace.
        say: gets lines for a person.
        progress: whether progress is shown: see Progress.

    Raises:
        JobFailed: the run failed.
    """
    for step in plan.steps:
        step.save(plan.workspace)
    save_materials(plan.materials, plan.workspace)
    steps, settings = functools.partial(build, plan=plan), run.config.of(RunConfig)
    if not is_local(run.options):
        run_remote(steps, options=run.options, slot_timeout=settings.slot_timeout, say=say)
        return
    # workers whose workspace is in a store leave no heartbeats there
    reads = plan.recipe.READS
    shown = Progress(Path(plan.workspace), reads=reads) if progress and not is_url(plan.workspace) else nullcontext()
    run_local(steps, options=run.options, workers=settings.workers or 1, progress=shown)


def opened_steps(config: JobConfig) -> Iterator[Step]:
    """Yields the steps of a job that have something to do. Raises TableError, ModelError: see Step.open."""
    for step in steps_of(config.recipe):
        opened = step.open(config.of(step.CONFIG), source=config.source, wanted=config.recipe.DOCUMENT)
        if opened is not None:
            yield opened


def _plan(config: JobConfig, steps: Sequence[Step], recipe: Recipe[Any], materials: Sequence[Material]) -> Plan:
    output, split = config.of(OutputConfig), config.of(SplitConfig)
    source = config.source.open(config.of(InputConfig).input or (), config.of(config.source.CONFIG))
    if source.schema is not None:
        _hand_over(source.schema, recipe)
    return Plan(
        source=source,
        workspace="",
        steps=steps,
        recipe=recipe,
        split=split,
        formats=output.formats or (),
        shards=output.shards,
        row_group_bytes=output.row_group_bytes,
        budget=RowBudget.of(output.rows, salt=split.salt),
        materials=materials,
        deadline=_deadline(config),
    )


def _deadline(config: JobConfig) -> float:
    """The seconds that the recipe may work on a document; rows that are read again have no deadline."""
    return next((s.parse_deadline for s in config.sections.values() if isinstance(s, DeadlineConfig)), math.inf)


def _hand_over(schema: ConfigSchema, recipe: Recipe[Any]) -> None:
    try:
        recipe.take_schema(schema)
        _ = recipe.schema
    except ValueError as error:
        raise ConfigError(f"the rows of the input: {error}") from None


def _run_info(
    config: JobConfig, steps: Sequence[Step], recipe: Recipe[Any], *, options: PipelineOptions, started: datetime
) -> RunInfo:
    code, patterns = code_version(), config.of(InputConfig).input or ()
    provenance = config.source.provenance(patterns)
    records = [step.record(code["gistmill"]) for step in steps]
    of_steps = [m for r in records for m in r.get("models", ())]
    models = [*config.source.models(patterns), *of_steps, *recipe.models]
    return RunInfo(
        recipe=config.recipe.NAME,
        title=config.recipe.TITLE,
        description=config.recipe.SUMMARY,
        config=config.to_public_values(),
        code_version=code["gistmill"],
        versions={**versions(), "source_sha256": code["source_sha256"]},
        models=models,
        dumps=config.source.dumps(patterns),
        evaluation=[e for r in records for e in r.get("evaluation", ())],
        signatures=[s for r in records for s in r.get("signatures", ())],
        parts=parts_of(steps) if config.recipe is KeepAnnotations else {},
        runner="FnApiRunner" if is_local(options) else options.view_as(StandardOptions).runner,
        start=started,
        licence=provenance.licence,
        attribution=provenance.attribution,
        language=provenance.language,
    )


def _fingerprint(run: Run) -> Mapping[str, Any]:
    """Returns the values that must be equal for a dead run's ranges to be usable."""
    known = {o.name: o for s in run.config.sections for o in options_of(s) if o.fingerprinted}
    values = {k: v for k, v in run.config.to_values().items() if k in known}
    return {
        "job": run.info.recipe,
        "configuration": {k: v if known[k].published else _hidden(v) for k, v in values.items()},
        "files": {f.path: [f.size, _modified(f.path)] for f in run.plan.source.files},
        "versions": run.info.versions,
        "models": run.info.models,
        "evaluation": run.info.evaluation,
        "signatures": run.info.signatures,
    }


def _hidden(value: Any) -> str:
    """Tells a value that may hold a key from another one, and can be shown."""
    return f"{without_secrets(str(value))} ({hashlib.sha256(str(value).encode()).hexdigest()[:16]})"


def _modified(path: str) -> int | None:
    return None if is_url(path) else Path(path).stat().st_mtime_ns
