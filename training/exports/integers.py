"""Quantises the linear maps of an ONNX graph: weights of 8 bits with a scale for each block of inputs.

The operator is onnxruntime's MatMulNBits. It also rounds the activations to 8 bits, with a scale for each block of each
token, so that a few large channels do not spoil the others: outputs stay much closer to the original's than with one
scale for each matrix.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

_BLOCK = 16
_DOMAIN, _BITS, _MIDDLE = "com.microsoft", 8, 128
_ACCURACY = 4  # of MatMulNBits: activations are rounded to 8 bits


def quantise(model: onnx.ModelProto, *, keep: Container[int] = (), block: int = _BLOCK) -> onnx.ModelProto:
    """Replaces the products with constant matrices; the graph is changed in place and returned.

    Args:
        model: a graph whose linear maps are MatMul nodes with a float32 initializer of shape (inputs, outputs).
        keep: numbers, in the order of the graph, of the products that stay as they are.
        block: how many inputs share a scale.
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
        tensors = _blocks(numpy_helper.to_array(matrix), name, block)
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
                block_size=block,
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


def _blocks(matrix: np.ndarray, name: str, block: int) -> list[TensorProto]:
    """The matrix as MatMulNBits has it: bytes of shape (outputs, blocks, block) and scales (outputs * blocks,)."""
    inputs, outputs = matrix.shape
    count = -(-inputs // block)
    padded = np.zeros((outputs, count * block), np.float32)
    padded[:, :inputs] = matrix.T
    parts = padded.reshape(outputs, count, block)
    scales = np.maximum(np.abs(parts).max(axis=2, keepdims=True) / 127, 1e-12).astype(np.float32)
    whole = np.rint(parts / scales) + _MIDDLE
    return [
        numpy_helper.from_array(whole.astype(np.uint8), f"{name}.integers"),
        numpy_helper.from_array(scales.reshape(-1), f"{name}.scales"),
    ]
