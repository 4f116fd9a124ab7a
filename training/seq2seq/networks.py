"""Sequence-to-sequence networks: transformers models and the pointer-generator, with a common interface."""

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

logging.disable_progress_bar()  # the run shows its own progress
_ARCHITECTURES = {"t5": T5Config, "bart": BartConfig, "pegasus": PegasusConfig}
_POINTER = "pointer-generator"
_POINTER_CONFIG, _POINTER_WEIGHTS = "pointer_generator.json", "model.safetensors"
_MULTIPLE = 64  # tensor cores are faster with matrix sizes that are multiples of this


class FusedNorm(T5LayerNorm):
    """T5's norm as a single operation, which converts its output to autocast's precision once for all uses."""

    def forward(self, states: Tensor) -> Tensor:
        """Returns the states divided by their root mean square and multiplied by the weights."""
        found = functional.rms_norm(states.float(), self.weight.shape, self.weight, self.variance_epsilon)
        kind = states.device.type
        return found.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else found


def fuse(module: nn.Module) -> None:
    """Speeds up a network on a GPU; outputs change only by rounding."""
    for part in module.modules():
        if type(part) is T5LayerNorm:
            part.__class__ = FusedNorm  # keeps the weights and their names


class Transformer:
    """A transformers encoder-decoder, such as BART, T5 or PEGASUS."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.start: int = module.config.decoder_start_token_id

    @classmethod
    def pretrained(cls, name: str, attention: str) -> Self:
        """Loads a checkpoint from a folder or hub name.

        Raises:
            SettingsError: there is no checkpoint, or it is not an encoder-decoder.
        """
        try:
            module = load_network(AutoModelForSeq2SeqLM, name, attn_implementation=attention, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise SettingsError(f"--model {name} cannot be loaded: {' '.join(str(error).split())[:300]}") from None
        if module.config.decoder_start_token_id is None:
            raise SettingsError(f"--model {name}: decoder_start_token_id is missing from its configuration")
        return cls(module)

    def logits(self, ids: Tensor, mask: Tensor, written: Tensor) -> tuple[Tensor, None]:
        """Returns next-token logits [rows, length, vocabulary], and None in place of an additional loss per token."""
        found = self.module(input_ids=ids, attention_mask=mask, decoder_input_ids=written, use_cache=False)
        return cast(Tensor, found.logits), None

    def generate(self, ids: Tensor, mask: Tensor, decoding: DecodingConfig, longest: int) -> list[list[int]]:
        """Returns the output for each source, with at most ``longest`` tokens if ``decoding`` sets no maximum."""
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
        """Writes a checkpoint that ``pretrained`` can load."""
        self.module.save_pretrained(folder)


class Pointer:
    """The pointer-generator."""

    def __init__(self, module: PointerGenerator, special: Mapping[str, int]) -> None:
        self.module: nn.Module = module
        self._network, self._special, self.start = module, dict(special), special["pad"]

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Loads a network written by ``save``."""
        described = json.loads((folder / _POINTER_CONFIG).read_text(encoding="utf-8"))
        network = PointerGenerator(PointerGeneratorConfig(**described["sizes"]))
        network.load_state_dict(load_file(folder / _POINTER_WEIGHTS))
        return cls(network, described["special"])

    def logits(self, ids: Tensor, mask: Tensor, written: Tensor) -> tuple[Tensor, Tensor | None]:
        """Returns next-token log probabilities and, with coverage, the weighted coverage loss per token."""
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
        """Writes a network that ``load`` can read."""
        described = {"sizes": asdict(self._network.config), "special": self._special}
        (folder / _POINTER_CONFIG).write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
        save_file(self._network.state_dict(), folder / _POINTER_WEIGHTS)


Network = Transformer | Pointer  # generates a target from a source; ids are padded on the right


def read_sizes(file: Path) -> dict[str, Any]:
    """Reads the architecture and sizes of a model to train from scratch.

    Raises:
        SettingsError: the file cannot be read or specifies no known architecture.
    """
    try:
        sizes = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"--model {file}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"--model {file} is not YAML: {' '.join(str(error).split())}") from None
    known = (*_ARCHITECTURES, _POINTER)
    if not isinstance(sizes, dict) or sizes.get("architecture") not in known:
        raise SettingsError(f"--model {file}: set `architecture` to one of {', '.join(known)}")
    return sizes


def fresh(sizes: Mapping[str, Any], vocabulary: int, special: Mapping[str, int], attention: str) -> Network:
    """Returns a network with random weights, drawn by torch, with the sizes returned by ``read_sizes``.

    Raises:
        SettingsError: a size is unknown, or sizes conflict.
    """
    architecture, given = sizes["architecture"], {key: value for key, value in sizes.items() if key != "architecture"}
    try:
        if architecture == _POINTER:
            return Pointer(PointerGenerator(PointerGeneratorConfig(vocabulary=vocabulary, **given)), special)
        # check the names, because transformers silently accepts unknown ones
        known = _ARCHITECTURES[architecture]().to_dict()
        for name in given:
            if name not in known:
                raise ValueError(f"{architecture} has no setting {name!r}")
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
    """Loads the network saved in a folder.

    Raises:
        TrainingError: the network is missing or incomplete.
    """
    try:
        if (folder / _POINTER_CONFIG).exists():
            return Pointer.load(folder)
        return Transformer.pretrained(str(folder), attention)
    except (SettingsError, SafetensorError, OSError, ValueError, RuntimeError, KeyError, TypeError) as error:
        raise TrainingError(
            f"{folder} does not contain a complete model: {' '.join(str(error).split())[:300]}"
        ) from None
