"""README.md of a dataset: the card, whose YAML tells ``datasets`` which files a configuration and split have."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Sequence
from typing import Any

import yaml

from gistmill.core.dataset import SPLITS, DatasetSchema, split_rank
from gistmill.core.figure import Cell, Figure
from gistmill.core.manifest import Manifest
from gistmill.core.manifest_entries import PublishedFile
from gistmill.core.markdown import one_line, table
from gistmill.core.row_budget import left_out_lines
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.rules.papers import citation
from gistmill.rules.recipes import RECIPES

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
        front["license"] = run.licence
    front["task_categories"] = list(RECIPES[run.recipe].TASKS)
    front["size_categories"] = [size_category(max(manifest.rows().values(), default=0))]
    if configs := card_configs(schema, manifest.files):
        front["configs"] = configs
    parts = [
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1000)}---\n",
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
    described = [f"- `{c.name}`: {one_line(c.description)}" for c in schema.configs if c.description]
    shown = ["## Rows\n", *table(["configuration", *splits, "all"], lines), *([*described, ""] if described else [])]
    return shown + [f"{line}\n" for line in left_out_lines(manifest.counts)]


def _columns(schema: DatasetSchema) -> list[str]:
    parts = ["## Columns\n"]
    same = len({c.columns for c in schema.configs}) == 1
    for config in schema.configs[:1] if same else schema.configs:
        if not same:
            parts.append(f"### {config.name}\n")
        parts += table(
            ["column", "type", "meaning"], [[f"`{c.name}`", f"`{c.type}`", c.description] for c in config.columns]
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
        *((f"rejected: {reason}", n) for reason, n in sorted(rejected.items())),
    ]
    return [f"## {reads.capitalize()}\n", *table(["", reads], [[name, f"{n:,}"] for name, n in lines])]


def _figures(figures: Sequence[Figure]) -> list[str]:
    parts = []
    for figure in figures:
        if figure.in_card:
            lines = [[_cell(cell) for cell in row] for row in figure.rows]
            parts += [f"## {figure.title}\n", f"{figure.note}\n", *table(figure.head, lines)]
    return parts


def _cell(cell: Cell) -> str:
    return "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _sources(manifest: Manifest) -> list[str]:
    parts = ["## Source and licence\n"]
    if manifest.attribution:
        parts.append(f"{manifest.attribution.strip()}\n")
    if manifest.sources:
        shown = manifest.sources[:_MOST_SOURCES]
        lines = [
            [f"`{one_line(s.name)}`", f"{s.size:,}", f"`{s.sha256}`" if s.sha256 else "not read whole"] for s in shown
        ]
        parts += table(["source", "bytes", "SHA-256"], lines)
        if more := len(manifest.sources) - len(shown):
            parts.append(f"`manifest.json` has {more:,} more.\n")
    for damage in manifest.damage:
        parts.append(
            f"The input `{one_line(damage.file)}` is damaged at byte {damage.offset} ({one_line(damage.message)}); "
            "the dataset holds what could be read.\n"
        )
    return parts
