"""The graph of all build jobs, a linear chain of steps:

Read -> the steps of transforms/steps/registry.py -> Recipe -> Split -> Write
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam

from gistmill.core.records import FromDocument, Reject
from gistmill.core.row_budget import UNLIMITED, RowBudget
from gistmill.rules.recipe import Recipe
from gistmill.transforms.materials import Material
from gistmill.transforms.range_files import SetAside
from gistmill.transforms.reuse import AnnotatedStore
from gistmill.transforms.sinks.results import MergeSpills, WriteResults
from gistmill.transforms.sinks.spills import WriteSpills, finished_ranges
from gistmill.transforms.sources.base import SOURCES, Checksums, Readable
from gistmill.transforms.steps.base import Flow, Step
from gistmill.transforms.steps.recipe import ApplyRecipe, ChooseSplit, SplitConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that determines the graph of a build job."""

    source: Readable
    workspace: str  # root of the run's workspace; "" until it is created
    steps: Sequence[Step]  # the required steps, in order
    recipe: Recipe[Any]
    split: SplitConfig  # assigns documents to splits
    formats: Sequence[str]  # names of the output formats
    shards: int | None  # files per split; None to choose a number by size
    budget: RowBudget = UNLIMITED  # maximum number of rows in each split
    # called with the path of the results if no driver waits for the graph, so that it must publish them itself
    publisher: Callable[[str], str] | None = None
    materials: Sequence[Material] = ()  # files that the recipe requires
    row_group_bytes: int | None = None  # maximum size of Parquet row groups; None for the default
    deadline: float = math.inf  # time limit of the recipe for one document, in seconds
    language: str = ""  # code of the language assigned to every document; "" if documents specify their own
    store: AnnotatedStore | None = None  # the older dataset from which annotations are reused; None for none


def build(pipeline: beam.Pipeline, plan: Plan) -> None:
    """Adds the job's steps to ``pipeline``; the last step writes results.json to the workspace, or publishes it."""
    planned = pipeline | "Plan" >> plan.source.plan(plan.workspace)
    finished = SetAside(plan.workspace, finished_ranges, counted=True)
    ranges = planned.ranges | "Resume" >> beam.ParDo(finished).with_outputs(SetAside.KNOWN, main="pending")
    flow = Flow(
        workspace=plan.workspace,
        ranges=planned.ranges,
        pending=ranges.pending,
        read=_reader(plan),
        store=plan.store,
    )
    schema = plan.recipe.schema
    for step in plan.steps:
        flow = dataclasses.replace(step.apply(flow), reasons=(*flow.reasons, *step.REASONS))
    written = (
        flow.documents()
        | type(plan.recipe).__name__ >> beam.ParDo(ApplyRecipe(plan.recipe, plan.workspace, deadline=plan.deadline))
        | "Split" >> beam.ParDo(ChooseSplit(plan.split))
        | "Write" >> beam.ParDo(WriteSpills(plan.workspace, schema))
    )
    results = (written, ranges[SetAside.KNOWN]) | "Results" >> beam.Flatten()
    shards = results | "Merge" >> MergeSpills(
        plan.workspace,
        schema,
        formats=plan.formats,
        shards=plan.shards,
        budget=plan.budget,
        row_group_bytes=plan.row_group_bytes,
        by=plan.recipe.TYPE,
    )
    sources = planned[SOURCES] | "Checksums" >> Checksums()
    finished = (shards, results, sources, *flow.files) | "Finish" >> WriteResults(plan.workspace)
    if plan.publisher is not None:
        _ = finished | "Publish" >> beam.Map(plan.publisher)


def _reader(plan: Plan) -> Callable[[beam.PCollection], beam.PCollection]:
    read = plan.source.read()
    if plan.language:
        read = read | "Language" >> beam.Map(_said_to_be_in, plan.language)
    if plan.source.schema is not None:  # steps for rows depend on the split
        return lambda ranges: ranges | "Read" >> read | "Split pairs" >> beam.ParDo(ChooseSplit(plan.split))
    return lambda ranges: ranges | "Read" >> read


def _said_to_be_in(element: Any, language: str) -> Any:
    """Sets the language of a document; returns other elements unchanged."""
    if not isinstance(element, FromDocument) or isinstance(element, Reject):
        return element
    origin = element.origin
    told = dataclasses.replace(origin, metadata=dataclasses.replace(origin.metadata, language=language))
    return dataclasses.replace(element, origin=told)
