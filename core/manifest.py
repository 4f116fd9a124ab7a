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

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.annotation_parts import Part, ReuseEntry
from gistmill.core.arithmetic import Arithmetic
from gistmill.core.json_value import JsonError, JsonValue, check_version, load
from gistmill.core.records import Damage
from gistmill.core.statistics import ID_COLUMN, Column, ConfigSchema
from gistmill.core.text_output import short_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """A file of the dataset.

    Attributes:
        path: below the dataset's folder.
        bytes: its size.
        sha256: in hexadecimal digits.
        rows: rows of a shard or of the rejects; None for other files.
        config, split: of a shard, both ``rejects`` for the rejects; "" for other files.
        format: ``parquet``, ``tfrecord``, ``tsv``, ``jsonl`` (the rejects), or "" for other files.
    """

    path: str
    bytes: int
    sha256: str
    rows: int | None = None
    config: str = ""
    split: str = ""
    format: str = ""

    def to_json(self) -> dict[str, Any]:
        """Returns the fields that are set."""
        return _set_fields(self)

    @classmethod
    def from_json(cls, value: JsonValue) -> PublishedFile:
        """Reads an entry of ``files``. Raises JsonError."""
        rows = value.get("rows")
        return cls(
            path=value["path"].place(),
            bytes=value["bytes"].count(),
            sha256=value["sha256"].sha256(),
            rows=None if rows is None else rows.count(),
            **{name: found.name() if (found := value.get(name)) else "" for name in ("config", "split", "format")},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry:
    """A file that was read.

    Attributes:
        name: its URL, or the last part of its local path.
        size: bytes.
        sha256: in hexadecimal digits; None where a limit spared reading the whole file.
        kind: its form, such as ``plain`` or ``bz2``.
    """

    name: str
    size: int
    sha256: str | None
    kind: str

    @classmethod
    def from_json(cls, value: JsonValue) -> SourceEntry:
        """Reads an entry of ``sources``. Raises JsonError."""
        digest = value["sha256"]
        return cls(
            name=_name(value),
            size=value["size"].count(),
            sha256=None if digest.value is None else digest.text(),
            kind=value["kind"].text(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationEntry:
    """A file of texts that were kept out.

    Attributes:
        name, size, sha256: as of a source.
        texts: how many it has.
        short: how many of them are too short to be looked for.
        ngrams: how many different ones the others have.
    """

    name: str
    size: int
    sha256: str
    texts: int
    short: int
    ngrams: int

    @classmethod
    def from_json(cls, value: JsonValue) -> EvaluationEntry:
        """Reads an entry of ``evaluation``. Raises JsonError."""
        return cls(
            name=_name(value),
            sha256=value["sha256"].text(),
            **{name: value[name].count() for name in ("size", "texts", "short", "ngrams")},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageEntry:
    """The language of the texts.

    Attributes:
        code: BCP 47 code; ``mul`` for several.
        rules: ``own`` where Gistmill knows headings, abbreviations and the like of the language, else ``default``.
    """

    code: str
    rules: str

    @classmethod
    def from_json(cls, value: JsonValue) -> LanguageEntry:
        """Reads ``language``. Raises JsonError."""
        return cls(code=value["code"].text(), rules=value["rules"].text())


ENGLISH_ENTRY = LanguageEntry(code="en", rules="own")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignaturesEntry:
    """A file of signatures of another dataset, with which documents were compared.

    Attributes:
        dataset: its URL, or the last part of its local path.
        name: path of the file below the dataset.
        sha256: in hexadecimal digits.
    """

    dataset: str
    name: str
    sha256: str

    @classmethod
    def from_json(cls, value: JsonValue) -> SignaturesEntry:
        """Reads an entry of ``signatures``. Raises JsonError."""
        return cls(**{name: value[name].text() for name in ("dataset", "name", "sha256")})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """A model that took part.

    Attributes:
        name: of the model or of its package; of a folder of one's own, the last part of its path.
        version: "" where it has none.
        weights: name of the weights where the package has several.
        sha256: of the weights, or over all ``files``.
        files: SHA-256 of each file, by name.
        packages: versions of what runs it, by name.
    """

    name: str
    version: str = ""
    weights: str = ""
    sha256: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Returns the fields that are set."""
        return _set_fields(self)

    @classmethod
    def from_json(cls, value: JsonValue) -> ModelEntry:
        """Reads an entry of ``models``. Raises JsonError."""
        files, packages = value.get("files"), value.get("packages")
        return cls(
            name=value["name"].text(),
            version=_text(value, "version"),
            weights=_text(value, "weights"),
            sha256=_text(value, "sha256"),
            files=files.texts() if files else {},
            packages=packages.texts() if packages else {},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """A file of a content file export.

    Attributes:
        name: its name.
        size: bytes.
        sha256: in hexadecimal digits, as the wiki's server published it.
    """

    name: str
    size: int
    sha256: str

    @classmethod
    def from_json(cls, value: JsonValue) -> ExportFile:
        """Reads an entry of ``files``. Raises JsonError."""
        return cls(name=value["name"].text(), size=value["size"].count(), sha256=value["sha256"].sha256())


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpEntry:
    """A file of a dump of a wiki, or a content file export as a whole, that was read, itself or through a dataset of
    annotations.

    Attributes:
        file: name of the file of a dump; "" for an export.
        wiki: such as ``enwiki``.
        date: of the dump or export, YYYYMMDD.
        url: where the file, or the folder of the export, came from.
        sha1: of the file of a dump, in hexadecimal digits, as the wiki's server published it; "" for an export.
        layout: ``dumps`` or ``exports``.
        files: those of an export that were read, in order of their pages.
    """

    file: str
    wiki: str
    date: str
    url: str
    sha1: str
    layout: str = "dumps"
    files: tuple[ExportFile, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its files."""
        return tuple(file.name for file in self.files) or (self.file,)

    @classmethod
    def from_json(cls, value: JsonValue) -> DumpEntry:
        """Reads an entry of ``dumps``. Raises JsonError."""
        files = value.get("files")
        return cls(
            **{name: value[name].text() for name in ("file", "wiki", "date", "url", "sha1")},
            layout=_text(value, "layout") or "dumps",
            files=tuple(map(ExportFile.from_json, files.items())) if files else (),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlEntry:
    """A month of a crawl of which files were read, themselves or through a dataset of annotations.

    Attributes:
        crawl: such as ``cc-news``.
        month: YYYY-MM.
        url: of the list of its files.
        sha256: of the list, unpacked, in hexadecimal digits. The list of a month that is not over grows.
        files: how many files the list names.
    """

    crawl: str
    month: str
    url: str
    sha256: str
    files: int

    @classmethod
    def from_json(cls, value: JsonValue) -> CrawlEntry:
        """Reads an entry of ``crawls``. Raises JsonError."""
        texts = {name: value[name].text() for name in ("crawl", "month", "url")}
        return cls(**texts, sha256=value["sha256"].sha256(), files=value["files"].count())


def _name(value: JsonValue) -> str:
    named = value.get("name") or value.get("path")  # version 1 has the path
    return public_name((named or value["name"]).text())


def _text(value: JsonValue, name: str) -> str:
    found = value.get(name)
    return "" if found is None else found.text()


def _set_fields(entry: PublishedFile | ModelEntry) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(entry).items() if v not in ("", None, {})}


MANIFEST = "manifest.json"
MANIFEST_VERSION = 2


class ManifestError(ValueError):
    """A manifest cannot be read; the text is one line that says what is wrong in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of manifest.json.

    Attributes:
        recipe: name of the job.
        configuration: its options, as gistmill.core.addresses.public_configuration leaves them.
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
        found = {
            "crawls": [dataclasses.asdict(c) for c in self.crawls],
            "parts": {name: part.to_json() for name, part in self.parts.items()},
            "reuse": self.reuse and self.reuse.to_json(),
            "language": None if self.language == ENGLISH_ENTRY else dataclasses.asdict(self.language),
        }
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
            **{name: value for name, value in found.items() if value},
            "damage": [dataclasses.asdict(d) for d in self.damage],
            "counts": {group: dict(counts) for group, counts in self.counts.items()},
            "machine_dependent": dict(self.machine_dependent),
            "columns": {name: [dataclasses.asdict(c) for c in columns] for name, columns in self.columns.items()},
            "files": [f.to_json() for f in self.files],
        }

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
    language, arithmetic = value.get("language"), value.get("arithmetic")
    # The options. A path is its last part, as version 2 has it, so that no manifest makes a reader open a file.
    return Manifest(
        recipe=value["recipe"].name(),
        configuration=public_configuration(
            {name: field.value for name, field in value["configuration"].fields().items()}, places=()
        ),
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
        arithmetic=tuple(  # the first manifests do not say
            Arithmetic(a["library"].text(), a["version"].text(), a["kernel"].text(), a["threads"].whole())
            for a in (arithmetic.items() if arithmetic else [])
        ),
        dumps=tuple(map(DumpEntry.from_json, dumps.items())) if dumps else (),
        crawls=tuple(map(CrawlEntry.from_json, crawls.items())) if crawls else (),
        parts={name: Part.from_json(part) for name, part in parts.fields().items()} if parts else {},
        reuse=ReuseEntry.from_json(reuse) if reuse else None,
        language=LanguageEntry.from_json(language) if language else ENGLISH_ENTRY,
    )


def _configurations(value: JsonValue) -> dict[str, tuple[Column, ...]]:
    found: dict[str, tuple[Column, ...]] = {}
    folded: set[str] = set()  # some disks do not tell the cases of letters apart
    for name, columns in value.fields().items():
        made = tuple(Column(c["name"].text(), c["type"].text(), c["description"].text()) for c in columns.items())
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
