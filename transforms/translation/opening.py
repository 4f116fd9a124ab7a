"""What the options name as translators: looked at by the driver, opened by each worker."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from typing_extensions import override

from gistmill.rules.augmentation.round_trip import Trip
from gistmill.rules.augmentation.translator import TranslationError, Translator, hypotheses, is_unicode
from gistmill.transforms.installed import PackageError
from gistmill.transforms.translation.cache import Cache, CachedTranslator
from gistmill.transforms.translation.config import TranslationConfig
from gistmill.transforms.translation.endpoint import Endpoint, HttpTranslator
from gistmill.transforms.translation.folders import ModelFolder, look_at, open_folder


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


_ATTEMPTS_OF_LOOK = 2  # a wrong URL is said soon


class Direction(Protocol):
    """A translator that can be opened anywhere; it travels to the workers."""

    @property
    def record(self) -> Mapping[str, Any]:
        """What the manifest says of it: an entry of its models."""

    def open(self) -> Translator:
        """Returns the translator. Raises TranslationError."""


@dataclass(frozen=True, slots=True)
class FromFolder(Direction):
    """A model in a folder."""

    folder: ModelFolder
    source: str
    target: str

    @property
    @override
    def record(self) -> Mapping[str, Any]:
        folder = self.folder
        name = folder.path.rstrip("/").rpartition("/")[2]
        return {"name": name, "sha256": folder.sha256, "files": folder.files, "packages": folder.packages}

    @override
    def open(self) -> Translator:
        return open_folder(self.folder, self.source, self.target)


@dataclass(frozen=True, slots=True)
class FromEndpoint(Direction):
    """A model behind an endpoint; ``model`` is what the endpoint said of it."""

    endpoint: Endpoint
    source: str
    target: str
    model: str

    @property
    @override
    def record(self) -> Mapping[str, Any]:
        return {"name": self.endpoint.name, "version": self.model}

    @override
    def open(self) -> Translator:
        return HttpTranslator(self.endpoint, self.source, self.target, model=self.model)


@dataclass(frozen=True, slots=True)
class FromFunction(Direction):
    """What a function returns; ``identity`` is what its translator said of itself."""

    name: str
    source: str
    target: str
    identity: str

    @property
    @override
    def record(self) -> Mapping[str, Any]:
        return {"name": self.name, "version": self.identity}

    @override
    def open(self) -> Translator:
        return call(self.name, self.source, self.target)


Directions = Mapping[str, tuple[Direction, Direction]]  # by language: there, and back


def look(config: TranslationConfig) -> Directions:
    """Returns what the options name, after a look at folders and endpoints; no model is loaded.

    Raises:
        PackageError: a folder, a package, an endpoint or a function cannot be used; one line that says why.
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
        return FromFunction(config.translator, *languages, identity=call(config.translator, *languages).identity)
    if config.translator_url is not None:
        endpoint = Endpoint(config.translator_url, config.translator_timeout)
        at_once = replace(endpoint, attempts=_ATTEMPTS_OF_LOOK)
        return FromEndpoint(endpoint, *languages, model=HttpTranslator(at_once, *languages).model)
    own: tuple[str, ...] | None = getattr(config, way)
    folders = own or config.forward or ()
    folder = look_at(folders[number % len(folders)], config.device)
    if not folder.chooses_languages and (own is None or len(folders) < len(config.pivots)):
        raise PackageError(
            f"--{way}: expected a folder for each language; the model in {folder.path} knows one pair only"
        )
    return FromFolder(folder, *languages)


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


class Opened:
    """The translators of every language, with the cache if there is one; a process opens them once.

    Args:
        directions: what is opened.
        place: of the cache; None for none.

    Attributes:
        pivots: by language.

    Raises:
        TranslationError: a model cannot be loaded, or the cache cannot be read.
    """

    def __init__(self, directions: Directions, place: str | None) -> None:
        self._cache = None if place is None else Cache(place)
        self.pivots = {
            language: Pivot(*(self._cached(way.open()) for way in ways)) for language, ways in directions.items()
        }

    def flush(self) -> None:
        """Makes sure that the cache has what was translated. Raises TranslationError."""
        if self._cache is not None:
            self._cache.flush()

    def _cached(self, translator: Translator) -> Translator:
        return translator if self._cache is None else CachedTranslator(translator, self._cache)
