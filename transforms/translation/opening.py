"""The translators that options name: models in folders and functions. The driver looks at them, a worker opens them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from gistmill.core.text_output import install_extra
from gistmill.rules.augmentation.round_trip import TranslationError, Translator, Trip, hypotheses, is_unicode
from gistmill.transforms.installed import PackageError, installed_version
from gistmill.transforms.models import checksums
from gistmill.transforms.translation.cache import Cache, CachedTranslator
from gistmill.transforms.translation.config import TranslationConfig


class Pivot(NamedTuple):
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


class Direction(NamedTuple):
    """A translator that can be opened anywhere; it travels to the workers.

    Attributes:
        record: what the manifest says of it: an entry of its models.
        open: returns the translator; raises TranslationError.
    """

    record: Mapping[str, Any]
    open: Callable[[], Translator]


Directions = Mapping[str, tuple[Direction, Direction]]  # by language: there, and back


class Pivots(dict[str, Pivot]):
    """The translators of every language; a process opens them once. Raises TranslationError: a model cannot be loaded.

    Args:
        directions: what is opened.
        cache: what is asked before them; None for none.
    """

    def __init__(self, directions: Directions, cache: Cache | None) -> None:
        def opened(way: Direction) -> Translator:
            return way.open() if cache is None else CachedTranslator(way.open(), cache)

        super().__init__({language: Pivot(*map(opened, ways)) for language, ways in directions.items()})


def look(config: TranslationConfig) -> Directions:
    """Returns what the options name, after a look at folders and functions; no model is loaded.

    Raises:
        PackageError: a folder, a package or a function cannot be used; one line that says why.
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
        raise PackageError(f"--{way}: expected a folder for each language; the model in {path} knows one pair only")
    return Direction(record, partial(open_folder, path, config.device, source, target, sha256=record["sha256"]))


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


# What is told both languages: old folders name the model only.
_MODELS, _TOKENIZERS = ("m2m_100", "mbart", "nllb-moe"), ("M2M100", "Nllb", "MBart")


@lru_cache(maxsize=16)
def look_at(path: str) -> tuple[Mapping[str, Any], bool]:
    """Looks at a folder of transformers, without loading its model.

    Returns:
        What the manifest says of the model, and whether it is told from which language to which it translates, or at
        least the latter.

    Raises:
        PackageError: it is not a folder of a model, or a package that runs it is missing.
    """
    folder = Path(path)
    names = ("config.json", "tokenizer_config.json", "vocab.json")
    config, tokenizer, vocabulary = (_object(folder / name) for name in names)
    if config is None:
        raise PackageError(f"{path} is not the folder of a model: it has no config.json that can be read")
    packages = {
        name: installed_version(name, needed_by="a model that translates", install=install_extra("translate"))
        for name in ("transformers", "torch")
    }
    files, digest = checksums(folder)
    record = {"name": path.rstrip("/").rpartition("/")[2], "sha256": digest, "files": files, "packages": packages}
    named = str((tokenizer or {}).get("tokenizer_class")).startswith(_TOKENIZERS) or config.get("model_type") in _MODELS
    # Marian has pieces such as >>de<<
    return record, named or any(piece.startswith(">>") and piece.endswith("<<") for piece in vocabulary or ())


def _object(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def open_folder(path: str, device: str, source: str, target: str, *, sha256: str) -> Translator:
    """Returns the translator of a folder. A process loads a model once, for however many languages.

    Args:
        path: of the folder.
        device: where its model works, ``cpu`` or ``cuda``.
        source, target: languages as the model writes them, which matters for models of several languages only.
        sha256: of the folder's files.

    Raises:
        TranslationError: the model cannot be loaded, or does not know a language.
    """
    from gistmill.transforms.translation.model import FolderTranslator  # it takes seconds to import

    return FolderTranslator(path, device, source, target, sha256=sha256)
