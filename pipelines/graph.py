"""The graph of every building job, one straight line:

    Read -> Clean -> [Deduplicate] -> [Decontaminate] -> Annotate or Segment -> Recipe -> Split -> Write
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import apache_beam as beam

from rules.contamination import ContaminationConfig
from rules.records import RawDocument, SegmentedDocument
from transforms.annotate import AnnotateDocuments, AnnotationConfig
from transforms.clean import CleanDocuments
from transforms.decontaminate import RejectContaminated
from transforms.deduplicate import Deduplicate
from transforms.duplicates.sketches import NONE, DuplicatesConfig
from transforms.evaluation import Evaluation
from transforms.recipe import ApplyRecipe, Recipe
from transforms.segment import SegmentationConfig, SegmentDocuments
from transforms.sinks.merge import MergeRuns
from transforms.sinks.results import WriteResults
from transforms.sinks.runs import SetFinishedAside, WriteRuns
from transforms.sinks.schema import DatasetSchema
from transforms.sources.source import SOURCES, Source
from transforms.sources.wikipedia import schedule
from transforms.split import ChooseSplit, SplitConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides a building job's graph. ``clean`` is for sources of RawDocuments, ``annotation`` is None where
    nothing is parsed, ``segmentation`` for recipes that take plain sentences, ``evaluation`` None where nothing is looked for. ``publisher``
    takes the path of the results when the graph has to publish them itself, because nobody waits for it."""

    source: Source
    workspace: str
    duplicates: DuplicatesConfig
    evaluation: Evaluation | None
    contamination: ContaminationConfig
    clean: CleanDocuments
    annotation: AnnotationConfig | None
    segmentation: SegmentationConfig
    recipe: Recipe
    recipe_name: str
    schema: DatasetSchema
    split: SplitConfig
    formats: Sequence[str]
    shards: int | None
    publisher: Callable[[str], str] | None = None


def build(pipeline: beam.Pipeline, plan: Plan) -> None:
    """Adds the job's steps to ``pipeline``; its last step writes results.json into the work space, or publishes it."""
    planned = pipeline | "Plan" >> plan.source.plan(plan.workspace)
    ranges = planned.ranges | "Resume" >> beam.ParDo(SetFinishedAside(plan.workspace)).with_outputs(
        SetFinishedAside.FINISHED, main="pending")
    written = (
        _documents(planned.ranges, ranges.pending, plan)
        | plan.recipe_name >> ApplyRecipe(plan.recipe)
        | "Split" >> ChooseSplit(plan.split)
        | "Write" >> beam.ParDo(WriteRuns(plan.workspace, plan.schema))
    )
    results = (written, ranges[SetFinishedAside.FINISHED]) | "Results" >> beam.Flatten()
    shards = results | "Merge" >> MergeRuns(plan.workspace, plan.schema, formats=plan.formats, shards=plan.shards)
    finished = (shards, results, planned[SOURCES]) | "Finish" >> WriteResults(plan.workspace)
    if plan.publisher is not None:
        _ = finished | "Publish" >> beam.Map(plan.publisher)


def _documents(ranges: beam.PCollection, pending: beam.PCollection, plan: Plan) -> beam.PCollection:
    """Documents of the pending ranges, of the class that the recipe needs. Duplicates are looked for in all ranges."""
    cleaned = functools.partial(_cleaned, plan=plan)
    if plan.duplicates.mode == NONE:
        documents = cleaned(pending | "Schedule" >> schedule())
    else:
        documents = (ranges, pending) | "Deduplicate" >> Deduplicate(
            plan.workspace, plan.duplicates, cleaned, keep=plan.source.DOCUMENT is RawDocument)
    if plan.evaluation is not None:
        documents = documents | "Decontaminate" >> RejectContaminated(plan.workspace, plan.contamination)
    if plan.annotation is not None:
        documents = documents | "Annotate" >> AnnotateDocuments(plan.annotation)
    if plan.recipe.DOCUMENT is SegmentedDocument:
        documents = documents | "Segment" >> SegmentDocuments(plan.segmentation)
    return documents


def _cleaned(ranges: beam.PCollection, *, plan: Plan) -> beam.PCollection:
    documents = ranges | "Read" >> plan.source.read()
    return documents | "Clean" >> plan.clean if plan.source.DOCUMENT is RawDocument else documents
