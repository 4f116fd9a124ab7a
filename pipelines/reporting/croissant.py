"""A dataset's croissant.json: machine-readable metadata on its files, tables, columns and origins.

Source: MLCommons, Croissant format specification 1.1, http://mlcommons.org/croissant/1.1.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from gistmill.core.manifest import Manifest, PublishedFile
from gistmill.core.statistics import ID_COLUMN, Column, ConfigSchema, DatasetSchema, item_type, split_rank
from gistmill.core.text_output import one_line
from gistmill.pipelines.reporting.manifest import RunInfo, content_version
from gistmill.rules.recipes import citation

CROISSANT = "croissant.json"
# The context from appendix 1 of the specification, plus PROV-O.
_CONTEXT = json.loads(files(__package__).joinpath("croissant_context.json").read_text(encoding="utf-8"))
_TYPES = {"string": "sc:Text", "int64": "cr:Int64", "float64": "cr:Float64", "bool": "sc:Boolean"}
_SPLITS = {"train": "cr:TrainingSplit", "validation": "cr:ValidationSplit", "test": "cr:TestSplit"}
_LICENCES = {"cc-by-sa-4.0": "https://creativecommons.org/licenses/by-sa/4.0/"}
_UNKNOWN = "unknown: README.md says where the text comes from"
_SPLIT_SET = "splits"
_PARQUET = "application/x-parquet"
_MEDIA = {"parquet": _PARQUET, "tfrecord": "application/gzip", "tsv": "text/tab-separated-values"}
_GZIP = "application/gzip"  # the rejects
# Columns that identify the page and revision from which a row was made, and the property of the page that each holds.
_PAGE = {"document_id": "sc:identifier", "url": "sc:url", "title": "sc:name", "revision": "sc:version"}


def croissant(manifest: Manifest, *, run: RunInfo, schema: DatasetSchema) -> dict[str, Any]:
    """Returns the content of croissant.json, with paths relative to the dataset.

    The only date in it is the day on which the run began.
    """
    parquet = {
        c.name: [f for f in manifest.files if (f.config, f.format) == (c.name, "parquet")] for c in schema.configs
    }
    tables = [c for c in schema.configs if parquet[c.name]]
    splits = sorted({f.split for files in parquet.values() for f in files}, key=split_rank)
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": one_line(run.title),
        "description": run.description.strip(),
        "url": "README.md",
        "license": _LICENCES.get(manifest.licence)
        or {"@type": "sc:CreativeWork", "name": manifest.licence or _UNKNOWN},
        "creator": {"@type": "sc:Organization", "name": f"gistmill {manifest.code_version}"},
        "datePublished": manifest.start.date().isoformat(),
        "version": content_version(manifest.files),
        "inLanguage": run.language.code,
        "citeAs": citation(manifest.recipe, manifest.code_version, manifest.start.year),
        "isLiveDataset": False,
        **_origin(manifest),
        "distribution": [*map(_file, manifest.files), *(_file_set(c.name, parquet[c.name]) for c in tables)],
        "recordSet": [*([_split_set(splits)] if splits else []), *(_record_set(c, splits) for c in tables)],
    }


def _origin(manifest: Manifest) -> dict[str, Any]:
    """Returns the sources and the software that the dataset was made from, in PROV-O terms."""
    dumps = {name: dump.url for dump in manifest.dumps for name in dump.names}
    made = {
        "@type": "prov:Activity",
        "prov:label": f"gistmill {manifest.recipe}",
        "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": f"gistmill {manifest.code_version}"},
    }
    sources = [
        {
            "@type": "prov:Entity",
            "prov:label": source.name,
            "contentSize": f"{source.size} B",
            **({"sha256": source.sha256} if source.sha256 else {}),
            **({"prov:atLocation": dumps[source.name]} if source.name in dumps else {}),
        }
        for source in manifest.sources
    ]
    return {"prov:wasGeneratedBy": made, **({"prov:wasDerivedFrom": sources} if sources else {})}


def _node(kind: str, identifier: str, name: str, **values: Any) -> dict[str, Any]:
    return {"@type": f"cr:{kind}", "@id": identifier, "name": name, **values}


def _file(file: PublishedFile) -> dict[str, Any]:
    return _node(
        "FileObject",
        quote(file.path),
        posixpath.basename(file.path),
        contentUrl=quote(file.path),
        contentSize=f"{file.bytes} B",
        encodingFormat=_MEDIA.get(file.format, _GZIP),
        sha256=file.sha256,
    )


def _file_set(config: str, shards: Sequence[PublishedFile]) -> dict[str, Any]:
    """Returns a table's shards, which are plain files rather than members of an archive."""
    pattern = f"{posixpath.dirname(shards[0].path)}/*.parquet"
    return _node("FileSet", _files_id(config), f"Parquet files of {config}", encodingFormat=_PARQUET, includes=pattern)


def _split_set(splits: Sequence[str]) -> dict[str, Any]:
    name, url = f"{_SPLIT_SET}/name", f"{_SPLIT_SET}/url"
    return _node(
        "RecordSet",
        _SPLIT_SET,
        _SPLIT_SET,
        description="the splits of the rows",
        dataType="cr:Split",
        key={"@id": name},
        field=[
            _node("Field", name, "name", dataType="sc:Text"),
            _node("Field", url, "url", dataType=["cr:Split", "sc:URL"]),
        ],
        data=[{name: split, url: _SPLITS.get(split, "cr:Split")} for split in splits],
    )


def _record_set(config: ConfigSchema, splits: Sequence[str]) -> dict[str, Any]:
    split = "split of the dataset" if "split" in (c.name for c in config.columns) else "split"
    # mlcroissant applies a transform again to its own result
    pattern = rf"^({'|'.join(map(re.escape, splits))})(?:-\d+-of-\d+\.parquet)?$"
    from_file = _node(
        "Field",
        _field_id(config.name, split),
        split,
        description="split of the row",
        dataType="sc:Text",
        source={
            "fileSet": {"@id": _files_id(config.name)},
            "extract": {"fileProperty": "filename"},
            "transform": {"regex": pattern},
        },
        references={"field": {"@id": f"{_SPLIT_SET}/name"}},
    )
    # the page from which a row was made, as an annotation of its record
    above = _field_id(config.name, "page")
    parts = [
        {**_field(config.name, c), "@id": f"{above}/{c.name}", "equivalentProperty": _PAGE[c.name]}
        for c in config.columns
        if c.name in _PAGE
    ]
    page = _node(
        "Field",
        above,
        "page",
        description="the page, and its revision, of which the row was made",
        equivalentProperty="prov:wasDerivedFrom",
        subField=parts,
    )
    return _node(
        "RecordSet",
        quote(config.name),
        config.name,
        **({"description": one_line(config.description)} if config.description else {}),
        key={"@id": _field_id(config.name, ID_COLUMN.name)},
        field=[from_file, *(_field(config.name, c) for c in config.columns)],
        **({"annotation": page} if parts else {}),
    )


def _field(config: str, column: Column) -> dict[str, Any]:
    scalar, is_list = item_type(column.type)
    return _node(
        "Field",
        _field_id(config, column.name),
        column.name,
        description=one_line(column.description),
        dataType=_TYPES[scalar],
        **({"isArray": True, "arrayShape": "-1"} if is_list else {}),
        source={"fileSet": {"@id": _files_id(config)}, "extract": {"column": column.name}},
    )


def _files_id(config: str) -> str:
    return f"files-of/{quote(config)}"


def _field_id(config: str, column: str) -> str:
    return f"{quote(config)}/{quote(column, safe='')}"
