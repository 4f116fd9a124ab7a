"""Sentences through a sequence-to-sequence model: its tokenizer, its languages, its batches."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from gistmill.rules.augmentation.translator import TranslationError
from gistmill.transforms.translation.batches import by_length

_TOKENS = 16_384  # of a batch: tokens of its sentences, for each beam
_LONGEST = 512  # tokens of a sentence, where a model does not say more or less


class SequenceModel(ABC):
    """A loaded model.

    Args:
        tokenizer: of transformers.
        longest: tokens that the model can read; None where it does not say.

    Attributes:
        tokenizer: see above.
        longest: tokens of the longest sentence that is translated.
        lock: held while the tokenizer and the model are in use.
    """

    def __init__(self, tokenizer: Any, longest: int | None) -> None:
        self.tokenizer = tokenizer
        known = [n for n in (longest, tokenizer.model_max_length) if n is not None and n < 1_000_000]
        self.longest = min(known, default=_LONGEST)
        self.lock = threading.Lock()

    def hypotheses(self, sources: Sequence[list[int]], *, first: int | None, count: int) -> list[list[list[int]]]:
        """Returns the tokens of hypotheses, from beam search with ``count`` beams.

        Batches have sentences of one length, so that none is padded: the fewer digits of a sentence's scores depend on
        its neighbours.

        Args:
            sources: tokens of the sentences.
            first: the token with which every hypothesis begins, as it says the language; None for no such token.
            count: hypotheses of each sentence.
        """
        found: list[list[list[int]]] = [[] for _ in sources]
        for batch in by_length([len(s) for s in sources], budget=_TOKENS // count, most=_TOKENS, equal=True):
            made = self.generate([sources[n] for n in batch], first=first, count=count)
            for number, tokens in zip(batch, made, strict=True):
                found[number] = tokens
        return found

    def most_tokens(self, source: Sequence[int]) -> int:
        """Returns how many tokens the translation of a sentence may have."""
        return min(self.longest, 2 * len(source) + 10)

    @abstractmethod
    def generate(self, batch: Sequence[list[int]], *, first: int | None, count: int) -> list[list[list[int]]]:
        """Returns the hypotheses of sentences of one length; see ``hypotheses``."""


class FolderTranslator:
    """A model, and the languages that it translates from and into; see Translator.

    Raises:
        TranslationError: the model does not know a language.
    """

    def __init__(self, model: SequenceModel, source: str, target: str, *, identity: str) -> None:
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
            except (RuntimeError, IndexError) as error:  # of torch and CTranslate2: memory, positions, the GPU
                raise TranslationError(f"the model failed: {' '.join(str(error).split())[:300]}") from error
            for number, hypotheses in zip(read, made, strict=True):
                found[number] = [self._text(ids) for ids in hypotheses]
        return found

    def _text(self, tokens: Sequence[int]) -> str:
        own = [token for token in tokens if token != self._first]  # tokenizers forget that languages are special
        return str(self._model.tokenizer.decode(own, skip_special_tokens=True))

    def _token(self, language: str) -> int:
        tokenizer = self._model.tokenizer
        known = getattr(tokenizer, "lang_code_to_token", None) or dict.fromkeys(tokenizer.all_special_tokens)
        if language not in known:
            raise _unknown(language, known)
        return int(tokenizer.convert_tokens_to_ids(known[language] or language))


def _unknown(language: str, known: Iterable[str]) -> TranslationError:
    names = sorted(known)
    return TranslationError(f"there is no language {language!r}; there are {', '.join(names[:12])} and so on")
