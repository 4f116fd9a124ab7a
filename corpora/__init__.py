"""Presets: job configurations as YAML files, named after their files without the extension.

The folder also contains example corpus files for `gistmill rebuild` and the JSON schema of corpus files.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

_ENDING = ".yaml"
_CORPUS = ".corpus.yaml"

#: The names of all presets, sorted.
NAMES: tuple[str, ...] = tuple(
    sorted(
        entry.name.removesuffix(_ENDING)
        for entry in files(__name__).iterdir()
        if entry.name.endswith(_ENDING) and not entry.name.endswith(_CORPUS)
    )
)


def preset(name: str) -> Traversable:
    """Returns the YAML file of a preset.

    Raises:
        ValueError: no preset has this name; the message lists the available presets.
    """
    if name not in NAMES:
        raise ValueError(f"unknown preset {name!r}; expected one of {', '.join(NAMES)}")
    return files(__name__) / f"{name}{_ENDING}"
