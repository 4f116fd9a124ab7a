"""Texts of a row as the ids that a sequence-to-sequence model reads and writes; and the tokenizers that make them."""

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
    """Turns the source and the target of a row into ids. See gistmill.training.data.encoded.Encode.

    Args:
        tokenizer: of transformers.
        config: the columns, the prefix of sources, and where texts are cut.
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
        """Raises SettingsError: the rows have no such column, and TrainingError: the row has no text there."""
        target = text_of(row, self._config.target_column)
        return {
            SOURCE: self.source(text_of(row, self._config.source_column)),
            TARGET: self._ids(target, self._config.max_target),
        }

    def source(self, text: str) -> list[int]:
        """Returns the ids of a source, cut to the greatest length."""
        return self._ids((self._config.prefix or "") + text, self._config.max_source)

    def _ids(self, text: str, longest: int) -> list[int]:
        """Returns the ids of a text. A longer one is cut here: one that cuts could not be used by two
        threads at once."""
        backend = getattr(self._tokenizer, "backend_tokenizer", None)  # without the slow wrapper, if it has one
        ids = backend.encode(text).ids if backend is not None else self._tokenizer(text, verbose=False)["input_ids"]
        if len(ids) <= longest:
            return list(ids)
        return [*ids[: longest - 1], self._tokenizer.eos_token_id]


def text_of(row: Row, column: str) -> str:
    """Returns the text in a column of a row.

    Raises:
        SettingsError: the rows have no such column.
        TrainingError: the row has no text there.
    """
    if column not in row:
        known = [name for name in row if not name.startswith("_")]
        raise SettingsError(f"the rows have no column {column!r}{nearest(column, known)}; they have {', '.join(known)}")
    if not isinstance(row[column], str):
        raise TrainingError(f"the row {row.get('id')} contains no text in the column {column!r}")
    return str(row[column])


PAD, EOS, UNK = "<pad>", "</s>", "<unk>"


def trained_tokenizer(texts: Iterable[str], size: int) -> Any:
    """Returns a byte-level BPE tokenizer that is trained on texts; every text comes back from it as it was.

    The same texts in the same order give the same tokenizer. The unigram trainer of the library does not: its pieces
    differ between processes.

    Args:
        texts: of the training rows.
        size: most pieces, special ones included.

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
    """Returns the tokenizer of a folder or hub name.

    Raises:
        SettingsError: there is none.
    """
    try:
        return load_auto_tokenizer(name)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{name} contains no tokenizer: {' '.join(str(error).split())[:300]}") from None


def digest(tokenizer: Any) -> str:
    """Returns the SHA-256 of all that decides which numbers a text becomes."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        what = json.dumps(tokenizer.get_vocab(), sort_keys=True)
    else:
        described = json.loads(backend.to_str())
        described["truncation"] = described["padding"] = None  # of the last call
        what = json.dumps(described, sort_keys=True)
    special = json.dumps({key: str(value) for key, value in tokenizer.special_tokens_map.items()}, sort_keys=True)
    return hashlib.sha256(f"{what}\n{special}".encode()).hexdigest()
