"""The networks of a sequence-to-sequence model: classes of transformers, or the pointer-generator.

Both answer the same two questions: the probability of each next token, and the output for a source.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self, cast

import torch
import yaml
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModelForSeq2SeqLM, BartConfig, PegasusConfig, T5Config
from transformers.models.t5.modeling_t5 import T5LayerNorm
from transformers.utils import logging

from gistmill.core.model_files import load_network
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.seq2seq.config import DecodingConfig
from gistmill.training.seq2seq.pointer_generator import BeamSettings, PointerGenerator, PointerGeneratorConfig, search

logging.disable_progress_bar()  # a checkpoint writes a file or two, and the run shows its own progress
_ARCHITECTURES = {"t5": T5Config, "bart": BartConfig, "pegasus": PegasusConfig}
_POINTER = "pointer-generator"
_POINTER_CONFIG, _POINTER_WEIGHTS = "pointer_generator.json", "model.safetensors"
_MULTIPLE = 64  # sizes of matrices that tensor cores like


class FusedNorm(T5LayerNorm):
    """T5's norm as one operation instead of six, of which a step has thousands; maps that follow it share its output in
    the precision of autocast."""

    def forward(self, states: Tensor) -> Tensor:
        """Returns the states, divided by their root mean square, times the weights."""
        found = functional.rms_norm(states.float(), self.weight.shape, self.weight, self.variance_epsilon)
        kind = states.device.type
        return found.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else found


def fuse(module: nn.Module) -> None:
    """Makes a network faster that is trained on a GPU; it computes the same, except for rounding."""
    for part in module.modules():
        if type(part) is T5LayerNorm:
            part.__class__ = FusedNorm  # its weights and their names stay


class Transformer:
    """An encoder-decoder of transformers: BART, T5, PEGASUS or another."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.start: int = module.config.decoder_start_token_id

    @classmethod
    def pretrained(cls, name: str, attention: str) -> Self:
        """Returns the checkpoint of a folder or hub name.

        Raises:
            SettingsError: there is none, or it is not an encoder-decoder.
        """
        try:
            module = load_network(AutoModelForSeq2SeqLM, name, attn_implementation=attention, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise SettingsError(f"--model {name} cannot be loaded: {' '.join(str(error).split())[:300]}") from None
        if module.config.decoder_start_token_id is None:
            raise SettingsError(f"--model {name} does not specify the first token of its output")
        return cls(module)

    def logits(self, ids: Tensor, mask: Tensor, written: Tensor) -> tuple[Tensor, None]:
        """Returns the logits [rows, length, vocabulary] of the token after each of ``written``, and another loss of
        each token [rows, length] if the network has one."""
        found = self.module(input_ids=ids, attention_mask=mask, decoder_input_ids=written, use_cache=False)
        return cast(Tensor, found.logits), None

    def generate(self, ids: Tensor, mask: Tensor, decoding: DecodingConfig, longest: int) -> list[list[int]]:
        """Returns the output of each source, of at most ``longest`` tokens where ``decoding`` says nothing else."""
        given = {
            "min_new_tokens": decoding.min_tokens,
            "length_penalty": decoding.penalty,
            "no_repeat_ngram_size": decoding.no_repeat_ngram,
        }
        found = self.module.generate(
            input_ids=ids,
            attention_mask=mask,
            do_sample=False,
            num_beams=decoding.beams,
            max_new_tokens=decoding.max_tokens or longest,
            early_stopping=decoding.stopping if decoding.beams > 1 else None,
            **{key: value for key, value in given.items() if value is not None},
        )
        return [list(row[1:]) for row in found.tolist()]  # without the start token

    def save(self, folder: Path) -> None:
        """Writes what ``pretrained`` reads."""
        self.module.save_pretrained(folder)


class Pointer:
    """The pointer-generator."""

    def __init__(self, module: PointerGenerator, special: Mapping[str, int]) -> None:
        self.module: nn.Module = module
        self._network, self._special, self.start = module, dict(special), special["pad"]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Returns what ``save`` wrote."""
        described = json.loads((folder / _POINTER_CONFIG).read_text(encoding="utf-8"))
        network = PointerGenerator(PointerGeneratorConfig(**described["sizes"]))
        network.load_state_dict(load_file(folder / _POINTER_WEIGHTS))
        return cls(network, described["special"])

    def logits(self, ids: Tensor, mask: Tensor, written: Tensor) -> tuple[Tensor, Tensor | None]:
        """The other loss is that of coverage."""
        chances, repeated = self.module(ids, mask, written)
        weight = self._network.config.coverage
        return chances, weight * repeated if weight else None

    def generate(self, ids: Tensor, mask: Tensor, decoding: DecodingConfig, longest: int) -> list[list[int]]:
        settings = BeamSettings(
            beams=decoding.beams,
            min_tokens=decoding.min_tokens or 0,
            max_tokens=decoding.max_tokens or longest,
            length_penalty=1.0 if decoding.penalty is None else decoding.penalty,
            no_repeat_ngram=decoding.no_repeat_ngram or 0,
            early_stopping=decoding.stopping,
            start=self.start,
            end=self._special["end"],
        )
        return search(self._network, ids, mask, settings)

    def save(self, folder: Path) -> None:
        """Writes what ``load`` reads."""
        described = {"sizes": asdict(self._network.config), "special": self._special}
        (folder / _POINTER_CONFIG).write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
        save_file(self._network.state_dict(), folder / _POINTER_WEIGHTS)


Network = Transformer | Pointer  # reads a source and writes a target; ids are padded on the right


def read_sizes(file: Path) -> dict[str, Any]:
    """Returns the architecture and sizes of a model that is trained from scratch.

    Raises:
        SettingsError: the file is not such a description.
    """
    try:
        sizes = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"--model {file}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"--model {file} is not YAML: {' '.join(str(error).split())}") from None
    known = (*_ARCHITECTURES, _POINTER)
    if not isinstance(sizes, dict) or sizes.get("architecture") not in known:
        raise SettingsError(f"--model {file}: needs `architecture`, one of {', '.join(known)}")
    return sizes


def fresh(sizes: Mapping[str, Any], vocabulary: int, special: Mapping[str, int], attention: str) -> Network:
    """Returns a network with random weights, of torch's generator, for sizes that ``read_sizes`` gave.

    Raises:
        SettingsError: there is no such size, or sizes do not go together.
    """
    architecture, given = sizes["architecture"], {key: value for key, value in sizes.items() if key != "architecture"}
    try:
        if architecture == _POINTER:
            return Pointer(PointerGenerator(PointerGeneratorConfig(vocabulary=vocabulary, **given)), special)
        # the sizes, if the architecture has them all: transformers takes any name and ignores it
        known = _ARCHITECTURES[architecture]().to_dict()
        for name in given:
            if name not in known:
                raise ValueError(f"{architecture} has no {name!r}")
        config = _ARCHITECTURES[architecture](
            vocab_size=-(-vocabulary // _MULTIPLE) * _MULTIPLE,
            pad_token_id=special["pad"],
            eos_token_id=special["end"],
            bos_token_id=None,
            decoder_start_token_id=special["pad"],
            forced_eos_token_id=None,
            **given,
        )
        module = AutoModelForSeq2SeqLM.from_config(config, attn_implementation=attention, dtype=torch.float32)
        return Transformer(module)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"--model: {' '.join(str(error).split())}") from None


def loaded(folder: Path, attention: str) -> Network:
    """Returns the network that was saved in a folder.

    Raises:
        TrainingError: it is not there, or not complete.
    """
    try:
        if (folder / _POINTER_CONFIG).exists():
            return Pointer.load(folder)
        return Transformer.pretrained(str(folder), attention)
    except (SettingsError, SafetensorError, OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{folder} does not contain a complete model: {' '.join(str(error).split())[:300]}"
        ) from None
