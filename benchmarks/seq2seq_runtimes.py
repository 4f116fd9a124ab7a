"""How fast a sequence-to-sequence model writes on one core: PyTorch, ONNX Runtime and CTranslate2.

    python -m benchmarks.seq2seq_runtimes [--model t5-small] [--sources 16] [--source-tokens 256] [--tokens 48]

The model has the sizes of a preset of T5 and random weights; sources are of one length, so none is padded. Each runtime
writes greedily, the same number of tokens, in floating point and with 8-bit weights, one source at a time and eight at
once. The graphs for ONNX Runtime are made here: one reads the source, one writes a token with the keys and values of
those before it. Their 8-bit maps are those of an exported tagger (training/exports/integers.py). Rates are the best of
--rounds rounds in processor time, taken in turn. "Equal" is the share of tokens that PyTorch writes too, in each output
up to the first that differs; outputs of random weights differ soon. Beam search is CTranslate2's: these graphs have
none. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
import onnx
import onnxruntime
import torch
from torch import Tensor, nn
from transformers.cache_utils import DynamicCache, EncoderDecoderCache

from benchmarks.measuring import in_turn, machine, table, timed
from gistmill.training.exports.integers import quantise
from gistmill.training.exports.seq2seq import export_seq2seq
from gistmill.training.seq2seq import tokenizer as tokenizers
from gistmill.training.seq2seq.config import DecodingConfig, Seq2SeqConfig, sizes_file
from gistmill.training.seq2seq.networks import fresh, read_sizes
from gistmill.training.seq2seq.task import Seq2Seq

PIECES = 32_000
BATCHES = (1, 8)
BEAMS = 4
Sources = Sequence[list[int]]
Write = Callable[[Sources], list[list[int]]]


def made(model: str) -> Seq2Seq:
    """Returns a model of random weights, and a tokenizer of random words."""
    chance = random.Random(0)
    words = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(60_000))
    tokenizer = tokenizers.trained(words, PIECES)
    file = sizes_file(model)
    if file is None:
        raise SystemExit(f"--model {model}: there is no such preset")
    torch.manual_seed(0)
    special = {"pad": tokenizer.pad_token_id, "end": tokenizer.eos_token_id}
    network = fresh(read_sizes(file), len(tokenizer), special, "sdpa")
    network.module.eval()
    with torch.no_grad():
        for name, parameter in network.module.named_parameters():
            if parameter.ndim > 1 and "shared" not in name:
                parameter.mul_(3)  # or every output would be one token again and again
    return Seq2Seq(network, tokenizer, Seq2SeqConfig(model=model), DecodingConfig(beams=1))


class _Reader(nn.Module):
    """Reads a source; returns the keys and values of the decoder's attention to it, layer by layer."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.encoder, self.blocks = model.encoder, model.decoder.block

    def forward(self, ids: Tensor) -> tuple[Tensor, ...]:
        states = self.encoder(input_ids=ids).last_hidden_state
        found = []
        for block in self.blocks:
            attention = block.layer[1].EncDecAttention
            shape = (*states.shape[:-1], -1, attention.key_value_proj_dim)
            found += [part(states).view(shape).transpose(1, 2) for part in (attention.k, attention.v)]
        return tuple(found)


class _Writer(nn.Module):
    """Takes a token, and the keys and values of the tokens before it and of the source; returns the next token and the
    keys and values with this one's."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model, self.layers = model, len(model.decoder.block)

    def forward(self, token: Tensor, *known: Tensor) -> tuple[Tensor, ...]:
        own, read = known[: 2 * self.layers], known[2 * self.layers :]
        cache = EncoderDecoderCache(DynamicCache(_pairs(own)), DynamicCache(_pairs(read)))
        found = self.model.decoder(
            input_ids=token, encoder_hidden_states=read[0].transpose(1, 2).flatten(2), past_key_values=cache
        )
        hidden = found.last_hidden_state
        if getattr(self.model.config, "scale_decoder_outputs", self.model.config.tie_word_embeddings):
            hidden = hidden * self.model.model_dim**-0.5
        more = [part for layer in cache.self_attention_cache.layers for part in (layer.keys, layer.values)]
        return (self.model.lm_head(hidden[:, -1]).argmax(-1, keepdim=True), *more)


def _pairs(parts: Sequence[Tensor]) -> list[tuple[Tensor, Tensor]]:
    return [(parts[n], parts[n + 1]) for n in range(0, len(parts), 2)]


class OnnxModel:
    """The model as two graphs of ONNX Runtime on one thread of the processor."""

    def __init__(self, task: Seq2Seq, *, quantised: bool) -> None:
        model: Any = task.module
        self._start = task.network.start
        config = model.config
        self._empty = (config.num_heads, 0, config.d_kv)
        self._layers = config.num_decoder_layers
        ids = torch.ones(2, 9, dtype=torch.long)
        reader = _Reader(model)
        with torch.no_grad():
            read = reader(ids)
        own = [torch.zeros(2, config.num_heads, 3, config.d_kv) for _ in range(2 * self._layers)]
        names = [f"own_{n}" for n in range(len(own))], [f"read_{n}" for n in range(len(own))]
        axes = [{name: {0: "rows", 2: length} for name in group} for group, length in zip(names, ("before", "source"))]
        outputs = [f"next_{n}" for n in range(len(own))]
        more = {name: {0: "rows", 2: "now"} for name in outputs}
        self._reader = _session(
            reader, (ids,), ["ids"], names[1], {"ids": {0: "rows", 1: "source"}, **axes[1]}, quantised
        )
        self._writer = _session(
            _Writer(model),
            (torch.ones(2, 1, dtype=torch.long), *own, *read),
            ["token", *names[0], *names[1]],
            ["chosen", *outputs],
            {"token": {0: "rows"}, **axes[0], **axes[1], **more},
            quantised,
        )

    def write(self, sources: Sources, *, tokens: int) -> list[list[int]]:
        """Returns so many tokens for each of some sources of one length."""
        rows = len(sources)
        read = self._reader.run(None, {"ids": np.array(sources, np.int64)})
        token = np.full((rows, 1), self._start, np.int64)
        own = [np.zeros((rows, *self._empty), np.float32)] * (2 * self._layers)
        written = []
        fixed = {f"read_{n}": part for n, part in enumerate(read)}
        for _ in range(tokens):
            token, *own = self._writer.run(
                None, {"token": token, **{f"own_{n}": part for n, part in enumerate(own)}, **fixed}
            )
            written.append(token[:, 0])
        return [list(map(int, row)) for row in np.stack(written, axis=1)]


def _session(
    module: nn.Module,
    example: tuple[Tensor, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    axes: dict[str, dict[int, str]],
    quantised: bool,
) -> onnxruntime.InferenceSession:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = f"{folder}/model.onnx"
        torch.onnx.export(
            module.eval(),
            example,
            path,
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            dynamo=False,
        )
        model = onnx.load(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    graph = (quantise(model) if quantised else model).SerializeToString()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def by_torch(task: Seq2Seq, sources: Sources, *, tokens: int) -> list[list[int]]:
    """Returns what PyTorch writes."""
    ids = torch.tensor(sources)
    decoding = replace(task.decoding, min_tokens=tokens, max_tokens=tokens)
    return task.network.generate(ids, torch.ones_like(ids), decoding, tokens)


def by_ctranslate2(
    task: Seq2Seq, translator: ctranslate2.Translator, sources: Sources, *, tokens: int, beams: int = 1
) -> list[list[int]]:
    """Returns what CTranslate2 writes."""
    names = task.tokenizer.convert_ids_to_tokens
    found = translator.translate_batch(
        [names(source) for source in sources],
        beam_size=beams,
        min_decoding_length=tokens,
        max_decoding_length=tokens,
        max_input_length=0,
    )
    return [task.tokenizer.convert_tokens_to_ids(result.hypotheses[0]) for result in found]


def runtimes(task: Seq2Seq, folder: Path, tokens: int) -> dict[str, Write]:
    """Returns what is measured, by name; PyTorch is the first."""
    found: dict[str, Write] = {"PyTorch, float32": partial(by_torch, task, tokens=tokens)}
    for name, quantised in (("float32", False), ("int8", True)):
        model = OnnxModel(task, quantised=quantised)
        found[f"ONNX Runtime, {name}"] = partial(model.write, tokens=tokens)
    for name in ("float32", "int8"):
        place = folder / name
        place.mkdir()
        export_seq2seq(task, place, quantization=name)
        loaded = ctranslate2.Translator(str(place), device="cpu", inter_threads=1, intra_threads=1)
        found[f"CTranslate2, {name}"] = partial(by_ctranslate2, task, loaded, tokens=tokens)
    found[f"CTranslate2, int8, {BEAMS} beams"] = partial(by_ctranslate2, task, loaded, tokens=tokens, beams=BEAMS)
    return found


def in_batches(write: Write, sources: Sources, size: int) -> list[list[int]]:
    """Returns what is written, so many sources at once."""
    return [row for n in range(0, len(sources), size) for row in write(sources[n : n + size])]


def seconds_of(write: Write, sources: Sources, size: int) -> float:
    """Returns the processor time of ``in_batches``."""
    return timed(lambda: in_batches(write, sources, size), clock=time.process_time)


def shared(found: Sequence[list[int]], wanted: Sequence[list[int]]) -> float:
    """Returns the share of the wanted tokens that are found, in each row up to the first that differs."""
    same = sum(
        next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), len(other))
        for one, other in zip(found, wanted, strict=True)
    )
    return same / sum(map(len, wanted))


def main(argv: list[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="t5-small")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--source-tokens", type=int, default=256)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    task = made(options.model)
    chance = np.random.default_rng(0)
    end = task.tokenizer.eos_token_id
    ids = chance.integers(300, len(task.tokenizer), (options.sources, options.source_tokens - 1))
    sources = [[*map(int, row), end] for row in ids]
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        found = runtimes(task, Path(folder), options.tokens)
        wanted = in_batches(next(iter(found.values())), sources, BATCHES[-1])
        for name, write in found.items():  # which also warms it up
            figures[name] = {"equal": shared(in_batches(write, sources, BATCHES[-1]), wanted)}
        for size in BATCHES:
            runs = {name: partial(seconds_of, write, sources, size) for name, write in found.items()}
            for name, seconds in in_turn(runs, times=options.rounds).items():
                figures[name][f"batch {size}"] = options.sources * options.tokens / min(seconds)
    print(machine(("torch", "onnxruntime", "ctranslate2")))
    head = ["", *(f"tokens/s, batch {size}" for size in BATCHES), "equal"]
    rows = [
        [name, *(f"{each[f'batch {size}']:.0f}" for size in BATCHES), f"{each['equal']:.1%}"]
        for name, each in figures.items()
    ]
    print(table(head, rows))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
