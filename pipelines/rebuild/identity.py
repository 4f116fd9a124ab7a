"""What decides about the content of a dataset: two builds of which this is equal give the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from gistmill.core.manifest import MANIFEST
from gistmill.core.options import options_of
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import JobConfig, RunConfig, job_options
from gistmill.pipelines.planning import opened_steps
from gistmill.pipelines.versions import code_version, recipe_versions, versions
from gistmill.transforms.io import is_url, join, matching, size_of
from gistmill.transforms.models import ModelError
from gistmill.transforms.sources.files.ranges import SourceError, split_commas

_PLACES = {"input", "output", "overwrite", *(o.name for o in options_of(RunConfig))}


def decisive(config: JobConfig, *, inputs: Any) -> dict[str, Any]:
    """Returns what decides about a dataset, as JSON values: options, inputs, versions, models, and files of options.

    Args:
        config: the configuration of its job; the places of input and output, and what it runs on, decide nothing.
        inputs: what tells the inputs apart.

    Raises:
        ConfigError: a model, or a file that an option names, is missing or cannot be used.
    """
    known, values = job_options(config.recipe), config.to_values()
    options = {n: v for n, v in values.items() if n not in _PLACES and known[n].published}
    code = code_version()
    try:
        records = [step.record(code["gistmill"]) for step in opened_steps(config)]
    except (ModelError, SourceError) as error:
        raise ConfigError(" ".join(str(error).split())) from error
    named = {n: v if isinstance(v, list) else [v] for n, v in options.items() if known[n].kind.is_place}
    found = {
        "job": config.recipe.NAME,
        "options": options,
        "input": inputs,
        "files": {name: _seen(patterns) for name, patterns in named.items()},
        "versions": {**versions(), "gistmill": code["source_sha256"], **recipe_versions(config.recipe)},
        "models": [m for record in records for m in record.get("models", ())],
        "evaluation": [e for record in records for e in record.get("evaluation", ())],
    }
    plain: dict[str, Any] = json.loads(json.dumps(found, default=str))
    return plain


def key_of(decisive: Any) -> str:
    """Returns a short name for what decides: 16 hexadecimal digits."""
    text = json.dumps(decisive, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def seen_files(sizes: Mapping[str, int]) -> dict[str, list[int | None]]:
    """Returns size and time of the last change of files, by path; in stores the time is not asked for."""
    return {path: [size, None if is_url(path) else os.stat(path).st_mtime_ns] for path, size in sorted(sizes.items())}


def _seen(patterns: Iterable[str]) -> dict[str, list[int | None]]:
    """The files that paths, globs or folders of datasets name."""
    sizes: dict[str, int] = {}
    for pattern in split_commas(map(str, patterns)):
        size = size_of(pattern)
        found = {pattern: size} if size is not None else matching(pattern) or matching(join(pattern, MANIFEST))
        sizes |= found
    return seen_files(sizes)
