"""The configuration of a build job: its options, and the user's values after type conversion and checks."""

from __future__ import annotations

import functools
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

from gistmill.core.addresses import public_configuration
from gistmill.core.options import HTML, FlagsError, Option, OptionError, Options, from_yaml, option, options_of
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
from gistmill.transforms.sinks.formats import FORMATS, ROW_GROUP_BYTES
from gistmill.transforms.sources.base import Source
from gistmill.transforms.sources.files.ranges import split_commas
from gistmill.transforms.sources.mixture import MixtureSource
from gistmill.transforms.sources.pairs import PairsSource
from gistmill.transforms.sources.registry import REGISTRY
from gistmill.transforms.sources.seeds import SeedsSource
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.recipe import SplitConfig
from gistmill.transforms.steps.registry import STEPS


@dataclass(frozen=True, kw_only=True)
class InputConfig(Options):
    """Options of the input."""

    GROUP: ClassVar[str] = "input"

    input: tuple[str, ...] | None = option(
        PATHS,
        required=True,
        help="comma-separated files or globs, local or at gs:// or s3://: "
        + "; ".join(f"with --source {name}, {source.HELP}" for name, source in REGISTRY.items()),
    )
    language: str = option(
        CODE_OR_AUTO,
        default=AUTO,
        help="language of the texts, which determines how sentences, words and headings are found; auto: the "
        "language of the wiki or news page, or the one given by --language-field",
    )
    allow_truncated: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        help="publish what could be read from truncated or damaged input; the manifest records the damage",
    )


@dataclass(frozen=True, kw_only=True)
class SourceChoice(Options):
    """The choice of source, for jobs that support several."""

    GROUP: ClassVar[str] = "input"

    source: str = option(
        one_of(*REGISTRY), default="wikipedia", metavar="SOURCE", help=f"kind of input: {' or '.join(REGISTRY)}"
    )


@dataclass(frozen=True, kw_only=True)
class OutputConfig(Options):
    """Options of the output."""

    GROUP: ClassVar[str] = "output"

    output: str | None = option(
        PLACE,
        required=True,
        fingerprinted=False,
        help="folder or URL for the dataset, which appears only when the job has succeeded",
    )
    overwrite: bool = option(SWITCH, default=False, fingerprinted=False, help="replace an existing dataset")
    allow_empty: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        published=False,
        help="publish the dataset and its rejects even if it has no rows; otherwise the job fails and gives the "
        "reasons",
    )
    formats: tuple[str, ...] | None = option(
        list_of(one_of(*FORMATS)),
        metavar="LIST",
        fingerprinted=False,
        help=f"comma-separated: {', '.join(FORMATS)} (default: parquet and tfrecord, if the job can write them)",
    )
    shards: int | None = option(
        whole(1), fingerprinted=False, help="number of files per split, at most one per row (default: depends on size)"
    )
    row_group_bytes: int | None = option(
        whole(1),
        unit="bytes",
        fingerprinted=False,
        help="maximum size of Parquet row groups before encoding; small ones make files larger and slower to read, but "
        f"fewer bytes change in a rebuilt dataset (default: {ROW_GROUP_BYTES:,}; for `{KeepAnnotations.NAME}` "
        f"{KeepAnnotations.DEFAULTS['row_group_bytes']:,})",
    )
    rows: tuple[int, ...] | None = option(
        list_of(whole(0)),
        metavar="A,B,C",
        fingerprinted=False,  # rows are left out when merging, after all ranges are processed
        help="numbers of train, validation and test rows to keep in each configuration, chosen by ID hash; a "
        "split without a number keeps all rows",
    )

    def check(self) -> None:
        """Raises ValueError if there are more numbers of rows than splits."""
        if len(self.rows or ()) > len(SPLITS):
            raise ValueError(f"rows: expected at most {len(SPLITS)} numbers such as 400000,10000, not {self.rows!r}")


_MOST_WORKERS = 1024


@dataclass(frozen=True, kw_only=True)
class RunConfig(Options):
    """Options for running the job."""

    GROUP: ClassVar[str] = "run"

    workers: int | None = option(
        whole(1, _MOST_WORKERS),
        fingerprinted=False,
        local=True,
        help="number of local runner processes (default: one per core with 2 GB of memory, fewer for a small input)",
    )
    temp_dir: str | None = option(
        PLACE,
        metavar="DIR",
        fingerprinted=False,
        published=False,
        help="folder for temporary files (default: next to the output)",
    )
    quiet: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        published=False,
        local=True,
        help="hide progress; warnings and errors are still shown",
    )
    resume: bool = option(
        SWITCH,
        default=False,
        fingerprinted=False,
        help="continue an interrupted run with the same configuration, and keep finished ranges if this run is "
        "interrupted",
    )


_OF_ROWS: tuple[type[PairsSource], ...] = (MixtureSource, PairsSource)

Section = TypeVar("Section", bound=Options)


def shared_reasons() -> tuple[type[Reason], ...]:
    """Returns the enumerations of reasons that are not specific to one recipe, such as those of sources and steps."""
    owners: list[type[Source] | type[Step]] = [*REGISTRY.values(), *_OF_ROWS, *STEPS]
    return tuple(dict.fromkeys([*(kind for owner in owners for kind in owner.REASONS), DocumentReason]))


def reads_pairs(recipe: type[Recipe[Any]]) -> bool:
    """Whether a recipe reads rows instead of documents."""
    return issubclass(recipe.DOCUMENT, Pair)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """The options of a recipe's job."""

    steps: tuple[type[Step], ...]  # the steps that the recipe may need, in order
    # by name: the values of ``--source``, and seeds if the recipe can make documents; or the only source of rows
    sources: Mapping[str, type[Source]]
    # the configurations of a job before and after the source's configuration
    sections: tuple[tuple[type[Options], ...], tuple[type[Options], ...]]
    options: Mapping[str, Option]  # the options for all sources, by name
    # by option, the names of the sources with which it has an effect; usually all
    scopes: Mapping[str, tuple[str, ...]]


@functools.cache
def options_for(recipe: type[Recipe[Any]]) -> JobOptions:
    """Returns the options of a recipe's job."""
    steps = tuple(step for step in STEPS if issubclass(recipe.DOCUMENT, step.SERVES))
    of_steps = tuple(step.CONFIG for step in steps)
    before: tuple[type[Options], ...] = (InputConfig, SourceChoice)
    sources: dict[str, type[Source]] = {**REGISTRY}
    if recipe.SEEDS:
        sources[SeedsSource.NAME] = SeedsSource
    changes: dict[str, dict[str, Any]] = {name: {"default": value} for name, value in recipe.DEFAULTS.items()}
    changes["input"] = {"required": not recipe.SEEDS}
    if reads_pairs(recipe):
        rows = next(source for source in _OF_ROWS if issubclass(recipe.DOCUMENT, source.DOCUMENT))
        before, sources = (InputConfig,), {rows.NAME: rows}
        changes["input"] = {"help": f"comma-separated, local or at gs:// or s3://: {rows.HELP}"}
    after = (*of_steps, recipe.CONFIG, OutputConfig, SplitConfig, RunConfig)
    options: dict[str, Option] = {}
    for section in (*before, *(source.CONFIG for source in sources.values()), *after):
        for declared in options_of(section):
            options.setdefault(declared.name, replace(declared, **changes.get(declared.name, {})))
    of_text = {declared.name for section in (*before, *of_steps) for declared in options_of(section)}
    scopes = {name: _scope(declared, sources, of_text) for name, declared in options.items()}
    return JobOptions(steps=steps, sources=sources, sections=(before, after), options=options, scopes=scopes)


def _scope(declared: Option, sources: Mapping[str, type[Source]], of_text: Container[str]) -> tuple[str, ...]:
    """Returns the sources with which an option has an effect: its owners, or else all with suitable documents."""
    if declared.name == "input":
        return tuple(name for name, source in sources.items() if source.NEEDS_INPUT)
    owners = [n for n, source in sources.items() if declared.name in {o.name for o in options_of(source.CONFIG)}]
    return tuple(owners) or tuple(
        name
        for name, source in sources.items()
        if (not declared.markups or declared.markups & source.MARKUPS)
        and not (source.DOCUMENT is Seed and declared.name in of_text)  # seeds have no text yet
    )


def job_options(recipe: type[Recipe[Any]]) -> Mapping[str, Option]:
    """Returns all options of a recipe's job, for all sources, by name."""
    return options_for(recipe).options


@dataclass(frozen=True, kw_only=True)
class JobConfig:
    """A checked configuration."""

    recipe: type[Recipe[Any]]
    source: type[Source]
    sections: Mapping[type[Options], Options]  # the configurations by their classes, in the order of ``--help``

    def of(self, section: type[Section]) -> Section:
        """Returns the configuration of this class."""
        return cast(Section, self.sections[section])

    def find(self, section: type[Section]) -> Section | None:
        """Returns the configuration of this class or a subclass; None if the job has none."""
        return next((found for found in self.sections.values() if isinstance(found, section)), None)

    def to_values(self) -> dict[str, Any]:
        """Returns the values of all options that are set and have an effect with the source, by name, in the form used
        in YAML and JSON; ``configure`` converts them back."""
        values: dict[str, Any] = {}
        for section in self.sections.values():
            values.update(section.to_values())
        scopes = options_for(self.recipe).scopes
        return {name: value for name, value in values.items() if self.source.NAME in scopes[name]}

    def to_public_values(self) -> dict[str, Any]:
        """Returns the values for a manifest, which suffice for a rerun elsewhere but contain no local folders."""
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
    """Checks values and returns the configuration of a recipe's job.

    Args:
        recipe: the recipe's class.
        values: values by option name, as command-line strings or as YAML or Python values; None means the default.
        places: the origin of each value (a flag, or a key and its file), for messages; by default, the option's name.
        complete: whether required options must be present.
        reads_files: whether to read YAML files named in values; false for values from a manifest.

    Raises:
        ConfigError: an option is unknown (the message suggests the nearest), invalid, missing or without effect.
    """
    offered, places = options_for(recipe), places or {}
    given = {name: value for name, value in values.items() if value is not None}
    for name in given:
        if name not in offered.options:
            raise ConfigError(f"unknown option {name!r}{nearest(name, offered.options)}")
    if reads_files:
        given = {name: _with_files(offered.options[name], value) for name, value in given.items()}
    try:
        source = _source(recipe, given, offered.sources)
        sections = _sections(recipe, given, source, offered)
    except OptionError as error:
        place = places.get(error.name, error.name)
        separator = " " if error.problem.startswith("has no effect") else ": "
        raise ConfigError(f"{place}{separator}{error.problem}" if error.name else error.problem) from None
    output = cast(OutputConfig, sections[OutputConfig])
    sections[OutputConfig] = replace(output, formats=_formats(recipe, output.formats))
    if complete:
        for name, declared in offered.options.items():
            if name not in given and (source.NEEDS_INPUT if name == "input" else declared.required):
                raise ConfigError(f"{declared.flag} is required")
    return JobConfig(recipe=recipe, source=source, sections=sections)


def _sections(
    recipe: type[Recipe[Any]], given: Mapping[str, Any], source: type[Source], offered: JobOptions
) -> dict[type[Options], Options]:
    """Returns the configurations of a job in the order of ``--help``. Raises OptionError."""
    for name in given:
        if source.NAME not in offered.scopes[name]:
            here = f"with --source {source.NAME}" if source.NAME in REGISTRY else "if the job makes its documents"
            raise OptionError(name, f"has no effect {here}, only with {' or '.join(offered.scopes[name])}")
    defaults = {"deduplicate": source.DEDUPLICATE, **recipe.DEFAULTS}
    typed = {**defaults, **_with_languages(given, source, offered.options)}
    before, after = offered.sections
    return {section: section.from_values(typed) for section in (*before, source.CONFIG, *after)}


def _with_languages(given: Mapping[str, Any], source: type[Source], known: Mapping[str, Option]) -> Mapping[str, Any]:
    """Returns the values, with the language filter implied by the language of the texts."""
    code = InputConfig.from_values({"language": given.get("language")}).language
    filtered = "languages" in known and known["languages"].markups & source.MARKUPS
    if code == AUTO or not filtered or "languages" in given:
        return given
    code = language_named(code).code
    if {HTML} == source.MARKUPS and code not in (*LANGUAGES, MANY):  # every page would be accepted
        expected = ", ".join(sorted(LANGUAGES))
        raise OptionError(
            "language", f"{code!r} cannot be identified from the text of a web page; expected one of {expected}"
        )
    return {**given, "languages": code if code in LANGUAGES else ANY}


def _source(recipe: type[Recipe[Any]], given: Mapping[str, Any], sources: Mapping[str, type[Source]]) -> type[Source]:
    if reads_pairs(recipe):
        return next(iter(sources.values()))
    named = sources[SourceChoice.from_values({"source": given.get("source")}).source]
    return SeedsSource if recipe.SEEDS and recipe.makes_documents(recipe.CONFIG.from_values(given)) else named


def recipe_named(job: str) -> type[Recipe[Any]]:
    """Returns the recipe of a build job. Raises ConfigError if it does not exist or cannot be used."""
    if job in BROKEN:
        raise ConfigError(BROKEN[job])
    if job not in RECIPES:
        raise ConfigError(f"unknown job {job!r}{nearest(job, RECIPES) or '; expected one of ' + ', '.join(RECIPES)}")
    return RECIPES[job]


def _formats(recipe: type[Recipe[Any]], formats: tuple[str, ...] | None) -> tuple[str, ...]:
    able = recipe.FORMATS or tuple(FORMATS)
    if formats is None:
        return tuple(f for f in ("parquet", "tfrecord") if f in able)
    if unable := [f for f in formats if f not in able]:
        raise ConfigError(f"--formats: {recipe.NAME} supports {', '.join(able)}, not {unable[0]}")
    return formats


def _with_files(declared: Option, value: Any) -> Any:
    """Replaces names of YAML files in a value with the files' content, if the option accepts such files."""
    if not declared.kind.reads_yaml:
        return value
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    read = [
        {"name": Path(p.strip()).stem, **read_yaml(Path(p.strip()), p.strip())}
        if isinstance(p, str) and p.strip().endswith((".yaml", ".yml"))
        else p
        for p in parts
    ]
    return value if read == list(parts) else read


def read_yaml(path: Path | Traversable, name: str, *, hint: str = "") -> dict[str, Any]:
    """Returns the content of a YAML file by key, with underscores in keys.

    Args:
        path: path of the file.
        name: name of the file in messages.
        hint: hint appended to the message if the file cannot be read.

    Raises:
        ConfigError: the file cannot be read or is not a YAML mapping.
    """
    try:
        return from_yaml(path.read_bytes(), name)
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror or error}{hint}") from None
    except FlagsError as error:
        raise ConfigError(str(error)) from None
