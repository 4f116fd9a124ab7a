"""The ONNX graph of a BERT encoder's layers.

Its inputs are ``embedded`` (words x width) and ``needed`` (the positions whose final states are requested); its output
is ``states`` (needed x width). Each window is encoded alone and never padded, so its states do not depend on others.

Linear maps multiply integers: 7-bit weights with a scale per column (two products of 8 and 7 bits fit the 16-bit sums
of processors without VNNI, so results are the same everywhere) and 8-bit activations with a scale per window. A few
activation channels are ten times as large as the others and would dominate that scale; these ``outliers`` are
multiplied separately, in floating point, which reduces the error by two thirds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper, numpy_helper

OPSET, CONTRIB = 17, "com.microsoft"
_IR = 8
LAYERS = "encoder.layer"
_LARGEST = 63

FloatArray = npt.NDArray[np.float32]


class GraphBuilder:
    """Builds the graph of an encoder.

    Args:
        weights: the encoder's tensors by their names in a BERT checkpoint, float32.
        heads: number of attention heads.
        epsilon: epsilon of the layer normalisations.
        quantised: whether linear maps multiply integers; False uses floats, to measure the effect of rounding.
        outliers: channels to multiply in floating point, by layer and group (``0.intermediate.dense``); arrays of
            shape (channels,), any integer dtype.
    """

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
        self._count = 0

    def graph(self, layers: int) -> bytes:
        """Returns the serialised graph of the first ``layers`` layers."""
        x = self._node("Unsqueeze", ["embedded", self._constant("axis", np.array([0], np.int64))])
        for n in range(layers):
            x = self._layer(f"{LAYERS}.{n}", x, last=n == layers - 1)
        self._node("Squeeze", [x, "axis"], output="states")
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [
                helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["words", self._width]),
                helper.make_tensor_value_info("needed", TensorProto.INT64, ["positions"]),
            ],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["positions", self._width])],
            self._constants,
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
        mixed = self._node("MultiHeadAttention", parts, domain=CONTRIB, num_heads=self._heads)
        x = self._joined(x, mixed, f"{attention}.output")
        inner = self._linear(x, f"{name}.intermediate.dense", bias=False)
        inner = self._node("BiasGelu", [inner, self._weight(f"{name}.intermediate.dense.bias")], domain=CONTRIB)
        return self._joined(x, inner, f"{name}.output")

    def _joined(self, x: str, branch: str, name: str) -> str:
        """Applies a linear map to the branch, adds the result to ``x`` and normalises the sum."""
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
        # ``x`` without the channels, and the channels; shared by all maps of the same input
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
