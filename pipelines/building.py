"""What every building job does around its recipe: check, run the graph, publish. The graph is ``pipelines/graph.py``."""
from __future__ import annotations

import dataclasses
import functools
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from apache_beam.io.filesystem import BeamIOError
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import GoogleCloudOptions, PipelineOptions, StandardOptions

from pipelines.common import of_source
from pipelines.graph import Plan, build
from pipelines.options import Option, Parsed, UsageError, dump, parse
from pipelines.running.conservation import ConservationError, DamagedInputError
from pipelines.running.dataflow import check_dataflow, dry_run, is_dry, nobody_waits
from pipelines.running.failures import JobFailed
from pipelines.running.interrupts import exit_on_signals
from pipelines.running.local import check_runner, is_local, run_local, run_remote
from pipelines.running.manifest import RunInfo
from pipelines.running.progress import Progress
from pipelines.running.publish import OutputExistsError, PublishError, summary
from pipelines.running.quiet import mute_stores
from pipelines.running.store import StoreError, is_url, reason_of
from pipelines.running.target import Held, Target, target_of
from pipelines.running.workspace import WorkspaceError
from pipelines.versions import code_version, data_checksums, model_record, versions
from rules.contamination import ContaminationConfig
from rules.records import AnnotatedDocument
from rules.text.wikitext import CleaningConfig
from transforms.annotate import AnnotationConfig
from transforms.clean import CleanDocuments, NewsConfig
from transforms.coreference import describe_resolver
from transforms.duplicates.sketches import DuplicatesConfig
from transforms.evaluation import Evaluation, described, read_evaluation
from transforms.models import ModelError, describe_model
from transforms.recipe import Recipe
from transforms.segment import FAST, SegmentationConfig
from transforms.sinks.schema import DatasetSchema
from transforms.sources.registry import REGISTRY
from transforms.sources.source import chosen
from transforms.split import SplitConfig

LOG = logging.getLogger(__name__)

# Options that change how a run goes, and not what comes out of it up to the run files: a resumed run may differ in them.
_NOT_IN_FINGERPRINT = frozenset(
    {"output", "overwrite", "resume", "workers", "temp_dir", "formats", "shards", "allow_truncated"})
_FAILURES = (JobFailed, WorkspaceError, StoreError, ConservationError, DamagedInputError, PublishError)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingJob:
    """One building job.

    Attributes:
        name: the job's name on the command line.
        step: the recipe's name in the graph.
        title, summary: heading and first paragraph of the dataset card.
        description, epilog: texts of ``--help``.
        options: every option, shared and own.
        recipe: makes the recipe from the option values; raises ValueError with the bad value and the remedy.
        schema: the dataset's configurations; where they depend on the options, what makes them of the recipe.
    """

    name: str
    step: str
    title: str
    summary: str
    description: str
    epilog: str
    options: tuple[Option, ...]
    recipe: Callable[[Mapping[str, Any]], Recipe]
    schema: DatasetSchema | Callable[[Any], DatasetSchema]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A run of which all is checked and nothing begun; the plan has no work space yet."""

    job: BuildingJob
    parsed: Parsed
    options: PipelineOptions
    target: Target
    plan: Plan
    info: RunInfo

    def say(self, text: str) -> None:
        """Says something on standard error."""
        print(f"gistmill {self.job.name}: {text}", file=sys.stderr)


def run_job(job: BuildingJob, argv: Sequence[str]) -> int:
    """Runs a building job from its command line; returns the exit code.

    Raises:
        UsageError: the command line, the configuration or the input's names are wrong; nothing was begun.
    """
    parsed = of_source(parse(job.name, job.options, argv, description=job.description, epilog=job.epilog), job.options)
    if parsed.print_config:
        print(dump(job.name, parsed), end="")
        return 0
    logging.basicConfig(level=logging.WARNING, format="gistmill: %(message)s")
    try:
        run = _prepare(job, parsed, started=datetime.now(UTC))
        if is_dry(run.options):
            graph = dry_run(functools.partial(build, plan=run.plan), options=run.options)
            print(f"dry run: {len(graph.components.transforms)} steps in {graph.ByteSize():,} bytes; nothing was submitted")
            return 0
        workspace = run.target.open(fingerprint=_fingerprint(parsed, run.info, run.plan),
                                    temp_dir=parsed.values["temp_dir"], resume=parsed.values["resume"])
    except (StoreError, WorkspaceError) as error:
        print(f"gistmill {job.name}: {error}", file=sys.stderr)
        return 1
    return _carry_out(run, workspace)


def _prepare(job: BuildingJob, parsed: Parsed, *, started: datetime) -> _Prepared:
    """Checks all that can be checked before a work space is made.

    Raises:
        UsageError: a value, a package, a model or an input is not there or of no use.
        StoreError, WorkspaceError: a store or a folder cannot be used.
    """
    try:
        options = PipelineOptions(list(parsed.beam))
        check_runner(options, parsed.values["workers"])
        check_dataflow(options, parsed.values)
        FileSystems.set_options(options)
        mute_stores()
        target = target_of(parsed.values["output"], workers_elsewhere=not is_local(options))
        target.check(overwrite=parsed.values["overwrite"])
        recipe = job.recipe(parsed.values)
        if callable(job.schema):
            job = dataclasses.replace(job, schema=job.schema(recipe))
        segmentation = SegmentationConfig(method=parsed.values.get("sentences") or FAST)
        annotation = _annotation(recipe, segmentation, parsed.values)
        # packages and models are looked for before any input is read
        info = _run_info(job, parsed, annotation, started=started, options=options)
        plan = _plan(job, parsed.values, recipe, annotation, segmentation)
        info = dataclasses.replace(info, evaluation=described(plan.evaluation))
    except (ValueError, ModelError, OutputExistsError) as error:
        raise UsageError(" ".join(str(error).split())) from None
    except BeamIOError as error:  # the store of an input
        raise UsageError(f"{', '.join(error.exception_details or {})}: {reason_of(error)}") from None
    return _Prepared(job=job, parsed=parsed, options=options, target=target, plan=plan, info=info)


def _carry_out(run: _Prepared, workspace: Held) -> int:
    """Runs the graph in the work space and publishes; returns the exit code."""
    values, options = run.parsed.values, run.options
    plan = dataclasses.replace(run.plan, workspace=str(workspace.root))
    if workspace.note:
        run.say(workspace.note)
    # who stops a run by hand is done with it, unless it was said to be one that is resumed
    with exit_on_signals(functools.partial(workspace.close, keep=values["resume"])):
        try:
            if plan.evaluation is not None:
                plan.evaluation.save(plan.workspace)
            publishing = {"schema": run.job.schema, "formats": values["formats"], "run": run.info,
                          "overwrite": values["overwrite"], "allow_truncated": values["allow_truncated"]}
            if left := nobody_waits(options):  # then the output is in a store: check_dataflow
                plan = dataclasses.replace(plan, publisher=run.target.publisher(workspace, **publishing))
            steps = functools.partial(build, plan=plan)
            if is_local(options):
                run_local(steps, options=options, workers=values["workers"] or 1, progress=_progress(plan.workspace))
            else:
                run_remote(steps, options=options)
            if left:
                workspace.leave(f"the job {options.view_as(GoogleCloudOptions).job_name}")
                print(f"{values['output']}: the graph is built; its last step publishes")
                return 0
            published = run.target.publish(workspace, **publishing)
        except (*_FAILURES, OutputExistsError) as error:
            run.say(str(error))
            if kept := workspace.close(keep=True):
                run.say(kept)
            return 1
        except Exception:  # a fault of ours, shown with its traceback; a signal is for exit_on_signals
            workspace.close(keep=True)
            raise
    workspace.close()
    print(summary(published))
    return 0


def _progress(workspace: str) -> AbstractContextManager[object]:
    """What shows the progress; workers whose work space is in a store leave no heartbeats there."""
    return nullcontext() if is_url(workspace) else Progress(Path(workspace))


def _annotation(recipe: Recipe, segmentation: SegmentationConfig, values: Mapping[str, Any]) -> AnnotationConfig | None:
    """How documents are parsed; None where the source holds parses, or neither recipe nor sentences need one."""
    if REGISTRY[values["source"]].DOCUMENT is AnnotatedDocument:
        return None
    if recipe.DOCUMENT is AnnotatedDocument:
        return AnnotationConfig(**chosen(values, "spacy_model", "coref", "coref_model"))
    return AnnotationConfig(coref="none", **chosen(values, "spacy_model")) if segmentation.needs_parse else None


def _plan(job: BuildingJob, values: Mapping[str, Any], recipe: Recipe, annotation: AnnotationConfig | None,
          segmentation: SegmentationConfig) -> Plan:
    """The plan, but for its work space.

    Raises:
        ValueError: a value or an input file is of no use.
    """
    deadline = {"deadline_s": values["parse_deadline"]} if values.get("parse_deadline") else {}
    return Plan(
        source=REGISTRY[values["source"]].open(values["input"], values), workspace="",
        duplicates=DuplicatesConfig(mode=values["deduplicate"], threshold=values["duplicate_threshold"]),
        evaluation=_evaluation(values),
        contamination=_contamination(values),
        clean=CleanDocuments(config=CleaningConfig(**chosen(values, "keep_lists")),
                             news=NewsConfig(**chosen(values, "languages", "keep_boilerplate")), **deadline),
        annotation=annotation, segmentation=segmentation, recipe=recipe, recipe_name=job.step, schema=job.schema,
        split=SplitConfig(shares=values["splits"], salt=f"{values['salt']}-split"),
        formats=values["formats"], shards=values["shards"],
    )


def _contamination(values: Mapping[str, Any]) -> ContaminationConfig:
    return ContaminationConfig(ngram=values["decontaminate_ngram"], threshold=values["decontaminate_threshold"])


def _evaluation(values: Mapping[str, Any]) -> Evaluation | None:
    """Reads the evaluation texts, if there are any to be kept out."""
    if not values["decontaminate"]:
        return None
    return read_evaluation(values["decontaminate"], ngram=_contamination(values).ngram,
                           fields=values["decontaminate_fields"] or ())


def _run_info(job: BuildingJob, parsed: Parsed, annotation: AnnotationConfig | None, *, started: datetime,
              options: PipelineOptions) -> RunInfo:
    code = code_version()
    values = parsed.values
    source = REGISTRY[values["source"]]
    provenance = source.provenance(values["input"])
    runner = "FnApiRunner" if is_local(options) else options.view_as(StandardOptions).runner
    return RunInfo(
        recipe=job.name, title=job.title, description=job.summary, config=dict(values),
        code_version=code["gistmill"], versions={**versions(), "source_sha256": code["source_sha256"]},
        models=[*source.models(values["input"]), *(_models(annotation, code["gistmill"]) if annotation else ())],
        runner=runner, start=started, licence=provenance.licence, attribution=provenance.attribution,
    )


def _models(annotation: AnnotationConfig, version: str) -> list[Mapping[str, Any]]:
    """The models that parse the documents."""
    models = [model_record(describe_model(annotation.spacy_model))]
    if annotation.coref in ("sieve", "minilm"):  # the latter asks the former first
        models.append({"name": "sieve", "version": version, "files": data_checksums("rules.coreference")})
    return models + describe_resolver(annotation.coref, model=annotation.coref_model, spacy_model=annotation.spacy_model)


def _fingerprint(parsed: Parsed, info: RunInfo, plan: Plan) -> dict[str, Any]:
    """What has to be equal for a dead run's ranges to be usable."""
    return {
        "job": info.recipe,
        "configuration": {k: v for k, v in parsed.values.items() if k not in _NOT_IN_FINGERPRINT},
        "files": {f.path: [f.size, _modified(f.path)] for f in plan.source.files},
        "versions": info.versions,
        "models": info.models,
        "evaluation": described(plan.evaluation),
    }


def _modified(path: str) -> int | None:
    return Path(path).stat().st_mtime_ns if "://" not in path else None
