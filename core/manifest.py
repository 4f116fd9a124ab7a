"""The manifest of a published dataset: its inputs, the program and options that produced it, and all its files.

Format versions:
    1: ``sources`` and ``evaluation`` identify files by ``path``, which includes folders.
    2: they identify files by ``name``, a URL or the last component of a local path, as do ``configuration`` and
       ``damage``.
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
        path: path relative to the dataset's folder.
        bytes: its size.
        sha256: hexadecimal SHA-256.
        rows: number of rows in a shard or file of rejects; None for other files.
        config, split: configuration and split of a shard; both ``rejects`` for rejects and "" for other files.
        format: ``parquet``, ``tfrecord``, ``tsv``, ``jsonl`` (rejects), or "" for other files.
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
    """An input file.

    Attributes:
        name: its URL, or the last component of its local path.
        size: in bytes.
        sha256: hexadecimal SHA-256; None if --limit made it unnecessary to read the whole file.
        kind: its format, such as ``plain`` or ``bz2``.
    """

    name: _PublicName
    size: Count
    sha256: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationEntry(FromJson):
    """An evaluation file whose texts were excluded from the dataset.

    Attributes:
        name, size, sha256: as for a source.
        texts: number of texts.
        short: number of texts too short to search for.
        ngrams: number of distinct n-grams in the other texts.
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
        code: BCP 47 code; ``mul`` for several languages.
        rules: ``own`` if Gistmill has headings, abbreviations and other rules for the language, otherwise ``default``.
    """

    code: str
    rules: str


ENGLISH_ENTRY = LanguageEntry(code="en", rules="own")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignaturesEntry(FromJson):
    """A signature file from another dataset with which documents were compared.

    Attributes:
        dataset: URL of the dataset, or the last component of its local path.
        name: path of the file within the dataset.
        sha256: hexadecimal SHA-256.
    """

    dataset: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry(FromJson):
    """A model used by the run.

    Attributes:
        name: name of the model or its package; for a local folder, the last path component.
        version: "" if it has none.
        weights: name of the weights if the package contains several.
        sha256: SHA-256 of the weights, or of all ``files`` together.
        files: SHA-256 of each file, by name.
        packages: versions of the packages that run the model, by name.
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
        size: in bytes.
        sha256: hexadecimal SHA-256 published by the wiki's server.
    """

    name: str
    size: Count
    sha256: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpEntry(FromJson):
    """A wiki dump file, or an entire content file export, that was read directly or through a dataset of annotations.

    Attributes:
        file: name of the dump file; "" for an export.
        wiki: name of the wiki, such as ``enwiki``.
        date: date of the dump or export, YYYYMMDD.
        url: source of the file or of the export's folder.
        sha1: hexadecimal SHA-1 of the dump file published by the wiki's server; "" for an export.
        layout: ``dumps`` or ``exports``.
        files: the files of an export that were read, in page order.
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
    """A crawl month whose files were read directly or through a dataset of annotations.

    Attributes:
        crawl: name of the crawl, such as ``cc-news``.
        month: YYYY-MM.
        url: URL of the month's file list.
        sha256: hexadecimal SHA-256 of the uncompressed list, which grows until the month is over.
        files: number of files in the list.
    """

    crawl: str
    month: str
    url: str
    sha256: Sha256
    files: Count


def _set_fields(entry: PublishedFile | ModelEntry) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(entry).items() if v not in ("", None, {})}


# The parts of an annotation that a later run may reuse.
CLEAN, PARSE, COREFERENCE = "clean", "parse", "coreference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(FromJson):
    """The dependencies of one part of an annotation. If they and the arithmetic are equal, so are the results.

    Attributes:
        packages: versions of Gistmill, Python and the packages involved.
        options: option values, by name.
        models: SHA-256 of each model's files, by name.
    """

    packages: Mapping[str, str]
    options: Mapping[str, Any]
    models: Mapping[str, str]


REUSE: Final = "reuse"  # the group of the following counts of documents
REUSED: Final = "reused"  # documents reused completely
REVISED: Final = "revised"  # documents parsed in part
PARSED: Final = "parsed"  # documents parsed completely


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseEntry(FromJson):
    """The manifest entry about reused annotations.

    Attributes:
        dataset: URL of the older dataset, or the last component of its local path.
        sha256: hexadecimal SHA-256 of its manifest.json.
        documents: numbers of documents that were REUSED, REVISED and PARSED.
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
    """A manifest cannot be read; the message is one line that states the problem."""


def _public_options(value: JsonValue) -> dict[str, object]:
    """The options, with paths reduced to their last components as in version 2, so that no reader opens such a file."""
    return public_configuration(read_as(Mapping[str, Any], value), places=())


def _configurations(value: JsonValue) -> dict[str, tuple[Column, ...]]:
    found: dict[str, tuple[Column, ...]] = {}
    folded: set[str] = set()  # some file systems ignore case
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
        configuration: its options, as returned by gistmill.core.addresses.public_configuration.
        code_version: Gistmill's version.
        versions: versions of the packages that determine the content.
        models: the models used.
        arithmetic: the numeric libraries that computed annotations; a library occurs more than once if workers
            differed; empty if nothing was annotated.
        runner: the Beam runner.
        start, end: when the run started and when it published the dataset.
        licence: identifier such as ``cc-by-sa-4.0``; "" if unknown.
        attribution: a paragraph on the origin of the text.
        language: the language of the texts.
        evaluation: evaluation files whose texts were excluded.
        signatures: signature files with which documents were compared.
        parts: dependencies of each part of the annotations, by name; ``annotate`` only.
        reuse: the annotations reused from an older dataset; None if reuse was not possible.
        sources: the input files, sorted by kind and path; two may have the same name.
        dumps: dumps fetched by `gistmill download` or `gistmill rebuild`.
        crawls: crawl months fetched by `gistmill rebuild`.
        damage: locations of damage in the sources; ``file`` is a name, as in ``sources``.
        counts: numbers of documents, rows and so on, in groups such as ``rows/full``.
        machine_dependent: the counts that depend on the machine's speed.
        columns: columns of each configuration; the first configuration is the default.
        files: every file of the dataset except the manifest, sorted by path.
    """

    __repr__ = short_repr

    recipe: Name
    configuration: _Configuration
    code_version: str
    versions: Mapping[str, str]
    models: tuple[ModelEntry, ...]
    arithmetic: tuple[Arithmetic, ...] = ()  # absent from the first manifests
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
        """Returns JSON values in the format of MANIFEST_VERSION, in field order."""
        values = {"manifest_version": MANIFEST_VERSION, **dataclasses.asdict(self)}
        found = json.loads(json.dumps(values, default=lambda time: time.isoformat(timespec="seconds")))
        found |= {"models": list(map(_set_fields, self.models)), "files": list(map(_set_fields, self.files))}
        if self.language == ENGLISH_ENTRY:
            del found["language"]
        return {k: v for k, v in found.items() if v or k not in ("crawls", "parts", "reuse")}

    @classmethod
    def read(cls, file: BinaryIO) -> Manifest:
        """Reads the file. Raises ManifestError if it is not JSON or too large, or as ``from_json`` does."""
        with raising(ManifestError):
            return cls.from_json(load(file, MANIFEST))

    @classmethod
    def from_json(cls, value: object) -> Manifest:
        """Reads JSON values of any version up to MANIFEST_VERSION; no name or path may point outside the dataset's
        folder.

        Raises:
            ManifestError: the manifest was written by a newer gistmill, or a field is missing or malformed.
        """
        try:
            return _read(JsonValue(value, MANIFEST))
        except JsonError as error:  # ``raising`` would add frames to tracebacks in notebooks
            raise ManifestError(str(error)) from None

    def rows(self) -> dict[str, int]:
        """Returns the number of rows in each non-empty configuration."""
        groups = ((k.removeprefix("rows/"), g) for k, g in self.counts.items() if k.startswith("rows/"))
        return {config: sum(group.values()) for config, group in sorted(groups)}


def problems_in(file: BinaryIO) -> list[str]:
    """Returns one line for each missing or malformed field of a manifest.

    Raises:
        ManifestError: the file is not JSON, is too large, or was written by a newer gistmill.
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
    """Entries of version 1, which use the path as the name."""
    if not isinstance(entries, list):
        return entries
    return [{"name": e["path"], **e} if isinstance(e, dict) and "path" in e else e for e in entries]
