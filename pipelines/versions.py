"""Versions and checksums for the manifest, which with configuration and input determine the bytes of a dataset."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import platform
import posixpath
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import Any

from gistmill.core.manifest import CLEAN, COREFERENCE, MANIFEST, PARSE, Manifest, Part
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig
from gistmill.rules.annotated import DIGESTS, KeepAnnotations
from gistmill.rules.documents import RawDocument
from gistmill.rules.recipe import DEFAULT, Recipe
from gistmill.transforms.arithmetic import arithmetic_in_use
from gistmill.transforms.installed import installed
from gistmill.transforms.io import join, list_files, sha256_of
from gistmill.transforms.models import package_files
from gistmill.transforms.reuse import AnnotatedStore
from gistmill.transforms.sources.base import below, manifest_of
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.steps.annotate import AnnotationConfig, annotation_parts
from gistmill.transforms.steps.base import Step
from gistmill.transforms.steps.clean import CleanConfig, clean_parts

PACKAGES = (
    "apache-beam spacy thinc numpy mwparserfromhell lemminflect stopwordsiso pyarrow protobuf trafilatura lxml "
    "htmldate justext resiliparse icu4py"
).split()


def code_version() -> dict[str, str]:
    """Returns gistmill's version and a SHA-256 of its sources and data files, which identifies development trees."""
    digest = hashlib.sha256()
    for package in ("core", "rules", "published", "transforms", "pipelines"):
        for name, content in package_files(files(f"gistmill.{package}"), package):
            digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return {"gistmill": installed("gistmill"), "source_sha256": digest.hexdigest()}


def versions() -> dict[str, str]:
    """Returns the versions of Python and of the packages that affect results."""
    return {"python": platform.python_version(), **{p: installed(p) for p in PACKAGES}}


def recipe_versions(recipe: type[Recipe[Any]]) -> dict[str, str]:
    """Returns version information for a recipe that is not part of gistmill: a SHA-256 of its module's source (in a
    notebook, of the class), and its package's version if installed under the module's name."""
    package = recipe.__module__.partition(".")[0]
    if package == "gistmill":
        return {}
    try:
        module = sys.modules[recipe.__module__]
        source = inspect.getsource(module if getattr(module, "__file__", None) else recipe)
    except (OSError, TypeError):  # for example, a class typed into an interpreter
        source = ""
    found = {"recipe_sha256": hashlib.sha256(source.encode()).hexdigest() if source else ""}
    return {**found, **({package: version} if (version := installed(package)) else {})}


_SHOWN = 12  # digits of a SHA-256
# The arithmetic libraries used by the parser, and those by coreference resolvers, with the modules that load them.
_OF_PARSE = {"OpenBLAS": "numpy", "NumPy": "numpy", "BLAS": "numpy", "BLIS": "blis.cy"}
_OF_COREFERENCE = {"onnxruntime": "onnxruntime"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """The result of ``--reuse``."""

    store: AnnotatedStore | None = None  # annotations to reuse; None for none
    note: str = ""  # a line on what cannot be reused and why; "" if everything can
    # the older dataset and its manifest's SHA-256, for the new manifest
    record: Mapping[str, str] | None = None


def parts_of(config: JobConfig) -> dict[str, Part]:
    """Returns the parts of the annotations that a job makes, by name; none if it reads annotations. Raises ModelError
    if a model is missing or not the expected one."""
    annotation = config.find(AnnotationConfig)
    if annotation is None or config.source.DOCUMENT is not RawDocument:
        return {}
    return {**clean_parts(config.of(CleanConfig), config.source.MARKUPS), **annotation_parts(annotation)}


def open_reuse(place: str, parts: Mapping[str, Part], *, steps: Sequence[Step]) -> Reuse:
    """Opens an older dataset for reuse, comparing the software and settings that made it with this run's.

    Args:
        place: folder or URL of the older dataset.
        parts: parts of this run's annotations.
        steps: steps of this run.

    Raises:
        ConfigError: it was not made by ``gistmill annotate``, or one of its files is missing or has another size.
    """
    try:
        manifest = manifest_of(place)
    except SourceError as error:
        raise ConfigError(f"--reuse: {error}") from None
    if manifest is None:
        raise ConfigError(f"--reuse: {place} is not a published dataset: {MANIFEST} is missing")
    if manifest.recipe != KeepAnnotations.NAME:
        raise ConfigError(f"--reuse: {place} was made by {manifest.recipe!r}, not by `gistmill annotate`")
    reason = difference(manifest.parts.get(PARSE), parts[PARSE]) or _arithmetic_differs(manifest, _OF_PARSE)
    if not reason and all(column.name != DIGESTS for column in manifest.columns.get(DEFAULT, ())):
        reason = "it contains no paragraph hashes"
    if reason:
        return Reuse(note=f"nothing in {place} can be reused: {reason}")
    cleaning, redone = _cleaning(manifest, parts, steps)
    coreference = difference(manifest.parts.get(COREFERENCE), parts[COREFERENCE])
    coreference = coreference or _arithmetic_differs(manifest, _OF_COREFERENCE)
    if coreference:
        redone = [*redone, f"coreference is resolved again: {coreference}"]
    return Reuse(
        store=AnnotatedStore(splits=_files(place, manifest), cleaning=cleaning, coreference=not coreference),
        note=f"{place} can be reused only in part: {'; '.join(redone)}" if redone else "",
        record={"dataset": place, "sha256": sha256_of(join(place, MANIFEST))},
    )


def _cleaning(older: Manifest, parts: Mapping[str, Part], steps: Sequence[Step]) -> tuple[bool, list[str]]:
    """Returns whether cleaned text can be reused, and if not, why. Sources without revisions have no CLEAN part."""
    if CLEAN not in parts:
        return False, []
    if reading := [step.NAME for step in steps if step.READS_TEXT]:
        return False, [f"pages are cleaned again: {reading[0]} reads their text"]
    reason = difference(older.parts.get(CLEAN), parts[CLEAN])
    return not reason, [f"pages are cleaned again: {reason}"] if reason else []


def difference(old: Part | None, new: Part) -> str:
    """Describes the first difference between two parts; returns "" if they are equal."""
    if old is None:
        return "it does not record how it was made"
    if old.models != new.models:
        return f"the model differs: {_models(new)} here, {_models(old)} there"
    for what, before, after in (("option", old.options, new.options), ("package", old.packages, new.packages)):
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                return f"the {what} {name} differs: {_shown(after.get(name))} here, {_shown(before.get(name))} there"
    return ""


def _models(part: Part) -> str:
    named = [f"{name} (SHA-256 {sha256[:_SHOWN]}...)" for name, sha256 in sorted(part.models.items())]
    return " and ".join(named) or "none"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "nothing" if value in (None, "") else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _arithmetic_differs(older: Manifest, modules: Mapping[str, str]) -> str:
    """Describes how these libraries' arithmetic differs here, or returns "". The number of threads has no effect."""
    used = [a for a in older.arithmetic if a.library in modules]
    for there in used:
        import_module(modules[there.library])
    here = {a.library: a for a in arithmetic_in_use()}
    for there in used:
        mine = here.get(there.library)
        if mine is None or dataclasses.replace(mine, threads=there.threads) != there:
            return f"the arithmetic differs: {mine or 'none'} here, {there} there"
    return ""


def _files(place: str, older: Manifest) -> tuple[tuple[str, ...], ...]:
    """Returns the shard paths of each split."""
    splits: dict[str, list[str]] = {}
    shards = sorted((f for f in older.files if f.config == DEFAULT and f.format == "parquet"), key=lambda f: f.path)
    try:
        paths = [below(place, f.path) for f in shards]
    except SourceError as error:
        raise ConfigError(f"--reuse: {error}") from None
    folders = dict.fromkeys(posixpath.dirname(path) for path in paths)
    sizes = {path: size for folder in folders for path, size in list_files(folder).items()}
    for shard, path in zip(shards, paths, strict=True):
        if sizes.get(path) != shard.bytes:
            raise ConfigError(f"--reuse: {path} is missing or differs in size from {MANIFEST}")
        splits.setdefault(shard.split, []).append(path)
    return tuple(tuple(paths) for _, paths in sorted(splits.items()))
