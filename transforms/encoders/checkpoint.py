"""The tensors of a BERT checkpoint, and low-rank products that are added to its maps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gistmill.transforms.installed import PackageError

OUTLIERS = "outliers."  # in a delta: channels by layer and group, see graph.py
ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}


def read_safetensors(path: str | Path) -> dict[str, npt.NDArray[Any]]:
    """Maps a safetensors file into memory: a JSON header, then the tensors' bytes.

    Returns:
        The tensors by name, in the shapes and dtypes of the file (float32, float16, int64 or int32).

    Raises:
        PackageError: the file is not one.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size))
        header.pop("__metadata__", None)
        data = np.memmap(path, np.uint8, "r", 8 + size)
        return {
            name: data[slice(*entry["data_offsets"])].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items()
        }
    except (OSError, ValueError, KeyError, TypeError, MemoryError, OverflowError) as error:
        raise PackageError(f"{path} is not a safetensors file: {error}") from None


def layers_of(weights: Mapping[str, npt.NDArray[Any]]) -> int:
    """Returns the number of layers of a checkpoint."""
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def merged(
    weights: Mapping[str, npt.NDArray[Any]], delta: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Adds the delta's low-rank products to the maps that it adapts.

    Args:
        weights: the tensors of a BERT checkpoint, by name.
        delta: by layer and map, ``down`` of shape (rank, inputs) and ``up`` of shape (outputs, rank), float32.

    Returns:
        The tensors of the checkpoint's layers, by name, float32.
    """
    found = {name: np.asarray(array, np.float32) for name, array in weights.items() if name.startswith("encoder.")}
    for n in range(layers_of(weights)):
        for part in ADAPTED:
            down, up = (delta.get(f"{n}.{part}.{side}") for side in ("down", "up"))
            if down is not None and up is not None:
                name = f"encoder.layer.{n}.{part}.weight"
                found[name] = found[name] + up @ down
    return found
