"""Experiments that come with Gistmill: reproductions of tables of papers, each named by its file without the ending."""

from importlib.resources import files
from importlib.resources.abc import Traversable

_ENDING = ".yaml"

#: The names of all experiments, sorted.
NAMES: tuple[str, ...] = tuple(
    sorted(entry.name.removesuffix(_ENDING) for entry in files(__name__).iterdir() if entry.name.endswith(_ENDING))
)


def experiment_file(name: str) -> Traversable:
    """Returns the YAML file of an experiment.

    Raises:
        ValueError: none has this name; the text lists those that exist.
    """
    if name not in NAMES:
        raise ValueError(f"there is no experiment {name!r}; there are {', '.join(NAMES)}")
    return files(__name__) / f"{name}{_ENDING}"
