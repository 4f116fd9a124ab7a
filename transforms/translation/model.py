"""Translation with a transformers model, run by torch: its tokenizer, languages and batches."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import torch
from transformers import AutoModelForSeq2SeqLM
from transformers.utils import logging

from gistmill.core.model_files import load_auto_tokenizer, load_network
from gistmill.rules.augmentation.round_trip import TranslationError

_TOKENS = 16_384  # per batch: tokens of its sentences times beams
_LONGEST = 512  # maximum tokens of a sentence, unless the model sets another limit


class _Model(NamedTuple):
    """A model such as Marian, FSMT, M2M, NLLB or mBART, in single precision, with its tokenizer.

    Attributes:
        network, tokenizer: transformers objects.
        longest: the maximum number of tokens in a sentence to translate.
        lock: held while they are in use.
    """

    network: Any
    tokenizer: Any
    longest: int
    lock: threading.Lock


@lru_cache(maxsize=16)
def _load(path: str, device: str) -> _Model:
    """Returns the model in a folder; each process loads it once."""
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    network = load_network(AutoModelForSeq2SeqLM, path, local_files_only=True, dtype=torch.float32)
    tokenizer = load_auto_tokenizer(path, local_files_only=True)
    lengths = (getattr(network.config, "max_position_embeddings", None), tokenizer.model_max_length)
    longest = min((n for n in lengths if n is not None and n < 1_000_000), default=_LONGEST)
    return _Model(network.eval().to(device), tokenizer, longest, threading.Lock())


def batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Yields the numbers of sentences in batches, the shortest first. All sentences in a batch have the same length:
    without padding, fewer digits of a sentence's scores depend on its neighbours.

    Args:
        lengths: the lengths of the sentences, in tokens.
        budget: the maximum number of tokens in a batch of more than one sentence.
    """
    for length, same in groupby(sorted(range(len(lengths)), key=lengths.__getitem__), lengths.__getitem__):
        numbers, size = list(same), max(1, budget // max(1, length))
        yield from (numbers[at : at + size] for at in range(0, len(numbers), size))


class FolderTranslator:
    """A translator that uses the model in a folder, for one source and one target language; see Translator.

    Raises:
        TranslationError: the model cannot be loaded, or does not support a language.
    """

    def __init__(self, path: str, device: str, source: str, target: str, *, sha256: str) -> None:
        try:
            self._model = _load(path, device)
        except Exception as error:  # transformers and torch may raise anything
            problem = " ".join(str(error).split())[:300]
            raise TranslationError(f"{path} cannot be loaded as a translation model: {problem}") from None
        self._path, self._source, self.identity = path, source, f"{sha256} transformers {device} {source}-{target}"
        self._first: int | None = None  # the token that begins every hypothesis and specifies the language
        self._prefix = ""
        tokenizer = self._model.tokenizer
        if hasattr(tokenizer, "set_src_lang_special_tokens"):  # M2M, NLLB and mBART
            self._token(source)
            self._first = self._token(target)
        elif codes := getattr(tokenizer, "supported_language_codes", ()):  # Marian with several targets
            self._prefix = f">>{target}<< "
            if self._prefix.strip() not in codes:
                raise self._unknown(target, (code.strip("<>") for code in codes))

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Returns the hypotheses for each sentence, from beam search with ``count`` beams.

        Raises:
            TranslationError: the model failed, for example because memory ran out.
        """
        model, found = self._model, [list[str]() for _ in sentences]
        with model.lock:
            if self._first is not None:
                model.tokenizer.src_lang = self._source
            sources = [list(model.tokenizer(self._prefix + s, verbose=False)["input_ids"]) for s in sentences]
            read = [n for n, ids in enumerate(sources) if len(ids) <= model.longest]
            try:
                for batch in batches([len(sources[n]) for n in read], budget=_TOKENS // count):
                    numbers = [read[k] for k in batch]
                    made = self._generate([sources[n] for n in numbers], count)
                    for number, hypotheses in zip(numbers, made, strict=True):
                        found[number] = [*map(self._text, hypotheses)]
            except (RuntimeError, IndexError) as error:  # from torch: memory, positions, the GPU
                raise TranslationError(f"the model failed: {' '.join(str(error).split())[:300]}") from error
        return found

    def _generate(self, batch: Sequence[list[int]], count: int) -> list[list[list[int]]]:
        network = self._model.network
        ids = torch.tensor(batch, device=network.device)
        language = {} if self._first is None else {"forced_bos_token_id": self._first}
        with torch.inference_mode():
            made = network.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                do_sample=False,
                num_beams=count,
                num_return_sequences=count,
                max_new_tokens=min(self._model.longest, 2 * len(batch[0]) + 10),
                **language,
            )
        found: list[list[list[int]]] = made.view(len(batch), count, -1).tolist()
        return found

    def _text(self, ids: Sequence[int]) -> str:
        own = [token for token in ids if token != self._first]  # tokenizers do not treat language tokens as special
        return str(self._model.tokenizer.decode(own, skip_special_tokens=True))

    def _token(self, language: str) -> int:
        tokenizer = self._model.tokenizer
        known = getattr(tokenizer, "lang_code_to_token", None) or dict.fromkeys(tokenizer.all_special_tokens)
        if language not in known:
            raise self._unknown(language, known)
        return int(tokenizer.convert_tokens_to_ids(known[language] or language))

    def _unknown(self, language: str, known: Iterable[str]) -> TranslationError:
        names = ", ".join(sorted(known)[:12])
        return TranslationError(f"{self._path}: language {language!r} is not supported; the languages include {names}")
