"""A corpus as its file describes it: sources, datasets, runner, retention and guards. ``reading.py`` makes it."""

from __future__ import annotations

import dataclasses
import glob
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from gistmill import corpora
from gistmill.core.addresses import web_url
from gistmill.core.options import Option, Options, option, options_of
from gistmill.core.values import FOLDER, PATHS, SWITCH, TEXT, custom, shown, whole
from gistmill.pipelines.job import InputConfig, OutputConfig, RunConfig, job_options
from gistmill.pipelines.options import read_config
from gistmill.pipelines.rebuild.crawls import CrawlConfig
from gistmill.pipelines.rebuild.fetching import DumpConfig
from gistmill.rules.comparison.guards import GuardsConfig
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.io import is_url
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.steps.choose_split import SplitConfig


def _beam(value: Any) -> Any:
    if not isinstance(value, (dict, list)):
        raise ValueError("expected a mapping or a list of flags")
    return value


BEAM = custom(
    _beam,
    pattern=r".+",
    metavar="{NAME: VALUE}",
    allowed="options of Beam",
    schema={"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "string"}}]},
)
WEBHOOK = replace(
    custom(
        web_url,
        pattern=r"https?://\S+",
        metavar="URL",
        allowed="a URL",
        schema={"type": "string", "pattern": r"^https?://\S+$"},
    ),
    is_secret=True,
)


@dataclass(frozen=True, kw_only=True)
class CorpusConfig(Options):
    """The keys at the top of a corpus file."""

    GROUP: ClassVar[str] = "corpus"

    publish: str | None = option(
        FOLDER, required=True, help="folder or URL of the corpus: its versions, and the pointer to the latest"
    )
    work: str | None = option(
        FOLDER, help="folder of this machine for dumps, crawls and annotations (default: `state` in the corpus)"
    )
    evaluation: tuple[str, ...] | None = option(
        PATHS, help="evaluation sets to keep out of every dataset: what --decontaminate takes"
    )
    webhook: str | None = option(
        WEBHOOK, published=False, help="URL that gets the summary of a rebuild that failed, as JSON by POST"
    )


@dataclass(frozen=True, kw_only=True)
class RetentionConfig(Options):
    """What stays after a version was published."""

    GROUP: ClassVar[str] = "retention"

    versions: int = option(whole(1), default=3, help="versions that stay; the one that is served always does")
    dumps: int = option(
        whole(0), default=1, help="dumps of each wiki, and months of each crawl, that stay on this machine"
    )


@dataclass(frozen=True, kw_only=True)
class RunnerConfig(Options):
    """What the jobs run on."""

    GROUP: ClassVar[str] = "runner"

    beam: Any = option(BEAM, help="options of Beam, as in the configuration of a job: runner, parallelism and others")


@dataclass(frozen=True, kw_only=True)
class RecipeConfig(Options):
    """What is said of a dataset besides the options of its recipe."""

    GROUP: ClassVar[str] = "dataset"

    recipe: str | None = option(TEXT, help="the job that makes the dataset")
    preset: str | None = option(TEXT, help="a preset or a file with the job and its options; keys here come before it")
    reads: str | None = option(
        TEXT,
        help="the source that is read, or a dataset of this file for jobs that read rows (default: the only source)",
    )
    annotated: bool | None = option(
        SWITCH,
        help="whether the annotations of the source are read, which are stored and used again, in place of its files "
        "(default: for recipes that need parses)",
    )


ANNOTATE = "annotate"
# What the rebuild decides itself: where a job reads and writes, what it uses again, and that it goes on where it was.
DECIDED = ("input", "source", "output", "overwrite", "resume", "reuse")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSource:
    """A source of a corpus.

    Attributes:
        name: as the file has it.
        kind: a name of the registry of sources.
        dump: the wiki whose newest dump it is; None where it is something else.
        inputs: files or globs; empty where it has a dump or a crawl.
        options: values for the jobs that read it, by name.
        crawl: the months of a crawl that it is; None where it is something else.
    """

    name: str
    kind: str
    dump: DumpConfig | None
    inputs: tuple[str, ...]
    options: Mapping[str, Any]
    crawl: CrawlConfig | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDataset:
    """A dataset of a corpus.

    Attributes:
        name: as the file has it; the dataset's folder has this name.
        recipe: the class of the recipe.
        source: the source that it reads; "" where it reads a dataset, or nothing.
        dataset: the dataset that it reads; "" for none.
        annotated: whether it reads the annotations of the source.
        options: values for its job, by name.
    """

    name: str
    recipe: type[Recipe[Any]]
    source: str
    dataset: str
    annotated: bool
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A corpus file, checked.

    Attributes:
        config: the keys at its top.
        sources: by name.
        datasets: in an order in which each comes after the one that it reads.
        run: options of all jobs on workers and temporary files, by name.
        beam: arguments for Beam.
        retention, guards: the sections of these names.
    """

    config: CorpusConfig
    sources: Mapping[str, CorpusSource]
    datasets: tuple[CorpusDataset, ...]
    run: Mapping[str, Any]
    beam: tuple[str, ...]
    retention: RetentionConfig = field(default_factory=RetentionConfig)
    guards: GuardsConfig = field(default_factory=GuardsConfig)


def run_options() -> dict[str, Option]:
    """Returns the options of the section ``runner``: those of jobs that say how they run, and ``beam``."""
    options = [*(o for o in options_of(RunConfig) if o.name not in DECIDED), *options_of(RunnerConfig)]
    return {o.name: o for o in options}


def source_options() -> dict[str, Option]:
    """Returns the options that a source may have: what reads, cleans and annotates its documents."""
    written: tuple[type[Options], ...] = (OutputConfig, SplitConfig, RunConfig)
    others = {o.name for section in written for o in options_of(section)} | set(DECIDED)
    return {name: o for name, o in job_options(RECIPES[ANNOTATE]).items() if name not in others}


def options_with(section: type[Options]) -> dict[str, Option]:
    """Returns the options that a source may have beside those of ``section``, which say what is downloaded: the files
    of a crawl lie where the rebuild puts them."""
    decided = {"warc_prefix"} if section is CrawlConfig else set()
    return {name: o for name, o in source_options().items() if name not in decided}


def dataset_options(recipe: type[Recipe[Any]]) -> dict[str, Option]:
    """Returns the options that a dataset of a recipe may have."""
    decided = {*DECIDED, *run_options()}
    return {name: o for name, o in job_options(recipe).items() if name not in decided}


def values_of(dataset: CorpusDataset, source: CorpusSource | None) -> dict[str, Any]:
    """Returns the values of the options of a dataset's job, but for input and output."""
    if source is None:
        return dict(dataset.options)
    if dataset.annotated:
        return {**dataset.options, "source": "annotated"}
    known = job_options(dataset.recipe)
    of_source = {name: value for name, value in source.options.items() if name in known}
    return {**of_source, **dataset.options, "source": source.kind}


_NAME = {"pattern": r"^[A-Za-z0-9_-][A-Za-z0-9._-]*$"}


def schema() -> dict[str, Any]:
    """Returns the schema, of draft 2020-12."""
    top, jobs = _properties(options_of(CorpusConfig)), {job: _of_job(job) for job in RECIPES}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A corpus that `gistmill rebuild` makes",
        **_object(
            {
                **top,
                "sources": _named({"$ref": "#/$defs/source"}, "what is read, by names of your own"),
                "recipes": {
                    **_named({"$ref": "#/$defs/dataset"}, "the datasets, by names of your own"),
                    "minProperties": 1,
                },
                "runner": _object(_properties(run_options().values())),
                "retention": _object(_properties(options_of(RetentionConfig))),
                "guards": _object(_properties(options_of(GuardsConfig))),
            },
            required=[*[o.name for o in options_of(CorpusConfig) if o.required], "recipes"],
        ),
        "$defs": {"source": _source(), "dataset": _dataset(), **_shared(jobs), **jobs},
    }


def text() -> str:
    """Returns the schema as the file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _source() -> dict[str, Any]:
    """A dump has a wiki and a crawl its name; anything else has inputs."""
    shared = _properties(source_options().values())
    files = {
        "source": {"enum": [*REGISTRY], "description": "what the input is", "default": next(iter(REGISTRY))},
        "input": {
            **_property(next(o for o in options_of(InputConfig) if o.name == "input")),
            "description": "files or globs, local, gs:// or s3://",
        },
    }
    return {
        "if": {"required": ["wiki"]},
        "then": _object({**_properties(options_of(DumpConfig)), **shared}),
        "else": {
            "if": {"required": ["crawl"]},
            "then": _object(_properties([*options_of(CrawlConfig), *options_with(CrawlConfig).values()])),
            "else": _object({**files, **shared}, required=["input"]),
        },
    }


def _dataset() -> dict[str, Any]:
    """Chooses the definition of the job that ``recipe`` or ``preset`` names."""
    # the names of presets by their jobs
    found: dict[str, list[str]] = {}
    for name in corpora.NAMES:
        found.setdefault(str(read_config(name)["job"]), []).append(name)
    presets = found
    chosen = [
        {
            "if": {
                "anyOf": [
                    {"properties": {"recipe": {"const": job}}, "required": ["recipe"]},
                    {"properties": {"preset": {"enum": presets.get(job, [])}}, "required": ["preset"]},
                ]
            },
            "then": {"$ref": f"#/$defs/{job}"},
        }
        for job in RECIPES
    ]
    said = [{"required": ["recipe"]}, {"required": ["preset"]}]
    return {"type": "object", "properties": _properties(options_of(RecipeConfig)), "anyOf": said, "allOf": chosen}


def _of_job(job: str) -> dict[str, Any]:
    own = _properties(options_of(RecipeConfig)) | {"recipe": {"const": job, "description": RECIPES[job].HELP}}
    return _object({**own, **_properties(dataset_options(RECIPES[job]).values())})


def _shared(jobs: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The properties that are equal in several jobs, which get references in their places."""
    seen: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for job in jobs.values():
        for name, value in job["properties"].items():
            seen.setdefault((name, json.dumps(value)), []).append(job["properties"])
    found: dict[str, Any] = {}
    for (name, _), owners in seen.items():
        if len(owners) > 1 and f"option.{name}" not in found:
            found[f"option.{name}"] = owners[0][name]
            for owner in owners:
                owner[name] = {"$ref": f"#/$defs/option.{name}"}
    return found


def _object(properties: Mapping[str, Any], *, required: Iterable[str] = ()) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**made, "required": [*required]} if required else made


def _named(item: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"type": "object", "description": description, "propertyNames": _NAME, "additionalProperties": dict(item)}


def _properties(options: Iterable[Option]) -> dict[str, Any]:
    return {option.name: _property(option) for option in options}


def _property(option: Option) -> dict[str, Any]:
    unit = f", in {option.unit}" if option.unit else ""
    default = "" if option.default in (None, False) or isinstance(option.default, dict) else shown(option.default)
    said = f" (default: {default})" if default and "(default" not in option.help else ""
    return {**option.kind.schema, "description": f"{option.help}{said} [{option.kind.allowed}{unit}]"}


def anchored(path: str, folder: Path) -> str:
    """Returns a path, glob or comma list of them with its relative parts below ``folder``; URLs stay as they are."""
    if "," in path and not os.path.exists(folder / path):
        return ",".join(anchored(part.strip(), folder) for part in path.split(","))
    return path if is_url(path) or not path else os.path.join(folder, path)


def anchored_config(config: CorpusConfig, folder: Path) -> CorpusConfig:
    """Returns the keys at the top of a corpus file with their places anchored."""
    return dataclasses.replace(
        config,
        publish=anchored(config.publish or "", folder),
        work=None if config.work is None else anchored(config.work, folder),
        evaluation=None if config.evaluation is None else tuple(anchored(p, folder) for p in config.evaluation),
    )


def anchored_options(values: Mapping[str, Any], known: Mapping[str, Option], folder: Path) -> dict[str, Any]:
    """Returns options in which relative places are anchored if they are there: some of these options take names too."""
    return {n: _anchored_if_there(v, folder) if known[n].kind.is_place else v for n, v in values.items()}


def _anchored_if_there(value: Any, folder: Path) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_anchored_if_there(part, folder) for part in value]
    path = anchored(value, folder) if isinstance(value, str) else ""
    return path if path and all(glob.glob(part) for part in path.split(",")) else value
