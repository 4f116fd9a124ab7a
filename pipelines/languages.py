"""The language of a job's texts: what is asked for, or what the input says."""

from __future__ import annotations

from typing import Any

from gistmill.core.manifest_entries import LanguageEntry
from gistmill.core.options import HTML, PLAIN
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig
from gistmill.pipelines.sections import InputConfig
from gistmill.rules.languages.language import AUTO, ENGLISH, MANY, NO_LANGUAGE, Language, language_named
from gistmill.rules.recipe import Recipe
from gistmill.rules.text.language import ANY
from gistmill.transforms.sources.base import Readable
from gistmill.transforms.steps.clean import CleanConfig
from gistmill.transforms.steps.segment import SegmentationConfig

_OWN, _DEFAULT = "own", "default"


def given_language(config: JobConfig, source: Readable) -> str:
    """Returns the code that every document gets; "" where each has its own. Pages of a crawl have their own always,
    and the filter of languages takes those that are wanted. Rows have that of their datasets."""
    code = config.of(InputConfig).language
    if code == AUTO and source.schema is not None and len(source.languages) == 1:
        code = min(source.languages)
    return "" if code in (AUTO, MANY) or {HTML} == config.source.MARKUPS else language_named(code).code


def language_entry(config: JobConfig, source: Readable) -> LanguageEntry:
    """Returns the language for the manifest."""
    codes = _codes(config, source) or {ENGLISH}
    if len(codes) > 1 or ANY in codes:
        return LanguageEntry(code=MANY, rules=_OWN if all(language_named(c).is_known for c in codes) else _DEFAULT)
    language = language_named(min(codes))
    known = language.is_known or language.code == NO_LANGUAGE
    return LanguageEntry(code=language.code, rules=_OWN if known else _DEFAULT)


def check_language(config: JobConfig, source: Readable, recipe: Recipe[Any]) -> None:
    """Checks that the recipe can be used on texts of the language, as far as it is known before they are read.

    Raises:
        ConfigError: its rules are for English, and the texts are not; the message names jobs for any language.
    """
    foreign = [language_named(code) for code in sorted(_codes(config, source)) if code != ANY]
    foreign = [language for language in foreign if language.code not in (ENGLISH, NO_LANGUAGE)]
    if not foreign:
        return
    segmentation = config.find(SegmentationConfig)
    if recipe.needs_english:
        raise ConfigError(
            f"the rules of {recipe.NAME} are for English, and the texts are in {_named(foreign[0])}; "
            f"articles, gap-sentences, headline, lead-bias and wikitransfer take texts of any language"
        )
    if segmentation is not None and segmentation.needs_parse:
        raise ConfigError(
            f"--sentences parser is for English, and the texts are in {_named(foreign[0])}; leave it out, and rules on "
            f"the text find the sentences"
        )


def _named(language: Language) -> str:
    if language.code == MANY:
        return "several languages"
    return f"{language.name} ({language.code})" if language.is_known else f"the language {language.code}"


def _codes(config: JobConfig, source: Readable) -> frozenset[str]:
    """The codes of the languages that the texts may be in; empty where nothing says."""
    asked, clean = config.of(InputConfig).language, config.find(CleanConfig)
    if asked != AUTO:
        return frozenset((asked,))
    if not source.languages and clean is not None and config.source.MARKUPS & {HTML, PLAIN}:
        return frozenset(clean.languages)
    return source.languages
