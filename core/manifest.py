"""manifest.json of a published dataset: what it is made of, by what, and every file of it.

Versions of its form:
    1: ``sources`` and ``evaluation`` name their files by ``path``, local ones with their folders.
    2: they name them by ``name``: a URL, or the last part of a local path. So do ``configuration`` and ``damage``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

from gistmill.core.annotation_parts import Part
from gistmill.core.arithmetic import Arithmetic
from gistmill.core.dataset import ID_COLUMN, Column, ConfigSchema
from gistmill.core.json_value import JsonError, JsonValue, check_version, load
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
from gistmill.core.public_names import public_configuration
from gistmill.core.records import Damage
from gistmill.core.reuse import ReuseEntry
from gistmill.core.short_repr import short_repr

MANIFEST = "manifest.json"
MANIFEST_VERSION = 2


class ManifestError(ValueError):
    """A manifest cannot be read; the text is one line that says what is wrong in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of manifest.json.

    Attributes:
        recipe: name of the job.
        configuration: its options, as gistmill.core.public_names.public_configuration leaves them.
        code_version: version of gistmill.
        versions: versions of what decides about the content, by package.
        models: the models that took part.
        arithmetic: how the numeric libraries of the workers computed annotations; several of one library where workers
            differed, none where nothing was annotated.
        runner: where it ran.
        start, end: when the run began and when it published.
        licence: identifier such as ``cc-by-sa-4.0``; "" when it is not known.
        attribution: a paragraph on where the text comes from.
        language: the language of the texts.
        evaluation: files of texts that were kept out.
        signatures: files of signatures with which documents were compared.
        parts: what decides each part of the annotations, by name; only of ``annotate``.
        reuse: what was taken from an older dataset; None where nothing could be.
        sources: files that were read, sorted by kind and path; two may have the same name.
        dumps: those that `gistmill download` or `gistmill rebuild` brought.
        crawls: months of crawls that `gistmill rebuild` brought.
        damage: where sources were damaged; ``file`` is a name, as in ``sources``.
        counts: numbers of documents, rows and the like, in groups such as ``rows/full``.
        machine_dependent: those counts that depend on the machine's speed.
        columns: columns of each configuration; the first configuration is the one that loads by default.
        files: every file of the dataset but the manifest, in order of their paths.
    """

    __repr__ = short_repr

    recipe: str
    configuration: Mapping[str, Any]
    code_version: str
    versions: Mapping[str, str]
    models: tuple[ModelEntry, ...]
    runner: str
    start: datetime
    end: datetime
    licence: str
    attribution: str
    evaluation: tuple[EvaluationEntry, ...]
    sources: tuple[SourceEntry, ...]
    damage: tuple[Damage, ...]
    counts: Mapping[str, Mapping[str, int]]
    machine_dependent: Mapping[str, int]
    columns: Mapping[str, tuple[Column, ...]]
    files: tuple[PublishedFile, ...]
    arithmetic: tuple[Arithmetic, ...] = ()
    signatures: tuple[SignaturesEntry, ...] = ()
    dumps: tuple[DumpEntry, ...] = ()
    crawls: tuple[CrawlEntry, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    reuse: ReuseEntry | None = None
    language: LanguageEntry = ENGLISH_ENTRY

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the form of MANIFEST_VERSION."""
        return {
            "manifest_version": MANIFEST_VERSION,
            "recipe": self.recipe,
            "configuration": dict(self.configuration),
            "code_version": self.code_version,
            "versions": dict(self.versions),
            "models": [m.to_json() for m in self.models],
            "arithmetic": [dataclasses.asdict(a) for a in self.arithmetic],
            "runner": self.runner,
            "start": self.start.isoformat(timespec="seconds"),
            "end": self.end.isoformat(timespec="seconds"),
            "licence": self.licence,
            "attribution": self.attribution,
            "evaluation": [dataclasses.asdict(e) for e in self.evaluation],
            "signatures": [dataclasses.asdict(s) for s in self.signatures],
            "sources": [dataclasses.asdict(s) for s in self.sources],
            "dumps": [dataclasses.asdict(d) for d in self.dumps],
            **self._of_some_jobs(),
            "damage": [dataclasses.asdict(d) for d in self.damage],
            "counts": {group: dict(counts) for group, counts in self.counts.items()},
            "machine_dependent": dict(self.machine_dependent),
            "columns": {name: [dataclasses.asdict(c) for c in columns] for name, columns in self.columns.items()},
            "files": [f.to_json() for f in self.files],
        }

    def _of_some_jobs(self) -> dict[str, Any]:
        found = {
            "crawls": [dataclasses.asdict(c) for c in self.crawls],
            "parts": {name: part.to_json() for name, part in self.parts.items()},
            "reuse": self.reuse and self.reuse.to_json(),
            "language": None if self.language == ENGLISH_ENTRY else dataclasses.asdict(self.language),
        }
        return {name: value for name, value in found.items() if value}

    @classmethod
    def read(cls, file: BinaryIO) -> Manifest:
        """Reads the file. Raises ManifestError: it is not JSON or too large, or see ``from_json``."""
        return cls.from_json(_loaded(file))

    @classmethod
    def from_json(cls, value: object) -> Manifest:
        """Reads JSON values of any version up to MANIFEST_VERSION. No name or path leads out of a dataset's folder.

        Raises:
            ManifestError: a newer gistmill wrote it, or a field is missing or not of the form that it has to have.
        """
        try:
            return _read(JsonValue(value, MANIFEST))
        except JsonError as error:
            raise ManifestError(str(error)) from None

    def rows(self) -> dict[str, int]:
        """Returns the number of rows of each configuration that has any."""
        groups = ((k.removeprefix("rows/"), g) for k, g in self.counts.items() if k.startswith("rows/"))
        return {config: sum(group.values()) for config, group in sorted(groups)}


def faults_in(file: BinaryIO) -> list[str]:
    """Returns a line for each field of a manifest that is missing or not of the form that it has to have.

    Raises:
        ManifestError: the file is not JSON or too large, or a newer gistmill wrote it.
    """
    value = _loaded(file)
    try:
        check_version(JsonValue(value, MANIFEST)["manifest_version"], what="manifest", newest=MANIFEST_VERSION)
    except JsonError as error:
        raise ManifestError(str(error)) from None
    noted: dict[str, None] = {}
    _read(JsonValue(value, MANIFEST, noted=noted))
    return list(noted)


def _loaded(file: BinaryIO) -> object:
    try:
        return load(file, MANIFEST)
    except JsonError as error:
        raise ManifestError(str(error)) from None


def _read(value: JsonValue) -> Manifest:
    check_version(value["manifest_version"], what="manifest", newest=MANIFEST_VERSION)
    signatures, dumps = value.get("signatures"), value.get("dumps")
    parts, reuse, crawls = value.get("parts"), value.get("reuse"), value.get("crawls")
    language = value.get("language")
    return Manifest(
        recipe=value["recipe"].name(),
        configuration=_configuration(value["configuration"]),
        code_version=value["code_version"].text(),
        versions=value["versions"].texts(),
        models=tuple(map(ModelEntry.from_json, value["models"].items())),
        runner=value["runner"].text(),
        start=value["start"].time(),
        end=value["end"].time(),
        licence=value["licence"].text(),
        attribution=value["attribution"].text(),
        evaluation=tuple(map(EvaluationEntry.from_json, value["evaluation"].items())),
        signatures=tuple(map(SignaturesEntry.from_json, signatures.items())) if signatures else (),
        sources=tuple(map(SourceEntry.from_json, value["sources"].items())),
        damage=tuple(
            Damage(d["file"].text(), d["offset"].whole(), d["message"].text()) for d in value["damage"].items()
        ),
        counts={name: group.counts() for name, group in value["counts"].fields().items()},
        machine_dependent=value["machine_dependent"].counts(),
        columns=_configurations(value["columns"]),
        files=tuple(map(PublishedFile.from_json, value["files"].items())),
        arithmetic=_arithmetic(value.get("arithmetic")),
        dumps=tuple(map(DumpEntry.from_json, dumps.items())) if dumps else (),
        crawls=tuple(map(CrawlEntry.from_json, crawls.items())) if crawls else (),
        parts={name: Part.from_json(part) for name, part in parts.fields().items()} if parts else {},
        reuse=ReuseEntry.from_json(reuse) if reuse else None,
        language=LanguageEntry.from_json(language) if language else ENGLISH_ENTRY,
    )


def _configuration(value: JsonValue) -> dict[str, object]:
    """The options. A path is its last part, as version 2 has it, so that no manifest makes a reader open a file."""
    return public_configuration({name: field.value for name, field in value.fields().items()}, places=())


def _configurations(value: JsonValue) -> dict[str, tuple[Column, ...]]:
    found: dict[str, tuple[Column, ...]] = {}
    folded: set[str] = set()  # some disks do not tell the cases of letters apart
    for name, columns in value.fields().items():
        made = _columns(columns)
        if name.lower() in folded:
            columns.tell(f"{columns.where}: another configuration has this name but for its case")
        folded.add(name.lower())
        if all(column.name != ID_COLUMN.name for column in made):
            columns.tell(f"{columns.where} has no column {ID_COLUMN.name!r}")
        try:
            found[name] = ConfigSchema(name=name, columns=made).columns
        except ValueError as error:
            columns.tell(f"{columns.where}: {error}")
    return found


def _columns(value: JsonValue) -> tuple[Column, ...]:
    return tuple(Column(c["name"].text(), c["type"].text(), c["description"].text()) for c in value.items())


def _arithmetic(value: JsonValue | None) -> tuple[Arithmetic, ...]:
    """The first manifests do not say."""
    return tuple(
        Arithmetic(a["library"].text(), a["version"].text(), a["kernel"].text(), a["threads"].whole())
        for a in (value.items() if value else [])
    )
