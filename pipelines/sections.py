"""The options that building jobs share: what is read, what is written, and how a job runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.dataset import SPLITS
from gistmill.core.options import Options, option
from gistmill.core.values import PATHS, PLACE, SWITCH, list_of, one_of, whole
from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.languages.language import AUTO, CODE_OR_AUTO
from gistmill.transforms.sinks.formats import FORMATS
from gistmill.transforms.sinks.parquet import ROW_GROUP_BYTES
from gistmill.transforms.sources.registry import REGISTRY


@dataclass(frozen=True, kw_only=True)
class InputConfig(Options):
    """Says what is read."""

    GROUP: ClassVar[str] = "input"

    input: tuple[str, ...] | None = option(
        PATHS,
        required=True,
        help="files or globs, comma-separated, local, gs:// or s3://: "
        + "; ".join(f"with --source {name} {source.HELP}" for name, source in REGISTRY.items()),
    )
    language: str = option(
        CODE_OR_AUTO,
        default=AUTO,
        help="the language of the texts, which decides what sentences, words and headings are; auto: that of the wiki, "
        "of the page of news, or of the field that --language-field names",
    )
    allow_truncated: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        help="publish what a truncated or damaged input still gave; the manifest records the damage",
    )


@dataclass(frozen=True, kw_only=True)
class SourceChoice(Options):
    """Says what the input is, where a job can read several things."""

    GROUP: ClassVar[str] = "input"

    source: str = option(
        one_of(*REGISTRY), default="wikipedia", metavar="SOURCE", help=f"what the input is: {' or '.join(REGISTRY)}"
    )


@dataclass(frozen=True, kw_only=True)
class OutputConfig(Options):
    """Says what is written, and where."""

    GROUP: ClassVar[str] = "output"

    output: str | None = option(
        PLACE,
        required=True,
        fingerprinted=False,
        help="folder or URL of the dataset; it appears whole, when the job has succeeded",
    )
    overwrite: bool = option(SWITCH, default=False, fingerprinted=False, help="replace a dataset that is already there")
    allow_empty: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        published=False,
        help="publish a dataset without rows, with its rejects; otherwise the job fails and says why there are none",
    )
    formats: tuple[str, ...] | None = option(
        list_of(one_of(*FORMATS)),
        metavar="LIST",
        fingerprinted=False,
        help=f"comma-separated: {', '.join(FORMATS)} (default: parquet and tfrecord, as far as the job can write them)",
    )
    shards: int | None = option(
        whole(1), fingerprinted=False, help="files per split, never more than rows (default: by size)"
    )
    row_group_bytes: int | None = option(
        whole(1),
        unit="bytes",
        fingerprinted=False,
        help="size of the largest row groups of Parquet, before encoding; small ones make files larger and slower to "
        f"read, and a rebuilt dataset changes fewer bytes (default: {ROW_GROUP_BYTES:,}; of `{KeepAnnotations.NAME}` "
        f"{KeepAnnotations.DEFAULTS['row_group_bytes']:,})",
    )
    rows: tuple[int, ...] | None = option(
        list_of(whole(0)),
        metavar="A,B,C",
        fingerprinted=False,  # the merge leaves rows out, after all ranges
        help="rows of train, validation and test that each configuration keeps, chosen by hashes of their ids; a split "
        "without a number keeps all",
    )

    def check(self) -> None:
        """Raises ValueError where there are more numbers of rows than splits."""
        if len(self.rows or ()) > len(SPLITS):
            raise ValueError(f"rows: expected at most {len(SPLITS)} numbers such as 400000,10000, not {self.rows!r}")


_MOST_WORKERS = 1024


@dataclass(frozen=True, kw_only=True)
class RunConfig(Options):
    """Says how the job runs."""

    GROUP: ClassVar[str] = "run"

    workers: int | None = option(
        whole(1, _MOST_WORKERS),
        fingerprinted=False,
        local=True,
        help="processes of the local runner (default: one for each core with 2 GB of memory, fewer for a small input)",
    )
    slot_timeout: int = option(
        whole(1),
        default=600,
        unit="seconds",
        fingerprinted=False,
        published=False,
        local=True,
        help="how long a job on Flink may wait for slots that are missing, before it is given up",
    )
    temp_dir: str | None = option(
        PLACE,
        metavar="DIR",
        fingerprinted=False,
        published=False,
        help="where temporary files go (default: beside the output)",
    )
    quiet: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        published=False,
        local=True,
        help="show no progress; warnings and errors stay",
    )
    resume: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        help="continue a run of the same configuration that died; keep finished ranges when this one is interrupted",
    )
