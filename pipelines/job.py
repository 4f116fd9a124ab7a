"""The configuration of a building job: which options it has, and what was asked for, typed and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import yaml

from gistmill.core.addresses import public_configuration
from gistmill.core.options import HTML, Option, OptionError, Options, option, options_of
from gistmill.core.records import Pair, Reason, Seed
from gistmill.core.statistics import SPLITS
from gistmill.core.values import PATHS, PLACE, SWITCH, list_of, nearest, one_of, whole
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.documents import DocumentReason
from gistmill.rules.languages.language import AUTO, CODE_OR_AUTO, MANY, language_named
from gistmill.rules.recipe import Recipe
from gistmill.rules.recipes import BROKEN, RECIPES
from gistmill.rules.text.language import ANY, LANGUAGES
from gistmill.transforms.sinks.formats import ROW_GROUP_BYTES
from gistmill.transforms.sinks.shards import FORMATS
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.files.ranges import split_commas
from gistmill.transforms.sources.mixture import MixtureSource
from gistmill.transforms.sources.pairs import PairsSource
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.seeds import SeedsSource
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.choose_split import SplitConfig
from gistmill.transforms.steps.registry import STEPS


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


_OF_ROWS: tuple[type[PairsSource], ...] = (MixtureSource, PairsSource)

Section = TypeVar("Section", bound=Options)


def steps_of(recipe: type[Recipe[Any]]) -> tuple[type[Step], ...]:
    """Returns the steps that a recipe can need, in order."""
    return tuple(step for step in STEPS if step.serves(recipe.DOCUMENT))


def shared_reasons() -> tuple[type[Reason], ...]:
    """Returns the enumerations of reasons that do not belong to one recipe: those of sources and steps, and the one
    that recipes share."""
    sources: list[type[Source]] = [*REGISTRY.values(), *_OF_ROWS]
    of_sources = [kind for source in sources for kind in source.REASONS]
    of_steps = [kind for step in STEPS for kind in step.REASONS]
    return tuple(dict.fromkeys([*of_sources, *of_steps, DocumentReason]))


def _sections(recipe: type[Recipe[Any]], sources: Iterator[type[Source]]) -> list[type[Options]]:
    steps = [step.CONFIG for step in steps_of(recipe)]
    choice = [] if reads_pairs(recipe) else [SourceChoice]
    reading = [InputConfig, *choice, *(s.CONFIG for s in sources)]
    return [*reading, *steps, recipe.CONFIG, OutputConfig, SplitConfig, RunConfig]


def reads_pairs(recipe: type[Recipe[Any]]) -> bool:
    """Whether a recipe takes rows in the place of documents."""
    return issubclass(recipe.DOCUMENT, Pair)


def _source_of_rows(recipe: type[Recipe[Any]]) -> type[Source]:
    """Returns the source of a recipe that takes rows: the first whose rows fit."""
    return next(source for source in _OF_ROWS if issubclass(recipe.DOCUMENT, source.DOCUMENT))


def sources_for(recipe: type[Recipe[Any]]) -> Mapping[str, type[Source]]:
    """Returns the sources of a recipe's job by name: those of ``--source``, and seeds if it can make documents; or the
    one that gives rows."""
    if reads_pairs(recipe):
        source = _source_of_rows(recipe)
        return {source.NAME: source}
    return {**REGISTRY, SeedsSource.NAME: SeedsSource} if recipe.SEEDS else REGISTRY


def job_options(recipe: type[Recipe[Any]]) -> dict[str, Option]:
    """Returns every option of a recipe's job, with any source, by name."""
    found: dict[str, Option] = {}
    for section in _sections(recipe, iter(sources_for(recipe).values())):
        for declared in options_of(section):
            if declared.name in recipe.DEFAULTS:
                declared = replace(declared, default=recipe.DEFAULTS[declared.name])
            if recipe.SEEDS and declared.name == "input":
                declared = replace(declared, required=False)
            if reads_pairs(recipe) and declared.name == "input":
                declared = replace(
                    declared, help=f"comma-separated, local, gs:// or s3://: {_source_of_rows(recipe).HELP}"
                )
            found.setdefault(declared.name, declared)
    return found


def sources_of(declared: Option, sources: Mapping[str, type[Source]] = REGISTRY) -> tuple[str, ...]:
    """Returns the names of the sources with which an option means something; all of them for most options."""
    if declared.name == "input":
        return tuple(n for n, s in sources.items() if s.NEEDS_INPUT)
    owners = [n for n, s in sources.items() if declared.name in {o.name for o in options_of(s.CONFIG)}]
    if owners:
        return tuple(owners)
    return tuple(n for n, s in sources.items() if _concerns(declared, s))


def _concerns(declared: Option, source: type[Source]) -> bool:
    """Whether an option that no source owns means something with this one. Documents of seeds have no text yet."""
    steps = {step for recipe in RECIPES.values() if recipe.SEEDS for step in steps_of(recipe)}
    sections: list[type[Options]] = [InputConfig, SourceChoice, *(step.CONFIG for step in steps)]
    of_text = {o.name for section in sections for o in options_of(section)}
    if source.DOCUMENT is Seed and declared.name in of_text:
        return False
    return not declared.markups or bool(declared.markups & source.MARKUPS)


@dataclass(frozen=True, kw_only=True)
class JobConfig:
    """A checked configuration.

    Attributes:
        recipe: the recipe's class.
        source: the source's class.
        sections: the configurations by their classes, in the order of ``--help``.
    """

    recipe: type[Recipe[Any]]
    source: type[Source]
    sections: Mapping[type[Options], Options]

    def of(self, section: type[Section]) -> Section:
        """Returns the configuration of this class."""
        return cast(Section, self.sections[section])

    def find(self, section: type[Section]) -> Section | None:
        """Returns the configuration that is of this class, or of one below it; None where the job has none."""
        return next((found for found in self.sections.values() if isinstance(found, section)), None)

    def to_values(self) -> dict[str, Any]:
        """Returns every option that means something with the source and has a value, by name, as YAML and JSON have
        them; ``configure`` makes the same of it."""
        values: dict[str, Any] = {}
        for section in self.sections.values():
            values.update(section.to_values())
        known, sources = job_options(self.recipe), sources_for(self.recipe)
        return {name: value for name, value in values.items() if self.source.NAME in sources_of(known[name], sources)}

    def to_public_values(self) -> dict[str, Any]:
        """Returns the values as a manifest has them: enough for a rerun elsewhere, and no folder of this machine."""
        known = job_options(self.recipe)
        values = {name: value for name, value in self.to_values().items() if known[name].published}
        places = {name for name in values if known[name].kind.is_place}
        for name in places:
            if isinstance(values[name], list):
                values[name] = list(split_commas(values[name]))
        return public_configuration(values, places=places)


def configure(
    recipe: type[Recipe[Any]],
    values: Mapping[str, Any],
    *,
    places: Mapping[str, str] | None = None,
    complete: bool = True,
    reads_files: bool = True,
) -> JobConfig:
    """Checks values and returns them as the configuration of a recipe's job.

    Args:
        recipe: the recipe's class.
        values: values by option name, as strings of the command line, of YAML or of Python; None means the default.
        places: where each value stands (a flag, or a key and its file), for messages; its name if it is not there.
        complete: whether options that are required have to be there.
        reads_files: whether a YAML file that a value names is read; not where a manifest has the values.

    Raises:
        ConfigError: an unknown name (the nearest one is named), a bad value, one that means nothing with the source, or
            one that is missing.
    """
    places, known = places or {}, job_options(recipe)
    given = {name: value for name, value in values.items() if value is not None}
    for name in given:
        if name not in known:
            raise ConfigError(f"unknown option {name!r}{nearest(name, known)}")
    if reads_files:
        given = {name: _with_files(known[name], value) for name, value in given.items()}
    try:
        source = _source(recipe, given)
        for name in given:
            if source.NAME not in (having := sources_of(known[name], sources_for(recipe))):
                here = f"with --source {source.NAME}" if source.NAME in REGISTRY else "where documents are made"
                raise OptionError(name, f"has no effect {here}, only with {' or '.join(having)}")
        typed = {**recipe.DEFAULTS, **_with_languages(given, source, known)}
        sections = {s: s.from_values(typed) for s in _sections(recipe, iter([source]))}
    except OptionError as error:
        place = places.get(error.name, error.name)
        separator = " " if error.problem.startswith("has no effect") else ": "
        raise ConfigError(f"{place}{separator}{error.problem}" if error.name else error.problem) from None
    for step in steps_of(recipe):
        sections[step.CONFIG] = step.resolve(sections[step.CONFIG], source)
    output = cast(OutputConfig, sections[OutputConfig])
    sections[OutputConfig] = replace(output, formats=_formats(recipe, output.formats))
    if complete:
        _check_complete(given, known, source)
    return JobConfig(recipe=recipe, source=source, sections=sections)


def _with_languages(given: Mapping[str, Any], source: type[Source], known: Mapping[str, Option]) -> Mapping[str, Any]:
    """The values, with the filter of languages that follows from the language of the texts."""
    code = InputConfig.from_values({"language": given.get("language")}).language
    filtered = "languages" in known and known["languages"].markups & source.MARKUPS
    if code == AUTO or not filtered or "languages" in given:
        return given
    code = language_named(code).code
    if {HTML} == source.MARKUPS and code not in (*LANGUAGES, MANY):  # every page would be taken
        expected = ", ".join(sorted(LANGUAGES))
        raise OptionError("language", f"{code!r} cannot be told by the text of a web page; expected one of {expected}")
    return {**given, "languages": code if code in LANGUAGES else ANY}


def _source(recipe: type[Recipe[Any]], given: Mapping[str, Any]) -> type[Source]:
    if reads_pairs(recipe):
        return _source_of_rows(recipe)
    named = REGISTRY[SourceChoice.from_values({"source": given.get("source")}).source]
    return SeedsSource if recipe.SEEDS and recipe.makes_documents(recipe.CONFIG.from_values(given)) else named


def recipe_named(job: str) -> type[Recipe[Any]]:
    """Returns the recipe of a building job. Raises ConfigError if there is none of this name, or it cannot be used."""
    if job in BROKEN:
        raise ConfigError(BROKEN[job])
    if job not in RECIPES:
        raise ConfigError(f"unknown job {job!r}{nearest(job, RECIPES) or '; there are ' + ', '.join(RECIPES)}")
    return RECIPES[job]


def _check_complete(given: Mapping[str, Any], known: Mapping[str, Option], source: type[Source]) -> None:
    for name, declared in known.items():
        required = source.NEEDS_INPUT if name == "input" else declared.required
        if required and name not in given:
            raise ConfigError(f"{declared.flag} is required")


def _formats(recipe: type[Recipe[Any]], formats: tuple[str, ...] | None) -> tuple[str, ...]:
    able = recipe.FORMATS or tuple(FORMATS)
    if formats is None:
        return tuple(f for f in ("parquet", "tfrecord") if f in able)
    if unable := [f for f in formats if f not in able]:
        raise ConfigError(f"--formats: {recipe.NAME} writes {', '.join(able)}, not {unable[0]}")
    return formats


def _with_files(declared: Option, value: Any) -> Any:
    """Returns the value with the content of YAML files in the place of their names, where the option takes such."""
    if not declared.kind.reads_yaml:
        return value
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    read = [_content(p.strip()) if isinstance(p, str) and p.strip().endswith((".yaml", ".yml")) else p for p in parts]
    return value if read == list(parts) else read


def _content(path: str) -> dict[str, Any]:
    try:
        values = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, Mapping):
        raise ConfigError(f"{path} does not hold a mapping")
    return {"name": Path(path).stem, **{str(k): v for k, v in values.items()}}
