"""Export of taggers to a format that runs without torch.

``rules/fusion/codec.py`` describes the folder. An encoder trained with low-rank updates can be exported as these small
updates, which require the encoder's package to run. Otherwise, the encoder is exported as ``encoder.onnx``. Its inputs
are those of one row, int64: ``ids``, ``types`` and ``codes`` of shape (1, pieces) and ``places`` of shape (1, places).
It returns ``states`` of shape (1, places, width), float32.

The graph's linear maps are stored in 8 bits and computed by onnxruntime's MatMulNBits, which also rounds activations to
8 bits, with one scale per block of each token. Outputs stay much closer to the original's than with one scale per
matrix, because a few large channels do not degrade the others.
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import warnings
from collections.abc import Container
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import nn

from gistmill.rules.fusion.codec import ARRAYS, FORMAT, LABELS, ONNX, TOKENIZER
from gistmill.rules.fusion.decode import PRIOR
from gistmill.training.errors import SettingsError
from gistmill.training.tagger.config import DEFAULT_ENCODER
from gistmill.training.tagger.network import MAPS, Encoder, LowRank
from gistmill.training.tagger.pretrained import location
from gistmill.training.tagger.task import Tagger


def export_tagger(task: Tagger, folder: Path, *, whole: bool = False) -> None:
    """Writes a tagger to an existing empty folder; the same tagger gives the same bytes.

    Args:
        task: the tagger.
        folder: the output folder.
        whole: whether to write the encoder even if it was trained with low-rank updates.

    Raises:
        SettingsError: only the low-rank updates should be written, but their encoder is not the default one.
    """
    small = task.config.rank is not None and not whole
    if small and task.config.encoder != DEFAULT_ENCODER:
        raise SettingsError(
            f"--no-with-encoder can be used only with the encoder {DEFAULT_ENCODER}, not {task.config.encoder}"
        )
    arrays: dict[str, npt.NDArray[Any]] = task.network.heads.numpy()
    if small:
        arrays |= additions(task)
    else:
        (folder / ONNX).write_bytes(encoder_graph(task.network.encoder))
        (folder / TOKENIZER).write_text(task.pieces.tokenizer.to_str(), encoding="utf-8")
    np.savez_compressed(
        folder / ARRAYS,
        allow_pickle=False,
        **{name: array.astype(np.float16) for name, array in sorted(arrays.items())},
    )
    base = None
    if small:
        with (Path(location(DEFAULT_ENCODER)) / "model.safetensors").open("rb") as file:
            base = {"name": DEFAULT_ENCODER, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    described = {
        "format": FORMAT,
        "encoder": base,
        "longest": task.codec.longest,
        PRIOR: task.prior,
        **task.labels.to_values(),
    }
    text = json.dumps(described, indent=1, ensure_ascii=False)
    (folder / LABELS).write_text(text + "\n", encoding="utf-8")


def additions(task: Tagger) -> dict[str, npt.NDArray[Any]]:
    """Returns the encoder's low-rank updates and its code embeddings, by their names in the folder."""
    encoder = task.network.encoder
    found = {"codes": encoder.codes.weight.detach().float().cpu().numpy()}
    for number, (layer, name) in enumerate(encoder.maps()):
        part = layer.get_submodule(name)
        assert isinstance(part, LowRank)
        place = f"{number // len(MAPS)}.{name}"
        found[f"{place}.down"] = part.down.detach().float().cpu().numpy()
        found[f"{place}.up"] = (part.up.detach() * part.scale).float().cpu().numpy()
    return found


_BLOCK = 16  # number of matrix inputs that share a scale
_DOMAIN, _BITS, _MIDDLE = "com.microsoft", 8, 128
_ACCURACY = 4  # accuracy level of MatMulNBits: activations are rounded to 8 bits


def quantise(model: onnx.ModelProto, *, keep: Container[int] = ()) -> onnx.ModelProto:
    """Quantises the graph's linear maps to 8 bits in place, and returns the graph.

    Args:
        model: a graph whose linear maps are MatMul nodes with a float32 initializer of shape (inputs, outputs).
        keep: the numbers of linear maps, in graph order, to leave unchanged.
    """
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    used = [name for node in graph.node for name in node.input]
    replaced: list[NodeProto] = []
    number = -1
    for node in graph.node:
        matrix = constants.get(node.input[1]) if node.op_type == "MatMul" else None
        is_map = matrix is not None and len(matrix.dims) == 2
        number += is_map
        if matrix is None or not is_map or number in keep:
            replaced.append(node)
            continue
        name = node.output[0]
        tensors = _blocks(numpy_helper.to_array(matrix), name)
        graph.initializer.extend(tensors)
        replaced.append(
            helper.make_node(
                "MatMulNBits",
                [node.input[0], *(t.name for t in tensors)],
                [name],
                name=node.name,
                domain=_DOMAIN,
                K=matrix.dims[0],
                N=matrix.dims[1],
                bits=_BITS,
                block_size=_BLOCK,
                accuracy_level=_ACCURACY,
            )
        )
        used.remove(matrix.name)
        if matrix.name not in used:
            graph.initializer.remove(matrix)
    del graph.node[:]
    graph.node.extend(replaced)
    if _DOMAIN not in [opset.domain for opset in model.opset_import]:
        model.opset_import.append(helper.make_opsetid(_DOMAIN, 1))
    return model


def _blocks(matrix: np.ndarray, name: str) -> list[TensorProto]:
    """Returns MatMulNBits's tensors for a matrix: bytes (outputs, blocks, block) and scales (outputs * blocks,)."""
    inputs, outputs = matrix.shape
    count = -(-inputs // _BLOCK)
    padded = np.zeros((outputs, count * _BLOCK), np.float32)
    padded[:, :inputs] = matrix.T
    parts = padded.reshape(outputs, count, _BLOCK)
    scales = np.maximum(np.abs(parts).max(axis=2, keepdims=True) / 127, 1e-12).astype(np.float32)
    whole = np.rint(parts / scales) + _MIDDLE
    return [
        numpy_helper.from_array(whole.astype(np.uint8), f"{name}.integers"),
        numpy_helper.from_array(scales.reshape(-1), f"{name}.scales"),
    ]


# Number of layers at the start and the end that are not rounded, because their errors affect outputs the most.
_FIRST, _LAST = 1, 2
_INPUTS = ("ids", "types", "codes", "places")


class _OneRow(nn.Module):
    """The encoder for a single row without padding."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(
        self, ids: torch.Tensor, types: torch.Tensor, codes: torch.Tensor, places: torch.Tensor
    ) -> torch.Tensor:
        states: torch.Tensor = self.encoder(ids, types, codes, torch.ones_like(ids, dtype=torch.bool), places)
        return states


def merged(encoder: Encoder) -> Encoder:
    """Returns a copy of the encoder on the CPU, with the low-rank updates added to the linear maps."""
    found = copy.deepcopy(encoder).cpu().float().eval()
    for layer, name in found.maps():
        part = layer.get_submodule(name)
        if isinstance(part, LowRank):
            part.base.weight.data += part.scale * part.up.data @ part.down.data
            layer.set_submodule(name, part.base)
    return found


def encoder_graph(encoder: Encoder) -> bytes:
    """Returns the serialised graph. The first layer's and the last two layers' maps keep 32 bits, embeddings 16."""
    plain = _OneRow(merged(encoder)).eval()
    plain.encoder.bert.config._attn_implementation = "eager"
    ids = torch.ones(1, 9, dtype=torch.long)
    zeros = torch.zeros_like(ids)
    places = torch.arange(5).unsqueeze(0)
    axes = {name: {1: "places" if name == "places" else "pieces"} for name in _INPUTS}
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            plain,
            (ids, zeros, zeros, places),
            buffer,
            input_names=list(_INPUTS),
            output_names=["states"],
            dynamic_axes={**axes, "states": {1: "places"}},
            dynamo=False,
        )
    model = onnx.load_from_string(buffer.getvalue())
    model.producer_version = ""
    layers, maps = len(plain.encoder.bert.encoder.layer), len(MAPS)
    inner = range(_FIRST * maps, (layers - _LAST) * maps)
    model = _halved_tables(quantise(model, keep={n for n in range(layers * maps) if n not in inner}))
    serialised: bytes = model.SerializeToString()
    return serialised


def _halved_tables(model: onnx.ModelProto) -> onnx.ModelProto:
    """Stores the embedding tables at half precision."""
    graph = model.graph
    tables = {t.name: t for t in graph.initializer if t.data_type == TensorProto.FLOAT and len(t.dims) == 2}
    nodes = []
    for node in graph.node:
        nodes.append(node)
        table = tables.get(node.input[0]) if node.op_type == "Gather" else None
        if table is not None:
            table.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(table).astype(np.float16), table.name))
            output = node.output[0]
            node.output[0] = f"{output}.half"
            nodes.append(helper.make_node("Cast", [f"{output}.half"], [output], to=TensorProto.FLOAT))
            del tables[node.input[0]]
    del graph.node[:]
    graph.node.extend(nodes)
    return model
