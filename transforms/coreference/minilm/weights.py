"""The weights of the second tier: all-MiniLM-L6-v2, and our delta."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.transforms.encoders import minilm
from gistmill.transforms.encoders.checkpoint import OUTLIERS

DELTA = "delta.npz"
OPTION = "--coref minilm"


def describe() -> list[dict[str, Any]]:
    """Finds the packages and checks the files, without loading them, and returns the manifest's record.

    Raises:
        PackageError: a package is not installed, or a file is not the one that the delta was fitted for.
    """
    versions = minilm.checked(OPTION)
    delta = hashlib.sha256(files(__package__).joinpath("data", DELTA).read_bytes()).hexdigest()
    return [
        {
            "name": minilm.PACKAGES[0],
            "version": versions.pop(minilm.PACKAGES[0]),
            "sha256": minilm.CHECKSUMS[minilm.WEIGHTS],
            "files": {**minilm.CHECKSUMS, DELTA: delta},
            "packages": versions,
        }
    ]


def read_delta() -> dict[str, npt.NDArray[Any]]:
    """Reads the fitted delta and head.

    Returns:
        The arrays by name: float32, but for the outliers' channels, which are int16.
    """
    with files(__package__).joinpath("data", DELTA).open("rb") as stream:
        return {
            name: array if name.startswith(OUTLIERS) else array.astype(np.float32)
            for name, array in np.load(stream).items()
        }
