"""The option that says which model is trained. Loads no torch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import TEXT


@dataclass(frozen=True, kw_only=True)
class ModelConfig(Options):
    """Which model is trained."""

    GROUP: ClassVar[str] = "model"

    model: str = option(
        TEXT,
        required=True,
        metavar="MODEL",
        help="`tagger`; a model from scratch (a preset, or a YAML file of sizes); a folder that was trained here; or a "
        "folder or hub name of transformers (BART, T5, PEGASUS)",
    )
