"""What the options name as translators: looked at by the driver, opened by each worker."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gistmill.rules.augmentation.round_trip import TranslationError, Translator, Trip, hypotheses, is_unicode
from gistmill.transforms.installed import PackageError
from gistmill.transforms.translation.cache import Cache, CachedTranslator
from gistmill.transforms.translation.config import TranslationConfig
from gistmill.transforms.translation.folders import look_at, open_folder


@dataclass(frozen=True, slots=True)
class Pivot:
    """The translators into a language and back."""

    forward: Translator
    backward: Translator


def trips(pivot: Pivot, wanted: Mapping[str, Collection[int]], *, beams: int) -> dict[str, Trip]:
    """Translates sentences and what they became.

    Args:
        pivot: the translators.
        wanted: sentences, and the numbers (from 1) of the hypotheses there that are to be translated back.
        beams: hypotheses each way.

    Returns:
        The trip of every sentence.

    Raises:
        TranslationError: a translator cannot work, or gives something else than hypotheses.
    """
    readable = [sentence for sentence in wanted if is_unicode(sentence)]
    found = dict(zip(readable, hypotheses(pivot.forward, readable, count=beams), strict=True))
    there = {(s, n): found[s][n - 1] for s in readable if found[s] for n in wanted[s]}
    unique = list(dict.fromkeys(text for text in there.values() if text))
    back = dict(zip(unique, hypotheses(pivot.backward, unique, count=beams), strict=True))
    return {s: Trip({n: back.get(there.get((s, n), ""), ()) for n in numbers}) for s, numbers in wanted.items()}


@dataclass(frozen=True, slots=True)
class Direction:
    """A translator that can be opened anywhere; it travels to the workers.

    Attributes:
        record: what the manifest says of it: an entry of its models.
        open: returns the translator; raises TranslationError.
    """

    record: Mapping[str, Any]
    open: Callable[[], Translator]


Directions = Mapping[str, tuple[Direction, Direction]]  # by language: there, and back


def look(config: TranslationConfig) -> Directions:
    """Returns what the options name, after a look at folders and functions; no model is loaded.

    Raises:
        PackageError: a folder, a package or a function cannot be used; one line that says why.
    """
    try:
        return {
            language: (
                _direction(config, "forward", number, (config.source_language, language)),
                _direction(config, "backward", number, (language, config.source_language)),
            )
            for number, language in enumerate(config.pivots)
        }
    except TranslationError as error:
        raise PackageError(str(error)) from None


def _direction(config: TranslationConfig, way: str, number: int, languages: tuple[str, str]) -> Direction:
    if config.translator is not None:
        identity = call(config.translator, *languages).identity
        return Direction({"name": config.translator, "version": identity}, partial(call, config.translator, *languages))
    own: tuple[str, ...] | None = getattr(config, way)
    folders = own or config.forward or ()
    folder = look_at(folders[number % len(folders)], config.device)
    if not folder.chooses_languages and (own is None or len(folders) < len(config.pivots)):
        raise PackageError(
            f"--{way}: expected a folder for each language; the model in {folder.path} knows one pair only"
        )
    name = folder.path.rstrip("/").rpartition("/")[2]
    record = {"name": name, "sha256": folder.sha256, "files": folder.files, "packages": folder.packages}
    return Direction(record, partial(open_folder, folder, *languages))


def call(name: str, source: str, target: str) -> Translator:
    """Returns the translator that a function ``MODULE:FUNCTION`` gives for two languages.

    Raises:
        TranslationError: there is no such function, or it fails.
    """
    module, _, function = name.partition(":")
    try:
        found: Translator = getattr(importlib.import_module(module), function)(source, target)
    except Exception as error:  # it is another's code
        problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise TranslationError(f"--translator {name}: {problem}") from error
    if not isinstance(getattr(found, "identity", None), str):
        raise TranslationError(
            f"--translator {name}: it returned {type(found).__name__}, without an identity that is text"
        )
    return found


def begin_cache(path: str) -> Cache:
    """Returns the cache for a run that begins now. Raises PackageError where it cannot be used."""
    try:
        return Cache.begin(path)
    except TranslationError as error:
        raise PackageError(str(error)) from None


class Opened:
    """The translators of every language; a process opens them once.

    Args:
        directions: what is opened.
        cache: what is asked before them; None for none.

    Attributes:
        pivots: by language.

    Raises:
        TranslationError: a model cannot be loaded.
    """

    def __init__(self, directions: Directions, cache: Cache | None) -> None:
        def opened(way: Direction) -> Translator:
            return way.open() if cache is None else CachedTranslator(way.open(), cache)

        self.pivots = {language: Pivot(opened(there), opened(back)) for language, (there, back) in directions.items()}
