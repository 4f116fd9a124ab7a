"""The manifest and dataset card of a run, from the workspace's results and the job's settings."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined, Template

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.json_value import JsonValue
from gistmill.core.manifest import (
    ENGLISH_ENTRY,
    MANIFEST,
    PARSED,
    REUSED,
    REVISED,
    CrawlEntry,
    DumpEntry,
    EvaluationEntry,
    LanguageEntry,
    Manifest,
    ModelEntry,
    Part,
    PublishedFile,
    ReuseEntry,
    SignaturesEntry,
    SourceEntry,
)
from gistmill.core.row_budget import left_out_lines
from gistmill.core.statistics import (
    SPLITS,
    DatasetSchema,
    Statistics,
    as_rows,
    distribution,
    group_counts,
    split_rank,
)
from gistmill.core.text_output import code, licence_tag, one_line, paragraphs, table, text
from gistmill.rules.documents import CleanReason
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES, citation
from gistmill.transforms.sinks.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """The parts of the manifest that cannot be derived from the workspace."""

    recipe: str  # name of the job
    title: str  # heading of the dataset card
    description: str  # a paragraph for the card
    config: Mapping[str, Any]  # the effective configuration, as published (core/addresses.py)
    code_version: str  # version of gistmill
    versions: Mapping[str, str]  # versions of software that affects the content: beam, spacy, pyarrow, python etc.
    runner: str  # Beam runner that was used
    start: datetime  # with time zone
    models: Sequence[Mapping[str, Any]] = ()  # one mapping per model: name, version, SHA-256 of its weights
    evaluation: Sequence[Mapping[str, Any]] = ()  # one mapping per file of excluded evaluation texts
    signatures: Sequence[Mapping[str, Any]] = ()  # one mapping per file of signatures used for comparison
    parts: Mapping[str, Part] = field(default_factory=dict)  # what each part of the annotations depends on, by name
    # ``dataset`` and ``sha256`` of the older dataset from which documents are reused
    reuse: Mapping[str, str] | None = None
    dumps: Sequence[DumpEntry] = ()  # the inputs known to be files of a wiki's dump
    crawls: Sequence[CrawlEntry] = ()  # the crawl months that inputs are known to belong to
    licence: str = ""  # identifier for the card, e.g. ``cc-by-sa-4.0``; "" if unknown
    attribution: str = ""  # a paragraph on where the text comes from
    language: LanguageEntry = ENGLISH_ENTRY  # language of the texts


def machine_dependent(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts that depend on the machine's speed: documents that exceeded the parser's time limit."""
    key = f"documents/rejected/{CleanReason.DEADLINE.name}"
    return {key: counts[key]} if counts.get(key) else {}


def manifest(
    results: Results, *, run: RunInfo, schema: DatasetSchema, files: Sequence[PublishedFile], end: datetime
) -> Manifest:
    """Returns the manifest of a dataset with these files. It contains no local folder names."""
    reuse = None
    if run.reuse is not None:
        documents = {kind: results.reuse.get(kind, 0) for kind in (REUSED, REVISED, PARSED)}
        reuse = ReuseEntry(**{**run.reuse, "dataset": public_name(run.reuse["dataset"])}, documents=documents)
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
        sources=tuple(SourceEntry(name=public_name(s["path"]), **_but_path(s)) for s in results.sources),
        dumps=tuple(dataclasses.replace(d, url=public_name(d.url)) for d in sorted(run.dumps, key=lambda d: d.names)),
        crawls=tuple(dataclasses.replace(c, url=public_name(c.url)) for c in run.crawls),
        damage=tuple(dataclasses.replace(d, file=public_name(d.file)) for d in results.damage),
        counts=group_counts(results.counts),
        machine_dependent=machine_dependent(results.counts),
        columns={c.name: c.columns for c in schema.configs},
        files=tuple(sorted(files, key=lambda f: f.path)),
        arithmetic=results.arithmetic,
        parts=run.parts,
        reuse=reuse,
        language=run.language,
    )


def _model(value: Mapping[str, Any], index: int) -> ModelEntry:
    """Returns a model's entry without local folders, which may occur in its name and weights."""
    entry = ModelEntry.from_json(JsonValue(value, MANIFEST, f"models[{index}]"))
    named: Any = public_configuration({"name": entry.name, "weights": entry.weights}, places=())
    return dataclasses.replace(entry, **named)


def _but_path(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in entry.items() if k != "path"}


def statistics(counts: Mapping[str, int], *, recipe: type[Recipe[Any]]) -> Statistics:
    """Returns the statistics derived from the counts of a run of ``recipe``."""
    groups = group_counts(counts)
    by_kind = {
        kind: {n.partition("/")[2]: distribution(group) for n, group in groups.items() if n.startswith(f"{kind}/")}
        for kind in recipe.DISTRIBUTIONS
    }
    figures = {figure.key: tuple(as_rows(figure)) for figure in recipe.figures(groups)}
    return Statistics(counts=groups, distributions=by_kind, figures=figures)


_MOST_SOURCES = 20


def content_version(files: Sequence[PublishedFile]) -> str:
    """Returns a version X.Y.Z that depends only on the content of the files.

    ``datasets`` caches converted data under the dataset's name, configuration, version and file name patterns, ignoring
    the content and times of local files: without a new version, it would keep serving the old data from its cache.
    """
    lines = sorted(f"{f.path} {f.sha256}\n" for f in files)
    digest = hashlib.sha256("".join(lines).encode("utf-8")).digest()
    return f"1.{int.from_bytes(digest[:4], 'big')}.{int.from_bytes(digest[4:8], 'big')}"


def size_category(rows: int) -> str:
    """Returns the Hugging Face Hub's ``size_categories`` value for a number of rows."""
    bounds = ["1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"]
    power = len(str(rows)) - 3  # the second category begins at 1,000 rows
    if power <= 0:
        return "n<1K"
    return f"{bounds[power - 1]}<n<{bounds[power]}" if power < len(bounds) else "n>1T"


def card_configs(schema: DatasetSchema, files: Sequence[PublishedFile]) -> list[dict[str, Any]]:
    """Returns the card's ``configs``: non-empty Parquet splits, with the first configuration as the default."""
    configs: list[dict[str, Any]] = []
    for config in schema.configs:
        if mine := [f for f in files if f.config == config.name and f.format == "parquet"]:
            folder, splits = posixpath.dirname(mine[0].path), sorted({f.split for f in mine}, key=split_rank)
            named = [{"split": s, "path": f"{folder}/{s}-*.parquet"} for s in splits]
            configs.append({"config_name": config.name, "data_files": named, "version": content_version(mine)})
    if configs and "default" not in (c["config_name"] for c in configs):
        configs[0]["default"] = True
    return configs


def card(manifest: Manifest, *, run: RunInfo, schema: DatasetSchema) -> str:
    """Returns the content of README.md."""
    recipe = RECIPES[run.recipe]
    front: dict[str, Any] = {"pretty_name": run.title, "language": [run.language.code]}
    if run.licence:
        front["license"] = licence_tag(run.licence)
    front["task_categories"] = list(recipe.TASKS)
    front["size_categories"] = [size_category(max(manifest.rows().values(), default=0))]
    if configs := card_configs(schema, manifest.files):
        front["configs"] = configs
    by_config = {c.name: manifest.counts.get(f"rows/{c.name}", {}) for c in schema.configs}
    splits = sorted({s for rows in by_config.values() for s in rows} | set(SPLITS), key=split_rank)
    read, rejected = (manifest.counts.get(name, {}) for name in ("documents", "documents/rejected"))
    documents = [("read", read.get("read", 0)), ("used", read.get("used", 0))]
    documents += [(f"rejected: {text(reason)}", n) for reason, n in sorted(rejected.items())]
    in_tsv = [f.path for c in schema.configs for f in manifest.files if (f.config, f.format) == (c.name, "tsv")]
    return _template().render(
        run=run,
        recipe=recipe,
        manifest=manifest,
        schema=schema,
        front=yaml.safe_dump(front, sort_keys=False, width=1000),
        splits=splits,
        rows=[
            [name, *(f"{rows.get(s, 0):,}" for s in splits), f"{sum(rows.values()):,}"]
            for name, rows in by_config.items()
        ],
        left_out=left_out_lines(manifest.counts),
        described=schema.configs[:1] if len({c.columns for c in schema.configs}) == 1 else schema.configs,
        columns=lambda config: [[code(c.name), code(c.type), text(c.description)] for c in config.columns],
        tsv=tsv_readers(in_tsv[0]) if in_tsv else {},
        documents=[[name, f"{n:,}"] for name, n in documents],
        figures=recipe.figures(manifest.counts),
        cells=lambda figure: [
            ["" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else text(cell) for cell in row]
            for row in figure.rows
        ],
        sources=[
            [code(s.name), f"{s.size:,}", code(s.sha256) if s.sha256 else "not read whole"]
            for s in manifest.sources[:_MOST_SOURCES]
        ],
        citation=citation(run.recipe, run.code_version, run.start.year),
    )


@functools.cache
def _template() -> Template:
    environment = Environment(  # for Markdown; the filters escape it
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {"one_line": one_line, "text": text, "code": code, "paragraphs": paragraphs}
    environment.globals["table"] = lambda head, rows: "\n".join(table(head, rows))
    template = files("gistmill.pipelines.reporting.page").joinpath("card.md.jinja")
    return environment.from_string(template.read_text(encoding="utf-8"))


def tsv_readers(path: str) -> dict[str, str]:
    """Returns, by library, the Python expression that reads a TSV file exactly as written, with all quotation marks."""
    return {
        "pandas": f'pandas.read_csv("{path}", sep="\\t", quoting=csv.QUOTE_NONE, keep_default_na=False)',
        "polars": f'polars.read_csv("{path}", separator="\\t", quote_char=None)',
        "duckdb": f"duckdb.sql(r\"FROM read_csv('{path}', delim='\\t', quote='', escape='', header=true)\")",
    }
