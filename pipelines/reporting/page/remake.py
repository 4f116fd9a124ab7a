"""The command that makes a dataset again."""

from __future__ import annotations

import json
import shlex
from typing import Any

from gistmill.core.manifest import Manifest
from gistmill.core.options import Option
from gistmill.core.values import plain
from gistmill.pipelines.job import job_options
from gistmill.rules.recipes import RECIPES


def command(manifest: Manifest) -> list[str]:
    """Returns the words of the command, an option and its value in each but the first. Options that have their default
    are left out; places are the names that the manifest has, since folders are the reader's own."""
    declared = job_options(RECIPES[manifest.recipe])
    given = {n: v for n, v in manifest.configuration.items() if n in declared and v != plain(declared[n].default)}
    return [f"gistmill {manifest.recipe}", *(_flag(declared[name], value) for name, value in given.items())]


def _flag(option: Option, value: Any) -> str:
    if value is True:
        return option.flag
    if value is False:
        return f"--no-{option.flag[2:]}"
    if isinstance(value, list):
        text = ",".join(map(str, value))
    else:
        text = json.dumps(value) if isinstance(value, dict) else str(value)
    return f"{option.flag} {shlex.quote(text)}"
