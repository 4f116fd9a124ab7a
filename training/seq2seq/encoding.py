"""Tokenizers for sequence-to-sequence models, and the token ids of a row's texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib.metadata import version
from itertools import chain
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast
from typing_extensions import override

from gistmill.core.model_files import load_auto_tokenizer
from gistmill.core.values import nearest
from gistmill.training.data.encoded import Encode
from gistmill.training.errors import SettingsError, TrainingError
from gistmill.training.seq2seq.config import Seq2SeqConfig
from gistmill.training.task import Row

SOURCE, TARGET = "_source", "_target"


class Encoding(Encode):
    """An encoder of a row's source and target as token ids. See gistmill.training.data.encoded.Encode.

    Args:
        tokenizer: a transformers tokenizer.
        config: the columns, the source prefix and the maximum lengths.
    """

    lists = (SOURCE, TARGET)
    numbers = ()

    def __init__(self, tokenizer: Any, config: Seq2SeqConfig) -> None:
        self._tokenizer, self._config = tokenizer, config
        if backend := getattr(tokenizer, "backend_tokenizer", None):
            backend.no_truncation()
            backend.no_padding()

    @property
    @override
    def key(self) -> str:
        c = self._config
        options = [c.source_column, c.target_column, c.prefix, c.max_source, c.max_target]
        return json.dumps(["seq2seq", digest(self._tokenizer), version("tokenizers"), *options])

    @override
    def __call__(self, row: Row) -> dict[str, list[int]]:
        """Returns source and target ids. Raises SettingsError (column missing) or TrainingError (no text in it)."""
        target = text_of(row, self._config.target_column)
        return {
            SOURCE: self.source(text_of(row, self._config.source_column)),
            TARGET: self._ids(target, self._config.max_target),
        }

    def source(self, text: str) -> list[int]:
        """Returns the ids of a source, truncated to the maximum length."""
        return self._ids((self._config.prefix or "") + text, self._config.max_source)

    def _ids(self, text: str, longest: int) -> list[int]:
        """Returns a text's ids, truncated here because truncation in the tokenizer is not thread-safe."""
        backend = getattr(self._tokenizer, "backend_tokenizer", None)  # avoids the slow wrapper, if possible
        ids = backend.encode(text).ids if backend is not None else self._tokenizer(text, verbose=False)["input_ids"]
        if len(ids) <= longest:
            return list(ids)
        return [*ids[: longest - 1], self._tokenizer.eos_token_id]


def text_of(row: Row, column: str) -> str:
    """Returns the text in a column of a row.

    Raises:
        SettingsError: the rows have no such column.
        TrainingError: the column does not contain text in this row.
    """
    if column not in row:
        known = [name for name in row if not name.startswith("_")]
        raise SettingsError(
            f"there is no column {column!r}{nearest(column, known)}; the columns are {', '.join(known)}"
        )
    if not isinstance(row[column], str):
        raise TrainingError(f"row {row.get('id')} contains no text in column {column!r}")
    return str(row[column])


PAD, EOS, UNK = "<pad>", "</s>", "<unk>"


def trained_tokenizer(texts: Iterable[str], size: int) -> Any:
    """Trains a byte-level BPE tokenizer, which decodes every text exactly.

    The same texts in the same order give the same tokenizer. The library's unigram trainer does not guarantee this.

    Args:
        texts: texts from the training rows.
        size: maximum number of pieces, including special tokens.

    Raises:
        TrainingError: there is no text to train on.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[PAD, EOS, UNK],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    texts = iter(texts)
    if (first := next(texts, None)) is None:
        raise TrainingError("there are no rows to train a tokenizer on")
    tokenizer.train_from_iterator(chain([first], texts), trainer=trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {EOS}", special_tokens=[(EOS, tokenizer.token_to_id(EOS))]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=PAD, eos_token=EOS, unk_token=UNK)


def read_tokenizer(name: str) -> Any:
    """Loads the tokenizer from a folder or hub name.

    Raises:
        SettingsError: no tokenizer can be loaded.
    """
    try:
        return load_auto_tokenizer(name)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no tokenizer can be loaded from {name}: {' '.join(str(error).split())[:300]}") from None


def digest(tokenizer: Any) -> str:
    """Returns a SHA-256 of everything that determines the ids of a text."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        what = json.dumps(tokenizer.get_vocab(), sort_keys=True)
    else:
        described = json.loads(backend.to_str())
        described["truncation"] = described["padding"] = None  # these depend on the last call
        what = json.dumps(described, sort_keys=True)
    special = json.dumps({key: str(value) for key, value in tokenizer.special_tokens_map.items()}, sort_keys=True)
    return hashlib.sha256(f"{what}\n{special}".encode()).hexdigest()
