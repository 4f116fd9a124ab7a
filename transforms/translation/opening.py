"""The translators that options specify: models in folders, and functions. The driver checks them; workers open them.

A cache stores translations in a local SQLite file, so that nothing is translated (and paid for) twice. A run uses only
entries written before it began, not those that its own workers add: otherwise its batches, and with them the last bits
of a model's results, would depend on which worker came first.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from typing_extensions import override

from gistmill.core.extras import install_extra
from gistmill.core.options import option
from gistmill.core.values import FOLDER, TEXT, TOKEN, custom, list_of, one_of, whole
from gistmill.rules.augmentation.config import COLUMN, ROUND_TRIP, MethodConfig
from gistmill.rules.augmentation.round_trip import TranslationError, Translator, Trip, hypotheses, is_unicode
from gistmill.transforms.installed import PackageError, installed_version
from gistmill.transforms.models import checksums

CPU, CUDA = "cpu", "cuda"
_FOLDERS = replace(list_of(FOLDER), is_place=True, metavar="DIRS", allowed="folders, comma-separated")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_FILE = replace(TEXT, metavar="FILE", allowed="a file", is_place=True)


def _function(value: Any) -> str:
    if callable(value):
        value = f"{value.__module__}:{value.__qualname__}"
    if not isinstance(value, str) or not _FUNCTION.fullmatch(value):
        raise ValueError("expected MODULE:FUNCTION")
    return value


@dataclass(frozen=True, kw_only=True)
class TranslationConfig(MethodConfig):
    """The configuration that selects the translators, by ``forward`` or ``translator``, and the use of hypotheses."""

    GROUP: ClassVar[str] = "translation"

    pivots: tuple[str, ...] = option(
        list_of(TOKEN),
        default=("de", "ru"),
        metavar="LIST",
        help="comma-separated languages to translate texts into and back from, as named by the translator",
    )
    source_language: str = option(TOKEN, default="en", help="language of the texts, as named by the translator")
    beams: int = option(
        whole(1), default=10, unit="hypotheses", help="beam size of each search, and number of hypotheses to use (k)"
    )
    paraphrases: int | None = option(
        whole(1),
        help="number of paraphrases per pair for --method round-trip, chosen by hash (default: all, k^2 per pivot)",
    )
    forward: tuple[str, ...] | None = option(
        _FOLDERS, help="folders of models that translate into the pivots, in --pivots order, or one model for all"
    )
    backward: tuple[str, ...] | None = option(
        _FOLDERS,
        help="folders of models that translate back, in the same order (default: --forward, if its model "
        "supports all the languages)",
    )
    device: str = option(one_of(CPU, CUDA), default=CPU, help="device for the --forward and --backward models")
    translator: str | None = option(
        custom(_function, pattern=_FUNCTION.pattern, metavar="MODULE:FUNCTION", allowed="a function of a module"),
        help="Python function that returns the translator for a source and a target language",
    )
    translation_cache: str | None = option(
        _FILE,
        local=True,
        fingerprinted=False,
        published=False,
        help="local file that stores translations, so that later runs do not pay for them again",
    )

    def check(self) -> None:
        """Raises ValueError if there is no translator or more than one, or if nothing is to be translated."""
        self.check_unused(ROUND_TRIP)
        if self.method != ROUND_TRIP:
            return
        if (self.forward is None) == (self.translator is None):
            named = "neither" if self.forward is None else "both"
            raise ValueError(f"method round-trip: expected forward or translator, not {named}")
        if len(set(self.pivots)) < len(self.pivots):
            raise ValueError(f"pivots: specify each only once, not {','.join(self.pivots)}")
        if self.paraphrases not in (None, 1) and self.augmented_as == COLUMN:
            raise ValueError(f"paraphrases: augmented_as column allows only one per pair, not {self.paraphrases}")
        if self.backward is not None and self.forward is None:
            raise ValueError("backward: has no effect without forward")
        for name in ("forward", "backward"):
            if len(folders := getattr(self, name) or "1") not in (1, len(self.pivots)):
                raise ValueError(
                    f"{name}: expected one folder, or {len(self.pivots)}, one per language, not {len(folders)}"
                )


_WAIT = 300.0  # seconds to wait while other workers write
_TABLE = """
CREATE TABLE IF NOT EXISTS translations (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, hypotheses TEXT NOT NULL)
"""
_GET = "SELECT hypotheses FROM translations WHERE key = ? AND number <= ?"
# An entry that this run must not see is replaced by a newer one with a higher number.
_PUT = "INSERT OR REPLACE INTO translations (key, hypotheses) VALUES (?, ?)"


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache of hypotheses by key, which any number of processes may read and write at once.

    Attributes:
        path: the path of the file.
        known: the number of the last record visible to this run.
    """

    path: str
    known: int

    @classmethod
    def begin(cls, path: str) -> Cache:
        """Returns the cache for a run that begins now; creates the file if it is missing.

        Raises:
            TranslationError: it can be neither created nor read.
        """
        with _opened(path, "rwc") as database:
            database.execute(_TABLE)
            (known,) = database.execute("SELECT coalesce(max(number), 0) FROM translations").fetchone()
        return cls(path, known)


@contextlib.contextmanager
def _opened(path: str, mode: str) -> Iterator[sqlite3.Connection]:
    """Yields the database; either all changes are committed, or none."""
    try:
        if mode == "rwc":
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        place = f"{Path(path).absolute().as_uri()}?mode={mode}"
        with contextlib.closing(sqlite3.connect(place, timeout=_WAIT, uri=True)) as database, database:
            yield database
    except (OSError, sqlite3.Error, json.JSONDecodeError) as error:
        raise TranslationError(
            f"--translation-cache {path} cannot be used: {error}; delete it, or specify another file"
        ) from None


def key_of(identity: str, count: int, sentence: str) -> bytes:
    """Returns the key for a sentence's hypotheses."""
    text = "\n".join((identity, str(count), sentence))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class CachedTranslator(Translator):
    """A translator that passes to another translator only the sentences missing from a cache, each once.

    Args:
        translator: the other translator.
        cache: the cache for its translations.
    """

    def __init__(self, translator: Translator, cache: Cache) -> None:
        self._translator, self._cache = translator, cache

    @property
    @override
    def identity(self) -> str:
        return self._translator.identity

    @override
    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        keys = {sentence: key_of(self.identity, count, sentence) for sentence in sentences}
        found: dict[str, list[str]] = {}
        with _opened(self._cache.path, "rw") as database:
            for sentence, key in keys.items():
                for (text,) in database.execute(_GET, (key, self._cache.known)):
                    found[sentence] = json.loads(text)
        if missing := [sentence for sentence in keys if sentence not in found]:
            answers = dict(zip(missing, hypotheses(self._translator, missing, count=count), strict=True))
            with _opened(self._cache.path, "rw") as database:
                database.executemany(_PUT, [(keys[s], json.dumps(answer)) for s, answer in answers.items()])
            found |= answers
        return [list(found[sentence]) for sentence in sentences]


class RoundTrip(NamedTuple):
    """The translators to and from a language."""

    forward: Translator
    backward: Translator


def trips(pivot: RoundTrip, wanted: Mapping[str, Collection[int]], *, beams: int) -> dict[str, Trip]:
    """Translates sentences and then their translations.

    Args:
        pivot: the translators.
        wanted: the sentences, each with the numbers (from 1) of the hypotheses to translate back.
        beams: the number of hypotheses in each direction.

    Returns:
        The trip for every sentence.

    Raises:
            TranslationError: a translator fails, or returns something other than hypotheses.
    """
    readable = [sentence for sentence in wanted if is_unicode(sentence)]
    found = dict(zip(readable, hypotheses(pivot.forward, readable, count=beams), strict=True))
    there = {(s, n): found[s][n - 1] for s in readable if found[s] for n in wanted[s]}
    unique = list(dict.fromkeys(text for text in there.values() if text))
    back = dict(zip(unique, hypotheses(pivot.backward, unique, count=beams), strict=True))
    return {s: Trip({n: back.get(there.get((s, n), ""), ()) for n in numbers}) for s, numbers in wanted.items()}


class Direction(NamedTuple):
    """A translator that can be opened on any worker.

    Attributes:
        record: its entry among the models in the manifest.
        open: returns the translator; raises TranslationError.
    """

    record: Mapping[str, Any]
    open: Callable[[], Translator]


Directions = Mapping[str, tuple[Direction, Direction]]  # by language: to it, and back


class Pivots(dict[str, RoundTrip]):
    """The translators for every language, opened once per process; raises TranslationError if a model cannot be loaded.

    Args:
        directions: the models to open.
        cache: consulted before the models; None for none.
    """

    def __init__(self, directions: Directions, cache: Cache | None) -> None:
        def opened(way: Direction) -> Translator:
            return way.open() if cache is None else CachedTranslator(way.open(), cache)

        super().__init__({language: RoundTrip(*map(opened, ways)) for language, ways in directions.items()})


def look(config: TranslationConfig) -> Directions:
    """Returns the models that the options specify, after checking folders and functions; no model is loaded.

    Raises:
        PackageError: a folder, a package or a function cannot be used; the message is one line.
    """
    home = config.source_language
    try:
        return {
            language: (
                _direction(config, "forward", number, home, language),
                _direction(config, "backward", number, language, home),
            )
            for number, language in enumerate(config.pivots)
        }
    except TranslationError as error:
        raise PackageError(str(error)) from None


def _direction(config: TranslationConfig, way: str, number: int, source: str, target: str) -> Direction:
    if config.translator is not None:
        opened = partial(call, config.translator, source, target)
        return Direction({"name": config.translator, "version": opened().identity}, opened)
    own: tuple[str, ...] | None = getattr(config, way)
    folders = own or config.forward or ()
    path = folders[number % len(folders)]
    record, chooses_languages = look_at(path)
    if not chooses_languages and (own is None or len(folders) < len(config.pivots)):
        raise PackageError(f"--{way}: expected one folder per language; {path} supports only one language pair")
    return Direction(record, partial(open_folder, path, config.device, source, target, sha256=record["sha256"]))


def call(name: str, source: str, target: str) -> Translator:
    """Returns the translator that a function ``MODULE:FUNCTION`` returns for two languages.

    Raises:
        TranslationError: the function is missing or fails.
    """
    module, _, function = name.partition(":")
    try:
        found: Translator = getattr(importlib.import_module(module), function)(source, target)
    except Exception as error:  # third-party code may raise anything
        problem = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise TranslationError(f"--translator {name}: {problem}") from error
    if not isinstance(getattr(found, "identity", None), str):
        raise TranslationError(
            f"--translator {name}: it returned {type(found).__name__}, which lacks an `identity` string"
        )
    return found


_MODELS = ("m2m_100", "mbart", "nllb-moe")  # models that take both languages


@lru_cache(maxsize=16)
def look_at(path: str) -> tuple[Mapping[str, Any], bool]:
    """Inspects a transformers model folder, without loading the model.

    Returns:
        The model's entry in the manifest, and whether it takes source and target language, or at least the target.

    Raises:
        PackageError: it is not a model folder, or a package needed to run the model is missing.
    """
    folder = Path(path)
    config, vocabulary = (_object(folder / name) for name in ("config.json", "vocab.json"))
    if config is None:
        raise PackageError(f"{path} is not a model folder: config.json is missing or unreadable")
    packages = {
        name: installed_version(name, needed_by="a translation model", install=install_extra("translate"))
        for name in ("transformers", "torch")
    }
    files, digest = checksums(folder)
    record = {"name": path.rstrip("/").rpartition("/")[2], "sha256": digest, "files": files, "packages": packages}
    marks = any(piece.startswith(">>") and piece.endswith("<<") for piece in vocabulary or ())  # Marian's >>de<<
    return record, marks or config.get("model_type") in _MODELS


def _object(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def open_folder(path: str, device: str, source: str, target: str, *, sha256: str) -> Translator:
    """Returns a translator for a model folder. A process loads each model once, for any number of languages.

    Args:
        path: the folder.
        device: the model's device, ``cpu`` or ``cuda``.
        source, target: language codes in the model's own form; used only by multilingual models.
        sha256: the hash of the folder's files.

    Raises:
        TranslationError: the model cannot be loaded, or does not support a language.
    """
    from gistmill.transforms.translation.model import FolderTranslator  # it takes seconds to import

    return FolderTranslator(path, device, source, target, sha256=sha256)
