"""Presets: configurations of jobs as YAML files, each with the name of its file without the ending.

Beside them lie examples of corpus files, which `gistmill rebuild` takes, and the JSON schema of such files.
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
        ValueError: no preset has this name; the text lists those that exist.
    """
    if name not in NAMES:
        raise ValueError(f"unknown preset {name!r}; available are {', '.join(NAMES)}")
    return files(__name__) / f"{name}{_ENDING}"
