"""From the configuration of a job to its plan: nothing that comes later reads the configuration."""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gistmill.core.addresses import without_secrets
from gistmill.core.dataset import ConfigSchema
from gistmill.core.options import options_of
from gistmill.core.row_budget import RowBudget
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.graph import Plan
from gistmill.pipelines.job import JobConfig, steps_of
from gistmill.pipelines.languages import check_language, given_language, language_entry
from gistmill.pipelines.publishing.publication import Publication
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.pipelines.reuse import Reuse, open_reuse, parts_of
from gistmill.pipelines.sections import InputConfig, OutputConfig
from gistmill.pipelines.versions import code_version, recipe_versions, versions
from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.recipe import Recipe
from gistmill.transforms.materials import open_materials
from gistmill.transforms.steps.annotate import AnnotationConfig
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.choose_split import SplitConfig
from gistmill.transforms.steps.deadline import DeadlineConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a configuration comes to.

    Attributes:
        plan: decides the graph; it has no workspace yet.
        publication: what is published, and on which conditions.
        decisive: the options that must be equal for a dead run's ranges to be usable.
        note: a line for a person before the run begins, or "".
    """

    plan: Plan
    publication: Publication
    decisive: Mapping[str, Any]
    note: str


def planned(config: JobConfig, *, runner: str, started: datetime, before: str = "") -> Planned:
    """Opens all that a job works with: models, tables, files, older datasets.

    Args:
        config: the configuration.
        runner: name of the runner, for the manifest.
        started: when the job began.
        before: the dataset that the report compares with; "" for the one that is replaced.

    Raises:
        ConfigError, TableError, ModelError, MaterialError, SourceError: something is missing or cannot be used.
    """
    # packages and models are looked for before any input is read
    steps = list(opened_steps(config))
    output, split = config.of(OutputConfig), config.of(SplitConfig)
    recipe = config.recipe(config.of(config.recipe.CONFIG), salt=split.salt)
    materials = open_materials(recipe)
    info = _run_info(config, steps, recipe, runner=runner, started=started)
    annotation, deadline = config.find(AnnotationConfig), config.find(DeadlineConfig)
    older = annotation.reuse if annotation else None
    reuse = Reuse() if older is None else open_reuse(older, steps)
    source = config.source.open(config.of(InputConfig).input or (), config.of(config.source.CONFIG))
    check_language(config, source, recipe)
    if source.schema is not None:
        _hand_over(source.schema, recipe)
    plan = Plan(
        source=source,
        workspace="",
        steps=reuse.steps(steps),
        recipe=recipe,
        split=split,
        formats=output.formats or (),
        shards=output.shards,
        row_group_bytes=output.row_group_bytes,
        budget=RowBudget.of(output.rows, salt=split.salt),
        materials=materials,
        deadline=deadline.parse_deadline if deadline else math.inf,  # rows that are read again have none
        language=given_language(config, source),
    )
    publication = Publication(
        schema=recipe.schema,
        formats=plan.formats,
        run=dataclasses.replace(info, reuse=reuse.record, language=language_entry(config, source)),
        budget=plan.budget,
        overwrite=output.overwrite,
        allow_empty=output.allow_empty,
        allow_truncated=config.of(InputConfig).allow_truncated,
        before=before,
    )
    return Planned(plan=plan, publication=publication, decisive=_decisive(config), note=reuse.note)


def opened_steps(config: JobConfig) -> Iterator[Step]:
    """Yields the steps of a job that have something to do. Raises TableError, ModelError: see Step.open."""
    for step in steps_of(config.recipe):
        opened = step.open(config.of(step.CONFIG), source=config.source, wanted=config.recipe.DOCUMENT)
        if opened is not None:
            yield opened


def _hand_over(schema: ConfigSchema, recipe: Recipe[Any]) -> None:
    try:
        recipe.take_schema(schema)
        _ = recipe.schema
    except ValueError as error:
        raise ConfigError(f"the rows of the input: {error}") from None


def _run_info(
    config: JobConfig, steps: Sequence[Step], recipe: Recipe[Any], *, runner: str, started: datetime
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
        versions={**versions(), "source_sha256": code["source_sha256"], **recipe_versions(config.recipe)},
        models=models,
        dumps=config.source.dumps(patterns),
        crawls=config.source.crawls(patterns),
        evaluation=[e for r in records for e in r.get("evaluation", ())],
        signatures=[s for r in records for s in r.get("signatures", ())],
        parts=parts_of(steps) if config.recipe is KeepAnnotations else {},
        runner=runner,
        start=started,
        licence=provenance.licence,
        attribution=provenance.attribution,
    )


def _decisive(config: JobConfig) -> dict[str, Any]:
    known = {o.name: o for s in config.sections for o in options_of(s) if o.fingerprinted}
    values = {k: v for k, v in config.to_values().items() if k in known}
    return {k: v if known[k].published else _hidden(v) for k, v in values.items()}


def _hidden(value: Any) -> str:
    """Tells a value that may hold a key from another one, and can be shown."""
    return f"{without_secrets(str(value))} ({hashlib.sha256(str(value).encode()).hexdigest()[:16]})"
