"""Tokenizers: trained on a corpus, or read from a folder or the hub; and the hash that tells them apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from gistmill.core.model_files import load_auto_tokenizer
from gistmill.training.errors import SettingsError, TrainingError

PAD, EOS, UNK = "<pad>", "</s>", "<unk>"
_SPECIAL = [PAD, EOS, UNK]


def trained(texts: Iterable[str], size: int) -> Any:
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
        special_tokens=_SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    seen = _Counted(texts)
    tokenizer.train_from_iterator(seen, trainer=trainer)
    if not seen.count:
        raise TrainingError("there are no rows to train a tokenizer on")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {EOS}", special_tokens=[(EOS, tokenizer.token_to_id(EOS))]
    )
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token=PAD, eos_token=EOS, unk_token=UNK)


class _Counted:
    """Texts that are counted as they are read."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts, self.count = texts, 0

    def __iter__(self) -> Iterator[str]:
        for text in self._texts:
            self.count += 1
            yield text


def read(name: str) -> Any:
    """Returns the tokenizer of a folder or hub name.

    Raises:
        SettingsError: there is none.
    """
    try:
        return load_auto_tokenizer(name)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{name} has no tokenizer: {' '.join(str(error).split())[:300]}") from None


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
