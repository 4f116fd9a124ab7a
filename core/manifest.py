"""manifest.json of a published dataset: its inputs, the program and options that made it, and all its files.

Versions of its form:
    1: ``sources`` and ``evaluation`` name their files by ``path``, local ones with their folders.
    2: they name them by ``name``: a URL, or the last part of a local path. So do ``configuration`` and ``damage``.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, BinaryIO, Final

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.arithmetic import Arithmetic
from gistmill.core.json_value import (
    Count,
    FromJson,
    JsonError,
    JsonValue,
    Name,
    Place,
    Sha256,
    check_version,
    load,
    raising,
    read_as,
)
from gistmill.core.records import Damage
from gistmill.core.statistics import ID_COLUMN, Column, ConfigSchema
from gistmill.core.text_output import short_repr

_PublicName = Annotated[str, lambda value: public_name(value.text())]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile(FromJson):
    """A file of the dataset.

    Attributes:
        path: below the dataset's folder.
        bytes: its size.
        sha256: in hexadecimal digits.
        rows: rows of a shard or of the rejects; None for other files.
        config, split: of a shard, both ``rejects`` for the rejects; "" for other files.
        format: ``parquet``, ``tfrecord``, ``tsv``, ``jsonl`` (the rejects), or "" for other files.
    """

    path: Place
    bytes: Count
    sha256: Sha256
    rows: Count | None = None
    config: Name = ""
    split: Name = ""
    format: Name = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry(FromJson):
    """A file that was read.

    Attributes:
        name: its URL, or the last part of its local path.
        size: bytes.
        sha256: in hexadecimal digits; None where a limit spared reading the whole file.
        kind: its form, such as ``plain`` or ``bz2``.
    """

    name: _PublicName
    size: Count
    sha256: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationEntry(FromJson):
    """A file of texts that were kept out.

    Attributes:
        name, size, sha256: as of a source.
        texts: how many it has.
        short: how many of them are too short to be looked for.
        ngrams: how many different ones the others have.
    """

    name: _PublicName
    size: Count
    sha256: str
    texts: Count
    short: Count
    ngrams: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageEntry(FromJson):
    """The language of the texts.

    Attributes:
        code: BCP 47 code; ``mul`` for several.
        rules: ``own`` where Gistmill knows headings, abbreviations and the like of the language, else ``default``.
    """

    code: str
    rules: str


ENGLISH_ENTRY = LanguageEntry(code="en", rules="own")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignaturesEntry(FromJson):
    """A file of signatures of another dataset, with which documents were compared.

    Attributes:
        dataset: its URL, or the last part of its local path.
        name: path of the file below the dataset.
        sha256: in hexadecimal digits.
    """

    dataset: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry(FromJson):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile(FromJson):
    """A file of a content file export.

    Attributes:
        name: its name.
        size: bytes.
        sha256: in hexadecimal digits, as the wiki's server published it.
    """

    name: str
    size: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpEntry(FromJson):
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlEntry(FromJson):
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
    sha256: Sha256
    files: Count


def _set_fields(entry: PublishedFile | ModelEntry) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(entry).items() if v not in ("", None, {})}


# The parts of an annotation that a later run may take over.
CLEAN, PARSE, COREFERENCE = "clean", "parse", "coreference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(FromJson):
    """What decides a part of an annotation. Two runs with an equal Part make equal results of equal texts, where the
    arithmetic is equal too.

    Attributes:
        packages: versions of Gistmill, of Python and of the packages that do it.
        options: their values by name.
        models: SHA-256 of the files of each model, by name.
    """

    packages: Mapping[str, str]
    options: Mapping[str, Any]
    models: Mapping[str, str]


REUSE: Final = "reuse"  # the group of these counts of documents
REUSED: Final = "reused"  # nothing of the document was parsed
REVISED: Final = "revised"  # some of its paragraphs were
PARSED: Final = "parsed"  # all of them were


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseEntry(FromJson):
    """Its entry in a manifest.

    Attributes:
        dataset: the older dataset: its URL, or the last part of its local path.
        sha256: of its manifest.json, in hexadecimal digits.
        documents: how many were REUSED, REVISED and PARSED.
    """

    dataset: str
    sha256: str
    documents: Mapping[str, Count]

    def __str__(self) -> str:
        reused, revised, parsed = (f"{self.documents.get(kind, 0):,}" for kind in (REUSED, REVISED, PARSED))
        return f"{reused} came from {self.dataset}, {revised} were parsed in part, {parsed} whole"


MANIFEST = "manifest.json"
MANIFEST_VERSION = 2


class ManifestError(ValueError):
    """A manifest cannot be read; the message is one line that names the problem."""


def _public_options(value: JsonValue) -> dict[str, object]:
    """The options. A path is its last part, as version 2 has it, so that no manifest makes a reader open a file."""
    return public_configuration(read_as(Mapping[str, Any], value), places=())


def _configurations(value: JsonValue) -> dict[str, tuple[Column, ...]]:
    found: dict[str, tuple[Column, ...]] = {}
    folded: set[str] = set()  # some disks do not tell the cases of letters apart
    for name, columns in value.fields().items():
        made: tuple[Column, ...] = read_as(tuple[Column, ...], columns)
        if name.lower() in folded:
            columns.tell(f"{columns.where}: another configuration has the same name in different case")
        folded.add(name.lower())
        if all(column.name != ID_COLUMN.name for column in made):
            columns.tell(f"{columns.where} has no column {ID_COLUMN.name!r}")
        try:
            found[name] = ConfigSchema(name=name, columns=made).columns
        except ValueError as error:
            columns.tell(f"{columns.where}: {error}")
    return found


_Configuration = Annotated[Mapping[str, Any], _public_options]
_Columns = Annotated[Mapping[str, tuple[Column, ...]], _configurations]


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
        attribution: a paragraph on the origin of the text.
        language: the language of the texts.
        evaluation: files of texts that were kept out.
        signatures: files of signatures with which documents were compared.
        parts: what decides each part of the annotations, by name; only of ``annotate``.
        reuse: the annotations reused from an older dataset; None where reuse was not possible.
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

    recipe: Name
    configuration: _Configuration
    code_version: str
    versions: Mapping[str, str]
    models: tuple[ModelEntry, ...]
    arithmetic: tuple[Arithmetic, ...] = ()  # the first manifests do not say
    runner: str
    start: datetime
    end: datetime
    licence: str
    attribution: str
    evaluation: tuple[EvaluationEntry, ...]
    signatures: tuple[SignaturesEntry, ...] = ()
    sources: tuple[SourceEntry, ...]
    dumps: tuple[DumpEntry, ...] = ()
    crawls: tuple[CrawlEntry, ...] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    reuse: ReuseEntry | None = None
    language: LanguageEntry = ENGLISH_ENTRY
    damage: tuple[Damage, ...]
    counts: Mapping[str, Mapping[str, Count]]
    machine_dependent: Mapping[str, Count]
    columns: _Columns
    files: tuple[PublishedFile, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns JSON values in the form of MANIFEST_VERSION, in the order of the fields."""
        values = {"manifest_version": MANIFEST_VERSION, **dataclasses.asdict(self)}
        found = json.loads(json.dumps(values, default=lambda time: time.isoformat(timespec="seconds")))
        found |= {"models": list(map(_set_fields, self.models)), "files": list(map(_set_fields, self.files))}
        if self.language == ENGLISH_ENTRY:
            del found["language"]
        return {k: v for k, v in found.items() if v or k not in ("crawls", "parts", "reuse")}

    @classmethod
    def read(cls, file: BinaryIO) -> Manifest:
        """Reads the file. Raises ManifestError: it is not JSON or too large, or see ``from_json``."""
        with raising(ManifestError):
            return cls.from_json(load(file, MANIFEST))

    @classmethod
    def from_json(cls, value: object) -> Manifest:
        """Reads JSON values of any version up to MANIFEST_VERSION. No name or path leads out of a dataset's folder.

        Raises:
            ManifestError: a newer gistmill wrote it, or a field is missing or not of the form that it has to have.
        """
        try:
            return _read(JsonValue(value, MANIFEST))
        except JsonError as error:  # not ``raising``: notebooks would show its frames
            raise ManifestError(str(error)) from None

    def rows(self) -> dict[str, int]:
        """Returns the number of rows of each configuration that has any."""
        groups = ((k.removeprefix("rows/"), g) for k, g in self.counts.items() if k.startswith("rows/"))
        return {config: sum(group.values()) for config, group in sorted(groups)}


def problems_in(file: BinaryIO) -> list[str]:
    """Returns a line for each field of a manifest that is missing or not of the form that it has to have.

    Raises:
        ManifestError: the file is not JSON or too large, or a newer gistmill wrote it.
    """
    with raising(ManifestError):
        value = load(file, MANIFEST)
        check_version(JsonValue(value, MANIFEST)["manifest_version"], what="manifest", newest=MANIFEST_VERSION)
    noted: dict[str, None] = {}
    _read(JsonValue(value, MANIFEST, noted=noted))
    return list(noted)


def _read(value: JsonValue) -> Manifest:
    version = check_version(value["manifest_version"], what="manifest", newest=MANIFEST_VERSION)
    if version == 1 and isinstance(value.value, dict):
        named = {key: _named(value.value[key]) for key in ("sources", "evaluation") if key in value.value}
        value = dataclasses.replace(value, value={**value.value, **named})
    found: Manifest = read_as(Manifest, value)
    return found


def _named(entries: Any) -> Any:
    """Entries of version 1, whose name is the path."""
    if not isinstance(entries, list):
        return entries
    return [{"name": e["path"], **e} if isinstance(e, dict) and "path" in e else e for e in entries]
