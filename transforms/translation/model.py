"""Sentences through a translation model of transformers, run by torch: its tokenizer, its languages, its batches."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

import torch
from transformers import AutoModelForSeq2SeqLM
from transformers.utils import logging

from gistmill.core.model_files import load_auto_tokenizer, load_network
from gistmill.rules.augmentation.round_trip import TranslationError

_TOKENS = 16_384  # of a batch: tokens of its sentences, for each beam
_LONGEST = 512  # tokens of a sentence, where a model does not say more or less


class Model:
    """A model such as Marian, FSMT, M2M, NLLB or mBART, in single precision.

    Args:
        path: its folder.
        device: ``cpu`` or ``cuda``.

    Attributes:
        tokenizer: of transformers.
        longest: tokens of the longest sentence that is translated.
        lock: held while the tokenizer and the model are in use.
    """

    def __init__(self, path: str, device: str) -> None:
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        model = load_network(AutoModelForSeq2SeqLM, path, local_files_only=True, dtype=torch.float32)
        self._model, self._device = model.eval().to(device), device
        self.tokenizer = load_auto_tokenizer(path, local_files_only=True)
        lengths = (getattr(model.config, "max_position_embeddings", None), self.tokenizer.model_max_length)
        self.longest = min((n for n in lengths if n is not None and n < 1_000_000), default=_LONGEST)
        self.lock = threading.Lock()

    def hypotheses(self, sources: Sequence[list[int]], *, first: int | None, count: int) -> list[list[list[int]]]:
        """Returns the tokens of hypotheses, from beam search with ``count`` beams.

        Args:
            sources: tokens of the sentences.
            first: the token with which every hypothesis begins, as it says the language; None for no such token.
            count: hypotheses of each sentence.
        """
        found: list[list[list[int]]] = [[] for _ in sources]
        language = {} if first is None else {"forced_bos_token_id": first}
        for batch in batches([len(s) for s in sources], budget=_TOKENS // count):
            ids = torch.tensor([sources[n] for n in batch], device=self._device)
            with torch.inference_mode():
                made = self._model.generate(
                    input_ids=ids,
                    attention_mask=torch.ones_like(ids),
                    do_sample=False,
                    num_beams=count,
                    num_return_sequences=count,
                    max_new_tokens=min(self.longest, 2 * ids.shape[1] + 10),
                    **language,
                )
            for number, tokens in zip(batch, made.view(len(batch), count, -1).tolist(), strict=True):
                found[number] = tokens
        return found


def batches(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Yields the numbers of sentences in batches, the shortest first. The sentences of a batch have one length, so that
    none is padded: the fewer digits of a sentence's scores depend on its neighbours.

    Args:
        lengths: of the sentences, in tokens.
        budget: tokens of a batch, unless it is one sentence.
    """
    for length, same in groupby(sorted(range(len(lengths)), key=lengths.__getitem__), lengths.__getitem__):
        numbers, size = list(same), max(1, budget // max(1, length))
        yield from (numbers[at : at + size] for at in range(0, len(numbers), size))


class FolderTranslator:
    """A model, and the languages that it translates from and into; see Translator.

    Raises:
        TranslationError: the model does not know a language.
    """

    def __init__(self, model: Model, source: str, target: str, *, identity: str) -> None:
        self._model, self._source, self.identity = model, source, identity
        self._first: int | None = None
        self._prefix = ""
        tokenizer = model.tokenizer
        if hasattr(tokenizer, "set_src_lang_special_tokens"):  # M2M, NLLB and mBART
            self._token(source)
            self._first = self._token(target)
        elif codes := getattr(tokenizer, "supported_language_codes", ()):  # Marian with several targets
            self._prefix = f">>{target}<< "
            if self._prefix.strip() not in codes:
                raise _unknown(target, (code.strip("<>") for code in codes))

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Returns the hypotheses for each sentence.

        Raises:
            TranslationError: the model failed, as where memory does not suffice.
        """
        tokenizer, found = self._model.tokenizer, [list[str]() for _ in sentences]
        with self._model.lock:
            if self._first is not None:
                tokenizer.src_lang = self._source
            sources = [list(tokenizer(self._prefix + s, verbose=False)["input_ids"]) for s in sentences]
            read = [n for n, ids in enumerate(sources) if len(ids) <= self._model.longest]
            try:
                made = self._model.hypotheses([sources[n] for n in read], first=self._first, count=count)
            except (RuntimeError, IndexError) as error:  # of torch: memory, positions, the GPU
                raise TranslationError(f"the model failed: {' '.join(str(error).split())[:300]}") from error
            for number, hypotheses in zip(read, made, strict=True):
                # tokenizers forget that languages are special
                own = [[token for token in ids if token != self._first] for ids in hypotheses]
                found[number] = [str(tokenizer.decode(ids, skip_special_tokens=True)) for ids in own]
        return found

    def _token(self, language: str) -> int:
        tokenizer = self._model.tokenizer
        known = getattr(tokenizer, "lang_code_to_token", None) or dict.fromkeys(tokenizer.all_special_tokens)
        if language not in known:
            raise _unknown(language, known)
        return int(tokenizer.convert_tokens_to_ids(known[language] or language))


def _unknown(language: str, known: Iterable[str]) -> TranslationError:
    return TranslationError(f"there is no language {language!r}; there are {', '.join(sorted(known)[:12])} and so on")


@lru_cache(maxsize=16)
def load(path: str, device: str) -> Model:
    """Returns the model of a folder, which a process loads once. Raises TranslationError: it cannot be loaded."""
    try:
        return Model(path, device)
    except Exception as error:  # the packages below raise plain exceptions
        problem = " ".join(str(error).split())[:300]
        raise TranslationError(f"it cannot be loaded as a model that translates: {problem}") from None
