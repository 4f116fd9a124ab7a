"""The entries of a manifest: files of the dataset, files that were read or kept out, models, dumps, crawls."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gistmill.core.json_value import JsonValue
from gistmill.core.public_names import public_name


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
