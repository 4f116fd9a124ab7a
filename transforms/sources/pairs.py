"""Source ``pairs``, used only by recipes that read pairs: rows of published datasets, or of files of pairs."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Self

import pyarrow as pa
from typing_extensions import override

from gistmill.core.manifest import MANIFEST, Manifest, PublishedFile
from gistmill.core.options import PLAIN, option
from gistmill.core.records import Damage, Pair, Reason, Reject
from gistmill.core.statistics import SPLITS, Column, ConfigSchema
from gistmill.core.values import TEXT, whole
from gistmill.rules.documents import PairReason, ReadReason
from gistmill.rules.mixture import Share
from gistmill.rules.recipe import DEFAULT, PAIR_COLUMNS, PAIRS
from gistmill.rules.text.prose import without_controls
from gistmill.transforms.io import is_url, size_of
from gistmill.transforms.sources.base import FilesSource, Provenance, below, manifest_of, provenance_of
from gistmill.transforms.sources.files.ranges import (
    InputFile,
    SourceError,
    expand_inputs,
    public_label,
    shared_names,
    split_commas,
)
from gistmill.transforms.sources.lines import JSONL, LinesConfig, lines_of, object_of
from gistmill.transforms.sources.rows import (
    PARQUET,
    Row,
    RowFile,
    RowRange,
    joined,
    no_field,
    origin_of,
    own_id,
    plan_file,
    read_range,
    reject_of,
    row_file,
    schema_of,
)

SOURCE = "pairs"
ID, INPUTS, TARGETS = "id", "inputs", "targets"  # names of the fields in a Pair
FLAGS = {ID: "--id-field", INPUTS: "--inputs-field", TARGETS: "--targets-field"}
_DOCUMENT = "document_id"
_LOOKED_AT = 64  # lines of a JSON Lines file in which all fields must occur
_THREADS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFile(RowFile):
    """A file of pairs to read.

    Attributes:
        columns: columns to read, in order, as (name in the file, name in a Pair).
        published: whether it is a shard of a published dataset, whose rows have ids and need no cleaning.
        dataset, split, rows: for a shard, its dataset's number, its split, and its number of rows.
        share: the shard's share of a mixture.
    """

    columns: tuple[tuple[str, str], ...]
    published: bool = False
    dataset: int = 0
    split: str = ""
    rows: int = 0
    share: Share | None = None


@dataclass(frozen=True, kw_only=True)
class PairsConfig(LinesConfig):
    """Options for the fields of a row and for reading files; ``max_line_bytes`` also limits the texts of a pair."""

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(whole(1), unit="pairs", help="read only the first N pairs, in order of files and rows")
    id_field: str = option(
        TEXT,
        default=ID,
        metavar="KEY",
        help="field of an ID that is unique across the input; a file row without one gets an ID from its file "
        "name and row number",
    )
    inputs_field: str = option(
        TEXT, default=INPUTS, metavar="KEY", help="input field to read: a string, or a list of strings, one per line"
    )
    targets_field: str = option(
        TEXT, default=TARGETS, metavar="KEY", help="target field to read: a string, or a list of strings"
    )

    def check(self) -> None:
        """Raises ValueError if two options specify the same field."""
        fields = (self.id_field, self.inputs_field, self.targets_field)
        if len(set(fields)) < len(fields):
            raise ValueError(f"id_field, inputs_field and targets_field must differ, but are {', '.join(fields)}")

    @property
    def fields(self) -> dict[str, str]:
        """The field names in the input that correspond to ``id``, ``inputs`` and ``targets``."""
        return {ID: self.id_field, INPUTS: self.inputs_field, TARGETS: self.targets_field}


@dataclass(frozen=True, slots=True)
class PublishedInput:
    """A configuration of a published dataset: its folder, its manifest, and the configuration's name."""

    folder: str
    manifest: Manifest
    config: str


def published_inputs(patterns: Sequence[str]) -> tuple[list[PublishedInput], list[str]]:
    """Returns the distinct published datasets among the inputs, and the other inputs.

    Raises:
        SourceError: a manifest cannot be read, or a dataset lacks the specified configuration.
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
        SourceError: an input, named in the message, cannot be read, lacks a field, or differs in columns from another.
    """
    datasets, others = published_inputs(patterns)
    made = [(d.folder, _renamed(d, config), _shards(d, number, config)) for number, d in enumerate(datasets)]
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


def _shards(dataset: PublishedInput, number: int, config: PairsConfig) -> list[PairFile]:
    """Returns the Parquet files of a dataset in the order of the splits, train first."""
    shards = [f for f in dataset.manifest.files if f.config == dataset.config and f.split]
    if not shards:
        raise SourceError(f"{dataset.folder} contains no rows in the configuration {dataset.config}")
    if strange := {f.split for f in shards} - {*SPLITS}:
        raise SourceError(f"{dataset.folder} has an unknown split {min(strange)!r}; expected {', '.join(SPLITS)}")
    parquet = sorted((f for f in shards if f.format == PARQUET), key=lambda f: (SPLITS.index(f.split), f.path))
    if {f.split for f in parquet} < {f.split for f in shards}:
        formats = ", ".join(sorted({f.format for f in shards}))
        raise SourceError(
            f"{dataset.folder} contains {formats} files, but rows are read from Parquet files; build the dataset with "
            "--formats parquet"
        )
    columns = tuple(_columns(dataset.manifest.columns[dataset.config], config))
    return [
        PairFile(
            path,
            f.bytes,
            index=0,
            form=PARQUET,
            names=tuple(own for own, _ in columns),
            sha256=f.sha256,
            columns=columns,
            published=True,
            dataset=number,
            split=f.split,
            rows=f.rows or 0,
        )
        for f, path in zip(parquet, _paths(dataset.folder, parquet), strict=True)
    ]


def _paths(folder: str, shards: Sequence[PublishedFile]) -> list[str]:
    """Returns the paths of shards, after checking that their sizes match the manifest."""
    paths = [below(folder, shard.path) for shard in shards]
    with ThreadPoolExecutor(_THREADS) as pool:  # each may be a request to a store
        sizes = list(pool.map(size_of, paths))
    for shard, size in zip(shards, sizes, strict=True):
        if size is None:
            raise SourceError(f"{folder}: {shard.path}, which the manifest lists, is missing")
        if size != shard.bytes:
            raise SourceError(f"{folder}: {shard.path} is {size} bytes long, but the manifest says {shard.bytes}")
    return paths


def _renamed(dataset: PublishedInput, config: PairsConfig) -> ConfigSchema:
    """Returns the schema of the pairs read from a dataset."""
    own = {c.name: c for c in dataset.manifest.columns[dataset.config]}
    _check_fields(f"{dataset.folder}, configuration {dataset.config}", own, config.fields)
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
    """Yields the names of a dataset's columns and the corresponding names in a Pair. A column whose name conflicts,
    such as ``inputs`` if --inputs-field specifies another column, is left out.
    """
    called = {field: name for name, field in config.fields.items()}
    for column in columns:
        if column.name in called or column.name not in config.fields:
            yield column.name, called.get(column.name, column.name)


def _file(file: InputFile, config: PairsConfig) -> PairFile:
    opened = row_file(file, config)
    fields = _fields_of(opened, config) if opened.form == JSONL else set(opened.names)
    if opened.form == PARQUET:
        _check_texts(opened, config)
    elif twice := [name for name in config.fields.values() if opened.names.count(name) > 1]:
        raise SourceError(f"{file.path} has two columns named {twice[0]!r}")
    if fields:  # without fields, no line is an object, and all are rejected
        named = {n: f for n, f in config.fields.items() if n != ID or f != ID}  # the default id field is optional
        _check_fields(file.path, sorted(fields), named)
    called = {**config.fields, _DOCUMENT: _DOCUMENT}
    columns = tuple(
        (called[c.name], c.name) for c in PAIR_COLUMNS if opened.form != PARQUET or called[c.name] in fields
    )
    values = {field.name: getattr(opened, field.name) for field in dataclasses.fields(opened)}
    if opened.form == PARQUET:
        values["names"] = tuple(own for own, _ in columns)
    return PairFile(**values, columns=columns)


def _fields_of(file: RowFile, config: PairsConfig) -> set[str]:
    """Returns the fields of the first objects in a JSON Lines file; lines that are not objects are skipped."""
    found: set[str] = set()
    for line in islice(lines_of(file.path, file.packing, cap=config.max_line_bytes), _LOOKED_AT):
        if not isinstance(line, Damage):
            with contextlib.suppress(ValueError):
                found |= object_of(line).keys()
    return found


def _check_texts(file: RowFile, config: PairsConfig) -> None:
    """Raises SourceError if a Parquet column that must contain texts has another type."""
    for field in schema_of(file.path):
        if field.name not in (config.inputs_field, config.targets_field):
            continue
        kind = field.type
        if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_dictionary(kind):
            kind = kind.value_type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
            raise SourceError(f"{file.path}: the column {field.name!r} is {field.type}, not text or lists of texts")


def _check_fields(place: str, fields: Iterable[str], named: Mapping[str, str]) -> None:
    """Raises SourceError for the first named field that does not exist."""
    there = list(fields)
    for name, field in named.items():
        if field not in there:
            raise SourceError(f"{place}: {no_field(field, there, flag=FLAGS[name])}")


def _common(schemas: Sequence[tuple[str, ConfigSchema]]) -> ConfigSchema:
    """Returns the common schema of all inputs. The order of columns may differ."""
    (first, schema), *others = schemas
    kinds = {c.name: c.type for c in schema.columns}
    for name, other in others:
        theirs = {c.name: c.type for c in other.columns}
        sides = ((first, sorted(kinds.keys() - theirs)), (name, sorted(theirs.keys() - kinds)))
        differences = [f"only {place} contains {', '.join(only)}" for place, only in sides if only]
        differences += [
            f"{column} is {kind} in {first} and {theirs[column]} in {name}"
            for column, kind in kinds.items()
            if theirs.get(column, kind) != kind
        ]
        if differences:
            raise SourceError(
                f"the rows of {first} and {name} have different columns, so one dataset cannot contain both: "
                + "; ".join(differences)
            )
    names = {other.name for _, other in schemas}
    return schema if len(names) == 1 else dataclasses.replace(schema, name=DEFAULT)


def pair_of(row: Row, place: RowRange, config: PairsConfig) -> Pair | Reject:
    """Returns the pair in a row, or a Reject (TOO_LARGE, BAD_ROW, NO_ID or NO_TEXT) with the row's id if known."""
    of, row_id = place.of, ""
    assert isinstance(of, PairFile)
    fields = {name: own for own, name in of.columns}
    values = {name: row.values.get(own) for name, own in fields.items()}

    def reject(reason: Reason, detail: str) -> Reject:
        return reject_of(row, place, SOURCE, reason, detail, row_id)

    if row.problem:
        return reject(ReadReason.TOO_LARGE if row.oversized else PairReason.BAD_ROW, row.problem)
    try:
        own = values.get(ID)
        if of.published:
            row_id = own if isinstance(own, str) else ""
        else:
            row_id = own_id(own, fields.get(ID, ID))
            row_id = row_id or f"{SOURCE}-{public_label(place.file, config.shared)}-{row.number}"
        if not row_id:
            return reject(PairReason.NO_ID, "")
        texts = {name: _text(values[name], fields[name], of) for name in (INPUTS, TARGETS)}
    except ValueError as error:
        return reject(PairReason.BAD_ROW, str(error))
    for name, text in texts.items():
        if not text.strip():
            field = fields[name]
            missing = f"{field!r} is empty" if field in row.values else no_field(field, row.values, flag=FLAGS[name])
            return reject(PairReason.NO_TEXT, missing)
    if 4 * sum(map(len, texts.values())) > config.max_line_bytes:  # UTF-8 uses at most four bytes per character
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts.values())
        if size > config.max_line_bytes:
            return reject(ReadReason.TOO_LARGE, f"{size} bytes of text")
    values |= {ID: row_id, **texts}
    if not of.published:
        values[_DOCUMENT] = row_id
        with contextlib.suppress(ValueError):  # ignore an invalid document id
            values[_DOCUMENT] = own_id(row.values.get(_DOCUMENT), _DOCUMENT) or row_id
    return Pair(origin_of(row, place, SOURCE, row_id), texts[INPUTS], texts[TARGETS], values, of.split)


def _text(value: Any, field: str, of: PairFile) -> str:
    value = joined(value, "\n")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{field!r} is neither a string nor a list of strings")
    return value if of.published else without_controls(value)


class PairsSource(FilesSource[PairsConfig]):
    """A source that reads published datasets and files of pairs."""

    NAME = SOURCE
    HELP = (
        "published dataset folders, `DIR` or `DIR#CONFIGURATION`, or files of pairs: JSON Lines (plain, gz, bz2, zst), "
        "TSV or Parquet"
    )
    CONFIG = PairsConfig
    MARKUPS = frozenset({PLAIN})
    DOCUMENT: ClassVar[type[Pair]] = Pair
    REASONS: ClassVar[tuple[type[Reason], ...]] = (ReadReason, PairReason)
    DEDUPLICATE = "none"
    PROVENANCE = Provenance(
        "", "The text comes from the source files below, with whatever rights their owners have in it."
    )
    PLAN = plan_file
    READ: ClassVar[Callable[..., Iterator[Any]]] = functools.partial(read_range, element_of=pair_of)

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
        known = provenance_of(d.manifest for d in datasets)
        if not files:
            return Provenance(known.licence, known.attribution, known.models)
        notes = [known.attribution, cls.PROVENANCE.attribution]
        licence = "other" if known.licence else ""
        return Provenance(licence, "\n\n".join(note for note in notes if note), known.models)
