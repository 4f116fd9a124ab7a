"""Taggers of random numbers, made on the spot: one that adds to the package's encoder, and one with its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from gistmill.rules.fusion.codec import ARRAYS, CODES, FORMAT, LABELS, ONNX, SHAPES, TOKENIZER
from gistmill.transforms.encoders import ADAPTED, CHECKSUMS, PACKAGES, WEIGHTS

WIDTH, RANK, LAYERS, INNER = 384, 2, 6, 1536
OWN_WIDTH = 16
VALUES: dict[str, Any] = {
    "plans": ["PAIR_ANAPHORA", "PAIR_CONN", "PAIR_NONE", "SINGLE_RELATIVE", "SINGLE_S_COORD"],
    "operations": ["KEEP", "DELETE", "LOWER", "UPPER", "REPLACE:he", "REPLACE:it"],
    "phrases": ["", ",", ", and", ", but", "however ,", ", which"],
}
_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "he", "won", "left", "the", "match", "dog", "it", "was", "big"]


def described(**changes: Any) -> dict[str, Any]:
    encoder = {"name": PACKAGES[0], "sha256": CHECKSUMS[WEIGHTS]}
    return {"format": FORMAT, "encoder": encoder, "longest": 128, **VALUES, **changes}


def heads(width: int, random: np.random.Generator) -> dict[str, np.ndarray]:
    sizes = {
        "state": width,
        "three_states": 3 * width,
        "one": 1,
        "two": 2,
        **{name: len(values) for name, values in VALUES.items()},
    }
    return {
        name: random.normal(0, 0.3, [sizes.get(axis, 12) for axis in axes]).astype(np.float16)
        for name, axes in SHAPES.items()
    }


def write(folder: Path, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LABELS).write_text(json.dumps(values), encoding="utf-8")
    np.savez_compressed(folder / ARRAYS, allow_pickle=False, **arrays)
    return folder


def arrays(seed: int = 0) -> dict[str, np.ndarray]:
    """Heads, codes and low-rank additions for the package's encoder."""
    random = np.random.default_rng(seed)
    found = {**heads(WIDTH, random), "codes": random.normal(0, 0.1, (CODES, WIDTH)).astype(np.float16)}
    for layer in range(LAYERS):
        for part in ADAPTED:
            rows = INNER if part == "intermediate.dense" else WIDTH
            columns = INNER if part == "output.dense" else WIDTH
            found[f"{layer}.{part}.down"] = random.normal(0, 0.02, (RANK, columns)).astype(np.float16)
            found[f"{layer}.{part}.up"] = random.normal(0, 0.02, (rows, RANK)).astype(np.float16)
    return found


def with_additions(folder: Path, **changes: Any) -> Path:
    return write(folder, arrays(), described(**changes))


def with_encoder(folder: Path, **changes: Any) -> Path:
    """A tagger whose encoder looks its states up in tables."""
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers

    random = np.random.default_rng(1)
    constants = {
        name: random.normal(0, 1, (rows, OWN_WIDTH)).astype(np.float32)
        for name, rows in (("words", len(_WORDS)), ("sides", 2), ("marks", CODES))
    }
    nodes = [
        helper.make_node("Gather", ["words", "ids"], ["a"]),
        helper.make_node("Gather", ["sides", "types"], ["b"]),
        helper.make_node("Gather", ["marks", "codes"], ["c"]),
        helper.make_node("Sum", ["a", "b", "c"], ["all"]),
        helper.make_node("Squeeze", ["places", "axis"], ["flat"]),
        helper.make_node("Gather", ["all", "flat"], ["states"], axis=1),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, [1, "places" if name == "places" else "pieces"])
        for name in ("ids", "types", "codes", "places")
    ]
    output = helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "places", OWN_WIDTH])
    tensors = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    tensors.append(numpy_helper.from_array(np.array([0], np.int64), "axis"))
    graph = helper.make_graph(nodes, "encoder", inputs, [output], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    write(folder, heads(OWN_WIDTH, random), described(encoder=None, **changes))
    (folder / ONNX).write_bytes(model.SerializeToString())
    pieces = Tokenizer(models.WordLevel({word: i for i, word in enumerate(_WORDS)}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    (folder / TOKENIZER).write_text(pieces.to_str(), encoding="utf-8")
    return folder
