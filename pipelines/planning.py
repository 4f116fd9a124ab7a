"""Converting a job's configuration to a plan; later stages do not read the configuration."""

from __future__ import annotations

import dataclasses
import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.core.addresses import public_name, without_secrets
from gistmill.core.manifest import LanguageEntry
from gistmill.core.options import HTML, PLAIN, options_of
from gistmill.core.row_budget import RowBudget
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.graph import Plan
from gistmill.pipelines.job import InputConfig, JobConfig, OutputConfig, RunConfig, options_for
from gistmill.pipelines.place import Place
from gistmill.pipelines.publication import Publication
from gistmill.pipelines.reporting.manifest import RunInfo
from gistmill.pipelines.versions import Reuse, code_version, open_reuse, parts_of, recipe_versions, versions
from gistmill.rules.annotated import KeepAnnotations
from gistmill.rules.languages.language import AUTO, ENGLISH, MANY, NO_LANGUAGE, Language, language_named
from gistmill.rules.recipe import Recipe
from gistmill.rules.text.language import ANY
from gistmill.transforms.duplicates.minhash import DuplicatesConfig
from gistmill.transforms.io import is_url
from gistmill.transforms.materials import open_materials
from gistmill.transforms.sources.base import Readable
from gistmill.transforms.steps.annotate import AnnotationConfig
from gistmill.transforms.steps.base import DeadlineConfig, Step
from gistmill.transforms.steps.clean import CleanConfig
from gistmill.transforms.steps.recipe import SplitConfig
from gistmill.transforms.steps.segment import SegmentationConfig

_OWN, _DEFAULT = "own", "default"


def given_language(config: JobConfig, source: Readable) -> str:
    """Returns the language code to assign to every document, or "" if documents specify their own. Crawled pages always
    specify their own, and are filtered by language. Rows use their dataset's language."""
    code = config.of(InputConfig).language
    if code == AUTO and source.schema is not None and len(source.languages) == 1:
        code = min(source.languages)
    return "" if code in (AUTO, MANY) or {HTML} == config.source.MARKUPS else language_named(code).code


def language_entry(config: JobConfig, languages: frozenset[str]) -> LanguageEntry:
    """Returns the language for the manifest; ``languages`` contains the source's languages."""
    codes = _codes(config, languages) or {ENGLISH}
    if len(codes) > 1 or ANY in codes:
        return LanguageEntry(code=MANY, rules=_OWN if all(language_named(c).is_known for c in codes) else _DEFAULT)
    language = language_named(min(codes))
    known = language.is_known or language.code == NO_LANGUAGE
    return LanguageEntry(code=language.code, rules=_OWN if known else _DEFAULT)


def check_language(config: JobConfig, languages: frozenset[str], recipe: Recipe[Any]) -> None:
    """Checks that the recipe supports the texts' language, if known in advance from the configuration or from the
    source's ``languages``. Raises ConfigError if it does not; the message lists jobs for any language."""
    foreign = [language_named(code) for code in sorted(_codes(config, languages)) if code != ANY]
    foreign = [language for language in foreign if language.code not in (ENGLISH, NO_LANGUAGE)]
    if not foreign:
        return
    segmentation = config.find(SegmentationConfig)
    if recipe.needs_english:
        raise ConfigError(
            f"the {recipe.NAME} rules support English only, but the texts are in {_named(foreign[0])}; "
            f"articles, gap-sentences, headline, lead-bias and wikitransfer accept texts in any language"
        )
    if segmentation is not None and segmentation.needs_parse:
        raise ConfigError(
            f"--sentences parser supports English only, but the texts are in {_named(foreign[0])}; omit it to find "
            "sentences by rules instead"
        )


def _named(language: Language) -> str:
    if language.code == MANY:
        return "several languages"
    return f"{language.name} ({language.code})" if language.is_known else f"the language {language.code}"


def _codes(config: JobConfig, languages: frozenset[str]) -> frozenset[str]:
    """Returns the codes of the texts' possible languages; empty if unknown."""
    asked, clean = config.of(InputConfig).language, config.find(CleanConfig)
    if asked != AUTO:
        return frozenset((asked,))
    if not languages and clean is not None and config.source.MARKUPS & {HTML, PLAIN}:
        return frozenset(clean.languages)
    return languages


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run that has been checked but not started."""

    options: PipelineOptions  # Beam's options
    settings: RunConfig  # options for running the job
    place: Place  # destination of the dataset
    plan: Plan  # determines the graph; has no workspace yet
    publication: Publication  # settings for publishing
    decisive: Mapping[str, Any]  # the options that must be equal for a dead run's ranges to be reusable
    note: str = ""  # a line for the user before the run begins, or ""


def planned(
    config: JobConfig, *, options: PipelineOptions, place: Place, runner: str, started: datetime, before: str = ""
) -> Run:
    """Opens everything that a job requires (models, tables, files, older datasets) and returns the run.

    Args:
        config: the configuration.
        options, place: see Run.
        runner: name of the runner, for the manifest.
        started: start time of the job.
        before: the dataset to compare with in the report; "" for the one being replaced.

    Raises:
        ConfigError, ModelError, MaterialError, SourceError: something is missing or cannot be used.
    """
    # packages and models are checked before any input is read
    steps = opened_steps(config)
    inputs, output, split = config.of(InputConfig), config.of(OutputConfig), config.of(SplitConfig)
    recipe = config.recipe(config.of(config.recipe.CONFIG), salt=split.salt)
    materials = open_materials(recipe)
    info = _run_info(config, steps, recipe, runner=runner, started=started)
    annotation, deadline = config.find(AnnotationConfig), config.find(DeadlineConfig)
    reuse = Reuse()
    if annotation is not None and annotation.reuse is not None:
        reuse = open_reuse(annotation.reuse, parts_of(config), steps=steps)
    source = config.source.open(inputs.input or (), config.of(config.source.CONFIG))
    check_language(config, source.languages, recipe)
    if source.schema is not None:
        try:
            recipe.take_schema(source.schema)
            _ = recipe.schema
        except ValueError as error:
            raise ConfigError(f"the input rows: {error}") from None
    plan = Plan(
        source=source,
        workspace="",
        steps=steps,
        recipe=recipe,
        split=split,
        formats=output.formats or (),
        shards=output.shards,
        row_group_bytes=output.row_group_bytes,
        budget=RowBudget.of(output.rows, salt=split.salt),
        materials=materials,
        deadline=deadline.parse_deadline if deadline else math.inf,  # jobs that read rows have no deadline
        language=given_language(config, source),
        store=reuse.store,
    )
    publication = Publication(
        schema=recipe.schema,
        formats=plan.formats,
        run=dataclasses.replace(info, reuse=reuse.record, language=language_entry(config, source.languages)),
        budget=plan.budget,
        overwrite=output.overwrite,
        allow_empty=output.allow_empty,
        allow_truncated=inputs.allow_truncated,
        before=before,
    )
    return Run(
        options=options,
        settings=config.of(RunConfig),
        place=place,
        plan=plan,
        publication=publication,
        decisive=_decisive(config),
        note=reuse.note,
    )


def opened_steps(config: JobConfig) -> list[Step]:
    """Returns the steps required by a job. Raises SourceError or ModelError (see Step.open)."""
    source, wanted = config.source, config.recipe.DOCUMENT
    opened = (s.open(config.of(s.CONFIG), source=source, wanted=wanted) for s in options_for(config.recipe).steps)
    return [step for step in opened if step is not None]


def _run_info(
    config: JobConfig, steps: Sequence[Step], recipe: Recipe[Any], *, runner: str, started: datetime
) -> RunInfo:
    code, patterns = code_version(), config.of(InputConfig).input or ()
    records = [step.record(code["gistmill"]) for step in steps]
    provenance = config.source.provenance(patterns)  # may search for files, so packages and models are checked first
    return RunInfo(
        recipe=config.recipe.NAME,
        title=config.recipe.TITLE,
        description=config.recipe.SUMMARY,
        config=config.to_public_values(),
        code_version=code["gistmill"],
        versions={**versions(), "source_sha256": code["source_sha256"], **recipe_versions(config.recipe)},
        models=[*provenance.models, *(m for r in records for m in r.get("models", ())), *recipe.models],
        dumps=list(provenance.dumps),
        crawls=list(provenance.crawls),
        evaluation=[e for r in records for e in r.get("evaluation", ())],
        signatures=[s for r in records for s in r.get("signatures", ())],
        parts=parts_of(config) if config.recipe is KeepAnnotations else {},
        runner=runner,
        start=started,
        licence=provenance.licence,
        attribution=provenance.attribution,
    )


def _decisive(config: JobConfig) -> dict[str, Any]:
    known = {o.name: o for s in config.sections for o in options_of(s) if o.fingerprinted}
    values = {k: v for k, v in config.to_values().items() if k in known}
    return {k: v if known[k].published else _hidden(v) for k, v in values.items()}


def _hidden(value: Any) -> str:
    """Returns a printable form of a value that may contain secrets, with a hash to distinguish it from others."""
    return f"{without_secrets(str(value))} ({hashlib.sha256(str(value).encode()).hexdigest()[:16]})"


_WIKIMEDIA = re.compile(
    r"https?://dumps\.wikimedia\.org/(?:other/mediawiki_content_(?:current|history)/)?([a-z0-9_]+)/"
    r"(?:latest|(?P<year>[0-9]{4})-?(?P<month>[0-9]{2})-?(?P<day>[0-9]{2}))/"
)
_SCHEMES = frozenset(("gs", "s3", "hdfs"))


def places_of(config: JobConfig) -> dict[str, Sequence[str]]:
    """Returns the locations that workers on other machines must be able to reach, by flag."""
    output, temp_dir = config.of(OutputConfig).output, config.of(RunConfig).temp_dir
    named = {"--output": output, "--temp-dir": temp_dir}
    duplicates, annotation = config.find(DuplicatesConfig), config.find(AnnotationConfig)
    return {
        **{flag: [place] for flag, place in named.items() if place is not None},
        "--input": config.of(InputConfig).input or (),
        "--duplicates-against": (duplicates.duplicates_against if duplicates else None) or (),
        "--reuse": [annotation.reuse] if annotation and annotation.reuse is not None else [],
    }


def check_schemes(config: JobConfig) -> None:
    """Raises ConfigError for a URL with an unsupported scheme, or with a user or password."""
    for flag, places in places_of(config).items():
        for place in (part.strip() for named in places for part in named.split(",")):
            scheme, _, rest = place.partition("://")
            if is_url(place) and scheme not in _SCHEMES and not Path(place).exists():
                named = public_name(place)
                remedy = _how_to_fetch(named) if flag == "--input" and scheme in ("http", "https", "ftp") else ""
                remedy = remedy or ("; omit file:// from local paths" if scheme.lower() == "file" else "")
                raise ConfigError(f"{flag} {named}: expected a path on this machine, or a gs:// or s3:// URL{remedy}")
            if scheme in ("gs", "s3") and "@" in rest.partition("/")[0]:
                raise ConfigError(
                    f"{flag} {place}: the URL must not contain a user or password; use the store's own settings "
                    "(environment variables or its credential files)"
                )


def _how_to_fetch(url: str) -> str:
    """Returns the command that downloads a web file (or all files of a Wikimedia dump), as the end of a message."""
    if found := _WIKIMEDIA.match(url):
        day = found["year"] and f" --date {found['year']}{found['month']}{found['day']}"
        command = f"gistmill download --wiki {found[1]}{day or ''} --contact YOU@EXAMPLE.ORG --output dumps"
    else:
        command = f"curl --fail --location --remote-name {quote(url)}"
    return f"; download it first: {command}"
