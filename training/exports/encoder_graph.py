"""The encoder of a tagger as an ONNX graph of 8-bit linear maps.

The operator is onnxruntime's MatMulNBits. It also rounds the activations to 8 bits, with a scale for each block of each
token, so that a few large channels do not spoil the others: outputs stay much closer to the original's than with one
scale for each matrix.

Writes a sequence-to-sequence model for CTranslate2, and reads it back to compare.

The folder holds what ``ctranslate2.Translator`` loads (model.bin, config.json, the vocabulary), the tokenizer, and
export.json: how sources are made and outputs are decoded. serving/opening.py runs it without torch.
"""

from __future__ import annotations

import copy
import io
import json
import tempfile
import warnings
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
import onnx
import torch
from ctranslate2.converters import TransformersConverter
from onnx import NodeProto, TensorProto, helper, numpy_helper
from torch import nn

from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.kinds import save_task
from gistmill.training.seq2seq.config import POWER
from gistmill.training.seq2seq.networks import Transformer
from gistmill.training.seq2seq.task import Seq2Seq
from gistmill.training.seq2seq.tokenizer import read
from gistmill.training.tagger.network import MAPS, Encoder, LowRank
from gistmill.training.task import Row

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


EXPORT = "export.json"
# Where the norms of a layer are, which the converter looks up and newer versions of transformers no longer say:
# (before the layer, after the embeddings).
_NORMS = {"BartConfig": (False, True), "PegasusConfig": (True, False)}


class _Converter(TransformersConverter):
    """The package's converter, for newer versions of transformers and for embeddings beyond the vocabulary."""

    def load_model(self, model_class: Any, name: str, **options: Any) -> Any:
        model = super().load_model(model_class, name, **options)
        norms = _NORMS.get(type(model.config).__name__, ())
        for key, value in zip(("normalize_before", "normalize_embedding"), norms, strict=False):
            if not hasattr(model.config, key):
                setattr(model.config, key, value)
        self._pieces = model.config.vocab_size
        return model

    def load_tokenizer(self, tokenizer_class: Any, name: str, **options: Any) -> Any:
        tokenizer = super().load_tokenizer(tokenizer_class, name, **options)
        # the embeddings are padded to a size that GPUs like; the padding needs names, and the beginning a token
        tokenizer.add_tokens([f"<unused {n}>" for n in range(self._pieces - len(tokenizer))])
        tokenizer.bos_token = tokenizer.bos_token or tokenizer.pad_token
        return tokenizer


def export_seq2seq(task: Seq2Seq, folder: Path, *, quantization: str) -> None:
    """Writes a model into an existing empty folder.

    Args:
        task: the model.
        folder: where to.
        quantization: a number format of CTranslate2, such as int8.

    Raises:
        SettingsError: CTranslate2 has no such architecture.
    """
    if not isinstance(task.network, Transformer):
        raise SettingsError("CTranslate2 has no pointer-generator; BART, T5 and PEGASUS can be exported")
    if task.decoding.length_penalty_kind != POWER:
        raise SettingsError(f"CTranslate2 divides by a power of the length, not as {task.decoding.length_penalty_kind}")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as original:
        save_task(task, Path(original))
        try:
            _Converter(original).convert(str(folder), quantization=quantization, force=True)
        except ValueError as error:
            raise SettingsError(f"the model cannot be exported: {' '.join(str(error).split())[:300]}") from None
    task.tokenizer.save_pretrained(folder)
    decoding = task.decoding
    # the token with which every output begins, where the checkpoint says so, as BART's for summaries do
    forced = getattr(task.module.generation_config, "forced_bos_token_id", None)
    described = {
        "quantization": quantization,
        "prefix": task.config.prefix,
        "source_column": task.config.source_column,
        "max_source": task.config.max_source,
        "decoding": {
            "beam_size": decoding.beams,
            "min_decoding_length": decoding.min_tokens or 1,
            "max_decoding_length": decoding.max_tokens or task.config.max_target,
            "length_penalty": 1.0 if decoding.length_penalty is None else decoding.length_penalty,
            "no_repeat_ngram_size": decoding.no_repeat_ngram or 0,
        },
        "first_token": None if forced is None else str(task.tokenizer.convert_ids_to_tokens(forced)),
        "end_token": task.tokenizer.eos_token,
        "tidies": _tidies(task.tokenizer),
    }
    (folder / EXPORT).write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def _tidies(tokenizer: Any) -> bool:
    """Returns whether transformers takes spaces before marks out of what this tokenizer decodes."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    by_pairs = type(getattr(backend, "model", None)).__name__ == "BPE"
    return bool(tokenizer.clean_up_tokenization_spaces) and not by_pairs


class Exported:
    """A model that was exported, run by CTranslate2 on one thread of the processor.

    Args:
        folder: where ``export_seq2seq`` wrote it.

    Raises:
        TrainingError: it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._described = json.loads((folder / EXPORT).read_text(encoding="utf-8"))
            self._tokenizer = read(str(folder))
            self._translator = ctranslate2.Translator(str(folder), device="cpu", inter_threads=1, intra_threads=1)
        except (OSError, ValueError, RuntimeError, SettingsError) as error:
            raise TrainingError(f"{folder} is not an exported model: {' '.join(str(error).split())[:300]}") from None

    def predict(self, rows: Sequence[Row]) -> list[str]:
        """Returns the outputs for rows, as ``Seq2Seq.predict`` does."""
        column, prefix = self._described["source_column"], self._described["prefix"] or ""
        sources = [self._pieces(prefix + row[column]) for row in rows]
        first = self._described["first_token"]
        found = self._translator.translate_batch(
            sources,
            target_prefix=[[first]] * len(rows) if first else None,
            max_batch_size=32,
            **self._described["decoding"],
        )
        ids = [self._tokenizer.convert_tokens_to_ids(result.hypotheses[0]) for result in found]
        return [str(self._tokenizer.decode(each, skip_special_tokens=True)) for each in ids]

    def _pieces(self, text: str) -> list[str]:
        ids = list(self._tokenizer(text, verbose=False)["input_ids"])
        if len(ids) > self._described["max_source"]:
            ids = [*ids[: self._described["max_source"] - 1], self._tokenizer.eos_token_id]
        return list(self._tokenizer.convert_ids_to_tokens(ids))
