"""Corpus files: the models that validate and describe them, and the corpora that they define.

The options of jobs are declared once for all commands (``core.options``) and become fields of these models, so that
messages and the JSON schema come from the same declarations.
"""

from __future__ import annotations

import functools
import glob
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic.json_schema import models_json_schema

from gistmill import corpora
from gistmill.core.addresses import web_url, without_secrets
from gistmill.core.options import FlagsError, Option, OptionError, Options, from_yaml, options_of
from gistmill.core.values import nearest, shown
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import OutputConfig, RunConfig, configure, job_options, reads_pairs, recipe_named
from gistmill.pipelines.options import beam_flags_of, read_config
from gistmill.pipelines.rebuild.crawls import CrawlConfig
from gistmill.pipelines.rebuild.download import DumpConfig
from gistmill.published.comparison.guards import GuardsConfig
from gistmill.rules.documents import AnnotatedDocument
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.io import is_url
from gistmill.transforms.sources.warc.source import WarcSource
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from gistmill.transforms.steps.recipe import SplitConfig

ANNOTATE = "annotate"
# Options set by the rebuild: a job's input and output, annotations to reuse, and resuming.
DECIDED = {"input", "source", "output", "overwrite", "resume", "reuse"}
_NAME = r"[A-Za-z0-9_-][A-Za-z0-9._-]*"


def anchored(path: str, folder: Path) -> str:
    """Resolves relative paths or globs (one or several, comma-separated) against ``folder``; URLs are unchanged."""
    if "," in path and not os.path.exists(folder / path):
        return ",".join(anchored(part.strip(), folder) for part in path.split(","))
    return path if is_url(path) or not path else os.path.join(folder, path)


def _anchored_if_there(value: Any, folder: Any) -> Any:
    """Anchors only paths that exist, since some options for places also accept names."""
    if isinstance(value, list):
        return [_anchored_if_there(part, folder) for part in value]
    path = anchored(value, folder) if isinstance(value, str) else ""
    return path if path and all(map(glob.glob, path.split(","))) else value


def _name(value: Any) -> str:
    if not re.fullmatch(_NAME, str(value)):
        raise ValueError("names consist of letters, digits, '-', '_' and '.'")
    return str(value)


class Section(BaseModel):
    """A mapping in the file. Keys may contain hyphens, and a key without a value has its default value."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, values: Any) -> dict[str, Any]:
        if not isinstance(values, Mapping):
            raise ValueError("expected a mapping")
        # YAML 1.1 parses the key `on` as true
        named = {"on" if k is True else str(k).replace("-", "_"): v for k, v in values.items()}
        for key in named:
            if key not in cls.model_fields:
                raise ValueError(f"unknown key {key!r}{nearest(key, cls.model_fields)}")
        return {key: value for key, value in named.items() if value is not None}


Place = Annotated[str, Field(pattern=r"\S"), AfterValidator(lambda path, info: anchored(path, info.context))]
Named = Annotated[str, PlainValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{_NAME}$"})]
Webhook = Annotated[str, PlainValidator(web_url), WithJsonSchema({"type": "string", "pattern": r"^https?://\S+$"})]
Beam = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "string"}}]})]


def _fields(options: Iterable[Option]) -> dict[str, Any]:
    """Returns options as fields of a model. Their values stay as in the file, since jobs parse them again, except that
    existing relative paths are anchored."""
    return {
        o.name: (Annotated[Any, AfterValidator(functools.partial(_checked, o)), WithJsonSchema(_described(o))], None)
        for o in options
    }


def _checked(option: Option, value: Any, info: ValidationInfo) -> Any:
    try:
        if not option.kind.reads_yaml:  # such a value may be a file, which jobs read
            option.kind.parse(value)
    except ValueError as error:
        given = "" if option.kind.is_secret else f", not {without_secrets(repr(value))}"
        raise ValueError(f"{error}{given}") from None
    return _anchored_if_there(value, info.context) if option.kind.is_place else value


def _described(option: Option) -> dict[str, Any]:
    unit = f", in {option.unit}" if option.unit else ""
    default = "" if option.default in (None, False) or isinstance(option.default, dict) else shown(option.default)
    said = f" (default: {default})" if default and "(default" not in option.help else ""
    return {**option.kind.schema, "description": f"{option.help}{said} [{option.kind.allowed}{unit}]"}


class Retention(Section):
    """What to keep after a version is published."""

    versions: int = Field(default=3, ge=1, description="number of versions to keep; the one served is always kept")
    dumps: int = Field(default=1, ge=0, description="number of dumps per wiki and months per crawl to keep locally")


class WebhookSection(Section):
    """A webhook to notify when a rebuild ends."""

    url: Webhook = Field(description="URL to which the summary is sent as JSON by POST")
    on: list[Literal["published", "failed"]] = Field(
        ["failed"],
        min_length=1,
        description="when to send it: after a new version is published, or after a rebuild fails",
    )


class DatasetSection(Section):
    """A dataset's settings other than the options of its recipe."""

    recipe: str | None = Field(None, description="job that builds the dataset")
    preset: str | None = Field(None, description="preset, or file in the same format; keys given here override its own")
    reads: str | None = Field(
        None,
        description="source to read or, for jobs that read rows, a dataset defined in this file (default: the only "
        "source)",
    )
    annotated: bool | None = Field(
        None,
        description="whether to read the source's annotations, which are stored and reused, instead of its files "
        "(default: for recipes that need parses)",
    )


_RUN = [o for o in options_of(RunConfig) if o.name not in DECIDED]
_BEAM = "Beam options, as in a job configuration: runner, parallelism and others"
Runner = create_model("Runner", __base__=Section, beam=(Beam, Field([], description=_BEAM)), **_fields(_RUN))
Guards = create_model("Guards", __base__=Section, **_fields(options_of(GuardsConfig)))


class CorpusFile(Section):
    """A corpus built by `gistmill rebuild`."""

    publish: Place = Field(description="folder or URL for the corpus: its versions, and the pointer to the latest one")
    work: Place | None = Field(
        None, description="local folder for dumps, crawls and annotations (default: `state` in the corpus)"
    )
    sources: dict[Named, Any] = Field({}, description="inputs, under names of your choice")
    recipes: dict[Named, Any] = Field(min_length=1, description="datasets, under names of your choice")
    evaluation: Annotated[
        list[Place], BeforeValidator(lambda v: [v] if isinstance(v, str) else v, json_schema_input_type=str | list[str])
    ] = Field([], description="evaluation sets to keep out of every dataset, in the form that --decontaminate accepts")
    webhook: Annotated[
        WebhookSection | None,
        BeforeValidator(
            lambda v: v if isinstance(v, Mapping | None) else {"url": v},
            json_schema_input_type=Webhook | WebhookSection | None,
        ),
    ] = Field(
        None, description="URL to which the summary of a failed rebuild is sent, or a mapping that says when to send it"
    )
    runner: Runner = Field(default_factory=Runner, description="runner for the jobs")  # type: ignore[valid-type]
    retention: Retention = Field(Retention(), description="what to keep after a version is published")
    guards: Guards = Field(  # type: ignore[valid-type]
        default_factory=Guards, description="requirements for a new version relative to the previous one"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSource:
    """A source of a corpus: files, the newest dump of a wiki, or months of a crawl."""

    name: str
    kind: str  # name in the registry of sources
    options: Mapping[str, Any]  # options for the jobs that read it, by name
    inputs: tuple[str, ...] = ()  # files or globs
    dump: DumpConfig | None = None
    crawl: CrawlConfig | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDataset:
    """A dataset of a corpus."""

    name: str  # name in the file and of the dataset's folder
    recipe: type[Recipe[Any]]
    source: str  # the source that it reads; "" if it reads a dataset or nothing
    dataset: str  # the dataset that it reads; "" for none
    annotated: bool  # whether it reads the source's annotations
    options: Mapping[str, Any]  # options for its job, by name


@dataclass(frozen=True, slots=True)
class Corpus:
    """A checked corpus file."""

    config: CorpusFile
    sources: Mapping[str, CorpusSource]
    datasets: tuple[CorpusDataset, ...]  # each after the one that it reads
    run: Mapping[str, Any]  # options for workers and temporary files of all jobs, by name
    beam: tuple[str, ...]
    guards: GuardsConfig


@functools.cache
def _source_model(section: type[Options] | None) -> type[Section]:
    """Returns the model of a source: a dump, a crawl or, for None, files. Its options are those for reading, cleaning
    and annotating documents, except for the location of a crawl's files, which the rebuild determines."""
    known = job_options(RECIPES[ANNOTATE])
    written = {o.name for config in (OutputConfig, SplitConfig, RunConfig) for o in options_of(config)}
    others = written | DECIDED | ({"warc_prefix"} if section is CrawlConfig else set())
    own = [known["source"], known["input"]] if section is None else options_of(section)
    name = "Files" if section is None else section.__name__.removesuffix("Config")
    return create_model(name, __base__=Section, **_fields([*own, *(o for n, o in known.items() if n not in others)]))


@functools.cache
def _dataset_model(job: str) -> type[DatasetSection]:
    options = job_options(RECIPES[job])
    decided = DECIDED | {o.name for o in _RUN}
    return create_model(job, __base__=DatasetSection, **_fields(o for n, o in options.items() if n not in decided))


def read_corpus(path: str) -> Corpus:
    """Reads a corpus file and performs all checks that are possible before starting. Raises ConfigError if it cannot be
    read, a key is unknown (the message suggests the nearest one), or a value is invalid."""
    folder = Path(path).absolute().parent
    try:
        values = from_yaml(Path(path).read_bytes(), path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    with _at(path):
        file: Any = CorpusFile.model_validate(values, context=folder)  # mypy cannot type two of its fields
    sources: dict[str, CorpusSource] = {}
    for name, given in file.sources.items():
        with _at(path, "sources", name):
            sources[name] = _source(name, given, folder)
    datasets: dict[str, CorpusDataset] = {}
    for name, given in file.recipes.items():
        with _at(path, "recipes", name):
            datasets[name] = _dataset(name, given, file, sources, folder)
    with _at(path, "recipes"):
        ordered = tuple(_ordered(datasets))
    with _at(path, "runner"):
        beam = tuple(beam_flags_of(file.runner.beam, "the file"))
    run = file.runner.model_dump(exclude_none=True, exclude={"beam"})
    return Corpus(file, sources, ordered, run, beam, GuardsConfig.from_values(file.guards.model_dump()))


@contextmanager
def _at(path: str, *where: str) -> Iterator[None]:
    """Converts exceptions raised in the block to a one-line ConfigError that names the file and the key."""
    try:
        yield
    except (ConfigError, OptionError, ValidationError) as error:
        steps, problem = list(where), str(error)
        if isinstance(error, OptionError):
            steps, problem = [*where, *filter(None, [error.name])], error.problem
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False, include_input=False)[0]
            steps = [*where, *(str(step) for step in first["loc"] if step != "[key]")]
            problem = str(first.get("ctx", {}).get("error", first["msg"]))
        raise ConfigError(": ".join(filter(None, [path, ".".join(steps), problem]))) from None


def _source(name: str, values: Any, folder: Path) -> CorpusSource:
    keys = values if isinstance(values, Mapping) else ()
    section = DumpConfig if "wiki" in keys else CrawlConfig if "crawl" in keys else None
    given = _source_model(section).model_validate(values, context=folder).model_dump(exclude_none=True)
    if section is None and "input" not in given:
        raise OptionError("", "one of `wiki`, `crawl` or `input` is required")
    own = {"source", "input"} if section is None else {o.name for o in options_of(section)}
    kinds = {DumpConfig: WikipediaSource.NAME, CrawlConfig: WarcSource.NAME}
    inputs = given.get("input", [])
    made = CorpusSource(
        name=name,
        kind=kinds[section] if section else given.get("source", WikipediaSource.NAME),
        options=(options := {n: v for n, v in given.items() if n not in own}),
        inputs=tuple(anchored(str(path), folder) for path in (inputs if isinstance(inputs, list) else [inputs])),
        dump=DumpConfig.from_values(given) if section is DumpConfig else None,
        crawl=CrawlConfig.from_values(given) if section is CrawlConfig else None,
    )
    configure(RECIPES[ANNOTATE], {**options, "source": made.kind}, complete=False)
    return made


def _dataset(
    name: str, values: Any, file: CorpusFile, sources: Mapping[str, CorpusSource], folder: Path
) -> CorpusDataset:
    given = {str(k): v for k, v in values.items()} if isinstance(values, Mapping) else {}
    preset = dict(read_config(str(given["preset"]))) if given.get("preset") else {}
    job = given.get("recipe") or preset.get("job")
    if job is None:
        raise OptionError("", "either `recipe` or `preset` is required")
    if preset.pop("job", job) != job:
        raise OptionError("preset", f"{given['preset']} is not a preset for {job!r}")
    if job not in RECIPES:
        raise OptionError("recipe", f"unknown job {job!r}{nearest(str(job), RECIPES)}")
    recipe, model = recipe_named(str(job)), _dataset_model(str(job))
    preset.pop("source", None)
    said = model.model_validate(values, context=folder)
    own = set(DatasetSection.model_fields)
    both = [
        of.model_dump(exclude_none=True, exclude=own) for of in (model.model_validate(preset, context=folder), said)
    ]
    options = {**both[0], **both[1]}
    makes = recipe.SEEDS and recipe.makes_documents(recipe.CONFIG.from_values(options))
    if makes and said.reads:
        raise OptionError("reads", f"{recipe.NAME} generates its documents instead of reading input")
    # the corpus's evaluation sets are excluded from everything that is read
    if file.evaluation and "decontaminate" in model.model_fields and not makes:
        options.setdefault("decontaminate", file.evaluation)
    of_rows = reads_pairs(recipe)
    among: Collection[str] = file.recipes if of_rows else sources
    reads = "" if makes else said.reads or (next(iter(among)) if len(among) == 1 and not of_rows else "")
    if not makes and reads not in among:
        problem = f"there is no {'dataset' if of_rows else 'source'} {reads!r}{nearest(reads, among)}"
        raise OptionError("reads", problem if reads else f"must be one of {', '.join(sorted(among))}")
    source = sources[reads] if reads and not of_rows else None
    annotated = recipe.DOCUMENT is AnnotatedDocument if said.annotated is None else said.annotated
    made = CorpusDataset(
        name=name,
        recipe=recipe,
        source=source.name if source else "",
        dataset="" if source else reads,
        annotated=annotated and source is not None and source.kind != "annotated",
        options=options,
    )
    configure(recipe, values_of(made, source), complete=False)
    return made


def values_of(dataset: CorpusDataset, source: CorpusSource | None) -> dict[str, Any]:
    """Returns the option values for a dataset's job, except input and output."""
    if source is None:
        return dict(dataset.options)
    if dataset.annotated:
        return {**dataset.options, "source": "annotated"}
    known = job_options(dataset.recipe)
    of_source = {name: value for name, value in source.options.items() if name in known}
    return {**of_source, **dataset.options, "source": source.kind}


def _ordered(datasets: Mapping[str, CorpusDataset]) -> Iterator[CorpusDataset]:
    """Yields the datasets, each after the one that it reads."""
    left = dict(datasets)
    while left:
        ready = next((d for d in left.values() if d.dataset not in left), None)
        if ready is None:
            raise OptionError("", f"these datasets read each other: {', '.join(sorted(left))}")
        yield left.pop(ready.name)


def schema_text() -> str:
    """Returns the JSON schema (draft 2020-12) of corpus files, stored as corpora/corpus.schema.json."""
    sources = {"wiki": _source_model(DumpConfig), "crawl": _source_model(CrawlConfig), "input": _source_model(None)}
    jobs = {job: _dataset_model(job) for job in RECIPES}
    models: list[type[Section]] = [CorpusFile, DatasetSection, *sources.values(), *jobs.values()]
    made: dict[str, Any] = models_json_schema([(m, "validation") for m in models], ref_template="#/$defs/{model}")[1]
    defs = made["$defs"]
    shared: dict[str, Any] = {}
    for definition in list(defs.values()):
        for name, value in definition["properties"].items():
            value.pop("title", None)
            if value.get("default", "") is None:
                del value["default"]
            if definition["title"] in jobs and shared.setdefault(f"option.{name}", value) == value:
                definition["properties"][name] = {"$ref": f"#/$defs/option.{name}"}
    for key, model in sources.items():
        defs[model.__name__]["required"] = [key]
    presets = {name: read_config(name)["job"] for name in corpora.NAMES}

    def of_job(job: str) -> dict[str, Any]:
        named = [name for name, of in presets.items() if of == job]
        is_named = [{"properties": {"recipe": {"const": job}}, "required": ["recipe"]}]
        is_named += [{"properties": {"preset": {"enum": named}}, "required": ["preset"]}]
        return {"if": {"anyOf": is_named}, "then": {"$ref": f"#/$defs/{job}"}}

    either = [{"required": ["recipe"]}, {"required": ["preset"]}]
    defs["DatasetSection"] |= {"additionalProperties": True, "anyOf": either, "allOf": [of_job(job) for job in jobs]}
    top = defs.pop("CorpusFile")
    of_source = {"oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in sources.values()]}
    for key, of in (("sources", of_source), ("recipes", {"$ref": "#/$defs/DatasetSection"})):
        top["properties"][key] |= {"patternProperties": {f"^{_NAME}$": of}, "additionalProperties": False}
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "$defs": {**defs, **shared}}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"
