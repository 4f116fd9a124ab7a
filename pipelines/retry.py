"""``gistmill retry``: documents that failed are driven again with other limits, and merged into their dataset."""

from __future__ import annotations

import dataclasses
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core import text_output
from gistmill.core.addresses import is_url
from gistmill.core.manifest import Manifest
from gistmill.core.options import FlagsError, Option, from_flags, options_of
from gistmill.core.row_budget import LEFT_OUT
from gistmill.pipelines.arguments import CommandParser
from gistmill.pipelines.building import Run, carry_out, prepare
from gistmill.pipelines.errors import ConfigError, JobFailed, OutputExists
from gistmill.pipelines.job import (
    OutputConfig,
    RunConfig,
    configure,
    job_options,
    reads_pairs,
    recipe_named,
    sources_of,
)
from gistmill.pipelines.options import beam_arguments, make_parser
from gistmill.pipelines.publishing.publication import summary
from gistmill.pipelines.runners.quiet import mute_stores, show_warnings
from gistmill.pipelines.runners.signals import exit_on_signals
from gistmill.pipelines.validate import open_dataset
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.rejects import parsed, read_part, reject_parts
from gistmill.rules.documents import CleanReason, RawDocument
from gistmill.transforms.beam.internals import beam_flags
from gistmill.transforms.io import join, size_of
from gistmill.transforms.sources.again import AgainSource, Old, OldRejects, Wanted, without
from gistmill.transforms.sources.files.manifests import below
from gistmill.transforms.sources.files.ranges import SourceError, SourceFile
from gistmill.transforms.sources.files.source import FilesSource
from gistmill.transforms.sources.registry import REGISTRY

REASONS = (CleanReason.DEADLINE.name, CleanReason.PARSER_DIED.name)
_LIMITS = ("parse_deadline",)  # what decides about the documents that are driven again, and about no other
# Options with which documents decide about each other, so that none can be added later.
_TOGETHER = ("deduplicate", "keep_signatures", "duplicates_against")
_DESCRIPTION = """\
Drives the documents again that a job rejected because a parser or the rules did not finish (DEADLINE) or a parser died
(PARSER_DIED), and merges what comes out with the rows of the dataset into a new one. All options are those of the
dataset; --parse-deadline may be another. Its files are those of a run with that deadline from the start, if code,
models and packages are the same.
"""
_EPILOG = """\
examples:
  gistmill retry discofuse-en --input-root dumps --output discofuse-en-2 --parse-deadline 600
  gistmill retry discofuse-en --input-root dumps --output discofuse-en --overwrite --parse-deadline 600 --workers 2

Options of output and run follow as of the job: --output, --overwrite, --formats, --shards, --workers, --temp-dir. Exit
codes: 0 published; 1 the run failed, and nothing was published; 2 the command line, the dataset or the input is wrong,
or no document can be driven again.
"""


def main(argv: Sequence[str]) -> int:
    """Publishes the merged dataset; returns the exit code.

    Raises:
        ConfigError: the command line, the dataset or the input is wrong; nothing was begun.
    """
    parser = CommandParser("retry", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("dataset", metavar="DATASET", help="a published dataset: a folder, or a gs:// or s3:// URL")
    parser.add_argument(
        "--input-root",
        metavar="FOLDER",
        help="folder or URL of the files that the dataset was made of; not needed where the manifest has their URLs",
    )
    arguments, rest = parser.parse_known_args(list(argv))
    show_warnings()
    mute_stores()

    def say(line: str) -> None:
        text_output.say(f"gistmill retry: {line}")

    try:
        run = _prepared(arguments, rest, say)
        published = carry_out(run, say=say, progress=True, guard=exit_on_signals)
    except OutputExists as error:
        raise ConfigError(str(error)) from None
    except JobFailed as error:
        say(str(error))
        return 1
    if published is not None:
        text_output.say(summary(published), sys.stdout)
    return 0


def _prepared(arguments: Namespace, rest: Sequence[str], say: Callable[[str], object]) -> Run:
    """The run of the dataset's job, whose source gives the old rows and the documents that are driven again."""
    job = _parsed_job(arguments, rest)
    flags = {name: job.known[name].flag for name in job.given}
    config = configure(job.recipe, job.values, places=flags, reads_files=False)
    run = prepare(config, beam=job.beam)
    inner = run.plan.source
    assert isinstance(inner, FilesSource)
    try:
        rejects = _failed(job.dataset)
    except DatasetError as error:
        raise ConfigError(str(error)) from None
    if not rejects:
        raise ConfigError(f"{job.dataset.place} rejected no document because of {' or '.join(REASONS)}")
    if others := _differing(job.dataset.manifest, run):
        say(f"the dataset was made by other {', '.join(others)}: its rows may not be those of one run")
    wanted = [Wanted(id=r["id"], file=r["file"], offset=r["offset"]) for r in rejects]
    try:
        source = AgainSource(inner, _old(job.dataset, run, rejects), wanted)
    except SourceError as error:
        raise ConfigError(str(error)) from None
    return dataclasses.replace(run, plan=dataclasses.replace(run.plan, source=source))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """The job that made the dataset, with what the user gives."""

    dataset: Dataset
    recipe: Any
    known: Mapping[str, Option]
    given: Mapping[str, Any]
    values: Mapping[str, Any]
    beam: Sequence[str]


def _parsed_job(arguments: Namespace, rest: Sequence[str]) -> _Job:
    # the dataset says which options its job has, and a store may need Beam's to be read
    FileSystems.set_options(PipelineOptions(_of_beam(rest)))
    dataset = open_dataset(arguments.dataset)
    manifest = dataset.manifest
    recipe = recipe_named(manifest.recipe)
    known = job_options(recipe)
    try:
        flags, beam = make_parser(recipe).parse_known_args(list(rest))
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    given = from_flags(flags, known)
    source = _check_dataset(manifest, recipe)
    of_run = {o.name for section in (OutputConfig, RunConfig) for o in options_of(section)}
    for name in given:
        if name not in (of_run - {"rows", "resume"}).union(_LIMITS) and not known[name].kind.is_place:
            raise ConfigError(f"{known[name].flag}: rows of other options than the dataset's cannot be merged with it")
    left_out = of_run.difference(_LIMITS, ("formats", "shards")) | {"input"}
    kept = {
        name: value
        for name, value in manifest.configuration.items()
        if name not in left_out and name in known and source in sources_of(known[name])
    }
    for name, value in kept.items():
        if known[name].kind.is_place and name not in given and not all(map(is_url, _texts(value))):
            raise ConfigError(f"{known[name].flag}: name {value!r} again; the manifest does not have its folder")
    values = {**kept, **given, "input": _inputs(manifest, arguments.input_root)}
    return _Job(
        dataset=dataset, recipe=recipe, known=known, given=given, values=values, beam=tuple(beam_arguments(beam))
    )


def _of_beam(arguments: Sequence[str]) -> list[str]:
    """The arguments that are Beam's, each with its value."""
    flags, taken, mine = beam_flags(), [], False
    for argument in arguments:
        if argument.startswith("--"):
            mine = argument.partition("=")[0] in flags
        if mine:
            taken.append(argument)
    return taken


def _check_dataset(manifest: Manifest, recipe: Any) -> str:
    """Returns the source that the dataset was made of. Raises ConfigError where documents cannot be added to it."""
    source = str(manifest.configuration.get("source", ""))
    if reads_pairs(recipe) or source not in REGISTRY or REGISTRY[source].DOCUMENT is not RawDocument:
        raise ConfigError(f"a dataset of {manifest.recipe} from {source or 'rows'} has no documents to drive again")
    for name in _TOGETHER:
        if manifest.configuration.get(name) not in (None, False, "none", []):
            raise ConfigError(f"the dataset was made with {name}, where documents decide about each other")
    if any(group.startswith(f"{LEFT_OUT}/") for group in manifest.counts):
        raise ConfigError("the dataset was made with rows, and does not have all rows that were made")
    return source


def _at(dataset: Dataset, path: str) -> str:
    """Where a file of the dataset lies, for every worker."""
    return below(dataset.place if is_url(dataset.place) else os.path.abspath(dataset.place), path)


def _inputs(manifest: Manifest, root: str | None) -> list[str]:
    """The files that the dataset was made of, below a folder unless they are URLs; each has to be there, as large as
    it was."""
    found = []
    for entry in manifest.sources:
        if not is_url(entry.name) and root is None:
            raise ConfigError("--input-root is required: the folder of the files that the dataset was made of")
        path = entry.name if is_url(entry.name) else join(root or "", entry.name)
        size = size_of(path)
        if size is None:
            raise ConfigError(f"--input-root: there is no file {path}")
        if size != entry.size:
            raise ConfigError(f"{path} has {size:,} bytes, and the dataset was made of one of {entry.size:,}")
        found.append(path)
    return found


def _failed(dataset: Dataset) -> list[dict[str, Any]]:
    """The rejects of documents that may come out another time."""
    lines = (line for path in reject_parts(dataset) for line in read_part(dataset, path))
    marks = tuple(f'"{reason}"'.encode() for reason in REASONS)
    rejects = (parsed(dataset, line) for line in lines if any(mark in line for mark in marks))
    return [r for r in rejects if r["reason"] in REASONS and r["unit"] == "document"]


def _old(dataset: Dataset, run: Run, rejects: Sequence[Mapping[str, Any]]) -> Old:
    manifest = dataset.manifest
    schemas = {config.name: config for config in run.plan.recipe.schema.configs}
    if {name: config.columns for name, config in schemas.items()} != manifest.columns:
        raise ConfigError(f"{dataset.place} has other columns than {manifest.recipe} makes now")
    paths = {entry.name: entry for entry in manifest.sources}
    files = [(f, paths[name]) for f in run.plan.source.files for name in paths if _is(f.path, name)]
    shards = [f for f in dataset.manifest.files if f.config in schemas]
    parquet = [f for f in shards if f.format == "parquet"]
    if {(f.config, f.split) for f in shards} != {(f.config, f.split) for f in parquet}:
        raise ConfigError(f"{dataset.place} has no Parquet files, and its rows are read from those")
    return Old(
        shards=tuple((_at(dataset, f.path), schemas[f.config], f.split, f.bytes) for f in parquet),
        rejects=OldRejects(
            key="old-rejects",
            size=0,
            workspace="",
            paths=tuple(_at(dataset, path) for path in reject_parts(dataset)),
            again=frozenset(r["id"] for r in rejects),
            counts=without({f"{g}/{n}": c for g, group in manifest.counts.items() for n, c in group.items()}, rejects),
            damage=manifest.damage,
            arithmetic=manifest.arithmetic,
        ),
        sources=tuple(SourceFile(f.path, entry.size, entry.sha256, entry.kind) for f, entry in files),
    )


def _differing(manifest: Manifest, run: Run) -> list[str]:
    """Names what decides about rows and is not as it was when the dataset was made."""
    old, new = dict(manifest.versions), dict(run.publication.run.versions)
    code = ["code of Gistmill"] if old.pop("source_sha256", "") != new.pop("source_sha256", "") else []
    packages = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    known = {model.name: model.sha256 or dict(model.files) for model in manifest.models}
    now = {str(m["name"]): m.get("sha256") or dict(m.get("files", {})) for m in run.publication.run.models}
    return [*code, *packages, *sorted(name for name in known.keys() | now.keys() if known.get(name) != now.get(name))]


def _is(path: str, name: str) -> bool:
    return path == name or path.endswith(f"/{name}")


def _texts(value: Any) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else [str(value)]
