"""manifest.json: what a dataset is made of, by what, and every file of it."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipelines.running.stats import group_counts
from rules.verdict import Reason
from transforms.sinks.results import Results
from transforms.sinks.schema import DatasetSchema

MANIFEST_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """What the publisher cannot see in the work space.

    Attributes:
        recipe: name of the job.
        title: heading of the dataset card.
        description: a paragraph for the card.
        config: the effective configuration, JSON values.
        code_version: version of gistmill.
        versions: versions of what decides about the content: beam, spacy, pyarrow, python, ...
        models: a mapping for each model: name, version, SHA-256 of its weights.
        runner: where it ran.
        start: when it began, with time zone.
        evaluation: a mapping for each file of texts that were kept out.
        licence: identifier for the card, e.g. ``cc-by-sa-4.0``; "" when it is not known.
        attribution: a paragraph on where the text comes from.
        language: BCP 47 code of the text.
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
    licence: str = ""
    attribution: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """A file of the dataset; configuration, split, format and rows are those of a shard, else empty."""

    path: str
    bytes: int
    sha256: str
    rows: int | None = None
    config: str = ""
    split: str = ""
    format: str = ""

    def to_json(self) -> dict[str, Any]:
        """Returns the fields that are set."""
        return {k: v for k, v in dataclasses.asdict(self).items() if v not in ("", None)}


def machine_dependent(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts of what depends on the machine's speed: documents that ran into the parser's deadline."""
    key = f"documents/rejected/{Reason.DEADLINE.name}"
    return {key: counts[key]} if counts.get(key) else {}


def manifest(results: Results, *, run: RunInfo, schema: DatasetSchema, files: Sequence[PublishedFile],
             end: datetime) -> dict[str, Any]:
    """Returns the content of manifest.json."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "recipe": run.recipe,
        "configuration": run.config,
        "code_version": run.code_version,
        "versions": run.versions,
        "models": list(run.models),
        "runner": run.runner,
        "start": run.start.isoformat(timespec="seconds"),
        "end": end.isoformat(timespec="seconds"),
        "licence": run.licence,
        "attribution": run.attribution,
        "evaluation": list(run.evaluation),
        "sources": list(results.sources),
        "damage": [dataclasses.asdict(d) for d in results.damage],
        "counts": group_counts(results.counts),
        "machine_dependent": machine_dependent(results.counts),
        "columns": {c.name: [dataclasses.asdict(column) for column in c.columns] for c in schema.configs},
        "files": [f.to_json() for f in sorted(files, key=lambda f: f.path)],
    }
