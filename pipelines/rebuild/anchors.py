"""Relative paths in a corpus file count from its folder: whoever starts a rebuild may stand anywhere."""

from __future__ import annotations

import dataclasses
import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gistmill.core.options import Option
from gistmill.pipelines.rebuild.settings import CorpusConfig
from gistmill.transforms.io import is_url


def anchored(path: str, folder: Path) -> str:
    """Returns a path, glob or comma list of them with its relative parts below ``folder``; URLs stay as they are."""
    if "," in path and not os.path.exists(folder / path):
        return ",".join(anchored(part.strip(), folder) for part in path.split(","))
    return path if is_url(path) or not path else os.path.join(folder, path)


def anchored_config(config: CorpusConfig, folder: Path) -> CorpusConfig:
    """Returns the keys at the top of a corpus file with their places anchored."""
    return dataclasses.replace(
        config,
        publish=anchored(config.publish or "", folder),
        work=None if config.work is None else anchored(config.work, folder),
        evaluation=None if config.evaluation is None else tuple(anchored(p, folder) for p in config.evaluation),
    )


def anchored_options(values: Mapping[str, Any], known: Mapping[str, Option], folder: Path) -> dict[str, Any]:
    """Returns options in which relative places are anchored if they are there: some of these options take names too."""
    return {n: _anchored_if_there(v, folder) if known[n].kind.is_place else v for n, v in values.items()}


def _anchored_if_there(value: Any, folder: Path) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_anchored_if_there(part, folder) for part in value]
    path = anchored(value, folder) if isinstance(value, str) else ""
    return path if path and all(glob.glob(part) for part in path.split(",")) else value
