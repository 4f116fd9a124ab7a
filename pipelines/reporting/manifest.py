"""The manifest of a run: what the publisher found in the workspace, and what the job knows."""

from __future__ import annotations

import dataclasses
import hashlib
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from gistmill.core.addresses import public_configuration, public_name
from gistmill.core.annotation_parts import PARSED, REUSED, REVISED, Part, ReuseEntry
from gistmill.core.json_value import JsonValue
from gistmill.core.manifest import (
    ENGLISH_ENTRY,
    MANIFEST,
    CrawlEntry,
    DumpEntry,
    EvaluationEntry,
    LanguageEntry,
    Manifest,
    ModelEntry,
    PublishedFile,
    SignaturesEntry,
    SourceEntry,
)
from gistmill.core.row_budget import left_out_lines
from gistmill.core.statistics import (
    SPLITS,
    DatasetSchema,
    Figure,
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
    """The part of the manifest that the publisher cannot see in the workspace.

    Attributes:
        recipe: name of the job.
        title: heading of the dataset card.
        description: a paragraph for the card.
        config: the effective configuration, as it is published (core/addresses.py).
        code_version: version of gistmill.
        versions: versions of what decides about the content: beam, spacy, pyarrow, python, ...
        models: a mapping for each model: name, version, SHA-256 of its weights.
        runner: where it ran.
        start: when it began, with time zone.
        evaluation: a mapping for each file of texts that were kept out.
        signatures: a mapping for each file of signatures that documents were compared with.
        crawls: the months of crawls of which the inputs are files, as far as is known.
        dumps: of the inputs, those that are known to be files of a wiki's dump.
        parts: what decides each part of the annotations, by name.
        reuse: ``dataset`` and ``sha256`` of the older dataset from which documents are taken.
        licence: identifier for the card, e.g. ``cc-by-sa-4.0``; "" when it is not known.
        attribution: a paragraph on where the text comes from.
        language: the language of the texts.
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
    signatures: Sequence[Mapping[str, Any]] = ()
    parts: Mapping[str, Part] = field(default_factory=dict)
    reuse: Mapping[str, str] | None = None
    dumps: Sequence[DumpEntry] = ()
    crawls: Sequence[CrawlEntry] = ()
    licence: str = ""
    attribution: str = ""
    language: LanguageEntry = ENGLISH_ENTRY


def machine_dependent(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts of what depends on the machine's speed: documents that ran into the parser's deadline."""
    key = f"documents/rejected/{CleanReason.DEADLINE.name}"
    return {key: counts[key]} if counts.get(key) else {}


def manifest(
    results: Results, *, run: RunInfo, schema: DatasetSchema, files: Sequence[PublishedFile], end: datetime
) -> Manifest:
    """Returns the manifest of a dataset of these files. It names no folder of the machine that made it."""
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
        reuse=_reuse(run.reuse, results),
        language=run.language,
    )


def _reuse(older: Mapping[str, str] | None, results: Results) -> ReuseEntry | None:
    if older is None:
        return None
    documents = {kind: results.reuse.get(kind, 0) for kind in (REUSED, REVISED, PARSED)}
    return ReuseEntry(dataset=public_name(older["dataset"]), sha256=older["sha256"], documents=documents)


def _model(value: Mapping[str, Any], index: int) -> ModelEntry:
    """A model's name and weights may be folders of the user's own."""
    entry = ModelEntry.from_json(JsonValue(value, MANIFEST, f"models[{index}]"))
    named: Any = public_configuration({"name": entry.name, "weights": entry.weights}, places=())
    return dataclasses.replace(entry, **named)


def _but_path(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in entry.items() if k != "path"}


def statistics(counts: Mapping[str, int], *, recipe: type[Recipe[Any]]) -> Statistics:
    """Returns the statistics that the counts of a run of ``recipe`` give."""
    groups = group_counts(counts)
    return Statistics(
        counts=groups,
        distributions={
            kind: {
                name.split("/", 1)[1]: distribution(group)
                for name, group in groups.items()
                if name.startswith(f"{kind}/")
            }
            for kind in recipe.DISTRIBUTIONS
        },
        figures={figure.key: tuple(as_rows(figure)) for figure in recipe.figures(groups)},
    )


_MOST_SOURCES = 20


def content_version(files: Sequence[PublishedFile]) -> str:
    """Returns a version X.Y.Z that depends on the content of the files alone.

    ``datasets`` keeps what it has once converted under the dataset's name, configuration, version and patterns of
    file names, and looks at neither content nor time of a local file: without a version of its own, a dataset that is
    replaced would go on being served as it was.
    """
    lines = sorted(f"{f.path} {f.sha256}\n" for f in files)
    digest = hashlib.sha256("".join(lines).encode("utf-8")).digest()
    return f"1.{int.from_bytes(digest[:4], 'big')}.{int.from_bytes(digest[4:8], 'big')}"


def size_category(rows: int) -> str:
    """Returns the ``size_categories`` of the hub of Hugging Face that so many rows are in."""
    bounds = ["1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"]
    power = len(str(rows)) - 3  # 1,000 rows begin the second category
    if power <= 0:
        return "n<1K"
    return f"{bounds[power - 1]}<n<{bounds[power]}" if power < len(bounds) else "n>1T"


def card_configs(schema: DatasetSchema, files: Sequence[PublishedFile]) -> list[dict[str, Any]]:
    """Returns the card's ``configs``: non-empty splits of Parquet, the first configuration as the default."""
    configs: list[dict[str, Any]] = []
    for config in schema.configs:
        mine = [f for f in files if f.config == config.name and f.format == "parquet"]
        if mine:
            splits = sorted({f.split for f in mine}, key=split_rank)
            configs.append(
                {
                    "config_name": config.name,
                    "data_files": [
                        {"split": s, "path": f"{posixpath.dirname(mine[0].path)}/{s}-*.parquet"} for s in splits
                    ],
                    "version": content_version(mine),
                }
            )
    if configs and "default" not in (c["config_name"] for c in configs):
        configs[0]["default"] = True
    return configs


def card(manifest: Manifest, *, run: RunInfo, schema: DatasetSchema) -> str:
    """Returns README.md; of the manifest's files only the shards matter."""
    front: dict[str, Any] = {"pretty_name": run.title, "language": [run.language.code]}
    if run.licence:
        front["license"] = licence_tag(run.licence)
    front["task_categories"] = list(RECIPES[run.recipe].TASKS)
    front["size_categories"] = [size_category(max(manifest.rows().values(), default=0))]
    if configs := card_configs(schema, manifest.files):
        front["configs"] = configs
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, width=1000)}---\n",
        f"# {one_line(run.title)}\n",
        f"{run.description.strip()}\n",
        f"Made by `gistmill {run.recipe}` (gistmill {run.code_version}); `manifest.json` has the configuration, the "
        "versions, the sources and the checksum of every file, `stats.json` and `report.html` the distributions, "
        "`croissant.json` the files and columns as [Croissant](https://mlcommons.org/croissant/1.1) has them.\n",
        *_rows(schema, manifest),
        *_columns(schema),
        *_tsv(schema, manifest.files),
        *_documents(manifest, RECIPES[run.recipe].READS),
        *_figures(RECIPES[run.recipe].figures(manifest.counts)),
        *_sources(manifest),
        "## Citation\n",
        f"```bibtex\n{citation(run.recipe, run.code_version)}\n```\n",
    ]
    return "\n".join(parts)


def _rows(schema: DatasetSchema, manifest: Manifest) -> list[str]:
    by_config = {c.name: manifest.counts.get(f"rows/{c.name}", {}) for c in schema.configs}
    splits = sorted({s for rows in by_config.values() for s in rows} | set(SPLITS), key=split_rank)
    lines = [
        [name, *(f"{rows.get(s, 0):,}" for s in splits), f"{sum(rows.values()):,}"] for name, rows in by_config.items()
    ]
    described = [f"- `{c.name}`: {text(c.description)}" for c in schema.configs if c.description]
    shown = ["## Rows\n", *table(["configuration", *splits, "all"], lines), *([*described, ""] if described else [])]
    return shown + [f"{line}\n" for line in left_out_lines(manifest.counts)]


def _columns(schema: DatasetSchema) -> list[str]:
    parts = ["## Columns\n"]
    same = len({c.columns for c in schema.configs}) == 1
    for config in schema.configs[:1] if same else schema.configs:
        if not same:
            parts.append(f"### {config.name}\n")
        parts += table(
            ["column", "type", "meaning"], [[code(c.name), code(c.type), text(c.description)] for c in config.columns]
        )
    return parts


def tsv_readers(path: str) -> dict[str, str]:
    """Returns, by library, the line of Python that reads a TSV file as it was written, quotation marks and all."""
    return {
        "pandas": f'pandas.read_csv("{path}", sep="\\t", quoting=csv.QUOTE_NONE, keep_default_na=False)',
        "polars": f'polars.read_csv("{path}", separator="\\t", quote_char=None)',
        "duckdb": f"duckdb.sql(r\"FROM read_csv('{path}', delim='\\t', quote='', escape='', header=true)\")",
    }


def _tsv(schema: DatasetSchema, files: Sequence[PublishedFile]) -> list[str]:
    paths = [f.path for c in schema.configs for f in files if f.config == c.name and f.format == "tsv"]
    if not paths:
        return []
    return [
        "## TSV\n",
        "TSV files have no quoting: a quotation mark is a character like any other. Readers that are not told so join "
        "rows or lose marks. These lines read them as they are (polars and duckdb take empty cells for null):\n",
        "```python",
        *tsv_readers(paths[0]).values(),
        "```\n",
    ]


def _documents(manifest: Manifest, reads: str) -> list[str]:
    documents, rejected = (manifest.counts.get(name, {}) for name in ("documents", "documents/rejected"))
    lines = [
        ("read", documents.get("read", 0)),
        ("used", documents.get("used", 0)),
        *((f"rejected: {text(reason)}", n) for reason, n in sorted(rejected.items())),
    ]
    return [f"## {reads.capitalize()}\n", *table(["", reads], [[name, f"{n:,}"] for name, n in lines])]


def _figures(figures: Sequence[Figure]) -> list[str]:
    parts = []
    for figure in figures:
        if figure.in_card:
            lines = [
                ["" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else text(cell) for cell in row]
                for row in figure.rows
            ]
            parts += [f"## {figure.title}\n", f"{figure.note}\n", *table(figure.head, lines)]
    return parts


def _sources(manifest: Manifest) -> list[str]:
    parts = ["## Source and licence\n"]
    if manifest.attribution:
        parts.append(f"{paragraphs(manifest.attribution)}\n")
    if manifest.sources:
        shown = manifest.sources[:_MOST_SOURCES]
        lines = [[code(s.name), f"{s.size:,}", code(s.sha256) if s.sha256 else "not read whole"] for s in shown]
        parts += table(["source", "bytes", "SHA-256"], lines)
        if more := len(manifest.sources) - len(shown):
            parts.append(f"`manifest.json` has {more:,} more.\n")
    for damage in manifest.damage:
        parts.append(
            f"The input {code(damage.file)} is damaged at byte {damage.offset} ({text(damage.message)}); "
            "the dataset holds what could be read.\n"
        )
    return parts
