"""The encoder of a tagger as an ONNX graph of 8-bit linear maps."""

from __future__ import annotations

import copy
import io
import warnings

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from gistmill.training.exports.integers import quantise
from gistmill.training.tagger.encoder import MAPS, Encoder, LowRank

# Layers that are not rounded, from the beginning and from the end: their errors change most outputs.
_FIRST, _LAST = 1, 2
_INPUTS = ("ids", "types", "codes", "places")


class _OneRow(nn.Module):
    """The encoder for a row without padding."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(
        self, ids: torch.Tensor, types: torch.Tensor, codes: torch.Tensor, places: torch.Tensor
    ) -> torch.Tensor:
        states: torch.Tensor = self.encoder(ids, types, codes, torch.ones_like(ids, dtype=torch.bool), places)
        return states


def merged(encoder: Encoder) -> Encoder:
    """Returns a copy on the CPU whose low-rank additions are added to the maps."""
    found = copy.deepcopy(encoder).cpu().float().eval()
    for layer in found.bert.encoder.layer:
        for name in MAPS:
            parent, _, leaf = name.rpartition(".")
            owner = layer.get_submodule(parent)
            part = getattr(owner, leaf)
            if isinstance(part, LowRank):
                part.base.weight.data += part.scale * part.up.data @ part.down.data
                setattr(owner, leaf, part.base)
    return found


def encoder_graph(encoder: Encoder, *, quantised: bool = True) -> bytes:
    """Returns the serialised graph; its inputs and outputs are those that ``tagger`` describes.

    Args:
        encoder: the encoder.
        quantised: whether the linear maps have 8 bits, but for those of the first and
            the last layers, and the tables of pieces 16.
    """
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
    if quantised:
        layers, maps = len(plain.encoder.bert.encoder.layer), len(MAPS)
        inner = range(_FIRST * maps, (layers - _LAST) * maps)
        model = _halved_tables(quantise(model, keep={n for n in range(layers * maps) if n not in inner}))
    serialised: bytes = model.SerializeToString()
    return serialised


def _halved_tables(model: onnx.ModelProto) -> onnx.ModelProto:
    """Stores the tables that rows are looked up in at half precision."""
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
