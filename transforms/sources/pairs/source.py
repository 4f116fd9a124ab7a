"""Source ``pairs``: rows of published datasets, or of files of pairs, in the place of documents.

No ``--source`` names it: it is the only source of recipes that take pairs.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from typing_extensions import override

from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.options import PLAIN
from gistmill.core.records import Pair, RangeEnd, Reason, Reject
from gistmill.core.statistics import SPLITS, Column, ConfigSchema
from gistmill.rules.documents import PairReason, ReadReason
from gistmill.rules.recipe import DEFAULT, PAIR_COLUMNS, PAIRS
from gistmill.transforms.io import is_url, open_input, size_of
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.files.manifests import below, manifest_of, models_of, provenance_of
from gistmill.transforms.sources.files.parquet import MAGIC
from gistmill.transforms.sources.files.ranges import (
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    split_commas,
)
from gistmill.transforms.sources.files.source import FilesSource, Planner, Reader, in_order, shared_names
from gistmill.transforms.sources.pairs.rows import (
    DOCUMENT,
    FLAGS,
    ID,
    JSONL,
    PARQUET,
    SOURCE,
    TSV,
    PairFile,
    PairRange,
    PairsConfig,
    columns_of,
    fields_of,
    header_of,
    plan_lines,
    plan_parquet,
    read_lines,
    read_parquet,
)

_TSV = re.compile(r"\.tsv(\.\w+)?$", re.IGNORECASE)
_THREADS = 16


@dataclass(frozen=True, slots=True)
class PublishedInput:
    """A configuration of a published dataset: ``folder``, its ``manifest``, and the name ``config``."""

    folder: str
    manifest: Manifest
    config: str


def published_inputs(patterns: Sequence[str]) -> tuple[list[PublishedInput], list[str]]:
    """Returns the published datasets that are named, each once, and the other names.

    Raises:
        SourceError: a manifest cannot be read, or the dataset has no such configuration.
    """
    datasets: dict[tuple[str, str], PublishedInput] = {}
    others = []
    for pattern in split_commas(patterns):
        if (found := _published(pattern)) is None:
            others.append(pattern)
        else:
            datasets[found.folder.rstrip("/"), found.config] = found
    return list(datasets.values()), others


def open_inputs(patterns: Sequence[str], config: PairsConfig) -> tuple[tuple[PairFile, ...], ConfigSchema]:
    """Returns the files of all inputs, in order, and the columns of their rows.

    Raises:
        SourceError: an input cannot be read, lacks a field, or has other columns than another one; the message names
            it.
    """
    datasets, others = published_inputs(patterns)
    made = [(d.folder, _renamed(d, config), _shards(d, config)) for d in datasets]
    if others or not datasets:
        made += [(file.path, PAIRS, [_file(file, config)]) for file in expand_inputs(others)]
    files = [file for _, _, of_one in made for file in of_one]
    return (
        tuple(dataclasses.replace(file, index=index) for index, file in enumerate(files)),
        _common([(name, schema) for name, schema, _ in made]),
    )


def _published(pattern: str) -> PublishedInput | None:
    folder, config, manifest = pattern, "", manifest_of(pattern)
    if manifest is None and "#" in pattern:
        folder, _, config = pattern.rpartition("#")
        manifest = manifest_of(folder)
    if manifest is None:
        if not is_url(pattern) and os.path.isdir(pattern):
            raise SourceError(f"{pattern} is a folder without {MANIFEST}, so it is not a published dataset")
        return None
    config = config or next(iter(manifest.columns), DEFAULT)
    if config not in manifest.columns:
        raise SourceError(f"{folder} has no configuration {config!r}; it has {', '.join(manifest.columns) or 'none'}")
    return PublishedInput(folder, manifest, config)


def _shards(dataset: PublishedInput, config: PairsConfig) -> list[PairFile]:
    """The Parquet files of a dataset: those of train first."""
    shards = [f for f in dataset.manifest.files if f.config == dataset.config and f.split]
    if not shards:
        raise SourceError(f"{dataset.folder} has no rows in the configuration {dataset.config}")
    if strange := {f.split for f in shards} - {*SPLITS}:
        raise SourceError(f"{dataset.folder} has a split {min(strange)!r}; splits are {', '.join(SPLITS)}")
    parquet = sorted((f for f in shards if f.format == PARQUET), key=lambda f: (SPLITS.index(f.split), f.path))
    if {f.split for f in parquet} < {f.split for f in shards}:
        formats = ", ".join(sorted({f.format for f in shards}))
        raise SourceError(
            f"{dataset.folder} has files in {formats}, and rows are read from Parquet files; building jobs write them "
            "with --formats parquet"
        )
    columns = tuple(_columns(dataset.manifest.columns[dataset.config], config))
    return [
        PairFile(path, f.bytes, 0, form=PARQUET, columns=columns, published=True, split=f.split, sha256=f.sha256)
        for f, path in zip(parquet, _paths(dataset.folder, parquet), strict=True)
    ]


def _paths(folder: str, shards: Sequence[PublishedFile]) -> list[str]:
    """Returns where shards lie; each has the size that the manifest says."""
    paths = [below(folder, shard.path) for shard in shards]
    with ThreadPoolExecutor(_THREADS) as pool:  # each may be a request to a store
        sizes = list(pool.map(size_of, paths))
    for shard, size in zip(shards, sizes, strict=True):
        if size is None:
            raise SourceError(f"{folder}: {shard.path} is missing, which the manifest names")
        if size != shard.bytes:
            raise SourceError(f"{folder}: {shard.path} has {size} bytes, and the manifest says {shard.bytes}")
    return paths


def _renamed(dataset: PublishedInput, config: PairsConfig) -> ConfigSchema:
    """The columns of the pairs that a dataset gives."""
    own = {c.name: c for c in dataset.manifest.columns[dataset.config]}
    _check_fields(f"{dataset.folder}, configuration {dataset.config},", own, config.fields)
    for name, field in config.fields.items():
        kind = own[field].type
        if kind != "string" and (name == ID or kind != "list<string>"):
            raise SourceError(f"{dataset.folder}: the column {field!r} is {kind}, not text ({FLAGS[name]})")
    columns = [
        Column(name, "string" if name in config.fields else own[field].type, own[field].description)
        for field, name in _columns(own.values(), config)
    ]
    try:
        return ConfigSchema(name=dataset.config, columns=tuple(columns))
    except ValueError as error:
        raise SourceError(f"{dataset.folder}: {error}") from None


def _columns(columns: Iterable[Column], config: PairsConfig) -> Iterator[tuple[str, str]]:
    """Yields the columns of a dataset by their own names, and by those that a Pair has for them. A column that has the
    name of another one, such as ``inputs`` where --inputs-field says something else, is left out."""
    called = {field: name for name, field in config.fields.items()}
    for column in columns:
        if column.name in called or column.name not in config.fields:
            yield column.name, called.get(column.name, column.name)


def _file(file: InputFile, config: PairsConfig) -> PairFile:
    with open_input(file.path) as handle:
        head = handle.read(len(MAGIC))
    header: tuple[str, ...] = ()
    if head == MAGIC:
        form, fields = PARQUET, columns_of(file.path, config)
    elif _TSV.search(file.path):
        form, header = TSV, header_of(file, config)
        fields = set(header)
    else:
        form, fields = JSONL, fields_of(file, config)
    if fields:  # else no line is an object, and each is rejected
        named = {n: f for n, f in config.fields.items() if n != ID or f != ID}  # only an id may be missing
        _check_fields(file.path, sorted(fields), named)
    names = {**config.fields, DOCUMENT: DOCUMENT}
    columns = tuple((names[c.name], c.name) for c in PAIR_COLUMNS if form != PARQUET or names[c.name] in fields)
    return PairFile(file.path, file.size, file.index, form=form, columns=columns, header=header)


def _check_fields(place: str, fields: Iterable[str], named: Mapping[str, str]) -> None:
    """Raises SourceError for the first of the named fields that is not there."""
    there = list(fields)
    for name, field in named.items():
        if field not in there:
            shown = ", ".join(there[:20]) or "none"
            raise SourceError(f"{place} has no field {field!r} ({FLAGS[name]}); the fields are {shown}")


def _common(schemas: Sequence[tuple[str, ConfigSchema]]) -> ConfigSchema:
    """Returns the one configuration of all inputs."""
    (first, schema), *others = schemas
    kinds = {c.name: c.type for c in schema.columns}
    for name, other in others:
        if problem := _difference(first, kinds, name, {c.name: c.type for c in other.columns}):
            raise SourceError(
                f"the rows of {first} and {name} have different columns, so one dataset cannot have both: {problem}"
            )
    names = {other.name for _, other in schemas}
    return schema if len(names) == 1 else dataclasses.replace(schema, name=DEFAULT)


def _difference(first: str, kinds: Mapping[str, str], name: str, others: Mapping[str, str]) -> str:
    """Returns how the columns (types by name) of two inputs differ, "" where they do not. Order does not count."""
    only = [
        f"only {place} has {', '.join(lacking)}"
        for place, lacking in ((first, sorted(kinds.keys() - others)), (name, sorted(others.keys() - kinds)))
        if lacking
    ]
    typed = [
        f"{column} is {kind} in {first} and {others[column]} in {name}"
        for column, kind in kinds.items()
        if others.get(column, kind) != kind
    ]
    return "; ".join([*only, *typed])


def plan_file(
    file: PairFile, config: PairsConfig, *, limit: int | None = None
) -> tuple[list[PairRange], SourceFile, int]:
    """Plans one file of any form; with ``limit`` only its first rows. See plan_parquet and plan_lines."""
    return (plan_parquet if file.form == PARQUET else plan_lines)(file, config, limit=limit)


def plan_files(files: Sequence[PairFile], *, config: PairsConfig) -> Iterator[FileRange | SourceFile]:
    """Yields the ranges of files in order, and each file; with a limit only as many as hold the first rows.

    Raises:
        SourceError: as plan_file.
    """
    return in_order(files, functools.partial(plan_file, config=config), limit=config.limit)


def read_range(place: PairRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields the rows of a range as pairs or rejects, in order; then one RangeEnd."""
    return (read_parquet if place.of.form == PARQUET else read_lines)(place, config)


class PairsSource(FilesSource[PairsConfig]):
    """Published datasets, and files of pairs."""

    NAME = SOURCE
    HELP = (
        "folders of published datasets, `DIR` or `DIR#CONFIGURATION`, or files of pairs in JSON Lines (plain, gz, bz2, "
        "zst), TSV or Parquet"
    )
    CONFIG = PairsConfig
    MARKUPS = frozenset({PLAIN})
    DOCUMENT: ClassVar[type[Pair]] = Pair
    REASONS: ClassVar[tuple[type[Reason], ...]] = (ReadReason, PairReason)
    DEDUPLICATE = "none"
    PROVENANCE = Provenance(
        "", "The text comes from the source files below, with whatever rights their owners have in it."
    )

    def __init__(
        self,
        files: Sequence[PairFile],
        config: PairsConfig,
        schema: ConfigSchema,
        datasets: Sequence[PublishedInput] = (),
    ) -> None:
        super().__init__(files, config)
        self.schema = schema
        self.languages = frozenset(dataset.manifest.language.code for dataset in datasets)

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: PairsConfig) -> Self:
        files, schema = open_inputs(patterns, config)
        shared, (datasets, _) = shared_names(files), published_inputs(patterns)
        return cls(files, dataclasses.replace(config, shared=shared), schema, datasets)

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        datasets, files = published_inputs(patterns)
        of_datasets = provenance_of(d.manifest for d in datasets)
        if not files:
            return of_datasets
        notes = [of_datasets.attribution, cls.PROVENANCE.attribution]
        return Provenance("other" if of_datasets.licence else "", "\n\n".join(note for note in notes if note))

    @classmethod
    @override
    def models(cls, patterns: Sequence[str]) -> list[Mapping[str, Any]]:
        return models_of(d.manifest for d in published_inputs(patterns)[0])

    @override
    def planner(self, workspace: str) -> Planner:
        return functools.partial(plan_files, config=self.config)

    @override
    def reader(self) -> Reader:
        return functools.partial(read_range, config=self.config)
