"""A translator: the object that turns sentences of one language into another. It is injected wherever one is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class TranslationError(RuntimeError):
    """A translator cannot be used, or gave what it must not give; the text is one line for the user."""


class Translator(Protocol):
    """Translates sentences of one language into one other language.

    Attributes:
        identity: what decides the translations: a model's hash and its way of decoding. Translators with the same
            identity give the same hypotheses for the same sentence.
    """

    @property
    def identity(self) -> str: ...

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Returns the hypotheses for each sentence, in the order of the sentences.

        Args:
            sentences: any number, each with something else than white space.
            count: hypotheses of each sentence, at least 1.

        Returns:
            For each sentence ``count`` hypotheses, the best first; none for a sentence that the translator cannot read
            as a whole.

        Raises:
            TranslationError: it cannot work, or no longer.
        """
        ...


def hypotheses(translator: Translator, sentences: Sequence[str], *, count: int) -> list[list[str]]:
    """Returns what a translator gives for sentences, checked, each hypothesis on one line; "" for one with lone
    surrogates.

    Raises:
        TranslationError: it cannot work, or gives another number of hypotheses than ``count`` or none, or no texts.
    """
    if not sentences:
        return []
    found = translator.translate(sentences, count=count)
    if not isinstance(found, Sequence) or not all(isinstance(each, Sequence) for each in found):
        raise TranslationError("the translator gave something else than a list with a list of texts for each sentence")
    if len(found) != len(sentences):
        raise TranslationError(f"the translator gave {len(found)} answers for {len(sentences)} sentences")
    return [_checked(each, count) for each in found]


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which no tokenizer and no encoding takes."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _checked(found: Sequence[str], count: int) -> list[str]:
    if isinstance(found, str):
        raise TranslationError("the translator gave a text for a sentence, not a list of hypotheses")
    if len(found) not in (0, count):
        raise TranslationError(
            f"the translator gave {len(found)} hypotheses for a sentence, and {count} were asked for"
        )
    if not all(isinstance(text, str) for text in found):
        raise TranslationError("the translator gave a hypothesis that is not text")
    return [" ".join(text.split()) if is_unicode(text) else "" for text in found]
