"""A BERT of random weights, small enough to be made on the spot, and a plain implementation of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from gistmill.transforms.coreference.minilm.windows import CODES, SIZE, SLOTS
from gistmill.transforms.encoders import ADAPTED

WIDTH, HEADS, INNER, LAYERS, VOCABULARY, POSITIONS, RANK, HIDDEN = 32, 4, 64, 2, 50, 300, 2, 16
EPSILON = 1e-12


def weights(seed: int = 0) -> dict[str, np.ndarray]:
    """Tensors by the names of a BERT checkpoint."""
    random = np.random.default_rng(seed)

    def normal(*shape: int, spread: float = 0.2) -> np.ndarray:
        return random.normal(0, spread, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": normal(VOCABULARY, WIDTH),
        "embeddings.position_embeddings.weight": normal(POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": normal(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + normal(WIDTH),
        "embeddings.LayerNorm.bias": normal(WIDTH),
    }
    for n in range(LAYERS):
        name = f"encoder.layer.{n}"
        for part in ADAPTED:
            rows = INNER if part == "intermediate.dense" else WIDTH
            columns = INNER if part == "output.dense" else WIDTH
            found[f"{name}.{part}.weight"] = normal(rows, columns)
            found[f"{name}.{part}.bias"] = normal(rows)
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{name}.{norm}.weight"] = 1 + normal(WIDTH)
            found[f"{name}.{norm}.bias"] = normal(WIDTH)
    return found


def delta(seed: int = 1) -> dict[str, np.ndarray]:
    """A delta for these weights, with a head."""
    random = np.random.default_rng(seed)
    shapes = {
        "codes": (CODES, WIDTH),
        "slots": (SLOTS + 1, WIDTH),
        "nowhere": (2, 2 * WIDTH),
        "features": (SIZE, 8),
        "pronoun.weight": (HIDDEN, WIDTH),
        "pronoun.bias": (HIDDEN,),
        "candidate.weight": (HIDDEN, 2 * WIDTH),
        "candidate.bias": (HIDDEN,),
        "pair.weight": (HIDDEN, 3 * HIDDEN + 8),
        "pair.bias": (HIDDEN,),
        "score.weight": (1, HIDDEN),
        "alone.weight": (1, 8),
    }
    found = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    for n in range(LAYERS):
        for part in ADAPTED:
            rows = INNER if part == "intermediate.dense" else WIDTH
            columns = INNER if part == "output.dense" else WIDTH
            found[f"{n}.{part}.down"] = random.normal(0, 0.2, (RANK, columns)).astype(np.float32)
            found[f"{n}.{part}.up"] = random.normal(0, 0.2, (rows, RANK)).astype(np.float32)
    found["mix"] = np.array([[0.3, 0.7]] * 3, np.float32)
    return found


def write_safetensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """Writes float tensors in the safetensors format."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name, array in tensors.items():
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(a.tobytes() for a in tensors.values()))


def states(tensors: dict[str, np.ndarray], ids: list[int], extra: np.ndarray) -> np.ndarray:
    """The last states of one text, step by step; ``extra`` is added to the embedded pieces."""
    w = {name: array.astype(np.float64) for name, array in tensors.items()}
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = _norm(x + w["embeddings.token_type_embeddings.weight"][0] + extra, w, "embeddings.LayerNorm")
    for n in range(LAYERS):
        name = f"encoder.layer.{n}"
        q, k, v = (
            _linear(x, w, f"{name}.attention.self.{p}").reshape(len(ids), HEADS, -1) for p in ("query", "key", "value")
        )
        heads = []
        for h in range(HEADS):
            scores = q[:, h] @ k[:, h].T / math.sqrt(WIDTH / HEADS)
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            heads.append(shares / shares.sum(axis=1, keepdims=True) @ v[:, h])
        mixed = _linear(np.concatenate(heads, axis=1), w, f"{name}.attention.output.dense")
        x = _norm(x + mixed, w, f"{name}.attention.output.LayerNorm")
        inner = _linear(x, w, f"{name}.intermediate.dense")
        inner = 0.5 * inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = _norm(x + _linear(inner, w, f"{name}.output.dense"), w, f"{name}.output.LayerNorm")
    return x


def _linear(x: np.ndarray, w: dict[str, np.ndarray], name: str) -> np.ndarray:
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _norm(x: np.ndarray, w: dict[str, np.ndarray], name: str) -> np.ndarray:
    x = x - x.mean(axis=1, keepdims=True)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * w[f"{name}.weight"] + w[f"{name}.bias"]
