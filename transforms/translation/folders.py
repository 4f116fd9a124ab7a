"""Folders of models that translate, of transformers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmill.core.text_output import install_extra
from gistmill.rules.augmentation.round_trip import TranslationError, Translator
from gistmill.transforms.installed import PackageError, installed_version
from gistmill.transforms.models import checksums

if TYPE_CHECKING:
    from gistmill.transforms.translation.model import Model

# What is told both languages: old folders name the model only.
_MODELS, _TOKENIZERS = ("m2m_100", "mbart", "nllb-moe"), ("M2M100", "Nllb", "MBart")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A folder that was looked at.

    Attributes:
        path: of the folder.
        device: where its model works, ``cpu`` or ``cuda``.
        chooses_languages: whether it is told from which language to which it translates, or at least the latter.
        sha256: of its files.
        files: SHA-256 of each of them, by its path there.
        packages: versions of what runs it, by name.
    """

    path: str
    device: str
    chooses_languages: bool
    sha256: str
    files: Mapping[str, str]
    packages: Mapping[str, str]


@lru_cache(maxsize=16)
def look_at(path: str, device: str) -> ModelFolder:
    """Returns what a folder holds, without loading its model.

    Raises:
        PackageError: it is not a folder of a model, or a package that runs it is missing.
    """
    folder = Path(path)
    if not isinstance(_read(folder / "config.json"), dict):
        raise PackageError(f"{path} is not the folder of a model: it has no config.json that can be read")
    packages = {
        name: installed_version(name, needed_by="a model that translates", install=install_extra("translate"))
        for name in ("transformers", "torch")
    }
    files, digest = checksums(folder)
    return ModelFolder(
        path=path,
        device=device,
        chooses_languages=_chooses_languages(folder),
        sha256=digest,
        files=files,
        packages=packages,
    )


def _chooses_languages(folder: Path) -> bool:
    found = (_read(folder / name) for name in ("config.json", "tokenizer_config.json", "vocab.json"))
    config, tokenizer, vocabulary = (each if isinstance(each, dict) else {} for each in found)
    named = str(tokenizer.get("tokenizer_class")).startswith(_TOKENIZERS) or config.get("model_type") in _MODELS
    return named or any(piece.startswith(">>") and piece.endswith("<<") for piece in vocabulary)  # Marian


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def open_folder(folder: ModelFolder, source: str, target: str) -> Translator:
    """Returns the translator of a folder. A process loads a model once, for however many languages.

    Args:
        folder: what ``look_at`` returned.
        source, target: languages as the model writes them, which matters for models of several languages only.

    Raises:
        TranslationError: the model cannot be loaded, or does not know a language.
    """
    from gistmill.transforms.translation.model import FolderTranslator  # it imports packages that take seconds to load

    identity = f"{folder.sha256} transformers {folder.device} {source}-{target}"
    try:
        return FolderTranslator(_loaded(folder.path, folder.device), source, target, identity=identity)
    except TranslationError as error:
        raise TranslationError(f"{folder.path}: {error}") from None


@lru_cache(maxsize=16)
def _loaded(path: str, device: str) -> Model:
    from gistmill.transforms.translation.model import Model

    try:
        return Model(path, device)
    except Exception as error:  # the packages below raise plain exceptions
        problem = " ".join(str(error).split())[:300]
        raise TranslationError(f"it cannot be loaded as a model that translates: {problem}") from None
