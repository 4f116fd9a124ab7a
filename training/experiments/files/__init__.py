"""Experiments that come with Gistmill: reproductions of tables of papers, each named by its file without the ending.

``models`` has sizes of models that they train, ``profiles`` profiles of `gistmill wikitransfer` for their datasets.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent

#: The names of all experiments, sorted.
NAMES: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


def experiment_file(name: str) -> Path:
    """Returns the YAML file of an experiment.

    Raises:
        ValueError: none has this name; the text lists those that exist.
    """
    if name not in NAMES:
        raise ValueError(f"there is no experiment {name!r}; there are {', '.join(NAMES)}")
    return _FOLDER / f"{name}.yaml"
