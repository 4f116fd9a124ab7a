"""The manifest of a run: what the publisher found in the workspace, and what the job knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gistmill.core.annotation_parts import Part
from gistmill.core.dataset import DatasetSchema
from gistmill.core.json_value import JsonValue
from gistmill.core.manifest import MANIFEST, Manifest
from gistmill.core.manifest_entries import (
    ENGLISH_ENTRY,
    CrawlEntry,
    DumpEntry,
    EvaluationEntry,
    LanguageEntry,
    ModelEntry,
    PublishedFile,
    SignaturesEntry,
    SourceEntry,
)
from gistmill.core.public_names import public_configuration, public_name
from gistmill.core.records import Damage
from gistmill.core.reuse import PARSED, REUSED, REVISED, ReuseEntry
from gistmill.core.statistics import group_counts
from gistmill.rules.reasons import CleanReason
from gistmill.transforms.sinks.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """The part of the manifest that the publisher cannot see in the workspace.

    Attributes:
        recipe: name of the job.
        title: heading of the dataset card.
        description: a paragraph for the card.
        config: the effective configuration, as it is published (core/public_names.py).
        code_version: version of gistmill.
        versions: versions of what decides about the content: beam, spacy, pyarrow, python, ...
        models: a mapping for each model: name, version, SHA-256 of its weights.
        runner: where it ran.
        start: when it began, with time zone.
        evaluation: a mapping for each file of texts that were kept out.
        signatures: a mapping for each file of signatures that documents were compared with.
        crawls: the months of crawls of which the inputs are files, as far as is known.
        dumps: of the inputs, those that are known to be files of a wiki's dump.
        parts: what decides each part of the annotations, by name.
        reuse: ``dataset`` and ``sha256`` of the older dataset from which documents are taken.
        licence: identifier for the card, e.g. ``cc-by-sa-4.0``; "" when it is not known.
        attribution: a paragraph on where the text comes from.
        language: the language of the texts.
    """

    recipe: str
    title: str
    description: str
    config: Mapping[str, Any]
    code_version: str
    versions: Mapping[str, str]
    runner: str
    start: datetime
    models: Sequence[Mapping[str, Any]] = ()
    evaluation: Sequence[Mapping[str, Any]] = ()
    signatures: Sequence[Mapping[str, Any]] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    reuse: Mapping[str, str] | None = None
    dumps: Sequence[DumpEntry] = ()
    crawls: Sequence[CrawlEntry] = ()
    licence: str = ""
    attribution: str = ""
    language: LanguageEntry = ENGLISH_ENTRY


def machine_dependent(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts of what depends on the machine's speed: documents that ran into the parser's deadline."""
    key = f"documents/rejected/{CleanReason.DEADLINE.name}"
    return {key: counts[key]} if counts.get(key) else {}


def manifest(
    results: Results, *, run: RunInfo, schema: DatasetSchema, files: Sequence[PublishedFile], end: datetime
) -> Manifest:
    """Returns the manifest of a dataset of these files. It names no folder of the machine that made it."""
    return Manifest(
        recipe=run.recipe,
        configuration=dict(run.config),
        code_version=run.code_version,
        versions=dict(run.versions),
        models=tuple(_model(m, i) for i, m in enumerate(run.models)),
        runner=run.runner,
        start=run.start.replace(microsecond=0),
        end=end.replace(microsecond=0),
        licence=run.licence,
        attribution=run.attribution,
        evaluation=tuple(EvaluationEntry(name=public_name(e["path"]), **_but_path(e)) for e in run.evaluation),
        signatures=tuple(SignaturesEntry(**{**s, "dataset": public_name(s["dataset"])}) for s in run.signatures),
        sources=source_entries(results),
        dumps=tuple(dataclasses.replace(d, url=public_name(d.url)) for d in sorted(run.dumps, key=lambda d: d.names)),
        crawls=tuple(dataclasses.replace(c, url=public_name(c.url)) for c in run.crawls),
        damage=public_damage(results),
        counts=group_counts(results.counts),
        machine_dependent=machine_dependent(results.counts),
        columns={c.name: c.columns for c in schema.configs},
        files=tuple(sorted(files, key=lambda f: f.path)),
        arithmetic=results.arithmetic,
        parts=run.parts,
        reuse=_reuse(run.reuse, results),
        language=run.language,
    )


def _reuse(older: Mapping[str, str] | None, results: Results) -> ReuseEntry | None:
    if older is None:
        return None
    documents = {kind: results.reuse.get(kind, 0) for kind in (REUSED, REVISED, PARSED)}
    return ReuseEntry(dataset=public_name(older["dataset"]), sha256=older["sha256"], documents=documents)


def source_entries(results: Results) -> tuple[SourceEntry, ...]:
    """Returns the files that were read, by their public names."""
    return tuple(SourceEntry(name=public_name(s["path"]), **_but_path(s)) for s in results.sources)


def public_damage(results: Results) -> tuple[Damage, ...]:
    """Returns the places where files are damaged, with the files' public names."""
    return tuple(dataclasses.replace(d, file=public_name(d.file)) for d in results.damage)


def _model(value: Mapping[str, Any], index: int) -> ModelEntry:
    """A model's name and weights may be folders of the user's own."""
    entry = ModelEntry.from_json(JsonValue(value, MANIFEST, f"models[{index}]"))
    named: Any = public_configuration({"name": entry.name, "weights": entry.weights}, places=())
    return dataclasses.replace(entry, **named)


def _but_path(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in entry.items() if k != "path"}
